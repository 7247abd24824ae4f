import { mostColumns, type Table, type TableRow, tableOf, tooManyColumns, unreadable } from './table.ts'

/** The most frequent separator in the first line: spreadsheets use the one of their country. */
function separatorOf(text: string): string {
  const line = text.slice(0, text.search(/[\r\n]|$/))
  const times = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].reduce((best, one) => (times(one) > times(best) ? one : best))
}

/** A table by RFC 4180, with commas, semicolons or tabs between its columns. */
export function readCsv(sent: string): Table {
  const text = sent.startsWith('\ufeff') ? sent.slice(1) : sent
  const separator = separatorOf(text)
  return tableOf(rowsOf(text, separator), separator)
}

/** Yields rows one by one, so that a file that is too long is not read to its end. */
function* rowsOf(text: string, separator: string): Generator<TableRow> {
  let at = 0
  for (let number = 1; at < text.length; number++) {
    const cells: string[] = []
    // One more than allowed, so that an excess is noticed.
    for (let column = 0; column <= mostColumns; column++) {
      const cell = text[at] === '"' ? quotedCell(text, at, number) : plainCell(text, at, separator)
      cells.push(cell.text)
      at = cell.end
      if (text[at] !== separator) break
      at++
    }
    if (cells.length > mostColumns) throw tooManyColumns(number)
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n')
      throw unreadable('quotes', `has text after a closing quotation mark in row ${number}`)
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    yield { number, cells }
  }
}

interface Cell {
  readonly text: string
  /** where the next cell begins */
  readonly end: number
}

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { text: text.slice(start, end), end }
}

function quotedCell(text: string, start: number, row: number): Cell {
  let cell = ''
  for (let from = start + 1; from <= text.length; ) {
    const quote = text.indexOf('"', from)
    if (quote === -1) break
    cell += text.slice(from, quote)
    if (text[quote + 1] !== '"') return { text: cell, end: quote + 1 }
    cell += '"'
    from = quote + 2
  }
  throw unreadable('quotes', `has a quotation mark that is not closed in row ${row}`)
}
