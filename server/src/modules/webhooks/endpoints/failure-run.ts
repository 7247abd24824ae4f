import type { FailureRun } from './endpoints.store.ts'

/** An endpoint is disabled only after this many failures in a row, and without a success for this long. */
export const failuresThatDisable = 50
const dayMs = 24 * 3600_000

/** Earliest time at which a failing endpoint can be disabled. */
export const disabledFrom = (failingSince: Date): Date => new Date(failingSince.getTime() + dayMs)

/** Consequence of `added` further failures. The fiftieth sends a mail. */
export function consequenceOf(
  { failuresInRow, failingSince }: FailureRun,
  added: number,
  now: Date,
): 'disable' | 'warn' | undefined {
  if (failuresInRow < failuresThatDisable || failingSince === null) return undefined
  if (disabledFrom(failingSince) <= now) return 'disable'
  return failuresInRow - added < failuresThatDisable ? 'warn' : undefined
}
