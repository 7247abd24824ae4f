import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { refuse } from '../../kernel/refusals.ts'
import type { Database } from '../../platform/database.ts'
import { oldestWaitingSeconds } from '../../platform/outbox.store.ts'
import { sameSecret } from '../../platform/secrets.ts'

/** `open` serves them to anyone who can connect; otherwise the token is asked for, and without one they do not exist. */
export interface MetricsAccess {
  readonly open: boolean
  readonly token: string | undefined
}

export function serveMetrics(server: FastifyInstance, db: Database, access: MetricsAccess): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'risiti_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  gauge('risiti_outbox_oldest_seconds', 'Age of the oldest event or job not yet relayed', () =>
    oldestWaitingSeconds(db),
  )
  gauge('risiti_database_connections', 'Connections in the pool', () => db.pool.totalCount)
  gauge('risiti_database_waiting', 'Requests waiting for a connection', () => db.pool.waitingCount)

  server.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
  server.get('/metrics', async (request, reply) => {
    const shown = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const allowed = access.token === undefined ? access.open : sameSecret(shown, access.token)
    if (!allowed) throw refuse('route.not_found')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
