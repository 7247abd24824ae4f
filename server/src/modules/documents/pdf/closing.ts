import type { DocumentWords } from '../../../kernel/document-words.ts'
import type { OverduePart } from '../../../kernel/instalments.ts'
import type { InvoiceDocument, Letterhead } from '../../../kernel/invoice-document.ts'
import { homeTaxText } from '../../../kernel/languages/home-tax-text.ts'
import type { Wording } from '../../../kernel/languages/wording.ts'
import { labelOf } from '../../../kernel/written-fields.ts'
import { heightOf, type Line, space } from './cells.ts'
import { drawLabelled, type LabelledTexts, leftColumn, rightColumn } from './head.ts'
import { drawQr, qrSquare } from './qr-square.ts'
import type { Sheet } from './sheet.ts'
import { colours, page, pageWidth, type Style, styles } from './style.ts'
import { columnWidth, drawTable, widthBeside } from './table.ts'

const dueHeight = 38
const duePadding = 12
const sectionGap = 22
const signatureGap = 14

function drawTaxes(sheet: Sheet, { taxGroups, currency }: InvoiceDocument, words: DocumentWords): void {
  if (taxGroups.length === 0) return
  const { wording } = words
  const figures = (minors: readonly bigint[]) =>
    minors.map((minor) => sheet.line(wording.amount(minor, currency), styles.body))
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
      { head: wording.say('tax.summary'), width },
      { head: wording.say('tax.taxable'), width: taxableWidth, align: 'right' },
      { head: wording.say('tax.tax'), width: taxWidth, align: 'right' },
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
function sumsOf(document: InvoiceDocument, wording: Wording, overdue: OverduePart | undefined): Sum[] {
  const { netMinor, allowanceMinor, chargeMinor, taxMinor, roundingMinor, payableMinor } = document
  const wasSettled = document.paidMinor !== 0n || document.creditedMinor !== 0n
  const unlessZero = (label: string, minor: bigint): Sum[] => (minor === 0n ? [] : [{ label, minor }])
  return [
    { label: wording.say('sum.subtotal'), minor: netMinor },
    ...unlessZero(wording.say('sum.discount'), -allowanceMinor),
    ...unlessZero(wording.say('sum.charges'), chargeMinor),
    { label: wording.say('sum.tax'), minor: taxMinor },
    ...unlessZero(wording.say('sum.rounding'), roundingMinor),
    // The final amount of a quote is its total.
    ...(document.offer ? [] : [{ label: wording.say('sum.total'), minor: payableMinor, isTotal: true }]),
    ...(wasSettled
      ? [
          ...unlessZero(wording.say('sum.paid'), -document.paidMinor),
          ...unlessZero(wording.say('sum.credited'), -document.creditedMinor),
        ]
      : []),
    ...(overdue && overdue.minor < document.dueMinor
      ? unlessZero(wording.say('sum.amount_overdue'), overdue.minor)
      : []),
  ]
}

function drawTotals(sheet: Sheet, document: InvoiceDocument, overdue: OverduePart | undefined): void {
  const { x, width } = rightColumn
  const { currency } = document
  const line = (label: string, minor: bigint, labelStyle: Style, style: Style) => {
    const labelLine = sheet.line(label, labelStyle)
    const figure = sheet.fitted(sheet.wording.money(minor, currency), style, width - labelLine.width - 12)
    sheet.part('TR', () =>
      sheet.row([
        { x, width, role: 'TH', scope: 'Row', lines: [labelLine] },
        { x, width, align: 'end', role: 'TD', lines: [figure] },
      ]),
    )
  }
  sheet.part('Table', () => drawSums(sheet, document, line, overdue))
}

type DrawSum = (label: string, minor: bigint, labelStyle: Style, style: Style) => void

function drawSums(sheet: Sheet, document: InvoiceDocument, line: DrawSum, overdue: OverduePart | undefined): void {
  const { x, width } = rightColumn
  sheet.y += 4
  for (const { label, minor, isTotal } of sumsOf(document, sheet.wording, overdue)) {
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
  const { label, minor } = outcomeOf(document, overdue, sheet.wording)
  line(label, minor, styles.dueLabel, styles.due)
  sheet.y += (dueHeight - styles.due.leading) / 2
}

/** The final amount. A paid invoice asks for no money, not even for zero. */
function outcomeOf(document: InvoiceDocument, overdue: OverduePart | undefined, wording: Wording): Sum {
  const { type, payableMinor, creditedMinor, dueMinor, offer } = document
  if (offer) return { label: wording.say('sum.total'), minor: payableMinor }
  if (type === 'credit_note') return { label: wording.say('sum.amount_credited'), minor: payableMinor }
  if (dueMinor > 0n || payableMinor <= 0n)
    return {
      label: wording.say(overdue?.minor === dueMinor ? 'sum.amount_overdue' : 'sum.amount_due'),
      minor: dueMinor,
    }
  return { label: wording.say(creditedMinor > 0n ? 'sum.settled' : 'sum.paid'), minor: payableMinor }
}

/** The height of the totals, so that they stay on one page. */
const totalsHeight = (document: InvoiceDocument, wording: Wording, overdue: OverduePart | undefined): number =>
  20 + sumsOf(document, wording, overdue).length * 17 + dueHeight + 12

/** The tax in the home currency, with the rate and its day. */
function drawHomeTax(sheet: Sheet, { homeTax, currency }: InvoiceDocument): void {
  if (!homeTax) return
  const { x, width } = leftColumn
  sheet.y += 6
  sheet.row([{ x, width, lines: sheet.wrap(homeTaxText(homeTax, currency, sheet.wording), styles.quiet, width) }])
}

/** When which part is due, and what is left of it once something was settled. */
function drawInstalments(sheet: Sheet, { instalments, currency }: InvoiceDocument): void {
  if (!instalments) return
  const { wording } = sheet
  const { x, width } = leftColumn
  const figures = (minors: readonly bigint[]) =>
    minors.map((minor) => sheet.line(wording.amount(minor, currency), styles.body))
  const wasSettled = instalments.some(({ amountMinor, dueMinor }) => dueMinor < amountMinor)
  const columns = [
    { head: wording.say('line.amount'), figures: figures(instalments.map(({ amountMinor }) => amountMinor)) },
    ...(wasSettled
      ? [{ head: wording.say('sum.amount_due'), figures: figures(instalments.map(({ dueMinor }) => dueMinor)) }]
      : []),
  ].map((column) => ({ ...column, width: columnWidth(column.figures, 60, 82) }))
  sheet.y += sectionGap
  sheet.room(styles.heading.leading + 4 * styles.body.leading)
  sheet.row([{ x, width, role: 'H2', lines: [sheet.line(wording.say('pay.instalments'), styles.heading)] }])
  const dayWidth = widthBeside(
    width,
    columns.map((column) => column.width),
  )
  drawTable(
    sheet,
    x,
    [
      { head: wording.say('fact.due_date'), width: dayWidth },
      ...columns.map((column) => ({ head: column.head, width: column.width, align: 'right' as const })),
    ],
    instalments.map(({ dueDate }, at) => [
      sheet.wrap(wording.day(dueDate), styles.body, dayWidth),
      ...columns.map((column) => [sheet.fitted((column.figures[at] as Line).text, styles.body, column.width)]),
    ]),
  )
}

/** A bank account is shown only if an amount is due. A quote asks for no money; a proforma invoice asks for payment in advance. */
function drawPayment(sheet: Sheet, document: InvoiceDocument, letterhead: Letterhead): void {
  const { wording } = sheet
  const { x, width } = leftColumn
  const { type, dueMinor, paymentTerms, offer } = document
  const bank = type !== 'credit_note' && offer?.type !== 'quote' && dueMinor > 0n ? letterhead.bank : null
  if (bank || paymentTerms) sheet.y += sectionGap
  if (bank) {
    sheet.room(styles.heading.leading + 4 * styles.body.leading)
    sheet.row([{ x, width, role: 'H2', lines: [sheet.line(wording.say('pay.pay_to'), styles.heading)] }])
    const entries: LabelledTexts = [
      [wording.say('pay.bank'), bank.bankName],
      [wording.say('pay.account_name'), bank.accountName],
      [wording.say('pay.account_number'), bank.accountNumber],
      // A payment is recognised by this reference.
      [wording.say('pay.reference'), document.number],
    ]
    drawLabelled(sheet, entries, x, width)
  }
  if (!paymentTerms) return
  if (bank) sheet.y += 10
  drawText(sheet, labelOf('paymentTerms', wording), paymentTerms, width)
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
  const { wording } = sheet
  const { x, width } = rightColumn
  const qr = stamp ? qrSquare(stamp) : undefined
  const isBeside = qr !== undefined && qr.size < width / 2
  const textX = isBeside ? x + qr.size + signatureGap : x
  const textWidth = x + width - textX
  const lines = authorityReference
    ? [
        ...sheet.wrap(wording.say('authority.reference'), styles.heading, textWidth),
        ...referenceLines(sheet, authorityReference, textWidth),
        space(6),
        ...sheet.wrap(wording.say(qr ? 'authority.given_scan' : 'authority.given'), styles.small, textWidth),
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
  overdue: OverduePart | undefined,
): void {
  sheet.y += 12
  const signed = signature(sheet, document)
  const totals = totalsHeight(document, words.wording, overdue)
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
      drawTotals(sheet, document, overdue)
      if (!isBelow) drawSigned()
    },
    () => {
      drawTaxes(sheet, document, words)
      drawHomeTax(sheet, document)
      drawInstalments(sheet, document)
      drawPayment(sheet, document, letterhead)
    },
  )
  if (isBelow) drawSigned()
  if (document.notes) {
    sheet.y += sectionGap
    drawText(sheet, labelOf('notes', sheet.wording), document.notes, pageWidth)
  }
  if (!document.offer) return
  sheet.y += sectionGap
  const lines = sheet.wrap(sheet.wording.say('offer.not_tax_invoice'), styles.small, pageWidth)
  sheet.row([{ x: page.left, width: pageWidth, lines }])
}
