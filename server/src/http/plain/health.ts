import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { metaOf } from '../reply/envelope.ts'
import { giveReason } from '../reply/unavailable.ts'

export interface Readiness {
  readonly name: string
  /** optional: the rest works without it, so it is only shown */
  readonly optional?: true
  /** resolves when the part works; its rejection is the reason */
  readonly check: () => Promise<unknown>
}

/** A part, and its problem in words that anyone may read. */
export class Unhealthy extends Error {
  override readonly name = 'NotWell'
}

const patienceMs = 2000
/**
 * Results for outside parties are cached, so that health checks do not flood them. Our own parts are always checked: a cached result could
 * be wrong.
 */
const freshMs = { needed: 0, optional: 5_000 } as const

async function ask({ name, check }: Readiness): Promise<[string, string]> {
  const tooSlow = new Promise<never>((_, reject) => setTimeout(reject, patienceMs).unref())
  return await Promise.race([check(), tooSlow]).then(
    () => [name, 'ok'],
    (error: unknown) => [name, error instanceof Unhealthy ? error.message : 'cannot be reached'],
  )
}

/** One check for all concurrent callers, and for those soon after. */
function askNowAndThen(part: Readiness): () => Promise<[string, string]> {
  let answer: Promise<[string, string]> | undefined
  let freshUntil = 0
  return () => {
    if (answer && performance.now() < freshUntil) return answer
    freshUntil = Number.POSITIVE_INFINITY
    answer = ask(part).finally(() => {
      freshUntil = performance.now() + (part.optional ? freshMs.optional : freshMs.needed)
    })
    return answer
  }
}

export interface HealthOptions {
  /** counts requests for readiness, or refuses */
  readonly admit?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** `/health`: the process lives. `/ready`: it can do its work; otherwise 503 with the reason. */
export function serveHealth(server: FastifyInstance, parts: readonly Readiness[], { admit }: HealthOptions = {}): void {
  const needed = new Set(parts.filter(({ optional }) => !optional).map(({ name }) => name))
  const questions = parts.map(askNowAndThen)
  server.get('/health', async () => ({ status: 'ok' }))
  server.get('/ready', async (request, reply) => {
    await admit?.(request, reply)
    const checks = Object.fromEntries(await Promise.all(questions.map((question) => question())))
    const down = Object.entries(checks).filter(([name, state]) => state !== 'ok' && needed.has(name))
    if (down.length === 0) return { status: 'ready', checks }
    giveReason(reply, { reason: `not ready: ${down.map(([name]) => name).join(', ')}` })
    const message = `Not ready: ${down.map(([name, state]) => `${name} ${state}`).join(', ')}.`
    return reply
      .code(503)
      .header('retry-after', 2)
      .send({
        status: 'not ready',
        checks,
        meta: metaOf(request.id),
        error: { code: 'DEP001', reason: 'dependency.unavailable', message },
      })
  })
}
