import { businessDay } from '../../../kernel/days.ts'
import { decimalOfNumber } from '../../../kernel/decimal.ts'
import {
  mostColumns,
  type Table,
  type TableRow,
  tableOf,
  tooManyColumns,
  unreadable,
} from '../../../kernel/tables/table.ts'
import { attributeOf, plainText, type Tag, tagsOf } from './xml-tags.ts'
import { type Archive, openZip } from './zip.ts'

/** The first sheet of a workbook. Formulas give their value from the last save. */
export async function readXlsx(file: Buffer): Promise<Table> {
  const archive = openZip(file)
  const workbook = await findSheet(archive)
  const sheet = await archive.read(workbook.path)
  if (sheet === undefined) throw unreadable('xlsx', 'is not a readable Excel workbook; save it as .xlsx or as CSV')
  const texts = sharedTexts((await archive.read('xl/sharedStrings.xml')) ?? '')
  const dateStyles = stylesOfDates((await archive.read('xl/styles.xml')) ?? '')
  return tableOf(rowsOf(sheet, { texts, dateStyles, epoch: workbook.epoch }))
}

const epochOf1900 = '1899-12-30'
const epochOf1904 = '1904-01-01'

async function findSheet(archive: Archive): Promise<{ path: string; epoch: string }> {
  let [relation, epoch] = ['', epochOf1900]
  for (const tag of tagsOf((await archive.read('xl/workbook.xml')) ?? '')) {
    if (tag.name === 'workbookPr' && /^(1|true)$/.test(attributeOf(tag, 'date1904') ?? '')) epoch = epochOf1904
    if (tag.name === 'sheet' && relation === '') relation = attributeOf(tag, 'id') ?? ''
  }
  for (const tag of tagsOf((await archive.read('xl/_rels/workbook.xml.rels')) ?? ''))
    if (tag.name === 'Relationship' && attributeOf(tag, 'Id') === relation) {
      const target = attributeOf(tag, 'Target') ?? ''
      return { path: target.startsWith('/') ? target.slice(1) : `xl/${target}`, epoch }
    }
  return { path: 'xl/worksheets/sheet1.xml', epoch }
}

/** Texts are stored once in a shared list; a text in several fonts comes in pieces. Phonetic texts are skipped. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  let [text, isPronunciation] = ['', false]
  for (const { name, textBefore, isEmpty } of tagsOf(xml)) {
    if (name === 'rPh' || name === '/rPh') isPronunciation = name === 'rPh'
    if (name === '/t' && !isPronunciation) text += plainText(textBefore)
    if (name === '/si' || (name === 'si' && isEmpty)) {
      texts.push(text)
      text = ''
    }
  }
  return texts
}

/** Excel's longest format code. A longer code is no date format and is not read. */
const longestFormatCode = 255

/** Every workbook has these date formats; others have a code of letters. */
const isDateFormat = (id: number, code = ''): boolean =>
  (id >= 14 && id <= 17) ||
  id === 22 ||
  (code.length <= longestFormatCode && /[dy]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')))

function stylesOfDates(xml: string): ReadonlySet<number> {
  /** by format id: thousands of cell formats may share one */
  const isDate = new Map<number, boolean>()
  const dates = new Set<number>()
  let [isInCellFormats, nth] = [false, 0]
  for (const tag of tagsOf(xml)) {
    if (tag.name === 'numFmt') {
      const id = Number(attributeOf(tag, 'numFmtId'))
      isDate.set(id, isDateFormat(id, attributeOf(tag, 'formatCode')))
    }
    if (tag.name === 'cellXfs' || tag.name === '/cellXfs') isInCellFormats = tag.name === 'cellXfs'
    if (tag.name !== 'xf' || !isInCellFormats) continue
    const id = Number(attributeOf(tag, 'numFmtId'))
    if (isDate.get(id) ?? isDateFormat(id)) dates.add(nth)
    nth++
  }
  return dates
}

interface Reading {
  readonly texts: readonly string[]
  readonly dateStyles: ReadonlySet<number>
  readonly epoch: string
}

/** `BC12` is in the 55th column. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference.match(/^[A-Z]{1,3}/)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const lastRow = 1_048_576

/** Rows may omit their number. A given number counts only if it is below the row before. */
const numberAfter = (before: number, stated: number): number =>
  Number.isInteger(stated) && stated > before && stated <= lastRow ? stated : before + 1

function* rowsOf(sheet: string, reading: Reading): Generator<TableRow> {
  let cells: string[] = []
  let number = 0
  let isOpen = false
  let cell: Tag | undefined
  let value = ''
  const place = () => {
    if (!cell) return
    const column = columnOf(attributeOf(cell, 'r') ?? '')
    // Cells may omit their position: they follow the one before.
    const at = column < 0 ? cells.length : column
    if (at > mostColumns) throw tooManyColumns(number)
    for (let gap = cells.length; gap < at; gap++) cells.push('')
    cells[at] = textOf(cell, value, reading)
    cell = undefined
  }
  for (const tag of tagsOf(sheet)) {
    if (tag.name === 'row') {
      number = numberAfter(number, Number(attributeOf(tag, 'r')))
      cells = []
      isOpen = !tag.isEmpty
    } else if (tag.name === 'c') {
      cell = tag
      value = ''
      if (tag.isEmpty) place()
    } else if (tag.name === '/v') value = tag.textBefore
    else if (tag.name === '/t') value += tag.textBefore
    else if (tag.name === '/c') place()
    else if (tag.name === '/row' && isOpen) {
      isOpen = false
      yield { number, cells }
    }
  }
}

/** The message must not grow with the file. */
const short = (text: string): string => text.slice(0, 20)

function textOf(cell: Tag, value: string, { texts, dateStyles, epoch }: Reading): string {
  const type = attributeOf(cell, 't') ?? 'n'
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'e')
    throw unreadable(
      'formula',
      `has a formula that failed (${short(value)}) in ${short(attributeOf(cell, 'r') ?? 'a cell')}`,
    )
  if (type !== 'n') return plainText(value)
  if (value === '') return ''
  return dateStyles.has(Number(attributeOf(cell, 's') ?? 0)) ? dayOf(Number(value), epoch) : numberText(value)
}

const dayMs = 86_400_000
/** the last day of the year 9999, the last one in a spreadsheet */
const lastDay = 2_958_465

const dayOf = (days: number, epoch: string): string =>
  days >= 0 && days <= lastDay ? businessDay(new Date(Date.parse(epoch) + days * dayMs), 'UTC') : ''

/**
 * A spreadsheet stores binary numbers and shows fifteen digits: 0.1 + 0.2 is 0.30000000000000004 in the file. The
 * shown value is meant.
 */
function numberText(value: string): string {
  const number = Number(value)
  const decimal = Number.isFinite(number) ? decimalOfNumber(Number(number.toPrecision(15))) : undefined
  if (!decimal) return value
  const digits = String(decimal.units < 0n ? -decimal.units : decimal.units).padStart(decimal.scale + 1, '0')
  const whole = digits.slice(0, digits.length - decimal.scale)
  const fraction = digits.slice(digits.length - decimal.scale)
  return `${decimal.units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
