import type { FailureRun } from './endpoints.store.ts'

/** An endpoint is disabled only if so many deliveries in a row have failed, and none has succeeded for so long. */
export const failuresThatDisable = 50
const dayMs = 24 * 3600_000

/** When an endpoint that keeps failing can be disabled at the earliest. */
export const disabledFrom = (failingSince: Date): Date => new Date(failingSince.getTime() + dayMs)

/** What follows from `added` failures more: they are told of when the fiftieth is among them. */
export function consequenceOf(
  { failuresInRow, failingSince }: FailureRun,
  added: number,
  now: Date,
): 'disable' | 'warn' | undefined {
  if (failuresInRow < failuresThatDisable || failingSince === null) return undefined
  if (disabledFrom(failingSince) <= now) return 'disable'
  return failuresInRow - added < failuresThatDisable ? 'warn' : undefined
}
