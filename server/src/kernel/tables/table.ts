import { type Fault, invalid, type Refusal } from '../refusals.ts'

/** A row of a file, numbered as in spreadsheets: from 1, with the header. */
export interface TableRow {
  readonly number: number
  readonly cells: readonly string[]
}

export interface Table {
  /** separator of a text file; none in a workbook */
  readonly separator: string | undefined
  readonly header: readonly string[]
  /** non-empty rows */
  readonly rows: readonly TableRow[]
}

export const mostRows = 5_000
export const mostColumns = 100
/** empty rows between and below the others */
const mostEmpty = 20_000
/** characters of one cell */
export const longestCell = 10_000
const longestName = 500
/**
 * Characters of all cells. A workbook stores a text once and shows it thousands of times, so its size says little.
 */
const mostCharacters = 4 * 1024 * 1024

export const unreadable = (rule: string, message: string): Refusal => {
  const fault: Fault = { path: 'content', rule, message }
  return invalid([fault])
}

export const tooManyColumns = (row: number): Refusal =>
  unreadable('columns', `has more than ${mostColumns} columns in row ${row}`)

/** The first non-empty row is the header. */
export function tableOf(rows: Iterable<TableRow>, separator?: string): Table {
  const filled: TableRow[] = []
  let characters = 0
  let empty = 0
  for (const { number, cells } of rows) {
    // Checked first: a workbook may show a text of megabytes in every cell.
    characters += cells.reduce((sum, { length }) => sum + length, 0)
    if (characters > mostCharacters) throw unreadable('size', 'has too much text; split it into several files')
    const trimmed = cells.map((cell) => cell.trim())
    if (trimmed.every((cell) => cell === '')) {
      if (++empty > mostEmpty) throw unreadable('rows', 'has very many empty rows; remove them')
      continue
    }
    if (filled.length === 0 && trimmed.some(({ length }) => length > longestName))
      throw unreadable('header', `has a column whose name is longer than ${longestName} characters`)
    if (cells.length > mostColumns) throw tooManyColumns(number)
    if (trimmed.some(({ length }) => length > longestCell))
      throw unreadable('cell', `has more than ${longestCell} characters in a cell of row ${number}`)
    if (trimmed.some((cell) => cell.includes('\0')))
      throw unreadable('text', `must not contain the NUL character, as in row ${number}`)
    filled.push({ number, cells: trimmed })
    if (filled.length > mostRows + 1)
      throw unreadable('rows', `has more than ${mostRows} rows; split it into several files`)
  }
  const [header, ...rest] = filled
  if (!header) throw unreadable('empty', 'is empty; its first row names the columns')
  if (rest.length === 0) throw unreadable('empty', 'has a header and no rows below it')
  return { separator, header: header.cells, rows: rest }
}
