import type { Interval } from '../../catalogue/index.ts'
import { aheadMs } from '../accounts/ledger-days.ts'

export interface Period {
  readonly startsAt: Date
  readonly endsAt: Date
}

/** The same day so many months later, or the last day of a month that is too short for it; days are those of the books. */
export function addMonths(anchor: Date, months: number): Date {
  const local = new Date(anchor.getTime() + aheadMs)
  const moved = new Date(local)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(local.getUTCDate(), lastDay))
  return new Date(moved.getTime() - aheadMs)
}

const monthsIn: Readonly<Record<Interval, number>> = { monthly: 1, yearly: 12 }

/** Counted from the anchor each time, so that the 31st comes back after a short month. */
export function periodOf(anchor: Date, interval: Interval, number: number): Period {
  const months = monthsIn[interval]
  return { startsAt: addMonths(anchor, (number - 1) * months), endsAt: addMonths(anchor, number * months) }
}

/** The month of a period that begins at or before a moment; none before the period begins or after it ends. */
export function windowAt(anchor: Date, interval: Interval, number: number, moment: Date): Period | undefined {
  const period = periodOf(anchor, interval, number)
  return windowsOf(anchor, interval, number).find(
    ({ startsAt, endsAt }) => startsAt <= moment && moment < endsAt && moment < period.endsAt,
  )
}

/** The months of a period, each of which brings its credits. */
export function windowsOf(anchor: Date, interval: Interval, number: number): Period[] {
  const months = monthsIn[interval]
  return Array.from({ length: months }, (_, index) => {
    const month = (number - 1) * months + index
    return { startsAt: addMonths(anchor, month), endsAt: addMonths(anchor, month + 1) }
  })
}
