import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { refuse } from '../../kernel/refusals.ts'
import {
  type ConsumerLag,
  type ConsumerState,
  listConsumers,
  listLags,
} from '../../platform/background/consumer-states.store.ts'
import type { Database } from '../../platform/database/database.ts'
import { type QueueLoad, readQueueLoads } from '../../platform/jobs/jobs.store.ts'
import { type Metric, metricsText } from '../../platform/metrics.ts'
import { sameSecret } from '../../platform/secrets/secrets.ts'
import { sendPacked } from '../reply/packed-reply.ts'
import { isCalledByLoopbackName } from './loopback-names.ts'

/**
 * `open` serves the metrics to requests with a name of this machine. Otherwise the token is required, and without a configured token the
 * page does not exist.
 */
export interface MetricsAccess {
  readonly open: boolean
  readonly token: string | undefined
}

/** `others` are the texts of further metrics in the format of Prometheus. */
export function serveMetrics(
  server: FastifyInstance,
  db: Database,
  access: MetricsAccess,
  others: readonly (() => Promise<string>)[],
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestSeconds = new Histogram({
    name: 'risiti_http_request_seconds',
    help: 'Time to answer a request, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })

  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  // With 100,000 organisations it takes half a second.
  const readLags = readSparingly(() => listLags(db))
  server.get('/metrics', async (request, reply) => {
    const shown = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const allowed =
      access.token === undefined ? access.open && isCalledByLoopbackName(request) : sameSecret(shown, access.token)
    if (!allowed) throw refuse('route.not_found')
    const own = [registry.metrics(), loadMetrics(db, readLags)]
    const texts = await Promise.all([...own, ...others.map((text) => text())])
    return sendPacked(request, reply.type(registry.contentType), texts.join('').replaceAll('\n\n', '\n'))
  })
}

/** Reads for at most a hundredth of the time, and gives the last result in between. */
function readSparingly<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<Result> | undefined
  return () => {
    if (last) return last
    const beganAt = performance.now()
    const result = read()
    const forget = () => {
      last = undefined
    }
    last = result
    result.then(() => setTimeout(forget, 100 * (performance.now() - beganAt)).unref(), forget)
    return result
  }
}

/** Jobs and events that wait, and the connections to the database. */
async function loadMetrics(db: Database, readLags: () => Promise<ConsumerLag[]>): Promise<string> {
  const [loads, consumers, lags] = await Promise.all([readQueueLoads(db), listConsumers(db), readLags()])
  const byQueue = (value: (load: QueueLoad) => number): Metric['values'] =>
    loads.map((load) => [{ queue: load.queue }, value(load)])
  const byConsumer = (value: (state: ConsumerState) => number): Metric['values'] =>
    consumers.map((state) => [{ consumer: state.consumer }, value(state)])
  return await metricsText([
    {
      name: 'risiti_queue_waiting',
      help: 'Jobs that wait or are under way, by queue.',
      values: byQueue(({ waiting }) => waiting),
    },
    {
      name: 'risiti_queue_oldest_seconds',
      help: 'Age of the oldest of these jobs.',
      values: byQueue(({ oldestSeconds }) => oldestSeconds),
    },
    {
      name: 'risiti_queue_given_up',
      help: 'Jobs that are not tried again, by queue.',
      values: byQueue(({ givenUp }) => givenUp),
    },
    {
      name: 'risiti_consumer_waiting',
      help: 'Events that a consumer has not read.',
      values: lags.map(({ consumer, unread }) => [{ consumer }, unread]),
    },
    {
      name: 'risiti_consumer_behind_seconds',
      help: 'Age of the oldest event that a consumer has not read.',
      values: lags.map(({ consumer, behindSeconds }) => [{ consumer }, behindSeconds]),
    },
    {
      name: 'risiti_consumer_failures',
      help: 'How often in a row a consumer has failed on one event.',
      values: byConsumer(({ failures }) => failures),
    },
    {
      name: 'risiti_consumer_set_aside',
      help: 'Events that a consumer could not take and has set aside. The table set_aside_events lists them.',
      values: byConsumer(({ setAside }) => setAside),
    },
    { name: 'risiti_database_connections', help: 'Connections in the pool.', values: db.pool.totalCount },
    { name: 'risiti_database_waiting', help: 'Requests that wait for a connection.', values: db.pool.waitingCount },
  ])
}
