import type { DocumentWords } from '../../server/src/kernel/document-words.ts'
import type {
  DocumentLine,
  DocumentParty,
  InvoiceDocument,
  Letterhead,
} from '../../server/src/kernel/invoice-document.ts'
import { wordingOf } from '../../server/src/kernel/languages/wording.ts'
import { nothingWritten } from '../../server/src/kernel/written-fields.ts'

const units = new Map([
  ['EA', 'each'],
  ['HUR', 'hours'],
  ['KGM', 'kilograms'],
])

/** Invoices for tests and benchmarks. */
export const sampleWords: DocumentWords = {
  wording: wordingOf('en'),
  unitName: (code) => units.get(code) ?? code,
  taxName: (category, { units, scale }) => (category === 'S' ? `VAT ${Number(units) / 10 ** scale}%` : 'Exempt'),
  taxIdName: (type) => (type === 'national' ? 'TIN' : 'Tax number'),
  referenceName: 'IRN',
  keepsEnglishTitle: true,
}

export const plainLetterhead: Letterhead = { logo: null, bank: null }

export const sampleSeller: DocumentParty = {
  name: 'Adéṣọlá Foods Limited',
  legalName: null,
  tradingName: null,
  partyType: 'company',
  taxIdType: 'national',
  taxId: '12345678-0001',
  vatNumber: null,
  registrationNumber: 'RC 1099321',
  email: 'accounts@adesola.example',
  phone: '+234 803 555 0101',
  businessDescription: null,
  address: { line1: '14 Broad Street', city: 'Lagos Island', state: 'Lagos', country: 'NG' },
}

export const sampleBuyer: DocumentParty = {
  ...sampleSeller,
  name: 'Ɗanjuma & Sons Enterprises',
  taxId: '87654321-0001',
  registrationNumber: null,
  email: 'buying@danjuma.example',
  phone: null,
  address: { line1: '3 Ahmadu Bello Way', line2: 'Second floor', city: 'Kaduna', state: 'Kaduna', country: 'NG' },
}

export const sampleLine: DocumentLine = {
  description: 'Long-grain rice, parboiled, 50 kg bag',
  itemName: null,
  hsnCode: '1006.30',
  serviceCode: null,
  productCategory: 'Cereals',
  quantity: { units: 12n, scale: 0 },
  unitCode: 'EA',
  unitPrice: { units: 78_500n, scale: 0 },
  grossMinor: 94_200_000n,
  discountMinor: 0n,
  feeMinor: 0n,
  netMinor: 94_200_000n,
  taxCategory: 'S',
  taxRate: { units: 75n, scale: 1 },
}

/** An invoice of these lines, with one tax and matching totals. */
export function sampleInvoice(lines: readonly DocumentLine[], changes: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const netMinor = lines.reduce((sum, line) => sum + line.netMinor, 0n)
  const taxMinor = (netMinor * 75n) / 1000n
  const group = { category: 'S', rate: { units: 75n, scale: 1 }, netMinor, allowanceMinor: 0n, chargeMinor: 0n }
  return {
    type: 'standard',
    kind: 'B2B',
    number: 'INV-2026-0042',
    mode: 'live',
    isDraft: false,
    issueDate: '2026-01-31',
    issueTime: '13:05:00',
    dueDate: '2026-03-02',
    instalments: null,
    homeTax: null,
    supplyDate: null,
    currency: 'NGN',
    seller: sampleSeller,
    buyer: sampleBuyer,
    lines,
    taxGroups: [{ ...group, taxableMinor: netMinor, taxMinor }],
    netMinor,
    allowanceMinor: 0n,
    chargeMinor: 0n,
    taxMinor,
    roundingMinor: 0n,
    payableMinor: netMinor + taxMinor,
    paidMinor: 0n,
    creditedMinor: 0n,
    dueMinor: netMinor + taxMinor,
    ...nothingWritten,
    paymentTerms: 'Payment within 30 days of the issue date, by bank transfer.',
    notes: 'Thank you for your custom. Ẹ ṣé púpọ̀.',
    purchaseOrderReference: 'PO-7781',
    original: null,
    reason: null,
    authorityReference: null,
    stamp: null,
    ...changes,
  }
}

/** Five lines of different kinds. */
export const fiveLines: readonly DocumentLine[] = [
  sampleLine,
  {
    ...sampleLine,
    description: 'Groundnut oil, 25 litre keg',
    hsnCode: '1508.90',
    productCategory: 'Fats and oils',
    quantity: { units: 85n, scale: 1 },
    unitPrice: { units: 61_2505n, scale: 1 },
    grossMinor: 52_062_925n,
    discountMinor: 1_000_000n,
    netMinor: 51_062_925n,
  },
  {
    ...sampleLine,
    description: 'Delivery and unloading in Kaduna, including the use of a forklift and two hands',
    itemName: 'Haulage',
    hsnCode: null,
    serviceCode: '4923',
    productCategory: null,
    quantity: { units: 6n, scale: 0 },
    unitCode: 'HUR',
    unitPrice: { units: 15_000n, scale: 0 },
    grossMinor: 9_000_000n,
    netMinor: 9_000_000n,
  },
  {
    ...sampleLine,
    description: 'Brown beans, ọ̀lọ́yin, cleaned',
    quantity: { units: 111n, scale: 0 },
    unitCode: 'KGM',
    unitPrice: { units: 1_150n, scale: 0 },
    grossMinor: 12_765_000n,
    netMinor: 12_765_000n,
  },
  {
    ...sampleLine,
    description: 'Jute bags',
    quantity: { units: 1n, scale: 0 },
    unitPrice: { units: 25n, scale: 2 },
    grossMinor: 25n,
    netMinor: 25n,
  },
]
