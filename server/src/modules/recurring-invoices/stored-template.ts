import { type Decimal, parseDecimal, spelled } from '../../kernel/decimal.ts'
import type { InvoiceTemplate } from './recurring-schedule.ts'

/** Decimals as text, because JSON has no exact numbers. Absent fields stay absent. */
const amounts = ['quantity', 'unitPrice', 'discount', 'fee', 'taxPercent'] as const
const totals = ['allowance', 'charge'] as const

const written = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined
  const { units, scale } = value as Decimal
  return spelled(units, scale)
}
const read = (value: unknown): Decimal | undefined => (typeof value === 'string' ? parseDecimal(value) : undefined)

type Row = Readonly<Record<string, unknown>>
const mapped = (row: Row, names: readonly string[], change: (value: unknown) => unknown): Row => ({
  ...row,
  ...Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, change(row[name])])),
})

export function templateText({ lines, ...rest }: InvoiceTemplate): string {
  return JSON.stringify({
    ...mapped(rest, totals, written),
    lines: lines.map((line) => mapped({ ...line }, amounts, written)),
  })
}

export function templateFrom(stored: { readonly lines: readonly Row[] } & Row): InvoiceTemplate {
  const { lines, ...rest } = stored
  return {
    ...mapped(rest, totals, read),
    lines: lines.map((line) => mapped(line, amounts, read)),
  } as unknown as InvoiceTemplate
}
