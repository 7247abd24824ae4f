import type { DocumentWords } from '../../../kernel/document-words.ts'
import type { DocumentLine, InvoiceDocument } from '../../../kernel/invoice-document.ts'
import type { Wording } from '../../../kernel/languages/wording.ts'
import type { Line } from './cells.ts'
import type { Sheet } from './sheet.ts'
import { page, pageWidth, styles } from './style.ts'
import { type Column, columnWidth, drawTable, type TableRow, widthBeside } from './table.ts'

const positionWidth = 16
const taxWidth = 58
const mostWidth = 92

/** Codes, discount and fee, below the line's description. */
function detailsOf(line: DocumentLine, currency: string, wording: Wording): string[] {
  const { hsnCode, serviceCode, productCategory, discountMinor, feeMinor } = line
  const codes = [
    hsnCode && `HSN ${hsnCode}`,
    serviceCode && wording.say('line.service_code', { code: serviceCode }),
    productCategory,
  ]
  const changes = [
    discountMinor !== 0n && wording.say('line.discount', { amount: wording.money(-discountMinor, currency) }),
    feeMinor !== 0n && wording.say('line.fee', { amount: wording.money(feeMinor, currency) }),
  ]
  return [codes, changes].map((parts) => wording.join(parts)).filter((text) => text !== '')
}

function description(sheet: Sheet, line: DocumentLine, currency: string, width: number): Line[] {
  const named = line.itemName !== null && line.itemName !== line.description
  return [
    ...(named ? sheet.wrap(line.itemName as string, styles.body, width) : []),
    ...sheet.wrap(line.description, named ? styles.quiet : styles.body, width),
    ...detailsOf(line, currency, sheet.wording).flatMap((text) => sheet.wrap(text, styles.small, width)),
  ]
}

export function drawLines(sheet: Sheet, { lines, currency }: InvoiceDocument, words: DocumentWords): void {
  const { wording } = words
  const figures = (texts: readonly string[]) => texts.map((text) => sheet.line(text, styles.body))
  const quantities = figures(lines.map((line) => wording.quantity(line.quantity)))
  const prices = figures(lines.map((line) => wording.unitPrice(line.unitPrice, currency)))
  const amounts = figures(lines.map((line) => wording.amount(line.netMinor, currency)))
  const quantityWidth = columnWidth(quantities, 48, mostWidth)
  const priceWidth = columnWidth(prices, 56, mostWidth)
  const amountWidth = columnWidth(amounts, 66, mostWidth)
  const width = widthBeside(pageWidth, [positionWidth, quantityWidth, priceWidth, taxWidth, amountWidth])
  const columns: Column[] = [
    { head: '#', width: positionWidth },
    { head: wording.say('line.description'), width },
    { head: wording.say('line.quantity'), width: quantityWidth, align: 'right' },
    { head: wording.say('line.unit_price'), width: priceWidth, align: 'right' },
    { head: wording.say('line.tax'), width: taxWidth, align: 'right' },
    { head: wording.say('line.amount'), width: amountWidth, align: 'right' },
  ]
  const figure = (line: Line | undefined, width: number): Line[] =>
    line ? [sheet.fitted(line.text, styles.body, width)] : []
  const rows = lines.map(
    (line, index): TableRow => [
      [sheet.line(String(index + 1), { ...styles.small, leading: styles.body.leading })],
      description(sheet, line, currency, width),
      [
        ...figure(quantities[index], quantityWidth),
        ...sheet.wrap(words.unitName(line.unitCode), styles.small, quantityWidth),
      ],
      figure(prices[index], priceWidth),
      sheet.wrap(words.taxName(line.taxCategory, line.taxRate), styles.label, taxWidth),
      figure(amounts[index], amountWidth),
    ],
  )
  sheet.room(70)
  drawTable(sheet, page.left, columns, rows)
}
