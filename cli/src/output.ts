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
  'taxId',
  'taxIdStatus',
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
/** on a terminal with shorter lines than this */
const narrowLine = 120
const narrowCell = 24

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'
const cellOf = (value: unknown, widest = widestCell): string => {
  const text = printable(
    value === null || value === undefined ? '' : isPlain(value) ? String(value) : JSON.stringify(value),
  )
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text
}

function columnsOf(rows: readonly Row[]): string[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => rows.every((row) => isPlain(row[name] ?? null)))
  const known = wanted.filter((name) => names.includes(name) && name !== 'id')
  const others = names.filter((name) => !wanted.includes(name))
  return [...(names.includes('id') ? ['id'] : []), ...known, ...others].slice(0, mostColumns)
}

const gap = 2

/** How many columns fit into a line, one at least. */
function fitting(widths: readonly number[], lineWidth: number): number {
  let used = -gap
  const beyond = widths.findIndex((width) => {
    used += width + gap
    return used > lineWidth
  })
  return beyond === -1 ? widths.length : Math.max(beyond, 1)
}

/** A table, or one line for each value if the entries are not objects. Columns that do not fit into a line are left out. */
export function tableOf(entries: readonly unknown[], lineWidth = Number.POSITIVE_INFINITY): string {
  if (entries.some(isPlain)) return entries.map((entry) => `${cellOf(entry)}\n`).join('')
  const rows = entries as readonly Row[]
  const all = columnsOf(rows)
  // An id is never cut, because the next command needs it.
  const widest = (name: string) => (name === 'id' || lineWidth >= narrowLine ? widestCell : narrowCell)
  const cells = [all, ...rows.map((row) => all.map((name) => cellOf(row[name], widest(name))))]
  const widths = all.map((_, at) => Math.max(...cells.map((line) => (line[at] as string).length)))
  const lines = cells.map((line) => line.slice(0, fitting(widths, lineWidth)))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at] as number))
          .join(' '.repeat(gap))
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
  else if (Array.isArray(data)) io.out(data.length === 0 ? '' : tableOf(data, io.lineWidth))
  else io.out(linesOf(data))
}
