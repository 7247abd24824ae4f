import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../kernel/addresses.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Config } from '../../platform/config.ts'
import type { RateLimit, Standing } from '../../platform/limits/rate-limits.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import { sayStanding } from '../reply/common-head.ts'

/** What counting takes. */
export interface CountParts {
  readonly runtime: Pick<Runtime, 'limiter'>
  readonly config: Pick<Config, 'limits'>
}

const ofNetwork =
  (kind: string) =>
  (address: string, perMinute: number): RateLimit => ({
    subject: `${kind}:${networkOf(address)}`,
    perWindow: perMinute,
    windowSeconds: 60,
  })

export const addressLimit = ofNetwork('address')
/** of tokens that only the database knows, or nobody */
export const strangeTokenLimit = ofNetwork('strange token')
/** An authority speaks for all whom it serves, from a few addresses: it may ring ten times as often as anybody else may ask. */
const notificationLimit = (address: string, perMinute: number): RateLimit =>
  ofNetwork('notification')(address, perMinute * 10)
const readinessLimit = ofNetwork('readiness')

/** Counts a request against each of its limits, from memory where that is possible, and shows the tightest. */
export function count(
  limits: readonly RateLimit[],
  reply: FastifyReply,
  parts: Pick<CountParts, 'runtime'>,
  from = 0,
  before?: Standing,
): Promise<void> | void {
  let tightest = before
  for (let nth = from; nth < limits.length; nth++) {
    const taken = parts.runtime.limiter.take(limits[nth] as RateLimit)
    if (taken instanceof Promise)
      return taken.then((standing) => {
        const least = tighter(tightest, standing)
        return standing.allowed ? count(limits, reply, parts, nth + 1, least) : admitStanding(reply, least)
      })
    tightest = tighter(tightest, taken)
    if (!taken.allowed) break
  }
  if (tightest) admitStanding(reply, tightest)
}

/** A limit that is used up is the tightest. */
const tighter = (one: Standing | undefined, other: Standing): Standing =>
  !one || !other.allowed || other.remaining < one.remaining ? other : one

/** Route options of a public page: each request counts by address before anything is done for it. */
export const countedByAddress = (parts: CountParts) => ({
  config: { counted: true },
  onRequest: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    try {
      const counting = count([addressLimit(request.clientAddress, parts.config.limits.address)], reply, parts)
      if (counting) counting.then(() => done(), done)
      else done()
    } catch (refusal) {
      done(refusal as Error)
    }
  },
})

/**
 * Whether we are ready may be asked as often as anything else, but is counted apart: an orchestrator must not find us
 * unready because somebody beside it is busy, nor because the database that counts is away.
 */
export async function countReadiness(
  { clientAddress }: FastifyRequest,
  reply: FastifyReply,
  parts: CountParts,
): Promise<void> {
  try {
    await count([readinessLimit(clientAddress, parts.config.limits.address)], reply, parts)
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'limit.exceeded') throw error
  }
}

/** Counts a request of somebody whom nothing tells apart from any other stranger. */
export async function countStranger(
  { clientAddress }: Pick<FastifyRequest, 'clientAddress'>,
  reply: FastifyReply,
  parts: CountParts,
): Promise<void> {
  await count([addressLimit(clientAddress, parts.config.limits.address)], reply, parts)
}

/** Before a notification is read: reading costs us, whoever sent it. */
export async function countNotification(
  { clientAddress }: Pick<FastifyRequest, 'clientAddress'>,
  reply: FastifyReply,
  parts: CountParts,
): Promise<void> {
  await count([notificationLimit(clientAddress, parts.config.limits.address)], reply, parts)
}

/** A notification that its sender signed counts for nothing: a provider may send as many as it has. */
export const uncountNotification = (
  { clientAddress }: Pick<FastifyRequest, 'clientAddress'>,
  parts: CountParts,
): void => parts.runtime.limiter.giveBack(notificationLimit(clientAddress, parts.config.limits.address))

function admitStanding(reply: FastifyReply, standing: Standing): void {
  sayStanding(reply, standing)
  if (!standing.allowed) throw refuse('limit.exceeded', { retryAfterSeconds: standing.resetSeconds })
}
