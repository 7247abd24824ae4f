/** How often invoices are made. Days are in the organisation's time zone. */
export const recurrenceUnits = ['week', 'month', 'quarter_end', 'year'] as const
export type RecurrenceUnit = (typeof recurrenceUnits)[number]

export interface Recurrence {
  readonly unit: RecurrenceUnit
  /** every so many units; 1 for quarter ends */
  readonly every: number
  /** no invoice is made before this day */
  readonly startsOn: string
  /** for months: the day of the month, 31 for the last one; otherwise null */
  readonly dayOfMonth: number | null
  /** no invoice is made after this day */
  readonly until: string | null
  /** how many periods the rule has; those without an invoice count too */
  readonly count: number | null
  /** whether a period begins or ends on the day of its invoice; with quarter ends, the next quarter or the one that ends */
  readonly billing: Billing
}

export const billings = ['in_advance', 'in_arrears'] as const
export type Billing = (typeof billings)[number]

/** A calendar date as numbers. Months count from 0 and may exceed their year. */
interface YearMonth {
  readonly year: number
  readonly month: number
}

const dayMs = 86_400_000
const twoDigits = (number: number): string => String(number).padStart(2, '0')

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

function lengthOf({ year, month }: YearMonth): number {
  return month === 1 && isLeapYear(year) ? 29 : (monthLengths[month] as number)
}

const monthAfter = ({ year, month }: YearMonth, months: number): YearMonth => {
  const index = year * 12 + month + months
  return { year: Math.floor(index / 12), month: index % 12 }
}

/** The day of a month, or its last day if the month is shorter. */
function dayIn(at: YearMonth, date: number): string {
  return `${String(at.year).padStart(4, '0')}-${twoDigits(at.month + 1)}-${twoDigits(Math.min(date, lengthOf(at)))}`
}

function partsOf(day: string): YearMonth & { readonly date: number } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { year, month: month - 1, date }
}

/** Days are counted in the calendar, where each has 24 hours. */
export function daysAfter(day: string, days: number): string {
  const at = new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs)
  return dayIn({ year: at.getUTCFullYear(), month: at.getUTCMonth() }, at.getUTCDate())
}

/** The nth day of the rule, from 0, without its end. Negative numbers give the days before the first one. */
export function dayNumber({ unit, every, startsOn, dayOfMonth }: Recurrence, nth: number): string {
  const start = partsOf(startsOn)
  if (unit === 'week') return daysAfter(startsOn, 7 * every * nth)
  if (unit === 'year') return dayIn(monthAfter(start, 12 * every * nth), start.date)
  const date = unit === 'month' ? (dayOfMonth ?? start.date) : 31
  const toQuarterEnd = unit === 'quarter_end' ? 2 - (start.month % 3) : 0
  const first = monthAfter(start, toQuarterEnd)
  const step = unit === 'quarter_end' ? 3 : every
  // The chosen day of the first month may lie before the start. Then the rule begins in the month after it.
  const skipped = dayIn(first, date) < startsOn ? 1 : 0
  return dayIn(monthAfter(first, skipped + step * nth), date)
}

/** The nth day, from 0, or `undefined` after the end of the rule. */
export function occurrence(rule: Recurrence, nth: number): string | undefined {
  if (rule.count !== null && nth >= rule.count) return undefined
  const day = dayNumber(rule, nth)
  return rule.until !== null && day > rule.until ? undefined : day
}

/** The days that an invoice is for, both included. */
export interface InvoicePeriod {
  readonly from: string
  readonly to: string
}

export function periodOf(rule: Recurrence, nth: number): InvoicePeriod {
  const on = dayNumber(rule, nth)
  if (rule.billing === 'in_arrears') return { from: daysAfter(dayNumber(rule, nth - 1), 1), to: on }
  const next = dayNumber(rule, nth + 1)
  // A quarter begins on the day after the end of another one.
  return rule.unit === 'quarter_end' ? { from: daysAfter(on, 1), to: next } : { from: on, to: daysAfter(next, -1) }
}

/** More weeks than there are until the year 9999. */
const mostPeriods = 2 ** 20

/** The number of the first day of the rule on or after a day. Days rise with their number, so halving finds it. */
export function numberFrom(rule: Recurrence, day: string): number {
  const isBefore = (nth: number): boolean => {
    const nthDay = dayNumber(rule, nth)
    // As text, a day of the year 10000 would be less than one of the year 9999.
    return nthDay.length === day.length && nthDay < day
  }
  let [low, high] = [0, 1]
  while (isBefore(high) && high < mostPeriods) high *= 2
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
