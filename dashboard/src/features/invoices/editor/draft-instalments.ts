import type { Invoice, NewInvoice } from '@risiti/sdk'
import { decimalOf, plainNumber } from '../../../ui/money.ts'

/** One instalment as typed. */
export interface DraftInstalment {
  readonly dueDate: string
  /** a percentage or an amount */
  readonly share: string
}

export interface DraftInstalments {
  readonly unit: 'percent' | 'amount'
  /** none: the whole total is due on one day */
  readonly rows: readonly DraftInstalment[]
}

export const noInstalments: DraftInstalments = { unit: 'percent', rows: [] }
export const mostInstalments = 24

/** The instalments of a draft as fields. */
export function instalmentsOf({ instalments, currency }: Pick<Invoice, 'instalments' | 'currency'>): DraftInstalments {
  if (instalments === null) return noInstalments
  const unit = instalments.every(({ percent }) => percent !== null) ? 'percent' : 'amount'
  return {
    unit,
    rows: instalments.map(({ dueDate, percent, amountMinor }) => ({
      dueDate,
      share: unit === 'percent' ? (percent ?? '') : decimalOf(amountMinor, currency),
    })),
  }
}

export const sentInstalments = ({ unit, rows }: DraftInstalments): NewInvoice['instalments'] =>
  rows.length === 0 ? null : rows.map(({ dueDate, share }) => ({ dueDate, [unit]: plainNumber(share) }))

/** The day so many months later, or the last day of that month. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Two equal halves: one on the day of the document, one a month later. */
export const twoHalves = (invoiceDate: string): DraftInstalments => ({
  unit: 'percent',
  rows: [
    { dueDate: invoiceDate, share: '50' },
    { dueDate: monthsAfter(invoiceDate, 1), share: '50' },
  ],
})

export const withOneMore = ({ unit, rows }: DraftInstalments): DraftInstalments => {
  const last = rows.at(-1)
  return { unit, rows: [...rows, { dueDate: last?.dueDate ? monthsAfter(last.dueDate, 1) : '', share: '' }] }
}
