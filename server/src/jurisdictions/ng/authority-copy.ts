import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { atScale, type Decimal, decimalOfNumber, parseDecimal } from '../../kernel/decimal.ts'
import type { DocumentType } from '../../kernel/invoice-document.ts'
import type { AuthorityCopy, CopyLine, CopyParty, CopyTax } from '../port.ts'
import { isIrn } from './irn.ts'
import { cleanText } from './nrs-answers.ts'
import { paymentStatusIn } from './payment-words.ts'
import { taxIds } from './tax-ids.ts'

/** Strangers wrote the document: everything has a limit, and a field of the wrong type makes it no document. */
const Perhaps = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const Text = (maxLength: number) => Type.String({ maxLength })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const Amount = Type.Union([Type.Number(), Type.String({ pattern: '^-?\\d{1,18}(\\.\\d{1,6})?$' })])

const Party = Type.Object({
  party_name: Perhaps(Text(500)),
  tin: Perhaps(Text(100)),
  email: Perhaps(Text(320)),
  telephone: Perhaps(Text(50)),
  postal_address: Perhaps(Type.Object({ city_name: Perhaps(Text(200)), country: Perhaps(Text(100)) })),
})

const Line = Type.Object({
  hsn_code: Perhaps(Text(50)),
  isic_code: Perhaps(Text(50)),
  product_category: Perhaps(Text(1000)),
  service_category: Perhaps(Text(1000)),
  discount_amount: Perhaps(Amount),
  fee_amount: Perhaps(Amount),
  invoiced_quantity: Amount,
  line_extension_amount: Amount,
  item: Type.Object({ name: Perhaps(Text(1000)), description: Perhaps(Text(2000)) }),
  price: Type.Object({ price_amount: Amount, price_unit: Perhaps(Text(50)) }),
})

const Subtotal = Type.Object({
  taxable_amount: Amount,
  tax_amount: Amount,
  tax_category: Type.Object({ id: Text(100), percent: Perhaps(Amount) }),
})

const Document = Type.Object({
  business_id: Perhaps(Text(100)),
  irn: Text(100),
  issue_date: Day,
  due_date: Perhaps(Day),
  invoice_type_code: Text(10),
  invoice_kind: Perhaps(Text(20)),
  payment_status: Perhaps(Text(50)),
  note: Perhaps(Text(10_000)),
  document_currency_code: Type.String({ pattern: '^[A-Z]{3}$' }),
  billing_reference: Perhaps(Type.Array(Type.Object({ irn: Text(100) }), { maxItems: 100 })),
  accounting_supplier_party: Party,
  accounting_customer_party: Perhaps(Party),
  allowance_charge: Perhaps(
    Type.Array(Type.Object({ charge_indicator: Type.Boolean(), amount: Amount }), { maxItems: 100 }),
  ),
  tax_total: Perhaps(
    Type.Array(Type.Object({ tax_amount: Amount, tax_subtotal: Perhaps(Type.Array(Subtotal, { maxItems: 500 })) }), {
      maxItems: 100,
    }),
  ),
  legal_monetary_total: Type.Object({
    line_extension_amount: Amount,
    tax_exclusive_amount: Amount,
    tax_inclusive_amount: Amount,
    payable_amount: Amount,
  }),
  invoice_line: Type.Array(Line, { minItems: 1, maxItems: 5000 }),
})
type Document = Static<typeof Document>
const compiled = Compile(Document)

/** Reads a document in the authority's JSON. */
export function readCopy(bytes: Buffer): AuthorityCopy | undefined {
  const value = parsed(bytes)
  if (!compiled.Check(value)) return undefined
  const document = value as Document
  if (!isIrn(document.irn)) return undefined
  if (![document.issue_date, document.due_date ?? document.issue_date].every(isCalendarDay)) return undefined
  try {
    return copyOf(document)
  } catch (error) {
    if (error instanceof NoAmount) return undefined
    throw error
  }
}

function copyOf(document: Document): AuthorityCopy {
  const { legal_monetary_total: totals } = document
  const taxTotals = document.tax_total ?? []
  const ofKind = (isCharge: boolean): bigint =>
    (document.allowance_charge ?? [])
      .filter(({ charge_indicator }) => charge_indicator === isCharge)
      .reduce((sum, { amount }) => sum + minorOf(amount), 0n)
  const taxes = taxTotals.flatMap(({ tax_subtotal }) => tax_subtotal ?? []).map(taxIn)
  // The sum is stored like the amounts themselves, so it has the same limit.
  storable(taxes.reduce((sum, { taxMinor }) => sum + (taxMinor < 0n ? -taxMinor : taxMinor), 0n))
  return {
    reference: document.irn.toUpperCase(),
    businessId: textOf(document.business_id),
    type: typesByCode[cleanText(document.invoice_type_code)] ?? 'standard',
    typeCode: cleanText(document.invoice_type_code),
    kind: textOf(document.invoice_kind),
    number: document.irn.split('-')[0] as string,
    issueDate: document.issue_date,
    dueDate: document.due_date ?? null,
    currency: document.document_currency_code,
    seller: partyIn(document.accounting_supplier_party),
    // Some issuers leave the consumer's block empty, others omit it.
    buyer: named(document.accounting_customer_party),
    corrects: [...new Set((document.billing_reference ?? []).map(({ irn }) => cleanText(irn).toUpperCase()))],
    lines: document.invoice_line.map(lineIn),
    taxes,
    netMinor: minorOf(totals.line_extension_amount),
    allowanceMinor: ofKind(false),
    chargeMinor: ofKind(true),
    exclusiveMinor: minorOf(totals.tax_exclusive_amount),
    taxMinor: storable(taxTotals.reduce((sum, { tax_amount }) => sum + minorOf(tax_amount), 0n)),
    inclusiveMinor: minorOf(totals.tax_inclusive_amount),
    payableMinor: minorOf(totals.payable_amount),
    paymentStatus: paymentStatusIn(document.payment_status) ?? null,
    notes: document.note?.toWellFormed().replaceAll('\u0000', '').trim() || null,
  }
}

/** Self-billed documents have the type of the opposite direction. */
const typesByCode: Readonly<Record<string, DocumentType>> = {
  380: 'credit_note',
  384: 'debit_note',
  393: 'credit_note',
}

function partyIn({ party_name, tin, email, telephone, postal_address }: Static<typeof Party>): CopyParty {
  return {
    name: textOf(party_name),
    taxId: textOf(tin),
    taxIdNormal: taxIds.normalise('national', tin ?? '') ?? (/^\s*RN/i.test(tin ?? '') ? registrationIn(tin) : null),
    email: textOf(email),
    phone: textOf(telephone),
    city: textOf(postal_address?.city_name),
    country: textOf(postal_address?.country),
  }
}

const registrationIn = (tin: string | null | undefined): string | null =>
  taxIds.normalise('registration', tin ?? '') ?? null

function named(party: Static<typeof Party> | null | undefined): CopyParty | null {
  if (!party) return null
  const read = partyIn(party)
  return read.name === null && read.taxId === null ? null : read
}

const lineIn = (line: Static<typeof Line>): CopyLine => ({
  description: textOf(line.item.description) ?? textOf(line.item.name) ?? '',
  itemName: textOf(line.item.name),
  hsnCode: textOf(line.hsn_code),
  serviceCode: textOf(line.isic_code),
  category: textOf(line.product_category) ?? textOf(line.service_category),
  quantity: decimalOf(line.invoiced_quantity),
  unitCode: textOf(line.price.price_unit),
  unitPrice: decimalOf(line.price.price_amount),
  discountMinor: minorOf(line.discount_amount ?? 0),
  feeMinor: minorOf(line.fee_amount ?? 0),
  netMinor: minorOf(line.line_extension_amount),
})

const taxIn = ({ taxable_amount, tax_amount, tax_category }: Static<typeof Subtotal>): CopyTax => ({
  category: cleanText(tax_category.id),
  rate: tax_category.percent === null || tax_category.percent === undefined ? null : decimalOf(tax_category.percent),
  taxableMinor: minorOf(taxable_amount),
  taxMinor: minorOf(tax_amount),
})

class NoAmount extends Error {}

/** As written; other notations by their shortest decimal form. */
function decimalOf(amount: number | string): Decimal {
  const decimal = typeof amount === 'number' ? decimalOfNumber(amount) : parseDecimal(amount)
  if (decimal === undefined || decimal.scale > mostDecimals) throw new NoAmount()
  return decimal
}

const mostDecimals = 20
/** Larger than all the money there is. Larger amounts do not fit into the column. */
const mostMinor = 10n ** 17n

function minorOf(amount: number | string): bigint {
  const minor = atScale(decimalOf(amount), 2)
  if (minor === undefined) throw new NoAmount()
  return storable(minor)
}

function storable(minor: bigint): bigint {
  if (minor > mostMinor || minor < -mostMinor) throw new NoAmount()
  return minor
}

/** A calendar day in a plausible year of issue or payment. */
function isCalendarDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  const year = at.getUTCFullYear()
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) && year >= 1900 && year < 3000
}

const textOf = (text: string | null | undefined): string | null => cleanText(text ?? '') || null

const plainNumber = /^-?\d{1,18}(\.\d{1,6})?$/
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

/** Keeps numbers as text: large ones would lose digits as binary numbers. */
const asWritten: Reviver = (_, value, { source = '' }) =>
  typeof value === 'number' && plainNumber.test(source) ? source : value

function parsed(bytes: Buffer): unknown {
  try {
    return (JSON.parse as (text: string, reviver: Reviver) => unknown)(bytes.toString(), asWritten)
  } catch {
    return undefined
  }
}

/** The same reference, parties, type, currency and amounts. */
export function isSameDocument(sent: Buffer, held: Buffer): boolean {
  const [ours, theirs] = [readCopy(sent), readCopy(held)]
  if (ours === undefined || theirs === undefined) return false
  return (
    ours.reference === theirs.reference &&
    ours.seller.taxIdNormal === theirs.seller.taxIdNormal &&
    ours.typeCode === theirs.typeCode &&
    ours.currency === theirs.currency &&
    (ours.buyer?.taxIdNormal ?? null) === (theirs.buyer?.taxIdNormal ?? null) &&
    ours.netMinor === theirs.netMinor &&
    ours.taxMinor === theirs.taxMinor &&
    ours.payableMinor === theirs.payableMinor
  )
}
