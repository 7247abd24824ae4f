import fc from 'fast-check'
import { type Decimal, parseDecimal } from '../../server/src/kernel/decimal.ts'
import {
  type DocumentLine,
  type DocumentParty,
  documentTypes,
  type InvoiceDocument,
  type Letterhead,
} from '../../server/src/kernel/invoice-document.ts'
import { aboutField, everyField, nothingWritten } from '../../server/src/kernel/written-fields.ts'
import { faultsOf, totalsOf } from '../../server/src/modules/invoices/amounts/totals.ts'
import { sampleOf, textOrDay } from '../harness/written-fields.ts'

export const decimal = (text: string): Decimal => parseDecimal(text) as Decimal

/** The input of a line. Its amounts follow from it. */
export type LineInput = Omit<DocumentLine, 'grossMinor' | 'netMinor'>

export const line = (more: Partial<LineInput> = {}): LineInput => ({
  description: 'Long-grain rice, 25 kg bag',
  itemName: 'Rice',
  hsnCode: '1006.30',
  serviceCode: null,
  productCategory: 'Cereals',
  quantity: decimal('3'),
  unitCode: 'XBG',
  unitPrice: decimal('35000'),
  discountMinor: 0n,
  feeMinor: 0n,
  taxCategory: 'STANDARD_VAT',
  taxRate: decimal('7.5'),
  ...more,
})

export const serviceLine = (more: Partial<LineInput> = {}): LineInput =>
  line({
    description: 'Software development, two weeks',
    itemName: null,
    hsnCode: null,
    serviceCode: '6201',
    productCategory: 'Computer programming',
    quantity: decimal('80.5'),
    unitCode: 'HUR',
    unitPrice: decimal('12500.1234'),
    ...more,
  })

export const exempt = { taxCategory: 'EXEMPTED', taxRate: decimal('0') }
export const zeroRated = { taxCategory: 'ZERO_VAT', taxRate: decimal('0') }

export const seller: DocumentParty = {
  name: 'Adébáyọ̀ Foods',
  legalName: 'Adébáyọ̀ Foods Nigeria Limited',
  tradingName: null,
  partyType: 'company',
  taxIdType: 'national',
  taxId: '201982220002',
  vatNumber: '20198222-0002',
  registrationNumber: 'RC1401999',
  email: 'billing@adebayo.example',
  phone: '+2348030000000',
  businessDescription: 'Wholesale of food',
  address: {
    line1: '12 Broad Street',
    line2: 'Third floor',
    city: 'Lagos',
    state: 'NG-LA',
    district: 'NG-LA-EPE',
    postalCode: '101001',
    country: 'NG',
  },
}

export const buyer: DocumentParty = {
  name: 'Olúmídé Ventures',
  legalName: null,
  tradingName: 'Olúmídé',
  partyType: 'company',
  taxIdType: 'national',
  taxId: '2522520314833',
  vatNumber: null,
  registrationNumber: null,
  email: null,
  phone: null,
  businessDescription: null,
  address: { line1: '1 Ring Road', city: 'Ibadan', country: 'NG' },
}

export const letterhead: Letterhead = {
  logo: null,
  bank: { bankName: 'Zenith Bank', accountName: 'Adébáyọ̀ Foods Nigeria Limited', accountNumber: '1012345678' },
}

const original = { number: 'INV000007', issueDate: '2026-10-01', authorityReference: 'INV000007-94ND90NR-20261001' }

export interface DocumentInput extends Partial<Omit<InvoiceDocument, 'lines' | 'taxGroups'>> {
  readonly lines: readonly LineInput[]
}

/** A document whose amounts follow from its lines. */
export function documentOf({ lines, ...more }: DocumentInput): InvoiceDocument {
  const { allowanceMinor = 0n, chargeMinor = 0n, roundingMinor = 0n } = more
  const totals = totalsOf({ lines, allowanceMinor, chargeMinor })
  const isNote = more.type === 'credit_note' || more.type === 'debit_note'
  const payableMinor = totals.payableMinor + roundingMinor
  return {
    type: 'standard',
    kind: 'B2B',
    number: 'INV000042',
    mode: 'live',
    isDraft: false,
    issueDate: '2026-11-15',
    issueTime: '13:05:00',
    dueDate: '2026-12-15',
    instalments: null,
    homeTax: null,
    supplyDate: null,
    currency: 'NGN',
    seller,
    buyer,
    paidMinor: 0n,
    creditedMinor: 0n,
    dueMinor: payableMinor,
    ...everyField(sampleOf),
    paymentTerms: 'Net 30 days',
    notes: 'Thank you for your business.',
    purchaseOrderReference: 'PO-7',
    buyerReference: 'Store 4',
    accountingCost: 'CC-12',
    original: isNote ? original : null,
    reason: isNote ? 'Two bags were wet' : null,
    authorityReference: 'INV000042-94ND90NR-20261115',
    stamp: 'c2FtcGxlIG9mIGFuIGVuY3J5cHRlZCBjb2Rl',
    ...more,
    roundingMinor,
    netMinor: totals.netMinor,
    allowanceMinor,
    chargeMinor,
    taxMinor: totals.taxMinor,
    payableMinor,
    taxGroups: totals.groups,
    lines: lines.map((told, at) => ({ ...told, ...(totals.lines[at] as (typeof totals.lines)[number]) })),
  }
}

export const nasty = `<&>"' ]]> <!-- --> &amp; 🧾 ₦ Ọ̀ṣun #ABC# \u0000\u0001\u001f\uffff \ud800 \udc00 line\r\nbreak\ttab`

const nastyParty: DocumentParty = {
  ...seller,
  name: nasty,
  legalName: `${nasty} Limited`,
  tradingName: nasty,
  vatNumber: nasty,
  registrationNumber: nasty,
  email: nasty,
  phone: nasty,
  address: { line1: nasty, line2: nasty, city: nasty, state: nasty, district: nasty, postalCode: nasty, country: 'GB' },
}

/** Only control characters and blanks, so no text remains. */
const nothing = '\u0000 \u0007'

const mixed = [line(), serviceLine(), line(exempt), line(zeroRated)]

/** One document of every sort, by description. */
export const documents: Readonly<Record<string, InvoiceDocument>> = {
  goods: documentOf({ lines: [line()] }),
  services: documentOf({ lines: [serviceLine()] }),
  'goods and services, taxed, exempt and zero-rated': documentOf({ lines: mixed }),
  'exempt only': documentOf({ lines: [line(exempt)] }),
  'zero-rated only': documentOf({ lines: [line(zeroRated)] }),
  'discounts and fees on lines': documentOf({
    lines: [line({ discountMinor: 10_500_000n }), line({ discountMinor: 5n, feeMinor: 99n }), line({ feeMinor: 1n })],
  }),
  'allowance and charge over several taxes': documentOf({ lines: mixed, allowanceMinor: 1_000_001n, chargeMinor: 77n }),
  'an allowance of everything': documentOf({ lines: [line()], allowanceMinor: 10_500_000n }),
  'two rates': documentOf({ lines: [line(), line({ taxRate: decimal('5') }), line({ taxRate: decimal('7.50') })] }),
  'taxes that are not VAT': documentOf({
    lines: [
      line({ taxCategory: 'STATE_SALES_TAX', taxRate: decimal('7.5') }),
      line(),
      line({ taxCategory: 'STAMP_DUTY', taxRate: decimal('0') }),
      line(exempt),
      line({ taxCategory: 'STANDARD_VAT', taxRate: decimal('0') }),
      line(zeroRated),
    ],
    allowanceMinor: 333n,
    chargeMinor: 777n,
  }),
  'a line for nothing': documentOf({ lines: [line({ unitPrice: decimal('0') })], chargeMinor: 500n }),
  'the smallest and the largest': documentOf({
    lines: [
      line({ quantity: decimal('0.000001'), unitPrice: decimal('0.0001') }),
      line({ quantity: decimal('1000000'), unitPrice: decimal('99999999.9999') }),
    ],
  }),
  'a credit note': documentOf({ type: 'credit_note', number: 'CN000001', lines: mixed, allowanceMinor: 5n }),
  'a credit note that closes what is left': documentOf({
    type: 'credit_note',
    lines: [line({ ...exempt, discountMinor: 3n })],
    roundingMinor: -1n,
    dueDate: null,
    paymentTerms: null,
  }),
  'a debit note': documentOf({ type: 'debit_note', number: 'DN000001', lines: [line()] }),
  'a prepayment': documentOf({ type: 'prepayment', number: 'PP000001', lines: [serviceLine()] }),
  'in dollars': documentOf({ currency: 'USD', lines: mixed }),
  'in euros': documentOf({ currency: 'EUR', lines: mixed }),
  'in pounds': documentOf({ currency: 'GBP', lines: mixed }),
  'of 500 lines': documentOf({
    lines: Array.from({ length: 500 }, (_, at) =>
      line({ quantity: decimal(`${at + 1}.37`), unitPrice: decimal('19.9999'), discountMinor: BigInt(at % 7) }),
    ),
    allowanceMinor: 12_345n,
  }),
  'paid in part since': documentOf({ lines: [line()], paidMinor: 100n, dueMinor: 11_287_400n }),
  'to a consumer without a name': documentOf({ kind: 'B2C', lines: [line()], buyer: null }),
  'to a buyer without an address': documentOf({ lines: [line()], buyer: { ...buyer, address: null } }),
  'to a buyer abroad': documentOf({
    lines: [line(zeroRated)],
    buyer: {
      ...buyer,
      taxIdType: 'foreign',
      taxId: 'GB123456789',
      vatNumber: 'gb 123 456 789',
      address: { line1: '1 High Street', city: 'Leeds', postalCode: 'LS1 1AA', country: 'GB' },
    },
  }),
  'to a buyer in Greece': documentOf({
    lines: [line(zeroRated)],
    buyer: {
      ...buyer,
      taxIdType: 'foreign',
      taxId: 'EL123456789',
      vatNumber: 'EL 123456789',
      address: { line1: 'Ermou 1', city: 'Athens', postalCode: '105 63', country: 'GR' },
    },
  }),
  'to a buyer in Northern Ireland': documentOf({
    lines: [line(zeroRated)],
    buyer: {
      ...buyer,
      taxIdType: 'foreign',
      taxId: 'XI123456789',
      vatNumber: 'xi123456789',
      address: { line1: '1 Donegall Square', city: 'Belfast', postalCode: 'BT1 5GS', country: 'GB' },
    },
  }),
  'by a seller known by its registration alone': documentOf({
    lines: [line()],
    seller: { ...seller, taxIdType: 'registration', taxId: 'RN-1401999', vatNumber: null, registrationNumber: null },
  }),
  'in the sandbox': documentOf({ mode: 'sandbox', lines: [line()], notes: null }),
  'a draft': documentOf({ isDraft: true, lines: [line()], authorityReference: null, stamp: null }),
  'as little as there can be': documentOf({
    lines: [line({ itemName: null, hsnCode: null, productCategory: null })],
    issueTime: null,
    dueDate: null,
    ...nothingWritten,
    authorityReference: null,
    stamp: null,
    seller: { ...seller, legalName: null, vatNumber: null, registrationNumber: null, email: null, phone: null },
    buyer: { ...buyer, taxIdType: 'none', taxId: null, tradingName: null, address: null },
  }),
  'with every text full of markup': documentOf({
    type: 'credit_note',
    number: nasty,
    lines: [
      line({ description: nasty, itemName: `${nasty}!`, hsnCode: nasty, productCategory: nasty }),
      serviceLine({ description: nasty, serviceCode: nasty }),
    ],
    seller: nastyParty,
    buyer: nastyParty,
    ...everyField((name) => textOrDay(name, nasty)),
    reason: nasty,
    authorityReference: nasty,
    stamp: nasty,
    original: { number: nasty, issueDate: '2026-10-01', authorityReference: nasty },
  }),
  'with texts that say nothing': documentOf({
    number: nothing,
    lines: [line({ description: nothing, itemName: nothing, hsnCode: nothing, productCategory: nothing })],
    seller: { ...seller, name: nothing, legalName: nothing, registrationNumber: nothing },
    ...everyField((name) => textOrDay(name, nothing)),
    authorityReference: nothing,
    stamp: nothing,
    dueDate: null,
  }),
}

/** Those for which the standard has no honest words; `notMet` says which rules each breaks. */
export const unfitDocuments: Readonly<Record<string, InvoiceDocument>> = {
  'to a buyer with a foreign number and no address': documentOf({
    lines: [line()],
    buyer: { ...buyer, taxIdType: 'foreign', taxId: 'GB123456789', address: null },
  }),
  'a draft without a seller': documentOf({
    isDraft: true,
    seller: null,
    lines: mixed,
    allowanceMinor: 4_000n,
    chargeMinor: 4_000n,
  }),
  'by a seller without any number': documentOf({
    seller: { ...seller, taxIdType: 'none', taxId: null, vatNumber: null, registrationNumber: null },
    lines: mixed,
    allowanceMinor: 4_000n,
    chargeMinor: 4_000n,
  }),
  'at less than half a per cent': documentOf({ lines: [line({ taxRate: decimal('0.4') })] }),
}

/** Any sixteen-bit units at all, halves of characters too. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(nasty, nothing, '', '#AAI#', 'No. #12 and #34#56#'),
)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })

const anyLine: fc.Arbitrary<LineInput> = fc
  .record({
    description: anyText,
    itemName: maybe(anyText),
    hsnCode: maybe(fc.constantFrom('1006.30', '8471.30')),
    serviceCode: maybe(fc.constantFrom('6201', '0111')),
    productCategory: maybe(anyText),
    quantity: fc.bigInt({ min: 1n, max: 10n ** 11n }).map((units) => ({ units, scale: 6 })),
    unitCode: fc.constantFrom('EA', 'KGM', 'HUR', 'XBG', 'LTR'),
    unitPrice: fc.bigInt({ min: 0n, max: 10n ** 9n }).map((units) => ({ units, scale: 4 })),
    portion: fc.bigInt({ min: 0n, max: 100n }),
    feeMinor: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 7n })),
    tax: fc.constantFrom(
      { taxCategory: 'STANDARD_VAT', taxRate: decimal('7.5') },
      { taxCategory: 'STANDARD_VAT', taxRate: decimal('5') },
      exempt,
      zeroRated,
      { taxCategory: 'STATE_SALES_TAX', taxRate: decimal('5') },
      { taxCategory: 'STAMP_DUTY', taxRate: decimal('0') },
      { taxCategory: 'REDUCED_VAT', taxRate: decimal('2.25') },
    ),
  })
  .map(({ portion, tax, ...told }) => {
    const without = line({ ...told, ...tax })
    const { netMinor } = totalsOf({ lines: [without], allowanceMinor: 0n, chargeMinor: 0n })
    return { ...without, discountMinor: ((netMinor - told.feeMinor) * portion) / 100n }
  })

const anyParty = (of: DocumentParty): fc.Arbitrary<DocumentParty> =>
  fc
    .record({
      name: anyText,
      legalName: maybe(anyText),
      tradingName: maybe(anyText),
      registrationNumber: maybe(anyText),
      email: maybe(anyText),
      phone: maybe(anyText),
      address: maybe(
        fc.record({ line1: anyText, city: anyText, state: anyText, country: fc.constantFrom('NG', 'GH') }),
      ),
    })
    .map((more) => ({ ...of, ...more }))

/** Any document whose amounts can be: its discounts and allowance are within what they are taken from. */
export const anyDocument: fc.Arbitrary<InvoiceDocument> = fc
  .record({
    type: fc.constantFrom(...documentTypes),
    mode: fc.constantFrom('live' as const, 'sandbox' as const),
    isDraft: fc.boolean(),
    currency: fc.constantFrom('NGN', 'USD', 'EUR', 'GBP'),
    dueDate: maybe(fc.constant('2026-12-15')),
    supplyDate: maybe(fc.constant('2026-10-30')),
    seller: anyParty(seller),
    buyer: maybe(anyParty(buyer)),
    lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }),
    portion: fc.bigInt({ min: 0n, max: 100n }),
    chargeMinor: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 8n })),
    ...everyField((name) => maybe(aboutField(name).kind === 'day' ? fc.constant(sampleOf(name)) : anyText)),
    reason: maybe(anyText),
    authorityReference: maybe(anyText),
    stamp: maybe(anyText),
  })
  .map(({ portion, ...told }) => {
    const { netMinor } = totalsOf({ lines: told.lines, allowanceMinor: 0n, chargeMinor: 0n })
    const allowanceMinor = (netMinor * portion) / 100n
    if (faultsOf({ ...told, allowanceMinor }).length > 0) throw new Error('not a document that could be')
    return documentOf({ ...told, allowanceMinor })
  })
