import { amount, dayInWords, money } from '../../../kernel/document-words.ts'
import {
  agesInWords,
  lineInWords,
  type StatementDocument,
  type StatementLine,
  type StatementParty,
} from '../../../kernel/statement-of-account.ts'
import { drawLabelled, leftColumn, logoBox, rightColumn, spelledAddress } from './head.ts'
import { drawSheet } from './invoice-pdf.ts'
import { drawableLogo } from './logo.ts'
import { type Line, type Sheet, type SheetFacts, space } from './sheet.ts'
import { colours, page, pageWidth, type Style, styles } from './style.ts'
import { type Column, columnWidth, drawTable, type TableRow, widthBeside } from './table.ts'
import { currencyName } from './wording.ts'

const title = 'Statement of account'
const sandboxMark = 'SANDBOX'

/** Draws a statement of account as PDF. The same input always gives the same bytes. */
export async function drawStatement(statement: StatementDocument): Promise<Buffer> {
  const { seller, buyer, from, to, mode } = statement
  const period = `${dayInWords(from)} – ${dayInWords(to)}`
  const facts: SheetFacts = {
    title: `${title}, ${period}`,
    author: seller.name,
    subject: `${title} for ${buyer.name}`,
    date: new Date(`${to}T00:00:00Z`),
    running: [`${title}, ${buyer.name}`, seller.name],
    foot: `${title} · ${period}`,
    watermark: mode === 'sandbox' ? sandboxMark : undefined,
  }
  return await drawSheet(facts, (sheet) => {
    drawTop(sheet, statement, period)
    drawMoves(sheet, statement)
    drawAges(sheet, statement)
  })
}

function partyLines(
  sheet: Sheet,
  { name, taxId, email, address }: StatementParty,
  style: Style,
  width: number,
): Line[] {
  const more = [address ? spelledAddress(address) : '', taxId ? `Tax number ${taxId}` : '', email ?? '']
  return [
    ...sheet.wrap(name, style, width),
    space(2),
    ...more.filter((text) => text !== '').flatMap((text) => sheet.wrap(text, styles.quiet, width)),
  ]
}

function drawTop(sheet: Sheet, statement: StatementDocument, period: string): void {
  const { seller, buyer, letterhead, currency, openingMinor, closingMinor } = statement
  sheet.box(0, 0, page.width, 7, colours.accent)
  const logo = drawableLogo(letterhead.logo)
  if (logo) sheet.figure('Logo', () => sheet.picture(logo, page.left, sheet.y, logoBox.width, logoBox.height))
  const sellerWidth = 250
  const titleWidth = pageWidth - sellerWidth - 20
  const sellerLines = partyLines(sheet, seller, logo ? styles.name : styles.sellerName, sellerWidth)
  sheet.row([
    { x: page.left, width: sellerWidth, lines: logo ? [space(logoBox.height + 10), ...sellerLines] : sellerLines },
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
      sheet.row([{ ...leftColumn, role: 'H2', lines: [heading('Account of')] }])
      sheet.row([{ ...leftColumn, lines: partyLines(sheet, buyer, styles.name, leftColumn.width) }])
    },
    () => {
      sheet.row([{ ...rightColumn, role: 'H2', lines: [heading('Summary')] }])
      const entries = [
        ['Currency', currencyName(currency)],
        ['Opening balance', money(openingMinor, currency)],
        ['Closing balance', money(closingMinor, currency)],
      ] as const
      drawLabelled(sheet, entries, rightColumn.x, rightColumn.width)
    },
  )
  sheet.y += 18
}

const dateWidth = 76
const mostWidth = 96

function drawMoves(sheet: Sheet, { lines, currency, openingMinor, closingMinor, from, to }: StatementDocument): void {
  const figure = (minor: bigint, style: Style = styles.body) => sheet.line(amount(minor, currency), style)
  const amounts = lines.map(({ amountMinor }) => figure(amountMinor))
  const balances = [openingMinor, ...lines.map(({ balanceMinor }) => balanceMinor), closingMinor].map((minor) =>
    figure(minor),
  )
  const amountWidth = columnWidth(amounts, 66, mostWidth)
  const balanceWidth = columnWidth(balances, 66, mostWidth)
  const width = widthBeside(pageWidth, [dateWidth, amountWidth, balanceWidth])
  const columns: Column[] = [
    { head: 'Date', width: dateWidth },
    { head: 'What', width },
    { head: 'Amount', width: amountWidth, align: 'right' },
    { head: 'Balance', width: balanceWidth, align: 'right' },
  ]
  const fitted = (minor: bigint, width: number, style: Style = styles.body): Line[] => [
    sheet.fitted(amount(minor, currency), style, width),
  ]
  const day = (text: string) => [sheet.fitted(dayInWords(text), styles.body, dateWidth)]
  const rows: TableRow[] = [
    [
      day(from),
      sheet.wrap('Opening balance', styles.strong, width),
      [],
      fitted(openingMinor, balanceWidth, styles.strong),
    ],
    ...lines.map(
      (line): TableRow => [
        day(line.bookedOn),
        [
          ...sheet.wrap(lineInWords(line), styles.body, width),
          ...detailsOf(line).flatMap((text) => sheet.wrap(text, styles.small, width)),
        ],
        fitted(line.amountMinor, amountWidth),
        fitted(line.balanceMinor, balanceWidth),
      ],
    ),
    [
      day(to),
      sheet.wrap('Closing balance', styles.strong, width),
      [],
      fitted(closingMinor, balanceWidth, styles.strong),
    ],
  ]
  drawTable(sheet, page.left, columns, rows)
}

/** The date of the document if it differs from the day of the booking, and the reference of a payment. */
function detailsOf({ bookedOn, documentDate, paymentReference }: StatementLine): string[] {
  const dated = documentDate === bookedOn ? '' : `Dated ${dayInWords(documentDate)}`
  const text = [dated, paymentReference ?? ''].filter((part) => part !== '').join(' · ')
  return text === '' ? [] : [text]
}

function drawAges(sheet: Sheet, { ages, agedOn, currency }: StatementDocument): void {
  sheet.y += 18
  sheet.room(90)
  sheet.row([
    {
      x: page.left,
      width: pageWidth,
      role: 'H2',
      lines: [sheet.line(`How late, on ${dayInWords(agedOn)}`, styles.heading)],
    },
  ])
  const cells = [...agesInWords(ages), ['Credit', -ages.creditMinor] as const]
  const gaps = 12 * (cells.length - 1)
  const width = (pageWidth - gaps) / cells.length
  const columns = cells.map(([head]): Column => ({ head, width, align: 'right' }))
  drawTable(sheet, page.left, columns, [
    cells.map(([, minor]) => [sheet.fitted(amount(minor, currency), styles.body, width)]),
  ])
}
