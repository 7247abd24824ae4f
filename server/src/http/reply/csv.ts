import { type Decimal, decimalText } from '../../kernel/decimal.ts'

type Cell = string | number | Decimal | null

/**
 * A spreadsheet would run a text that begins like a formula; an apostrophe before it makes it text. Numbers are our own and stay numbers,
 * also with a minus.
 */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return decimalText(cell)
  const harmless = /^[\s\u00a0\ufeff]*[=+\-@|%\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A table as RFC 4180 has it. */
export const csvOf = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
