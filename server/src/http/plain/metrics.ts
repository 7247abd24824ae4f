import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { refuse } from '../../kernel/refusals.ts'
import type { Database } from '../../platform/database/database.ts'
import { sameSecret } from '../../platform/secrets/secrets.ts'
import { oldestWaitingSeconds } from '../../platform/work/outbox.store.ts'
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
  gauge('risiti_outbox_oldest_seconds', 'Age of the oldest event or job not yet relayed', () =>
    oldestWaitingSeconds(db),
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
    return reply.type(registry.contentType).send(texts.join('\n'))
  })
}
