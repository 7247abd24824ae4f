import type { Overview } from '@risiti/sdk'
import { today } from '../../ui/dates.ts'
import { dateLocale } from '../../ui/locale.ts'

const short = new Intl.DateTimeFormat(dateLocale, { month: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat(dateLocale, { month: 'short', year: 'numeric', timeZone: 'UTC' })

export interface ShownMonth {
  /** its first day */
  readonly month: string
  readonly lastDay: string
  readonly short: string
  readonly long: string
  readonly invoicedMinor: number
  readonly paidMinor: number
  readonly taxMinor: number
}

/** The last twelve months in one currency. The service leaves out months without documents. */
export function everyMonth(months: Overview['months'], currency: string): readonly ShownMonth[] {
  const [year, month] = today().split('-').map(Number) as [number, number]
  return Array.from({ length: 12 }, (_, index) => {
    const first = new Date(Date.UTC(year, month - 12 + index, 1))
    const key = first.toISOString().slice(0, 10)
    const figures = months.find((each) => each.month === key && each.currency === currency)
    return {
      month: key,
      lastDay: new Date(Date.UTC(year, month - 11 + index, 0)).toISOString().slice(0, 10),
      short: short.format(first),
      long: long.format(first),
      invoicedMinor: figures?.invoicedMinor ?? 0,
      paidMinor: figures?.paidMinor ?? 0,
      taxMinor: figures?.taxMinor ?? 0,
    }
  })
}
