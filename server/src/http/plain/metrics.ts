import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { refuse } from '../../kernel/refusals.ts'
import type { Database } from '../../platform/database/database.ts'
import { type ConsumerState, countUnread, listConsumers } from '../../platform/events/cursors.store.ts'
import { sameSecret } from '../../platform/secrets/secrets.ts'
import { type QueueLoad, readQueueLoads } from '../../platform/work/work.store.ts'
import { sendPacked } from '../reply/packed-reply.ts'
import { isCalledByLoopbackName } from './loopback-names.ts'
import { RequestTimes } from './request-times.ts'

/** `open` serves them to anyone who calls us by a name of this machine; otherwise the token is asked for, and without one they do not exist. */
export interface MetricsAccess {
  readonly open: boolean
  readonly token: string | undefined
}

/** `others` measure themselves, and say it as Prometheus reads it. */
export function serveMetrics(
  server: FastifyInstance,
  db: Database,
  access: MetricsAccess,
  others: readonly (() => Promise<string>)[],
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const times = new RequestTimes()
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  const labelled = (
    name: string,
    help: string,
    label: string,
    read: () => Promise<readonly (readonly [string, number])[]>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        this.reset()
        for (const [value, count] of await read()) this.set({ [label]: value }, count)
      },
    })
  const perQueue = (name: string, help: string, read: (load: QueueLoad) => number) =>
    labelled(name, help, 'lane', async () => (await readQueueLoads(db)).map((load) => [load.lane, read(load)]))
  perQueue('risiti_lane_waiting', 'Pieces of work that wait or are under way', ({ waiting }) => waiting)
  perQueue('risiti_lane_oldest_seconds', 'Age of the oldest of them', ({ oldestSeconds }) => oldestSeconds)
  perQueue('risiti_lane_given_up', 'Pieces that nobody tries any more', ({ givenUp }) => givenUp)
  const perConsumer = (name: string, help: string, read: (state: ConsumerState) => number) =>
    labelled(name, help, 'consumer', async () =>
      (await listConsumers(db)).map((state) => [state.consumer, read(state)]),
    )
  labelled(
    'risiti_consumer_waiting',
    'Events that a consumer has not read, counted up to 10,000',
    'consumer',
    async () => (await countUnread(db)).map(({ consumer, unread }) => [consumer, unread]),
  )
  perConsumer(
    'risiti_consumer_behind_seconds',
    'Age of the oldest event that a consumer has not read',
    (state) => state.behindSeconds,
  )
  perConsumer(
    'risiti_consumer_failures',
    'How often in a row a consumer has failed on one event',
    (state) => state.failures,
  )
  perConsumer(
    'risiti_consumer_set_aside',
    'Events that a consumer could not take and has set aside; the table set_aside_events lists them',
    (state) => state.setAside,
  )
  gauge('risiti_database_connections', 'Connections in the pool', () => db.pool.totalCount)
  gauge('risiti_database_waiting', 'Requests waiting for a connection', () => db.pool.waitingCount)

  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    times.note(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', async (request, reply) => {
    const shown = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const allowed =
      access.token === undefined ? access.open && isCalledByLoopbackName(request) : sameSecret(shown, access.token)
    if (!allowed) throw refuse('route.not_found')
    const texts = [await registry.metrics(), times.text(), ...(await Promise.all(others.map((text) => text())))]
    // Prometheus reads lines, the last one included.
    return sendPacked(request, reply.type(registry.contentType), `${texts.join('\n').replace(/\n+/g, '\n').trim()}\n`)
  })
}
