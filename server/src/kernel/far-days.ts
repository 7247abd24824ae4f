import type { Fault } from './refusals.ts'

/** Nothing was booked earlier or will be later, and time zones have no rules for days far away. */
const earliest = '1900-01-01'
const latest = '2999-12-31'

/** Faults of the days of a period that no time zone knows. Empty if both are usable. */
export function farDayFaults(days: { readonly from?: string | undefined; readonly to?: string | undefined }): Fault[] {
  return (['from', 'to'] as const).flatMap((path) => {
    const day = days[path]
    const isFar = day !== undefined && (day < earliest || day > latest)
    return isFar ? [{ path, rule: 'range', message: `must be from ${earliest} to ${latest}` }] : []
  })
}
