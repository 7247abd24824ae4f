import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../kernel/addresses.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Config } from '../../platform/config.ts'
import type { LimitState, RateLimit } from '../../platform/limits/rate-limits.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import { setLimitHeaders } from '../reply/common-head.ts'

/** What counting needs. */
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
/** for tokens that only the database can check */
export const strangeTokenLimit = ofNetwork('strange token')
/** An authority notifies for all its businesses from a few addresses, so it gets ten times the limit of other callers. */
const notificationLimit = (address: string, perMinute: number): RateLimit =>
  ofNetwork('notification')(address, perMinute * 10)
const readinessLimit = ofNetwork('readiness')

/** Counts a request against each of its limits, from memory if possible, and shows the tightest. */
export function count(
  limits: readonly RateLimit[],
  reply: FastifyReply,
  parts: Pick<CountParts, 'runtime'>,
  from = 0,
  before?: LimitState,
): Promise<void> | void {
  let tightest = before
  for (let nth = from; nth < limits.length; nth++) {
    const taken = parts.runtime.limiter.take(limits[nth] as RateLimit)
    if (taken instanceof Promise)
      return taken.then((state) => {
        const least = tighter(tightest, state)
        return state.allowed ? count(limits, reply, parts, nth + 1, least) : requireAllowed(reply, least)
      })
    tightest = tighter(tightest, taken)
    if (!taken.allowed) break
  }
  if (tightest) requireAllowed(reply, tightest)
}

/** A limit that is used up is the tightest. */
const tighter = (one: LimitState | undefined, other: LimitState): LimitState =>
  !one || !other.allowed || other.remaining < one.remaining ? other : one

/** Route options of a public page: each request counts by address before any work. */
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
 * Readiness checks have the usual limit but a counter of their own. An orchestrator must not find the node unready because a neighbour is
 * busy, or because the counting database is down.
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

/** Counts a request of an anonymous caller. */
export async function countStranger(
  { clientAddress }: Pick<FastifyRequest, 'clientAddress'>,
  reply: FastifyReply,
  parts: CountParts,
): Promise<void> {
  await count([addressLimit(clientAddress, parts.config.limits.address)], reply, parts)
}

/** Counted before a notification is read, because reading costs CPU time for any sender. */
export async function countNotification(
  { clientAddress }: Pick<FastifyRequest, 'clientAddress'>,
  reply: FastifyReply,
  parts: CountParts,
): Promise<void> {
  await count([notificationLimit(clientAddress, parts.config.limits.address)], reply, parts)
}

/** A signed notification is not counted: a provider may send any number. */
export const uncountNotification = (
  { clientAddress }: Pick<FastifyRequest, 'clientAddress'>,
  parts: CountParts,
): void => parts.runtime.limiter.giveBack(notificationLimit(clientAddress, parts.config.limits.address))

function requireAllowed(reply: FastifyReply, state: LimitState): void {
  setLimitHeaders(reply, state)
  if (!state.allowed) throw refuse('limit.exceeded', { retryAfterSeconds: state.resetSeconds })
}
