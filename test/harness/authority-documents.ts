import { builtInLists } from '../../server/src/jurisdictions/ng/lists.ts'
import type { CodeEntry, ListsInForce, ListType, ReportingBusiness } from '../../server/src/jurisdictions/port.ts'
import { type Decimal, parseDecimal } from '../../server/src/kernel/decimal.ts'
import type { DocumentLine, DocumentParty, InvoiceDocument } from '../../server/src/kernel/invoice-document.ts'
import { nothingWritten } from '../../server/src/kernel/written-fields.ts'
import { lineTotals, totalsOf } from '../../server/src/modules/invoices/amounts/totals.ts'

const builtIn = builtInLists()
const entries = (type: ListType): readonly CodeEntry[] => builtIn.find((list) => list.type === type)?.entries ?? []
const codes = new Map(builtIn.map(({ type }) => [type, new Set(entries(type).map(({ code }) => code))]))
/** The reference lists that are part of the software. */
export const lists: ListsInForce = { entries, has: (type, code) => codes.get(type)?.has(code) ?? false }

export const decimal = (text: string): Decimal => parseDecimal(text) as Decimal

export const business: ReportingBusiness = {
  businessId: '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11',
  serviceId: 'F6B4C898',
}

export const seller: DocumentParty = {
  name: 'Zuma Farms Ltd',
  legalName: null,
  tradingName: null,
  partyType: 'company',
  taxIdType: 'national',
  taxId: '20198222-0002',
  vatNumber: null,
  registrationNumber: 'RC1401999',
  email: 'billing@zuma.example',
  phone: '+234 802 540 9900',
  businessDescription: 'Grain and feed',
  address: {
    line1: '8 Alausa Road',
    city: 'Ikeja',
    state: 'Lagos',
    district: 'Epe',
    postalCode: '100001',
    country: 'NG',
  },
}
export const buyer: DocumentParty = {
  ...seller,
  name: 'Oke Foods Plc',
  taxId: '00311855-0001',
  registrationNumber: null,
  email: 'ap@oke.example',
  businessDescription: null,
}

export type LineInput = Omit<DocumentLine, 'grossMinor' | 'netMinor'>
export const goods: LineInput = {
  description: 'Laptop, 15 inches',
  itemName: 'Laptop',
  hsnCode: '8471.30',
  serviceCode: null,
  productCategory: 'Portable computers',
  quantity: decimal('2'),
  unitCode: 'EA',
  unitPrice: decimal('200000'),
  discountMinor: 0n,
  feeMinor: 0n,
  taxCategory: 'STANDARD_VAT',
  taxRate: decimal('7.5'),
}
export const service: LineInput = {
  ...goods,
  description: 'Setting it up',
  itemName: null,
  hsnCode: null,
  serviceCode: '6201',
  productCategory: 'Computer programming activities',
  quantity: decimal('1.5'),
  unitPrice: decimal('10000.25'),
  unitCode: 'HUR',
}

/** An issued document whose amounts match its lines. */
export function documentOf(
  inputs: readonly LineInput[] = [goods, service],
  more: Partial<InvoiceDocument> = {},
): InvoiceDocument {
  const { allowanceMinor = 0n, chargeMinor = 0n, roundingMinor = 0n } = more
  const { groups, payableMinor, ...totals } = totalsOf({ lines: inputs, allowanceMinor, chargeMinor })
  return {
    type: 'standard',
    kind: 'B2B',
    number: 'INV000049',
    mode: 'sandbox',
    isDraft: false,
    issueDate: '2026-11-14',
    issueTime: '10:30:00',
    dueDate: '2026-12-14',
    instalments: null,
    homeTax: null,
    supplyDate: null,
    currency: 'NGN',
    seller,
    buyer,
    ...totals,
    lines: inputs.map((line) => ({ ...line, ...lineTotals(line) })),
    taxGroups: groups,
    roundingMinor,
    payableMinor: payableMinor + roundingMinor,
    paidMinor: 0n,
    creditedMinor: 0n,
    dueMinor: payableMinor + roundingMinor,
    ...nothingWritten,
    original: null,
    reason: null,
    authorityReference: null,
    stamp: null,
    ...more,
  }
}
