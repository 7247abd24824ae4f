import type { FastifyInstance } from 'fastify'
import { metaOf } from '../envelope.ts'

export interface Readiness {
  readonly name: string
  /** without it the rest still works: it is shown, and nothing more */
  readonly optional?: true
  /** resolves when the part works; its rejection is the reason */
  readonly check: () => Promise<unknown>
}

const patienceMs = 2000

async function ask({ name, check }: Readiness): Promise<[string, string]> {
  const tooSlow = new Promise<never>((_, reject) => setTimeout(reject, patienceMs).unref())
  return await Promise.race([check(), tooSlow]).then(
    () => [name, 'ok'],
    () => [name, 'cannot be reached'],
  )
}

/** `/health`: the process lives. `/ready`: it can do its work; otherwise 503 with the reason. */
export function serveHealth(server: FastifyInstance, parts: readonly Readiness[]): void {
  server.get('/health', async () => ({ status: 'ok' }))
  server.get('/ready', async (request, reply) => {
    const checks = Object.fromEntries(await Promise.all(parts.map(ask)))
    const needed = new Set(parts.filter(({ optional }) => !optional).map(({ name }) => name))
    const down = Object.entries(checks).filter(([name, state]) => state !== 'ok' && needed.has(name))
    if (down.length === 0) return { status: 'ready', checks }
    const message = `Not ready: ${down.map(([name, state]) => `${name} ${state}`).join(', ')}.`
    return reply
      .code(503)
      .header('retry-after', 2)
      .send({ status: 'not ready', checks, meta: metaOf(request.id), error: { code: 'DEP001', message } })
  })
}
