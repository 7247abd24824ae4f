import { type Wording, wordingOf } from '../../../kernel/languages/wording.ts'
import {
  agesInWords,
  lineInWords,
  type StatementDocument,
  type StatementLine,
  type StatementParty,
} from '../../../kernel/statement-of-account.ts'
import { type Line, space } from './cells.ts'
import { drawLabelled, leftColumn, logoBox, rightColumn, spelledAddress } from './head.ts'
import { drawSheet } from './invoice-pdf.ts'
import { drawableLogo } from './logo.ts'
import type { Sheet, SheetFacts } from './sheet.ts'
import { colours, page, pageWidth, type Style, styles } from './style.ts'
import { type Column, columnWidth, drawTable, type TableRow, widthBeside } from './table.ts'

/** Draws a statement of account as PDF. The same input always gives the same bytes. */
export async function drawStatement(statement: StatementDocument): Promise<Buffer> {
  const { seller, buyer, from, to, mode } = statement
  const wording = wordingOf(statement.language)
  const title = wording.say('title.statement_of_account')
  const period = `${wording.day(from)} – ${wording.day(to)}`
  const facts: SheetFacts = {
    wording,
    title: `${title}, ${period}`,
    author: seller.name,
    subject: wording.say('document.for_buyer', { document: title, buyer: buyer.name }),
    date: new Date(`${to}T00:00:00Z`),
    running: [`${title}, ${buyer.name}`, seller.name],
    foot: wording.join([title, period]),
    watermark: mode === 'sandbox' ? wording.say('document.sandbox_mark') : undefined,
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
  const { wording } = sheet
  const more = [
    address ? spelledAddress(address, wording) : '',
    taxId ? wording.labelled(wording.say('party.tax_number'), taxId) : '',
    email ?? '',
  ]
  return [
    ...sheet.wrap(name, style, width),
    space(2),
    ...more.filter((text) => text !== '').flatMap((text) => sheet.wrap(text, styles.quiet, width)),
  ]
}

function drawTop(sheet: Sheet, statement: StatementDocument, period: string): void {
  const { seller, buyer, letterhead, currency, openingMinor, closingMinor } = statement
  const { wording } = sheet
  sheet.box(0, 0, page.width, 7, colours.accent)
  const logo = drawableLogo(letterhead.logo)
  if (logo)
    sheet.figure(wording.say('document.logo'), () =>
      sheet.picture(logo, page.left, sheet.y, logoBox.width, logoBox.height),
    )
  const sellerWidth = 250
  const titleWidth = pageWidth - sellerWidth - 20
  const sellerLines = partyLines(sheet, seller, logo ? styles.name : styles.sellerName, sellerWidth)
  sheet.row([
    { x: page.left, width: sellerWidth, lines: logo ? [space(logoBox.height + 10), ...sellerLines] : sellerLines },
    {
      x: page.right - titleWidth,
      width: titleWidth,
      align: 'end',
      role: 'H1',
      lines: [
        ...sheet.wrap(wording.say('title.statement_of_account'), styles.title, titleWidth),
        ...sheet.wrap(period, styles.number, titleWidth),
      ],
    },
  ])
  sheet.y += 20
  const heading = (text: string) => sheet.line(text, styles.heading)
  sheet.beside(
    0,
    () => {
      sheet.row([{ ...leftColumn, role: 'H2', lines: [heading(wording.say('statement.account_of'))] }])
      sheet.row([{ ...leftColumn, lines: partyLines(sheet, buyer, styles.name, leftColumn.width) }])
    },
    () => {
      sheet.row([{ ...rightColumn, role: 'H2', lines: [heading(wording.say('statement.summary'))] }])
      const entries = [
        [wording.say('fact.currency'), wording.currencyName(currency)],
        [wording.say('statement.opening_balance'), wording.money(openingMinor, currency)],
        [wording.say('statement.closing_balance'), wording.money(closingMinor, currency)],
      ] as const
      drawLabelled(sheet, entries, rightColumn.x, rightColumn.width)
    },
  )
  sheet.y += 18
}

const dateWidth = 76
const mostWidth = 96

function drawMoves(sheet: Sheet, { lines, currency, openingMinor, closingMinor, from, to }: StatementDocument): void {
  const { wording } = sheet
  const figure = (minor: bigint, style: Style = styles.body) => sheet.line(wording.amount(minor, currency), style)
  const amounts = lines.map(({ amountMinor }) => figure(amountMinor))
  const balances = [openingMinor, ...lines.map(({ balanceMinor }) => balanceMinor), closingMinor].map((minor) =>
    figure(minor),
  )
  const amountWidth = columnWidth(amounts, 66, mostWidth)
  const balanceWidth = columnWidth(balances, 66, mostWidth)
  const width = widthBeside(pageWidth, [dateWidth, amountWidth, balanceWidth])
  const columns: Column[] = [
    { head: wording.say('statement.date'), width: dateWidth },
    { head: wording.say('statement.what'), width },
    { head: wording.say('line.amount'), width: amountWidth, align: 'right' },
    { head: wording.say('statement.balance'), width: balanceWidth, align: 'right' },
  ]
  const fitted = (minor: bigint, width: number, style: Style = styles.body): Line[] => [
    sheet.fitted(wording.amount(minor, currency), style, width),
  ]
  const day = (text: string) => [sheet.fitted(wording.day(text), styles.body, dateWidth)]
  const rows: TableRow[] = [
    [
      day(from),
      sheet.wrap(wording.say('statement.opening_balance'), styles.strong, width),
      [],
      fitted(openingMinor, balanceWidth, styles.strong),
    ],
    ...lines.map(
      (line): TableRow => [
        day(line.bookedOn),
        [
          ...sheet.wrap(lineInWords(line, wording), styles.body, width),
          ...detailsOf(line, wording).flatMap((text) => sheet.wrap(text, styles.small, width)),
        ],
        fitted(line.amountMinor, amountWidth),
        fitted(line.balanceMinor, balanceWidth),
      ],
    ),
    [
      day(to),
      sheet.wrap(wording.say('statement.closing_balance'), styles.strong, width),
      [],
      fitted(closingMinor, balanceWidth, styles.strong),
    ],
  ]
  drawTable(sheet, page.left, columns, rows)
}

/** The date of the document if it differs from the day of the booking, and the reference of a payment. */
function detailsOf({ bookedOn, documentDate, paymentReference }: StatementLine, wording: Wording): string[] {
  const dated = documentDate === bookedOn ? '' : wording.say('statement.dated', { date: wording.day(documentDate) })
  const text = wording.join([dated, paymentReference])
  return text === '' ? [] : [text]
}

function drawAges(sheet: Sheet, { ages, agedOn, currency }: StatementDocument): void {
  const { wording } = sheet
  sheet.y += 18
  sheet.room(90)
  sheet.row([
    {
      x: page.left,
      width: pageWidth,
      role: 'H2',
      lines: [sheet.line(wording.say('statement.how_late', { date: wording.day(agedOn) }), styles.heading)],
    },
  ])
  const cells = [...agesInWords(ages, wording), [wording.say('statement.credit'), -ages.creditMinor] as const]
  const gaps = 12 * (cells.length - 1)
  const width = (pageWidth - gaps) / cells.length
  const columns = cells.map(([head]): Column => ({ head, width, align: 'right' }))
  drawTable(sheet, page.left, columns, [
    cells.map(([, minor]) => [sheet.fitted(wording.amount(minor, currency), styles.body, width)]),
  ])
}
