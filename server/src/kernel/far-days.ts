import type { Fault } from './refusals.ts'

/** Nothing was booked earlier or will be later, and time zones have no rules for days far away. */
const earliest = '1900-01-01'
const latest = '2999-12-31'

/** Faults of days that no time zone knows, by their fields. Empty if all are usable. */
export function farDayFaults(days: Readonly<Record<string, string | null | undefined>>): Fault[] {
  return Object.entries(days).flatMap(([path, day]) => {
    const isFar = typeof day === 'string' && (day < earliest || day > latest)
    return isFar ? [{ path, rule: 'range', message: `must be from ${earliest} to ${latest}` }] : []
  })
}
