type Cell = string | number | null

/**
 * A text that begins like a formula would be run by the spreadsheet that opens it; an apostrophe before it makes it text
 * again. Numbers are ours, and stay numbers although some begin with a minus.
 */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const harmless = /^[\s\u00a0\ufeff]*[=+\-@|%\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A table as RFC 4180 has it. */
export const csvOf = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
