import { businessDay } from '../../../kernel/days.ts'
import { countryName, type DocumentWords, dayInWords, titleOf } from '../../../kernel/document-words.ts'
import {
  type DocumentAddress,
  type DocumentParty,
  type InvoiceDocument,
  supplyDay,
} from '../../../kernel/invoice-document.ts'
import { printedLines } from '../../../kernel/invoice-texts.ts'
import { type Line, type Sheet, space } from './sheet.ts'
import { colours, page, pageWidth, type Style, styles } from './style.ts'
import { currencyName } from './wording.ts'

/** The page has two columns, except for lines and remarks. */
export const leftColumn = { x: page.left, width: 240 } as const
export const rightColumn = { x: page.right - 232, width: 232 } as const
const labelWidth = 84
export const logoBox = { width: 170, height: 46 } as const

export type LabelledTexts = readonly (readonly [label: string, text: string | null])[]

/** Labels with their values beside them; absent values are left out. */
export function drawLabelled(sheet: Sheet, entries: LabelledTexts, x: number, width: number): void {
  for (const [label, text] of entries) {
    if (!text) continue
    sheet.row([
      { x, width: labelWidth, lines: [sheet.line(label, styles.label)] },
      { x: x + labelWidth, width: width - labelWidth, lines: sheet.wrap(text, styles.body, width - labelWidth) },
    ])
  }
}

export function spelledAddress({ line1, line2, city, district, state, postalCode, country }: DocumentAddress): string {
  const town = [city, postalCode].filter(Boolean).join(' ')
  return [line1, line2, town, district, state === city ? '' : state, countryName(country)].filter(Boolean).join(', ')
}

const dayMs = 86_400_000
const dayAfter = (day: string): string => businessDay(new Date(Date.parse(day) + dayMs), 'UTC')

interface Head {
  readonly sheet: Sheet
  readonly words: DocumentWords
}

/** The lines of a party below its name. */
function partyLines(party: DocumentParty, words: DocumentWords): string[] {
  const { name, legalName, tradingName, taxIdType, taxId, vatNumber, registrationNumber, email, phone } = party
  const numbers = [
    taxId && `${words.taxIdName(taxIdType)} ${taxId}`,
    vatNumber && `VAT no. ${vatNumber}`,
    registrationNumber && `Registration no. ${registrationNumber}`,
  ]
  return [
    legalName && legalName !== name ? legalName : '',
    tradingName && tradingName !== name ? `Trading as ${tradingName}` : '',
    party.address ? spelledAddress(party.address) : '',
    numbers.filter(Boolean).join(' · '),
    [email, phone].filter(Boolean).join(' · '),
  ].filter((line) => line !== '')
}

function partyBlock({ sheet, words }: Head, party: DocumentParty, nameStyle: Style, width: number): Line[] {
  return [
    ...sheet.wrap(party.name, nameStyle, width),
    space(2),
    ...partyLines(party, words).flatMap((line) => sheet.wrap(line, styles.quiet, width)),
  ]
}

function drawSeller(head: Head, document: InvoiceDocument, logo: Buffer | undefined): void {
  const { sheet } = head
  const { seller, number } = document
  const width = 282
  if (logo) sheet.figure('Logo', () => sheet.picture(logo, page.left, sheet.y, logoBox.width, logoBox.height))
  const name = logo ? styles.name : styles.sellerName
  const sellerLines = seller
    ? partyBlock(head, seller, name, width)
    : sheet.wrap('The seller is not chosen yet', styles.quiet, width)
  const titleWidth = pageWidth - width - 20
  const title = [
    ...sheet.wrap(titleOf(document), styles.title, titleWidth),
    ...sheet.wrap(number || 'No number yet', styles.number, titleWidth),
  ]
  sheet.row([
    { x: page.left, width, lines: logo ? [space(logoBox.height + 10), ...sellerLines] : sellerLines },
    { x: page.right - titleWidth, width: titleWidth, align: 'right', lines: title, role: 'H1' },
  ])
}

function drawBuyer(head: Head, document: InvoiceDocument, isOverdue: boolean): void {
  const { sheet } = head
  const { buyer, isDraft, dueDate } = document
  const supplied = supplyDay(document)
  const { x, width } = leftColumn
  const nobody = isDraft ? 'The buyer is not chosen yet' : 'The buyer is not named'
  const buyerLines = buyer ? partyBlock(head, buyer, styles.name, width) : sheet.wrap(nobody, styles.quiet, width)
  const details: LabelledTexts = [
    ['Issue date', dayInWords(document.issueDate)],
    ['Date of supply', supplied && dayInWords(supplied)],
    ['Due date', dueDate && dayInWords(dueDate)],
    ['Overdue since', isOverdue && dueDate ? dayInWords(dayAfter(dueDate)) : null],
    ['Currency', currencyName(document.currency)],
    ...printedLines(document),
  ]
  const heading = (text: string) => sheet.line(text, styles.heading)
  sheet.beside(
    0,
    () => {
      const title = heading(document.type === 'credit_note' ? 'Credit to' : 'Bill to')
      sheet.row([{ x, width, role: 'H2', lines: [title] }])
      sheet.row([{ x, width, lines: buyerLines }])
    },
    () => {
      sheet.row([{ ...rightColumn, role: 'H2', lines: [heading('Details')] }])
      drawLabelled(sheet, details, rightColumn.x, rightColumn.width)
    },
  )
}

/** The document that a note corrects, and the reason. */
function drawCorrection({ sheet, words }: Head, { original, reason }: InvoiceDocument): void {
  const entries: LabelledTexts = [
    ['Corrects invoice', original && `${original.number} of ${dayInWords(original.issueDate)}`],
    [`Original ${words.referenceName}`, original?.authorityReference ?? null],
    ['Reason', reason],
  ]
  if (!entries.some(([, text]) => text)) return
  sheet.y += 14
  sheet.rule(page.left, pageWidth)
  sheet.y += 10
  drawLabelled(sheet, entries, page.left, pageWidth)
}

/** Everything above the lines. */
export function drawHead(head: Head, document: InvoiceDocument, logo: Buffer | undefined, isOverdue: boolean): void {
  const { sheet } = head
  sheet.box(0, 0, page.width, 7, colours.accent)
  drawSeller(head, document, logo)
  sheet.y += 20
  sheet.rule(page.left, pageWidth)
  sheet.y += 12
  drawBuyer(head, document, isOverdue)
  drawCorrection(head, document)
  sheet.y += 20
}
