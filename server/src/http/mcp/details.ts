import { decimalText } from '../../kernel/decimal.ts'
import { currencyDigits, moneyInWords } from '../../kernel/money-words.ts'
import { writtenFields } from '../../kernel/written-fields.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import { type OutsideWords, outside, type Text } from './outside-words.ts'
import type { CheckedInvoice, InvoiceCheck, WrittenContent } from './previews.ts'
import type { ToolContext } from './tool.ts'

interface LineDetails {
  readonly description: Text
  readonly itemName?: Text
  readonly quantity: string
  readonly unitPrice: string
}

/** What a person must see before they agree, by name. A preview has it as data, and a question as text. */
export type Details = Readonly<Record<string, Text | readonly (Text | LineDetails)[] | undefined>>

/** More of them would hide the rest of a question. */
const shownLines = 20
const shownProblems = 10
const longestText = 200
/** The longest text of a document. What a person confirms must not hide behind its beginning. */
const longestProse = 2_000

type Fields = Readonly<Record<string, unknown>>

const plain = (text: Text): string => (typeof text === 'string' ? text : text.untrusted)

/** What the tax authority would reject, in words. */
export function authorityProblems(check: InvoiceCheck | undefined): readonly string[] {
  if (!check) return ['not checked in this preview: the tax authority decides when the document is submitted']
  const { problems } = check
  if (problems.length === 0) return ['none']
  const more = problems.length - shownProblems
  return [
    ...problems.slice(0, shownProblems).map(({ path, message }) => `${plain(path)} ${plain(message)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}

async function buyerOf(context: ToolContext, { buyerId, buyer }: Fields): Promise<Text> {
  if (typeof buyerId !== 'string') return 'none'
  if (context.mayCall(routes.buyers.get)) {
    const { data } = await context.call(routes.buyers.get, { params: { id: buyerId } })
    return outside((data as { readonly name: string }).name)
  }
  const known = buyer as { readonly name?: unknown } | null | undefined
  return typeof known?.name === 'string' ? outside(known.name) : buyerId
}

/** The address that a mail to the buyer goes to. */
export async function recipientOf(context: ToolContext, { buyerId }: Fields): Promise<Text> {
  if (typeof buyerId !== 'string') return 'none'
  if (!context.mayCall(routes.buyers.get)) return 'the address of the buyer, which this program may not read'
  const { data } = await context.call(routes.buyers.get, { params: { id: buyerId } })
  const { email } = data as { readonly email: string | null }
  return email === null ? 'none' : outside(email)
}

async function sellerOf(context: ToolContext, { sellerId }: Fields): Promise<Text | undefined> {
  if (typeof sellerId !== 'string') return undefined
  if (!context.mayCall(routes.sellers.get)) return sellerId
  const { data } = await context.call(routes.sellers.get, { params: { id: sellerId } })
  return outside((data as { readonly name: string }).name)
}

/** Everything else that the buyer will read or that changes the document, such as where its notes say to pay. */
const furtherFields = [
  'invoiceType',
  'supplyDate',
  'issueTime',
  'exchangeRate',
  'chargeAmount',
  'instalments',
  ...Object.keys(writtenFields),
]
const isUsual = (value: unknown): boolean =>
  value === undefined || value === null || value === 'standard' || value === '0.00'

/** The fields that a change removes. */
export const removedFields = (before: Fields, after: Fields): readonly string[] =>
  furtherFields.filter((name) => !isUsual(before[name]) && isUsual(after[name]))

export async function furtherDetails(context: ToolContext, document: Fields): Promise<Details> {
  const given = furtherFields.filter((name) => !isUsual(document[name]))
  return {
    seller: await sellerOf(context, document),
    ...Object.fromEntries(
      given.map((name) => {
        const value = document[name]
        return [name, outside(typeof value === 'string' ? value : JSON.stringify(value))]
      }),
    ),
  }
}

const lineOf = ({ description, itemName, quantity, unitPrice }: Fields, currency: string): LineDetails => ({
  description: outside(String(description)),
  ...(typeof itemName === 'string' && itemName !== description ? { itemName: outside(itemName) } : {}),
  quantity: String(quantity),
  unitPrice: `${currency} ${unitPrice}`,
})

/** The lines of a document with their prices. */
export function lineDetails(lines: readonly Fields[], currency: string): Details['lines'] {
  const more = lines.length - shownLines
  return [
    ...lines.slice(0, shownLines).map((line) => lineOf(line, currency)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}

/** The lines as they would be written: saved items have filled what the caller left out. */
const writtenLines = ({ lines }: WrittenContent, currency: string): readonly Fields[] =>
  lines.map(({ description, itemName, quantity, unitPrice }) => ({
    description,
    itemName,
    quantity: decimalText(quantity),
    unitPrice: decimalText(unitPrice, currencyDigits(currency)),
  }))

/** Of an invoice that does not exist yet, or of a draft with its changes. */
export async function detailsOfInvoice(
  context: ToolContext,
  document: Fields,
  { check, written }: CheckedInvoice,
): Promise<Details> {
  const { invoiceKind, invoiceDate, dueDate, allowanceAmount } = document as Record<string, string | null>
  const currency = String(document.currency)
  const words = (minor: number) => moneyInWords(BigInt(minor), currency)
  return {
    buyer: await buyerOf(context, document),
    kind: invoiceKind ?? undefined,
    invoiceDate: invoiceDate ?? undefined,
    dueDate: dueDate ?? undefined,
    lines: lineDetails(writtenLines(written, currency), currency),
    discount: allowanceAmount ? `${currency} ${allowanceAmount}` : undefined,
    net: words(check.netMinor),
    tax: words(check.taxMinor),
    total: words(check.payableMinor),
    authorityProblems: authorityProblems(check),
    ...(await furtherDetails(context, document)),
  }
}

/** On one line, and so short that it cannot push the rest of the question away. */
function quoted({ untrusted }: OutsideWords, most: number): string {
  const text = untrusted.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').replace(/[“”"]/g, "'")
  return `“${[...text].length > most ? `${[...text].slice(0, most).join('')}…` : text}”`
}
const textOf = (text: Text, most = longestText): string => (typeof text === 'string' ? text : quoted(text, most))
const nameOf = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** The details as lines of text, for a form that a person sees. */
export const linesOf = (details: Details): string[] =>
  Object.entries(details).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (typeof value === 'string' || 'untrusted' in value) return [`${nameOf(name)}: ${textOf(value, longestProse)}`]
    const rows = value.map((row) =>
      typeof row === 'object' && 'quantity' in row
        ? `${[row.itemName, row.description].flatMap((text) => (text ? [textOf(text)] : [])).join(': ')}, ${row.quantity} × ${row.unitPrice}`
        : textOf(row),
    )
    return rows.length === 1 ? [`${nameOf(name)}: ${rows[0]}`] : [`${nameOf(name)}:`, ...rows.map((row) => `- ${row}`)]
  })
