import { aheadMs } from '../../../kernel/days.ts'
import { billingZone, type Interval } from '../../catalogue/index.ts'

export interface Period {
  readonly startsAt: Date
  readonly endsAt: Date
}

/** The same day of a later month, or the last day of a shorter month, in the time zone of billing. */
export function addMonths(anchor: Date, months: number): Date {
  const local = new Date(anchor.getTime() + aheadMs(anchor, billingZone))
  const moved = new Date(local)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(local.getUTCDate(), lastDay))
  return new Date(moved.getTime() - aheadMs(moved, billingZone))
}

const monthsIn: Readonly<Record<Interval, number>> = { monthly: 1, yearly: 12 }

/** Always counted from the anchor, so that the 31st returns after a short month. */
export function periodOf(anchor: Date, interval: Interval, number: number): Period {
  const months = monthsIn[interval]
  return { startsAt: addMonths(anchor, (number - 1) * months), endsAt: addMonths(anchor, number * months) }
}

/** The month of a period at a given time. Undefined outside the period. */
export function windowAt(anchor: Date, interval: Interval, number: number, moment: Date): Period | undefined {
  const period = periodOf(anchor, interval, number)
  return windowsOf(anchor, interval, number).find(
    ({ startsAt, endsAt }) => startsAt <= moment && moment < endsAt && moment < period.endsAt,
  )
}

/** The months of a period. Each adds credits. */
export function windowsOf(anchor: Date, interval: Interval, number: number): Period[] {
  const months = monthsIn[interval]
  return Array.from({ length: months }, (_, index) => {
    const month = (number - 1) * months + index
    return { startsAt: addMonths(anchor, month), endsAt: addMonths(anchor, month + 1) }
  })
}
