import { type Io, printable } from './io.ts'

type Row = Readonly<Record<string, unknown>>

/** The columns that people look for first. */
const wanted = [
  'invoiceNumber',
  'quoteNumber',
  'number',
  'name',
  'type',
  'invoiceKind',
  'status',
  'buyerName',
  'email',
  'invoiceDate',
  'currency',
  'payable',
  'payableMinor',
  'amount',
  'dueDate',
  'url',
  'createdAt',
  'id',
]
const mostColumns = 7
const widestCell = 40

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'
const cellOf = (value: unknown): string => {
  const text = printable(
    value === null || value === undefined ? '' : isPlain(value) ? String(value) : JSON.stringify(value),
  )
  return text.length > widestCell ? `${text.slice(0, widestCell - 1)}…` : text
}

function columnsOf(rows: readonly Row[]): string[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => rows.every((row) => isPlain(row[name] ?? null)))
  const known = wanted.filter((name) => names.includes(name) && name !== 'id')
  const others = names.filter((name) => !wanted.includes(name))
  return [...(names.includes('id') ? ['id'] : []), ...[...known, ...others].slice(0, mostColumns - 1)]
}

/** A table, or one line for each value if the entries are not objects. */
export function tableOf(entries: readonly unknown[]): string {
  if (entries.some(isPlain)) return entries.map((entry) => `${cellOf(entry)}\n`).join('')
  const rows = entries as readonly Row[]
  const columns = columnsOf(rows)
  const lines = [columns, ...rows.map((row) => columns.map((name) => cellOf(row[name])))]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => (line[at] as string).length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at] as number))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** An object as lines of names and values. Inner objects are indented. */
export function linesOf(value: unknown, indent = ''): string {
  if (isPlain(value)) return `${indent}${printable(String(value ?? ''))}\n`
  const entries = Array.isArray(value)
    ? value.map((one, at): [string, unknown] => [String(at), one])
    : Object.entries(value as Row)
  return entries
    .map(([name, one]) =>
      isPlain(one)
        ? `${indent}${printable(name)}: ${printable(String(one ?? ''))}\n`
        : `${indent}${printable(name)}:\n${linesOf(one, `${indent}  `)}`,
    )
    .join('')
}

/** Prints the data of one reply. */
export function printData(io: Io, data: unknown, asJson: boolean): void {
  if (typeof data === 'string') io.out(data.endsWith('\n') ? data : `${data}\n`)
  else if (asJson) io.out(`${JSON.stringify(data)}\n`)
  else if (Array.isArray(data)) io.out(data.length === 0 ? '' : tableOf(data))
  else io.out(linesOf(data))
}
