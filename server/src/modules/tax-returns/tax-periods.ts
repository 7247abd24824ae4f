/** A calendar month as `2026-01`. The issue date of a document decides its month. */
export type TaxPeriod = string

export interface PeriodDays {
  readonly from: string
  readonly to: string
}

const two = (value: number): string => String(value).padStart(2, '0')

const partsOf = (period: TaxPeriod) => period.split('-').map(Number) as [year: number, month: number]

export function periodAfter(period: TaxPeriod, months = 1): TaxPeriod {
  const [year, month] = partsOf(period)
  const count = year * 12 + month - 1 + months
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${two((count % 12) + 1)}`
}

export const periodOf = (day: string): TaxPeriod => day.slice(0, 7)

/** The first and the last day of a month. */
export function daysOf(period: TaxPeriod): PeriodDays {
  const [year, month] = partsOf(period)
  // The calendar repeats every 400 years, and years before 100 would be read as 19xx.
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  return { from: `${period}-01`, to: `${period}-${two(last)}` }
}

/** All months between two, both included, newest first, up to a limit. */
export function periodsBetween(first: TaxPeriod, last: TaxPeriod, most: number): TaxPeriod[] {
  const periods: TaxPeriod[] = []
  for (let period = last; period >= first && periods.length < most; period = periodAfter(period, -1))
    periods.push(period)
  return periods
}
