import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { CodeEntry } from '../../jurisdictions/port.ts'

/** A fault in a file, with its place. */
export class ImportFault extends Error {
  override readonly name = 'ImportFault'
}

interface Columns {
  readonly code: number
  readonly description: number
}

/** One line of CSV with quotes and doubled quotes. No HS description has a line break. */
export function cellsOf(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string
    if (quoted) {
      if (char === '"' && line[at + 1] === '"') {
        cell += '"'
        at++
      } else if (char === '"') quoted = false
      else cell += char
    } else if (char === '"' && cell === '') quoted = true
    else if (char === ',') {
      cells.push(cell)
      cell = ''
    } else cell += char
  }
  if (quoted) throw new ImportFault('a quote is opened and not closed')
  return [...cells, cell]
}

function columnsOf(header: string): Columns {
  const names = cellsOf(header.replace(/^\ufeff/, '')).map((name) => name.trim().toLowerCase())
  const find = (...wanted: string[]) => names.findIndex((name) => wanted.includes(name))
  const columns = { code: find('hscode', 'hs_code', 'code'), description: find('description', 'name') }
  if (columns.code < 0 || columns.description < 0)
    throw new ImportFault('name the columns, among them hscode and description')
  return columns
}

/**
 * Reads a whole HS list: chapters (two digits) are the categories, headings (four) and subheadings (six) the codes. A
 * bad row stops the import before anything is saved, and its line is reported.
 */
export async function readHsFile(path: string, onProgress: (rows: number) => void): Promise<CodeEntry[]> {
  const chapters = new Map<string, string>()
  const codes = new Map<string, string>()
  let columns: Columns | undefined
  let number = 0
  for await (const line of createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number++
    try {
      if (/[\0\ufffd]/.test(line)) throw new ImportFault('is not text in UTF-8')
      if (!columns) {
        columns = columnsOf(line)
        continue
      }
      if (line.trim() === '') continue
      takeRow(cellsOf(line), columns, chapters, codes)
    } catch (error) {
      throw error instanceof ImportFault ? new ImportFault(`line ${number}: ${error.message}`) : error
    }
    if (codes.size > 0 && codes.size % 1000 === 0) onProgress(codes.size)
  }
  if (codes.size === 0) throw new ImportFault('the file holds no code')
  onProgress(codes.size)
  return [...codes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, name]) => {
      const category = chapters.get(code.slice(0, 2))
      const spelled = code.length > 4 ? `${code.slice(0, 4)}.${code.slice(4)}` : code
      return { code: spelled, name, ...(category === undefined ? {} : { category }) }
    })
}

function takeRow(
  cells: readonly string[],
  columns: Columns,
  chapters: Map<string, string>,
  codes: Map<string, string>,
): void {
  const code = (cells[columns.code] ?? '').replace(/[\s.]/g, '')
  const description = (cells[columns.description] ?? '').trim()
  // Public lists have a row for all trade.
  if (code === 'TOTAL') return
  if (!/^(\d{2}|\d{4}|\d{6})$/.test(code))
    throw new ImportFault(`${JSON.stringify(code)} is not an HS code of 2, 4 or 6 digits`)
  if (description === '') throw new ImportFault(`${code} has no description`)
  if (description.length > 1000) throw new ImportFault(`the description of ${code} is too long`)
  const into = code.length === 2 ? chapters : codes
  if (into.has(code)) throw new ImportFault(`${code} occurs twice`)
  // Cut to the longest category that a filter accepts.
  into.set(code, code.length === 2 ? description.slice(0, 100).trim() : description)
}
