import { createHash } from 'node:crypto'
import type {
  AuthorityCopy,
  CodeEntry,
  CodeList,
  Jurisdiction,
  ListType,
  ReportingRules,
} from '../../server/src/jurisdictions/port.ts'
import { type Decimal, parseDecimal, spelled, trimmed } from '../../server/src/kernel/decimal.ts'
import type { InvoiceDocument } from '../../server/src/kernel/invoice-document.ts'

/** A document as the toy authority reads it. */
export interface ToyDocument {
  /** our own key: the authority gives its number later */
  readonly key: string
  readonly seller: string
  readonly buyer: string | null
  readonly number: string
  readonly day: string
  readonly currency: string
  readonly lines: readonly { readonly what: string; readonly quantity: string; readonly price: string }[]
  readonly tax: number
  readonly total: number
}

const list = (type: ListType, entries: readonly CodeEntry[]): CodeList => ({
  type,
  version: '1',
  effectiveFrom: '2026-01-01',
  source: 'built-in',
  entries,
})

const lists: readonly CodeList[] = [
  list('countries', [{ code: 'BV', name: 'Bouvet Island' }]),
  list('currencies', [{ code: 'ISK', name: 'Króna' }]),
  list('tax-categories', [
    { code: 'FULL', name: 'Sales tax' },
    { code: 'FREE', name: 'No tax' },
  ]),
  list('units', [{ code: 'EA', name: 'each' }]),
  list('service-codes', [{ code: 'FISH', name: 'Fishing' }]),
  ...(['payment-means', 'invoice-types', 'tax-exemptions', 'product-codes', 'states', 'lgas'] as const).map((type) =>
    list(type, []),
  ),
]

const written = (value: Decimal): string => {
  const { units, scale } = trimmed(value)
  return spelled(units, scale)
}

function toyDocument(document: InvoiceDocument, key: string): ToyDocument {
  return {
    key,
    seller: document.seller?.taxId ?? '',
    buyer: document.buyer?.taxId ?? null,
    number: document.number,
    day: document.issueDate,
    currency: document.currency,
    lines: document.lines.map(({ description, quantity, unitPrice }) => ({
      what: description,
      quantity: written(quantity),
      price: written(unitPrice),
    })),
    tax: Number(document.taxMinor),
    total: Number(document.payableMinor),
  }
}

const noParty = { email: null, phone: null, city: null, country: 'BV' }

function readCopy(bytes: Buffer): AuthorityCopy | undefined {
  const read = JSON.parse(bytes.toString()) as Partial<ToyDocument>
  if (typeof read.key !== 'string' || typeof read.total !== 'number' || typeof read.tax !== 'number') return undefined
  const total = BigInt(read.total)
  const tax = BigInt(read.tax)
  return {
    reference: read.key,
    businessId: null,
    type: 'standard',
    typeCode: 'invoice',
    kind: 'B2B',
    number: read.number ?? '',
    issueDate: read.day ?? '',
    dueDate: null,
    currency: read.currency ?? 'ISK',
    seller: { ...noParty, name: null, taxId: read.seller ?? null, taxIdNormal: read.seller ?? null },
    buyer: read.buyer ? { ...noParty, name: null, taxId: read.buyer, taxIdNormal: read.buyer } : null,
    corrects: [],
    lines: (read.lines ?? []).map(({ what, quantity, price }) => ({
      description: what,
      itemName: null,
      hsnCode: null,
      serviceCode: null,
      category: null,
      quantity: parseDecimal(quantity) as Decimal,
      unitCode: 'EA',
      unitPrice: parseDecimal(price) as Decimal,
      discountMinor: 0n,
      feeMinor: 0n,
      netMinor: 0n,
    })),
    taxes: [],
    netMinor: total - tax,
    allowanceMinor: 0n,
    chargeMinor: 0n,
    exclusiveMinor: total - tax,
    taxMinor: tax,
    inclusiveMinor: total,
    payableMinor: total,
    paymentStatus: null,
    notes: null,
  }
}

const keyOf = ({ number, issueDate }: Pick<InvoiceDocument, 'number' | 'issueDate'>, businessId: string): string =>
  createHash('sha256').update(`${businessId} ${issueDate} ${number}`).digest('hex').slice(0, 24).toUpperCase()

/** No key files, no QR codes, no cancelling, no network to the buyer, no deadline. */
const reporting: ReportingRules = {
  canCancel: false,
  isReference: (text) => /^TOY-\d{6}$/.test(text),
  isServiceId: (text) => text === 'TILL',
  serviceIdIn: () => 'TILL',
  referenceOf: (document, { businessId }) => keyOf(document, businessId),
  documentFor(document, { businessId }, _lists, earlier) {
    const reference = earlier ?? keyOf(document, businessId)
    const bytes = Buffer.from(JSON.stringify(toyDocument(document, reference)))
    return { reference, bytes, sha256: createHash('sha256').update(bytes).digest('hex'), paymentStatus: 'pending' }
  },
  readCopy,
  isSameDocument: (sent, held) => sent.equals(held),
  goesToBuyer: () => false,
  reportBy: () => undefined,
  explain: (authorityText) => ({
    authorityText,
    isKnown: true,
    fault: { path: '', rule: 'authority', message: authorityText },
    mendedBy: 'reopen',
  }),
  readNotification: () => undefined,
  faultsOfCopy: () => [],
  inputTaxClaim: () => ({
    claimable: false,
    rule: 'none',
    message: 'There is no input tax.',
    until: null,
    taxMinor: 0n,
  }),
}

/**
 * A country that differs from Nigeria wherever it can: the authority gives the numbers and answers later, it cancels
 * nothing, and amounts have no decimals. The code is that of an uninhabited island, because sign-up needs a real one.
 */
export const toyCountry: Jurisdiction = {
  country: 'BV',
  currency: 'ISK',
  invoiceCurrencies: ['ISK'],
  zone: 'Atlantic/Reykjavik',
  invoiceKinds: [
    { kind: 'B2B', label: 'To a business' },
    { kind: 'B2C', label: 'To a consumer' },
  ],
  kindsByBuyer: { government: 'B2B', unregistered: 'B2C', registered: 'B2B' },
  taxIds: {
    types: [
      { type: 'national', label: 'Tax card number', example: 'T-1234' },
      { type: 'none', label: 'None', example: null },
    ],
    normalise: (type, text) => (type === 'national' && /^T-\d{4}$/.test(text.trim()) ? text.trim() : undefined),
    written: (normal) => normal,
    canBeChecked: () => false,
  },
  builtInLists: lists,
  taxCategoryAliases: { standard: 'FULL', zero: 'FREE', exempt: 'FREE' },
  taxLabels: { FULL: 'Sales tax' },
  taxRateOn: (category) => (category === 'FULL' ? '10' : category === 'FREE' ? '0' : undefined),
  taxReturn: { categories: ['FULL', 'FREE'], claimLabels: { none: 'Not claimable' }, dueOn: (lastDay) => lastDay },
  words: {
    reference: { name: 'Receipt number', example: 'TOY-000001', shape: 'TOY, a dash and six digits' },
    taxIdNames: { national: 'Tax card' },
    commonNameWords: [],
    imports: { columnNames: {}, buyerColumns: [], amountSigns: [] },
    district: null,
    phonePrefix: '+47',
    phoneTrunkPrefix: '',
    payerIdentifiers: [],
    translations: {},
    keepsEnglishTitle: false,
  },
  ublRules: {
    country: 'BV',
    taxScheme: 'VAT',
    taxRegistrationScheme: 'TAX',
    unnamedBuyer: 'Customer',
    notNamedYet: 'Not named yet',
    goodsList: 'HS',
    servicesList: 'None',
    authorityReference: 'Receipt number of the toy authority',
    taxCategory: (_, isCharged) => ({ code: isCharged ? 'S' : 'Z', reason: null, ownName: null }),
    addressScheme: () => null,
  },
  readinessOf: ({ seller }) =>
    seller?.taxId ? [] : [{ path: 'seller.taxId', rule: 'seller.tax_id', message: 'must be there: add it' }],
  adviceOn: () => [],
  suggestedTaxCategory: () => undefined,
  reporting,
  connections: {
    consent: { textVersion: '1', text: 'The shop may report in my name.' },
    identifiers: [
      { name: 'businessId', label: 'Shop id', example: '0b5f6a5e-6f1c-4d0e-9d55-0f3f5a1f2b10', hint: null },
      { name: 'serviceId', label: 'Till', example: 'TILL', hint: null },
    ],
    serviceIdForm: 'TILL',
    numberTemplateOf: () => 'the authority gives the numbers',
    serviceIdOf: () => undefined,
  },
  refreshableLists: [],
}
