import { amount, dayInWords } from '../../../kernel/document-words.ts'
import { wordingOf } from '../../../kernel/languages/wording.ts'
import {
  payableInWords,
  sectionInWords,
  type TaxFigure,
  type TaxReturnDocument,
  taxReturnSections,
} from '../../../kernel/tax-return.ts'
import { space } from './cells.ts'
import { drawLabelled, leftColumn, rightColumn } from './head.ts'
import { drawSheet } from './invoice-pdf.ts'
import type { Sheet, SheetFacts } from './sheet.ts'
import { colours, page, pageWidth, type Style, styles } from './style.ts'
import { type Column, columnWidth, drawTable, type TableRow, widthBeside } from './table.ts'

const title = 'Tax return'
const sandboxMark = 'SANDBOX'

/** Draws the figures of a return as PDF. The same input always gives the same bytes. */
export async function drawTaxReturn(found: TaxReturnDocument): Promise<Buffer> {
  const { businessName, from, to, mode } = found
  const period = `${dayInWords(from)} – ${dayInWords(to)}`
  const facts: SheetFacts = {
    wording: wordingOf('en'),
    title: `${title}, ${period}`,
    author: businessName,
    subject: `${title} of ${businessName}`,
    date: new Date(`${to}T00:00:00Z`),
    running: [title, businessName],
    foot: `${title} · ${period}`,
    watermark: mode === 'sandbox' ? sandboxMark : undefined,
  }
  return await drawSheet(facts, (sheet) => {
    drawTop(sheet, found, period)
    for (const section of taxReturnSections) {
      const figures = found.figures.filter((figure) => figure.section === section)
      drawFigures(sheet, sectionInWords(section), figures, found)
    }
    drawFigures(sheet, 'Changes of closed months', found.exceptions, found)
  })
}

function drawTop(sheet: Sheet, found: TaxReturnDocument, period: string): void {
  const { businessName, taxId, currency, dueOn, outputTaxMinor, inputTaxMinor } = found
  sheet.box(0, 0, page.width, 7, colours.accent)
  const nameWidth = 250
  const titleWidth = pageWidth - nameWidth - 20
  const tax = taxId ? sheet.wrap(`Tax number ${taxId}`, styles.quiet, nameWidth) : []
  sheet.row([
    {
      x: page.left,
      width: nameWidth,
      lines: [...sheet.wrap(businessName, styles.sellerName, nameWidth), space(2), ...tax],
    },
    {
      x: page.right - titleWidth,
      width: titleWidth,
      align: 'right',
      role: 'H1',
      lines: [...sheet.wrap(title, styles.title, titleWidth), ...sheet.wrap(period, styles.number, titleWidth)],
    },
  ])
  sheet.y += 20
  const heading = (text: string) => sheet.line(text, styles.heading)
  sheet.beside(
    0,
    () => {
      sheet.row([{ ...leftColumn, role: 'H2', lines: [heading('Period')] }])
      const entries = [
        ['Due', dayInWords(dueOn)],
        ['Status', statusInWords(found)],
        ['Currency', sheet.wording.currencyName(currency)],
      ] as const
      drawLabelled(sheet, entries, leftColumn.x, leftColumn.width)
    },
    () => {
      sheet.row([{ ...rightColumn, role: 'H2', lines: [heading('Totals')] }])
      const payableMinor = outputTaxMinor - inputTaxMinor
      const entries = [
        ['Output tax', amount(outputTaxMinor, currency)],
        ['Input tax', amount(inputTaxMinor, currency)],
        [payableInWords(payableMinor), amount(payableMinor < 0n ? -payableMinor : payableMinor, currency)],
      ] as const
      drawLabelled(sheet, entries, rightColumn.x, rightColumn.width)
    },
  )
  sheet.y += 18
}

function statusInWords({ status, closedOn }: TaxReturnDocument): string {
  if (status === 'open') return 'Open: figures can still change'
  return closedOn === null ? 'Closed' : `Closed on ${dayInWords(closedOn)}`
}

const countWidth = 66
const mostWidth = 110

const words = (figure: TaxFigure & { readonly period?: string }, { labels }: TaxReturnDocument): string => {
  const name = labels[figure.code] ?? figure.code
  const rate = figure.rate === '' ? '' : `, ${figure.rate} %`
  return figure.period === undefined
    ? `${name}${rate}`
    : `${figure.period}: ${sectionInWords(figure.section)}, ${name}${rate}`
}

function drawFigures(
  sheet: Sheet,
  heading: string,
  figures: readonly (TaxFigure & { readonly period?: string })[],
  found: TaxReturnDocument,
): void {
  if (figures.length === 0) return
  sheet.room(80)
  sheet.row([{ x: page.left, width: pageWidth, role: 'H2', lines: [sheet.line(heading, styles.heading)] }])
  const measured = (minor: bigint, style: Style = styles.body) => sheet.line(amount(minor, found.currency), style)
  const netWidth = columnWidth(
    figures.map(({ netMinor }) => measured(netMinor)),
    80,
    mostWidth,
  )
  const taxWidth = columnWidth(
    figures.map(({ taxMinor }) => measured(taxMinor)),
    80,
    mostWidth,
  )
  const width = widthBeside(pageWidth, [countWidth, netWidth, taxWidth])
  const columns: Column[] = [
    { head: 'What', width },
    { head: 'Documents', width: countWidth, align: 'right' },
    { head: 'Net', width: netWidth, align: 'right' },
    { head: 'Tax', width: taxWidth, align: 'right' },
  ]
  const rows = figures.map(
    (figure): TableRow => [
      sheet.wrap(words(figure, found), styles.body, width),
      [sheet.fitted(String(figure.documents), styles.body, countWidth)],
      [sheet.fitted(amount(figure.netMinor, found.currency), styles.body, netWidth)],
      [sheet.fitted(amount(figure.taxMinor, found.currency), styles.body, taxWidth)],
    ],
  )
  drawTable(sheet, page.left, columns, rows)
  sheet.y += 18
}
