/** How often a delivery is tried, and how long is waited in between. */
export interface RetryPlan {
  readonly maxAttempts: number
  readonly initialDelayMs: number
  readonly multiplier: number
  /** for one attempt as a whole */
  readonly timeoutMs: number
}

export const usualPlan: RetryPlan = { maxAttempts: 3, initialDelayMs: 1_000, multiplier: 2, timeoutMs: 10_000 }

/** What an endpoint may choose for itself. */
export const planBounds = {
  maxAttempts: { minimum: 1, maximum: 10 },
  initialDelayMs: { minimum: 100, maximum: 3_600_000 },
  multiplier: { minimum: 1, maximum: 10 },
  timeoutMs: { minimum: 1_000, maximum: 30_000 },
} as const satisfies Record<keyof RetryPlan, { minimum: number; maximum: number }>

/** Nobody is kept waiting longer than this, whatever multiplies and whoever asks for it. */
const longestDelayMs = 24 * 3600_000

/**
 * How long after so many failed attempts the next one comes; nothing when there is none. A receiver that says when to come
 * again is believed, but not beyond a day. Whole milliseconds, though a multiplier need not be whole: the database takes nothing else.
 */
export function delayAfter(
  { maxAttempts, initialDelayMs, multiplier }: RetryPlan,
  failed: number,
  retryAfterMs = 0,
): number | undefined {
  if (failed >= maxAttempts) return undefined
  return Math.min(longestDelayMs, Math.max(Math.round(initialDelayMs * multiplier ** (failed - 1)), retryAfterMs))
}

/** A date of HTTP has a comma in it, behind the day's name; any other is between two values. */
const eachValue = /\s*[A-Z][a-z]{2}, [^,]+|[^,]+/g

/**
 * `Retry-After` in both of its forms: seconds, or a date. What is neither is as good as nothing. Said more than once, by the receiver and by what
 * stands before it, the longest is meant: whoever came sooner would meet the one who asked for more.
 */
export function retryAfterMs(header: string | readonly string[] | undefined, now: Date): number {
  const values = [header ?? []].flat().flatMap((text) => text.match(eachValue) ?? [])
  return Math.max(0, ...values.map((value) => oneRetryAfterMs(value.trim(), now)))
}

function oneRetryAfterMs(value: string, now: Date): number {
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  // Dates of HTTP begin with the day's name; what JavaScript takes for a date otherwise is nothing to rely on.
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? 0 : at - now.getTime()
}
