/** When a failed delivery is attempted again. */
export interface RetryPlan {
  /** the first attempt included */
  readonly maxAttempts: number
  /** between the first attempt and the second */
  readonly initialDelayMs: number
  /** each delay is the one before times this, up to `maxDelayMs` */
  readonly multiplier: number
  readonly maxDelayMs: number
  /** for one attempt as a whole: from the name lookup to the end of the response */
  readonly timeoutMs: number
}

const dayMs = 24 * 3600_000

/** The contract's three attempts, for an endpoint without a plan of its own. */
export const usualPlan: RetryPlan = {
  maxAttempts: 3,
  initialDelayMs: 1_000,
  multiplier: 2,
  maxDelayMs: dayMs,
  timeoutMs: 10_000,
}

/** What an endpoint may choose for itself. */
export const planBounds = {
  maxAttempts: { minimum: 1, maximum: 20 },
  initialDelayMs: { minimum: 100, maximum: 3_600_000 },
  multiplier: { minimum: 1, maximum: 10 },
  maxDelayMs: { minimum: 100, maximum: dayMs },
  timeoutMs: { minimum: 1_000, maximum: 30_000 },
} as const satisfies Record<keyof RetryPlan, { minimum: number; maximum: number }>

/**
 * The delay before the next attempt after `failed` failed ones; `undefined` if the plan is used up. A receiver's
 * `Retry-After` can lengthen the delay beyond `maxDelayMs`, up to a day. The result is a whole number because the database takes no fractions.
 */
export function delayAfter(
  { maxAttempts, initialDelayMs, multiplier, maxDelayMs }: RetryPlan,
  failed: number,
  retryAfterMs = 0,
): number | undefined {
  if (failed >= maxAttempts) return undefined
  const planned = Math.min(maxDelayMs, Math.round(initialDelayMs * multiplier ** (failed - 1)))
  return Math.min(dayMs, Math.max(planned, retryAfterMs))
}

/** A comma follows the name of the day in an HTTP date. Any other comma separates values. */
const eachValue = /\s*[A-Z][a-z]{2}, [^,]+|[^,]+/g

/**
 * `Retry-After` in both forms: seconds or a date. Other text is ignored. Of several values, from the receiver and
 * proxies before it, the longest counts.
 */
export function retryAfterMs(header: string | readonly string[] | undefined, now: Date): number {
  const values = [header ?? []].flat().flatMap((text) => text.match(eachValue) ?? [])
  return Math.max(0, ...values.map((value) => oneRetryAfterMs(value.trim(), now)))
}

function oneRetryAfterMs(value: string, now: Date): number {
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  // An HTTP date begins with the name of the day. JavaScript would accept other texts as dates too.
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? 0 : at - now.getTime()
}
