import { isDay } from '../../kernel/days.ts'
import { parseDecimal } from '../../kernel/decimal.ts'
import type { ExchangeRate } from '../../kernel/exchange-rate.ts'
import { type Fault, mostFaults } from '../../kernel/refusals.ts'
import type { Table } from '../../kernel/tables/table.ts'

const columns = { currency: ['currency', 'code'], day: ['day', 'date'], rate: ['rate', 'price', 'value'] } as const
type Column = keyof typeof columns
const names = Object.keys(columns) as Column[]

/** The digits that a rate of the API has. */
const rateForm = /^\d{1,9}(\.\d{1,10})?$/

const messages: Readonly<Record<Column, string>> = {
  currency: 'must be a currency code such as USD',
  day: 'must be a day such as 2026-01-31',
  rate: 'must be a decimal number above zero such as 1536.25, with a point and without thousands separators',
}
const isRight: Readonly<Record<Column, (text: string) => boolean>> = {
  currency: (text) => /^[A-Z]{3}$/.test(text),
  day: isDay,
  rate: (text) => rateForm.test(text) && (parseDecimal(text)?.units ?? 0n) > 0n,
}

/** The rates of a file, and every fault with the number of its row: row 1 is the header. */
export function ratesInFile(
  { header, rows }: Pick<Table, 'header' | 'rows'>,
  home: string,
): { readonly rates: readonly ExchangeRate[]; readonly faults: readonly Fault[] } {
  const known = header.map((name) => name.toLowerCase())
  const at = Object.fromEntries(
    names.map((name) => [name, known.findIndex((one) => (columns[name] as readonly string[]).includes(one))]),
  ) as Record<Column, number>
  const missing = names.filter((name) => at[name] < 0)
  if (missing.length > 0)
    return {
      rates: [],
      faults: [
        {
          path: 'content',
          rule: 'columns',
          message: `must have the columns currency, day and rate in its first row; ${missing.join(' and ')} is missing`,
        },
      ],
    }
  const seen = new Map<string, number>()
  const faults: Fault[] = []
  const rates = rows.map(({ number, cells }): ExchangeRate => {
    const fault = (column: Column, rule: string, message: string) =>
      faults.push({ path: `content.row[${number}].${column}`, rule, message: `${message} (row ${number})` })
    const text = (column: Column) => (cells[at[column]] ?? '').trim()
    const rate = { currency: text('currency').toUpperCase(), day: text('day'), rate: text('rate') }
    for (const column of names) if (!isRight[column](rate[column])) fault(column, 'format', messages[column])
    if (rate.currency === home) fault('currency', 'foreign', `must not be ${home}, the currency of your country`)
    const key = `${rate.currency} ${rate.day}`
    const earlier = seen.get(key)
    if (earlier !== undefined) fault('day', 'unique', `has a second rate for ${key}, as in row ${earlier}`)
    seen.set(key, earlier ?? number)
    return rate
  })
  return { rates, faults: faults.slice(0, mostFaults) }
}
