import { dayAfter } from '../../../kernel/days.ts'
import { type DocumentWords, englishTitle } from '../../../kernel/document-words.ts'
import type { OverduePart } from '../../../kernel/instalments.ts'
import {
  type DocumentAddress,
  type DocumentParty,
  type InvoiceDocument,
  supplyDay,
} from '../../../kernel/invoice-document.ts'
import type { Wording } from '../../../kernel/languages/wording.ts'
import { printedLines } from '../../../kernel/written-fields.ts'
import { type Line, space } from './cells.ts'
import type { Sheet } from './sheet.ts'
import { colours, page, pageWidth, type Style, styles } from './style.ts'

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
      { x, width: labelWidth, lines: sheet.wrap(label, styles.label, labelWidth - 4) },
      { x: x + labelWidth, width: width - labelWidth, lines: sheet.wrap(text, styles.body, width - labelWidth) },
    ])
  }
}

export function spelledAddress(address: DocumentAddress, wording: Wording): string {
  const { line1, line2, city, district, state, postalCode, country } = address
  const town = [city, postalCode].filter(Boolean).join(' ')
  return [line1, line2, town, district, state === city ? '' : state, wording.countryName(country)]
    .filter(Boolean)
    .join(', ')
}

interface Head {
  readonly sheet: Sheet
  readonly words: DocumentWords
}

/** The lines of a party below its name. */
function partyLines(party: DocumentParty, words: DocumentWords): string[] {
  const { name, legalName, tradingName, taxIdType, taxId, vatNumber, registrationNumber, email, phone } = party
  const { wording } = words
  const numbers = [
    taxId && wording.labelled(words.taxIdName(taxIdType), taxId),
    vatNumber && wording.say('party.vat_no', { number: vatNumber }),
    registrationNumber && wording.say('party.registration_no', { number: registrationNumber }),
  ]
  return [
    legalName && legalName !== name ? legalName : '',
    tradingName && tradingName !== name ? wording.say('party.trading_as', { name: tradingName }) : '',
    party.address ? spelledAddress(party.address, wording) : '',
    wording.join(numbers),
    wording.join([email, phone]),
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
  const { sheet, words } = head
  const { wording } = words
  const { seller, number } = document
  const width = 282
  if (logo)
    sheet.figure(wording.say('document.logo'), () =>
      sheet.picture(logo, page.left, sheet.y, logoBox.width, logoBox.height),
    )
  const name = logo ? styles.name : styles.sellerName
  const sellerLines = seller
    ? partyBlock(head, seller, name, width)
    : sheet.wrap(wording.say('party.no_seller'), styles.quiet, width)
  const titleWidth = pageWidth - width - 20
  const english = englishTitle(words, document)
  const { versionNumber = 1 } = document.offer ?? {}
  const version = versionNumber > 1 ? wording.say('offer.version', { version: String(versionNumber) }) : undefined
  const title = [
    ...sheet.wrap(wording.titleOf(document), styles.title, titleWidth),
    ...(english === undefined ? [] : sheet.wrap(english, styles.number, titleWidth)),
    ...sheet.wrap(number || wording.say('party.no_number'), styles.number, titleWidth),
    ...(version === undefined ? [] : sheet.wrap(version, styles.number, titleWidth)),
  ]
  sheet.row([
    { x: page.left, width, lines: logo ? [space(logoBox.height + 10), ...sellerLines] : sellerLines },
    { x: page.right - titleWidth, width: titleWidth, align: 'end', lines: title, role: 'H1' },
  ])
}

function drawBuyer(head: Head, document: InvoiceDocument, overdue: OverduePart | undefined): void {
  const { sheet, words } = head
  const { wording } = words
  const { buyer, isDraft, dueDate } = document
  const supplied = supplyDay(document)
  const { x, width } = leftColumn
  const nobody = wording.say(isDraft ? 'party.no_buyer' : 'party.unnamed_buyer')
  const buyerLines = buyer ? partyBlock(head, buyer, styles.name, width) : sheet.wrap(nobody, styles.quiet, width)
  const details: LabelledTexts = [
    [wording.say('fact.issue_date'), wording.day(document.issueDate)],
    [wording.say('fact.supply_date'), supplied && wording.day(supplied)],
    [wording.say('fact.due_date'), dueDate && wording.day(dueDate)],
    [wording.say('fact.valid_until'), document.offer?.validUntil ? wording.day(document.offer.validUntil) : null],
    [wording.say('fact.overdue_since'), overdue ? wording.day(dayAfter(overdue.since)) : null],
    [wording.say('fact.currency'), wording.currencyName(document.currency)],
    ...printedLines(document, wording),
  ]
  const heading = (text: string) => sheet.line(text, styles.heading)
  sheet.beside(
    0,
    () => {
      const title = heading(wording.say(document.type === 'credit_note' ? 'party.credit_to' : 'party.bill_to'))
      sheet.row([{ x, width, role: 'H2', lines: [title] }])
      sheet.row([{ x, width, lines: buyerLines }])
    },
    () => {
      sheet.row([{ ...rightColumn, role: 'H2', lines: [heading(wording.say('fact.details'))] }])
      drawLabelled(sheet, details, rightColumn.x, rightColumn.width)
    },
  )
}

/** The document that a note corrects, and the reason. */
function drawCorrection({ sheet, words }: Head, { original, reason }: InvoiceDocument): void {
  const { wording } = words
  const corrected =
    original &&
    wording.say('correction.number_and_date', { number: original.number, date: wording.day(original.issueDate) })
  const entries: LabelledTexts = [
    [wording.say('correction.corrects_invoice'), corrected],
    [
      wording.say('correction.original_reference', { reference: words.referenceName }),
      original?.authorityReference ?? null,
    ],
    [wording.say('correction.reason'), reason],
  ]
  if (!entries.some(([, text]) => text)) return
  sheet.y += 14
  sheet.rule(page.left, pageWidth)
  sheet.y += 10
  drawLabelled(sheet, entries, page.left, pageWidth)
}

/** Everything above the lines. */
export function drawHead(
  head: Head,
  document: InvoiceDocument,
  logo: Buffer | undefined,
  overdue: OverduePart | undefined,
): void {
  const { sheet } = head
  sheet.box(0, 0, page.width, 7, colours.accent)
  drawSeller(head, document, logo)
  sheet.y += 20
  sheet.rule(page.left, pageWidth)
  sheet.y += 12
  drawBuyer(head, document, overdue)
  drawCorrection(head, document)
  sheet.y += 20
}
