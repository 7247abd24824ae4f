import { amount, type DocumentWords, money } from '../../../kernel/document-words.ts'
import type { InvoiceDocument, Letterhead } from '../../../kernel/invoice-document.ts'
import { drawLabelled, type LabelledTexts, leftColumn, rightColumn } from './head.ts'
import { drawQr, qrSquare } from './qr-square.ts'
import { heightOf, type Line, type Sheet, space } from './sheet.ts'
import { colours, page, pageWidth, type Style, styles } from './style.ts'
import { columnWidth, drawTable, widthBeside } from './table.ts'

const dueHeight = 38
const duePadding = 12
const sectionGap = 22
const signatureGap = 14

function drawTaxes(sheet: Sheet, { taxGroups, currency }: InvoiceDocument, words: DocumentWords): void {
  if (taxGroups.length === 0) return
  const figures = (minors: readonly bigint[]) => minors.map((minor) => sheet.line(amount(minor, currency), styles.body))
  const taxable = figures(taxGroups.map(({ taxableMinor }) => taxableMinor))
  const taxes = figures(taxGroups.map(({ taxMinor }) => taxMinor))
  const taxableWidth = columnWidth(taxable, 60, 82)
  const taxWidth = columnWidth(taxes, 48, 82)
  const width = widthBeside(leftColumn.width, [taxableWidth, taxWidth])
  const rows = taxGroups.map(({ category, rate }, index) => [
    sheet.wrap(words.taxName(category, rate), styles.body, width),
    [sheet.fitted((taxable[index] as Line).text, styles.body, taxableWidth)],
    [sheet.fitted((taxes[index] as Line).text, styles.body, taxWidth)],
  ])
  drawTable(
    sheet,
    leftColumn.x,
    [
      { head: 'Tax summary', width },
      { head: 'Taxable', width: taxableWidth, align: 'right' },
      { head: 'Tax', width: taxWidth, align: 'right' },
    ],
    rows,
  )
}

interface Sum {
  readonly label: string
  readonly minor: bigint
  readonly isTotal?: boolean
}

/** The sums in the order of their calculation, without zeros. */
function sumsOf(document: InvoiceDocument): Sum[] {
  const { netMinor, allowanceMinor, chargeMinor, taxMinor, roundingMinor, payableMinor } = document
  const wasSettled = document.paidMinor !== 0n || document.creditedMinor !== 0n
  const told = (label: string, minor: bigint): Sum[] => (minor === 0n ? [] : [{ label, minor }])
  return [
    { label: 'Subtotal', minor: netMinor },
    ...told('Discount', -allowanceMinor),
    ...told('Charges', chargeMinor),
    { label: 'Tax', minor: taxMinor },
    ...told('Rounding', roundingMinor),
    { label: 'Total', minor: payableMinor, isTotal: true },
    ...(wasSettled ? [...told('Paid', -document.paidMinor), ...told('Credited', -document.creditedMinor)] : []),
  ]
}

function drawTotals(sheet: Sheet, document: InvoiceDocument, isOverdue: boolean): void {
  const { x, width } = rightColumn
  const { currency } = document
  const line = (label: string, minor: bigint, labelStyle: Style, style: Style) => {
    const labelLine = sheet.line(label, labelStyle)
    const figure = sheet.fitted(money(minor, currency), style, width - labelLine.width - 12)
    sheet.part('TR', () =>
      sheet.row([
        { x, width, role: 'TH', scope: 'Row', lines: [labelLine] },
        { x, width, align: 'right', role: 'TD', lines: [figure] },
      ]),
    )
  }
  sheet.part('Table', () => drawSums(sheet, document, line, isOverdue))
}

type DrawSum = (label: string, minor: bigint, labelStyle: Style, style: Style) => void

function drawSums(sheet: Sheet, document: InvoiceDocument, line: DrawSum, isOverdue: boolean): void {
  const { x, width } = rightColumn
  sheet.y += 4
  for (const { label, minor, isTotal } of sumsOf(document)) {
    if (isTotal) {
      sheet.y += 4
      sheet.rule(x, width)
      sheet.y += 4
      line(label, minor, styles.total, styles.total)
    } else {
      const leading = 17
      line(label, minor, { ...styles.quiet, leading }, { ...styles.body, leading })
    }
  }
  sheet.y += 8
  // Wider than the column, so that its text ends where all other amounts do.
  sheet.box(x - duePadding, sheet.y, width + 2 * duePadding, dueHeight, colours.accent)
  sheet.y += (dueHeight - styles.due.leading) / 2
  const { label, minor } = outcomeOf(document, isOverdue)
  line(label, minor, styles.dueLabel, styles.due)
  sheet.y += (dueHeight - styles.due.leading) / 2
}

/** The final amount. A paid invoice asks for no money, not even for zero. */
function outcomeOf({ type, payableMinor, creditedMinor, dueMinor }: InvoiceDocument, isOverdue: boolean): Sum {
  if (type === 'credit_note') return { label: 'Amount credited', minor: payableMinor }
  if (dueMinor > 0n || payableMinor <= 0n)
    return { label: isOverdue ? 'Amount overdue' : 'Amount due', minor: dueMinor }
  return { label: creditedMinor > 0n ? 'Settled' : 'Paid', minor: payableMinor }
}

/** The height of the totals, so that they stay on one page. */
const totalsHeight = (document: InvoiceDocument): number => 20 + sumsOf(document).length * 17 + dueHeight + 12

/** A bank account is shown only if an amount is due. */
function drawPayment(sheet: Sheet, document: InvoiceDocument, letterhead: Letterhead): void {
  const { x, width } = leftColumn
  const { type, dueMinor, paymentTerms } = document
  const bank = type !== 'credit_note' && dueMinor > 0n ? letterhead.bank : null
  if (bank || paymentTerms) sheet.y += sectionGap
  if (bank) {
    sheet.room(styles.heading.leading + 4 * styles.body.leading)
    sheet.row([{ x, width, role: 'H2', lines: [sheet.line('Pay to', styles.heading)] }])
    const entries: LabelledTexts = [
      ['Bank', bank.bankName],
      ['Account name', bank.accountName],
      ['Account number', bank.accountNumber],
      // A payment is recognised by this reference.
      ['Reference', document.number],
    ]
    drawLabelled(sheet, entries, x, width)
  }
  if (!paymentTerms) return
  if (bank) sheet.y += 10
  drawText(sheet, 'Payment terms', paymentTerms, width)
}

function drawText(sheet: Sheet, heading: string, text: string, width: number): void {
  sheet.room(styles.heading.leading + 2 * styles.body.leading)
  sheet.row([{ x: page.left, width, role: 'H2', lines: [sheet.line(heading, styles.heading)] }])
  sheet.row([{ x: page.left, width, lines: sheet.wrap(text, styles.body, width) }])
}

interface Signature {
  readonly height: number
  readonly draw: () => void
}

/** In one piece if possible, because people type or copy the reference. */
function referenceLines(sheet: Sheet, authorityReference: string, width: number) {
  const usual = sheet.wrap(authorityReference, styles.body, width)
  const small = usual.length > 1 ? sheet.wrap(authorityReference, styles.reference, width) : usual
  return small.length === 1 ? small : usual
}

/** The authority's QR code, and its reference beside it, or below it if the code is too wide. */
function signature(sheet: Sheet, { authorityReference, stamp }: InvoiceDocument): Signature {
  const { x, width } = rightColumn
  const qr = stamp ? qrSquare(stamp) : undefined
  const isBeside = qr !== undefined && qr.size < width / 2
  const textX = isBeside ? x + qr.size + signatureGap : x
  const textWidth = x + width - textX
  const lines = authorityReference
    ? [
        ...sheet.wrap('Invoice reference number', styles.heading, textWidth),
        ...referenceLines(sheet, authorityReference, textWidth),
        space(6),
        ...sheet.wrap(
          qr ? 'Given by the tax authority. Scan the code to verify it.' : 'Given by the tax authority.',
          styles.small,
          textWidth,
        ),
      ]
    : []
  const qrHeight = qr ? qr.size + (isBeside ? 0 : signatureGap) : 0
  return {
    height: isBeside ? Math.max(qrHeight, heightOf(lines)) : qrHeight + heightOf(lines),
    draw: () => {
      const start = sheet.y
      if (qr) drawQr(sheet, qr, x, start)
      if (!isBeside) sheet.y += qrHeight
      sheet.row([{ x: textX, width: textWidth, lines }])
      if (isBeside) sheet.y = Math.max(sheet.y, start + qrHeight)
    },
  }
}

/** Everything below the lines. The totals and the QR code are not split over pages. */
export function drawClosing(
  sheet: Sheet,
  document: InvoiceDocument,
  letterhead: Letterhead,
  words: DocumentWords,
  isOverdue: boolean,
): void {
  sheet.y += 12
  const signed = signature(sheet, document)
  const totals = totalsHeight(document)
  const whole = signed.height > 0 ? totals + sectionGap + signed.height : totals
  // If a page has room for the totals but not for the code, the totals stay with the lines above them.
  const isBelow = sheet.y + whole > page.bottom && sheet.y + totals <= page.bottom
  const drawSigned = () => {
    if (signed.height === 0) return
    sheet.y += sectionGap
    sheet.room(signed.height)
    signed.draw()
  }
  sheet.beside(
    isBelow ? totals : whole,
    () => {
      drawTotals(sheet, document, isOverdue)
      if (!isBelow) drawSigned()
    },
    () => {
      drawTaxes(sheet, document, words)
      drawPayment(sheet, document, letterhead)
    },
  )
  if (isBelow) drawSigned()
  if (!document.notes) return
  sheet.y += sectionGap
  drawText(sheet, 'Notes', document.notes, pageWidth)
}
