import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { metaOf } from '../reply/envelope.ts'
import { giveReason } from '../reply/unavailable.ts'

export interface Readiness {
  readonly name: string
  /** without it the rest still works: it is shown, and nothing more */
  readonly optional?: true
  /** resolves when the part works; its rejection is the reason */
  readonly check: () => Promise<unknown>
}

/** A part that can be reached, and what is wrong with it in words that anybody may read. */
export class NotWell extends Error {
  override readonly name = 'NotWell'
}

const patienceMs = 2000
/** What others run is not asked each time that anybody asks us. Our own parts are: an old answer could be wrong. */
const freshMs = { needed: 0, optional: 5_000 } as const

async function ask({ name, check }: Readiness): Promise<[string, string]> {
  const tooSlow = new Promise<never>((_, reject) => setTimeout(reject, patienceMs).unref())
  return await Promise.race([check(), tooSlow]).then(
    () => [name, 'ok'],
    (error: unknown) => [name, error instanceof NotWell ? error.message : 'cannot be reached'],
  )
}

/** Asks once for all who want to know at the same time, and for those who come soon after. */
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
  /** counts who asks whether we are ready, or refuses */
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
