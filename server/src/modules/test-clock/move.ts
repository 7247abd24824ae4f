import type { Id } from '../../kernel/ids.ts'
import { type Fault, invalid } from '../../kernel/refusals.ts'

export const moveStatuses = ['advancing', 'ready', 'stopped'] as const
export type MoveStatus = (typeof moveStatuses)[number]

export type MoveId = Id<'test-clock-move'>

/** A move of the time of a sandbox. */
export interface Move {
  readonly id: MoveId
  readonly status: MoveStatus
  readonly fromAt: Date
  readonly toAt: Date
  readonly reachedAt: Date
  /** moments at which something was due */
  readonly steps: number
  /** how many events of each type happened */
  readonly happened: Readonly<Record<string, number>>
  readonly createdAt: Date
  readonly endedAt: Date | null
}

const hour = 3600_000
const day = 24 * hour
/** How far one move may go. */
export const longestMoveDays = 366
/** How far a sandbox may be ahead of the real time. */
export const furthestAheadDays = 731
export const mostOfUnit = {
  months: 12,
  weeks: 53,
  days: longestMoveDays,
  hours: longestMoveDays * 24,
  minutes: longestMoveDays * 24 * 60,
}

export interface Span {
  readonly months?: number | undefined
  readonly weeks?: number | undefined
  readonly days?: number | undefined
  readonly hours?: number | undefined
  readonly minutes?: number | undefined
}

/** To a moment, or by a span. */
export interface AskedMove {
  readonly to?: Date | undefined
  readonly by?: Span | undefined
}

/** The same day so many months later, by the calendar in UTC; the last day of a shorter month. */
function monthsLater(at: Date, months: number): Date {
  const first = new Date(at)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(at.getUTCDate(), lastDay))
  return first
}

export function after(at: Date, { months = 0, weeks = 0, days = 0, hours = 0, minutes = 0 }: Span): Date {
  return new Date(monthsLater(at, months).getTime() + (7 * weeks + days) * day + hours * hour + minutes * 60_000)
}

/** Where a move ends. Refuses one that goes backwards or too far. */
export function endOfMove(now: Date, realNow: Date, { to, by }: AskedMove): Date {
  const end = to ?? after(now, by ?? {})
  const fault = (rule: string, message: string): Fault[] => [{ path: to ? 'to' : 'by', rule, message }]
  if (end <= now)
    throw invalid(
      fault(
        'future',
        `must be after the time of the sandbox, which is ${now.toISOString()}; time never goes backwards`,
      ),
    )
  if (end.getTime() - now.getTime() > longestMoveDays * day)
    throw invalid(fault('maximum', `one move goes at most ${longestMoveDays} days forward; make several moves`))
  const latest = new Date(realNow.getTime() + furthestAheadDays * day)
  if (end > latest)
    throw invalid(
      fault(
        'maximum',
        `a sandbox is at most ${furthestAheadDays} days ahead of the real time, now at most ${latest.toISOString()}`,
      ),
    )
  return end
}
