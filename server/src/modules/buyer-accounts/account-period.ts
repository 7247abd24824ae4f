import { businessDay, dayAfter, startOfDay } from '../../kernel/days.ts'
import { farDayFaults } from '../../kernel/far-days.ts'
import { invalid } from '../../kernel/refusals.ts'

/** Days of a statement of account, in the organisation's time zone. */
export interface AskedPeriod {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface AccountPeriod {
  readonly from: string
  readonly to: string
  /** the first moment of the first day */
  readonly startsAt: Date
  /** the first moment after the last day */
  readonly endsAt: Date
  /** the day that ages are counted to */
  readonly agedOn: string
}

/** The last day of the month that a day is in. */
export function lastOfMonth(day: string): string {
  const [year, month] = day.split('-').map(Number)
  const last = new Date(Date.UTC(2000, 0, 1))
  last.setUTCFullYear(year as number, month as number, 0)
  return businessDay(last, 'UTC')
}

/** Without days, the current month. With one day, the month from or up to that day. */
export function accountPeriod({ from, to }: AskedPeriod, now: Date, zone: string): AccountPeriod {
  const far = farDayFaults({ from, to })
  if (far.length > 0) throw invalid(far)
  const today = businessDay(now, zone)
  const first = from ?? `${(to ?? today).slice(0, 8)}01`
  const last = to ?? lastOfMonth(first)
  if (last < first) throw invalid([{ path: 'to', rule: 'range', message: 'must not be before from' }])
  return {
    from: first,
    to: last,
    startsAt: startOfDay(first, zone),
    endsAt: startOfDay(dayAfter(last), zone),
    agedOn: last < today ? last : today,
  }
}
