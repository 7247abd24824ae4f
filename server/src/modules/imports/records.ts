import type { ImportWords } from '../../jurisdictions/port.ts'
import { atScale, parseDecimal, tenTo } from '../../kernel/decimal.ts'
import { currencyDigits } from '../../kernel/money-words.ts'
import { type Fault, invalid } from '../../kernel/refusals.ts'
import type { Table, TableRow } from '../../kernel/tables/table.ts'
import { type ImportField, type ImportKind, importFields, type MatchedColumn } from './columns.ts'
import type { ImportRecord, RowFault } from './import.ts'

/** A record of the file, with the faults of its cells. */
export interface ReadRecord extends ImportRecord {
  readonly faults: readonly RowFault[]
}

interface Column {
  readonly at: number
  readonly field: ImportField
}

function columnsOf(
  kind: ImportKind,
  header: readonly string[],
  matched: readonly MatchedColumn[],
  fields: readonly ImportField[],
): Column[] {
  const faults: Fault[] = []
  const columns: Column[] = []
  matched.forEach(({ column, field: name }, nth) => {
    if (name === null) return
    const at = header.indexOf(column)
    const field = fields.find((one) => one.field === name)
    const fault = (rule: string, part: string, message: string) =>
      faults.push({ path: `columns[${nth}].${part}`, rule, message })
    if (at === -1) fault('unknown', 'column', 'is not a column of the file')
    else if (at !== header.lastIndexOf(column))
      fault('ambiguous', 'column', 'is in the file more than once; give each column its own name')
    else if (!field) fault('unknown', 'field', `is not a field of ${kind}`)
    else if (columns.some((one) => one.field === field))
      fault('repeated', 'field', 'is already filled by another column')
    else columns.push({ at, field })
  })
  for (const { field, label } of fields.filter(({ isNeeded }) => isNeeded))
    if (!columns.some((one) => one.field.field === field))
      faults.push({ path: 'columns', rule: 'required', message: `must say which column fills ${field} (${label})` })
  if (faults.length > 0) throw invalid(faults)
  return columns
}

/** How a file writes amounts. */
interface Spelling {
  readonly separator: Table['separator']
  readonly amountSigns: readonly string[]
}

const groups = /^-?\d{1,3}([, \u00a0\u202f]\d{3})+(\.\d+)?$/

/**
 * Reads an amount as people write it: with a currency sign, and commas or spaces between thousands. If semicolons
 * separate the columns, a single comma may be the decimal mark; such an amount is a fault.
 */
function amountFrom(cell: string, { separator, amountSigns }: Spelling): string {
  const sign = amountSigns.find((one) => cell.toUpperCase().startsWith(one.toUpperCase())) ?? ''
  const bare = cell.slice(sign.length).trimStart()
  if (separator === ';' && bare.includes(',')) return bare
  return groups.test(bare) ? bare.replace(/[, \u00a0\u202f]/g, '') : bare
}

const isDay = (year: string, month: string, day: string): boolean => {
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
}

/** `2026-01-31`, or the day first: `31/01/2026`, `31.1.2026`. */
function dayFrom(cell: string): string | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(cell)
  const local = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(cell)
  const [year, month, day] = iso ? iso.slice(1) : local ? [local[3], local[2], local[1]] : []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const [twoMonth, twoDay] = [month.padStart(2, '0'), day.padStart(2, '0')]
  return isDay(year, twoMonth, twoDay) ? `${year}-${twoMonth}-${twoDay}` : undefined
}

/** The value, or the fault of the cell. */
function readCell(
  cell: string,
  { reads }: ImportField,
  spelling: Spelling,
  currency: string,
): { value: string } | { message: string } {
  switch (reads) {
    case 'text':
    case 'code':
      return { value: cell }
    case 'day': {
      const value = dayFrom(cell)
      return value === undefined ? { message: 'must be a date such as 2026-01-31 or 31/01/2026' } : { value }
    }
    case 'amount': {
      const value = amountFrom(cell, spelling)
      return parseDecimal(value) ? { value } : { message: 'must be a number such as 1250.50' }
    }
    case 'minor': {
      const decimal = parseDecimal(amountFrom(cell, spelling))
      if (!decimal) return { message: 'must be a number such as 1250.50' }
      const digits = currencyDigits(currency)
      const units = atScale(decimal, digits + priceDigits)
      if (units === undefined) return { message: `must have at most ${digits + priceDigits} decimals` }
      const [whole, rest] = [units / tenTo(priceDigits), units % tenTo(priceDigits)]
      return { value: rest === 0n ? String(whole) : `${whole}.${String(rest).padStart(priceDigits, '0')}` }
    }
  }
}

/** Decimals of a price in minor units. */
const priceDigits = 2

function put(body: Record<string, unknown>, path: string, value: string): void {
  const [first = '', second] = path.split('.')
  if (second === undefined) body[first] = value
  else {
    body[first] ??= {}
    ;(body[first] as Record<string, string>)[second] = value
  }
}

interface ReadRow {
  readonly number: number
  readonly body: Record<string, unknown>
  readonly line: Record<string, unknown>
  readonly faults: RowFault[]
}

function readRow(row: TableRow, columns: readonly Column[], header: readonly string[], spelling: Spelling): ReadRow {
  const read: ReadRow = { number: row.number, body: {}, line: {}, faults: [] }
  const currencyAt = columns.find(({ field }) => field.field === 'currency')?.at
  const currency = currencyAt === undefined ? '' : (row.cells[currencyAt] ?? '').trim().toUpperCase()
  for (const { at, field } of columns) {
    // An apostrophe protects cells that a spreadsheet would run as a formula; our exports write it too.
    const cell = (row.cells[at] ?? '').replace(/^'(?=[=+\-@])/, '')
    if (cell === '') continue
    const found = readCell(cell, field, spelling, currency)
    if ('message' in found) read.faults.push({ row: row.number, column: header[at] as string, message: found.message })
    else put(field.isOfLine ? read.line : read.body, field.field, found.value)
  }
  return read
}

/** Rows with the same invoice number are its lines. A row without a number is its own invoice. */
function invoicesOf(rows: readonly ReadRow[]): ReadRow[][] {
  const byNumber = new Map<string, ReadRow[]>()
  const invoices: ReadRow[][] = []
  for (const row of rows) {
    const number = row.body.invoiceNumber
    const known = typeof number === 'string' ? byNumber.get(number) : undefined
    if (known) known.push(row)
    else {
      const invoice = [row]
      invoices.push(invoice)
      if (typeof number === 'string') byNumber.set(number, invoice)
    }
  }
  return invoices
}

/** Later rows of an invoice must equal its first row, or be empty. */
function contradictions(rows: readonly ReadRow[], columns: readonly Column[], header: readonly string[]): RowFault[] {
  const [first, ...others] = rows
  return others.flatMap(({ number, body }) =>
    columns.flatMap(({ at, field }) =>
      field.isOfLine || body[field.field] === undefined || body[field.field] === first?.body[field.field]
        ? []
        : [
            {
              row: number,
              column: header[at] as string,
              message: `differs from row ${first?.number} of the same invoice`,
            },
          ],
    ),
  )
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The records of a file's rows. */
export function recordsOf(
  kind: ImportKind,
  table: Table,
  matched: readonly MatchedColumn[],
  words: ImportWords | undefined,
): ReadRecord[] {
  const { header, rows, separator } = table
  const columns = columnsOf(kind, header, matched, importFields(kind, words))
  const spelling = { separator, amountSigns: words?.amountSigns ?? [] }
  const read = rows.map((row) => readRow(row, columns, header, spelling))
  if (kind !== 'invoices')
    return read.map(({ number, body, faults }) => ({ row: number, lineRows: [], body, label: text(body.name), faults }))
  return invoicesOf(read).map((lines) => {
    const first = lines[0] as ReadRow
    return {
      row: first.number,
      lineRows: lines.map(({ number }) => number),
      body: { ...first.body, lineItems: lines.map(({ line }) => line) },
      label: text(first.body.invoiceNumber) || text(first.body.buyerName),
      faults: [...lines.flatMap(({ faults }) => faults), ...contradictions(lines, columns, header)],
    }
  })
}

/** Maps the faults of a request's fields to rows and columns. */
export function rowFaultsOf(
  faults: readonly Fault[],
  { row, lineRows }: Pick<ImportRecord, 'row' | 'lineRows'>,
  matched: readonly MatchedColumn[],
): RowFault[] {
  return faults.map(({ path, message }) => {
    const line = /^lineItems\[(\d+)\](?:\.(.+))?$/.exec(path)
    const field = line ? line[2] : path
    const column = matched.find((one) => one.field === field)?.column ?? field ?? null
    return { row: (line && lineRows[Number(line[1])]) || row, column, message }
  })
}
