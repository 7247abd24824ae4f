import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../kernel/addresses.ts'
import { Refusal, refuse } from '../kernel/refusals.ts'
import type { Config } from '../platform/config.ts'
import type { RateLimit, Standing } from '../platform/limits/rate-limits.ts'
import type { Machine } from '../platform/operations/runner.ts'
import { sayStanding } from './common-head.ts'

/** What counting takes. */
export interface CountParts {
  readonly machine: Pick<Machine, 'limiter'>
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
export const notificationLimit = (address: string, perMinute: number): RateLimit =>
  ofNetwork('notification')(address, perMinute * 10)
const readinessLimit = ofNetwork('readiness')

/** Counts a request against its limit, from memory where that is possible. */
export function count(
  limits: readonly RateLimit[],
  reply: FastifyReply,
  parts: Pick<CountParts, 'machine'>,
): Promise<void> | void {
  const [only, another] = limits
  const taken = only && another === undefined ? parts.machine.limiter.take(only) : undefined
  if (taken === undefined || taken instanceof Promise) return countAll(limits, reply, parts, taken)
  admitStanding(reply, taken)
}

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
  { clientAddress }: FastifyRequest,
  reply: FastifyReply,
  parts: CountParts,
): Promise<void> {
  await count([addressLimit(clientAddress, parts.config.limits.address)], reply, parts)
}

function admitStanding(reply: FastifyReply, standing: Standing): void {
  sayStanding(reply, standing)
  if (!standing.allowed) throw refuse('limit.exceeded', { retryAfterSeconds: standing.resetSeconds })
}

/** Counts against each of several limits and shows the tightest. */
async function countAll(
  limits: readonly RateLimit[],
  reply: FastifyReply,
  { machine }: Pick<CountParts, 'machine'>,
  first: Promise<Standing> | undefined,
): Promise<void> {
  if (first) return admitStanding(reply, await first)
  let tightest: Standing | undefined
  for (const limit of limits) {
    const taken = machine.limiter.take(limit)
    const standing = taken instanceof Promise ? await taken : taken
    if (!tightest || !standing.allowed || standing.remaining < tightest.remaining) tightest = standing
    if (!standing.allowed) break
  }
  if (tightest) admitStanding(reply, tightest)
}
