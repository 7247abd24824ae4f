import Type, { type Static } from 'typebox'
import { Format } from 'typebox/format'
import { documentTypes } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import {
  type AskedFilter,
  type CurrencyFigures,
  claimToday,
  type DayOrInstant,
  isReceivedOverdue,
  type ReceivedDetail,
  type ReceivedInvoice,
  receivedPaymentStatuses,
  receivedSorts,
  type Sync,
  transmissionStatuses,
} from '../../modules/received-invoices/index.ts'
import { JsonText } from '../envelope.ts'
import {
  Day,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  MinorUnits,
  Named,
  OneOf,
  PageQuery,
  Text,
  Uuid,
} from '../fields.ts'
import { exactMinor, minorFrom } from './amounts.ts'
import { Problem } from './invoices.ts'

const isDay = /^\d{4}-\d{2}-\d{2}$/
Format.Set('date-or-date-time', (text) => Format.Test(isDay.test(text) ? 'date' : 'date-time', text))
const DayOrInstantField = Type.String({
  format: 'date-or-date-time',
  description: 'a day, or an instant with its offset',
  examples: ['2026-11-01'],
})
const MajorUnits = Type.String({
  pattern: '^\\d{1,13}(?:\\.\\d{1,2})?$',
  explanation: 'must be an amount in major units, such as 1500 or 1500.50',
  examples: ['1500.50'],
})

const filters = {
  seller: Type.Optional(
    Type.String({ ...Text(0, 100), description: 'part of the name, or the beginning of the tax number' }),
  ),
  accessPoint: Type.Optional(Text(1, 256)),
  transmissionStatus: Type.Optional(
    Type.String({ ...Text(1, 64), description: transmissionStatuses.map((status) => `\`${status}\``).join(', ') }),
  ),
  paymentStatus: Type.Optional(OneOf(...receivedPaymentStatuses, 'overdue')),
  issueDateFrom: Type.Optional(Day),
  issueDateTo: Type.Optional(Day),
  receivedFrom: Type.Optional(DayOrInstantField),
  receivedTo: Type.Optional(DayOrInstantField),
  amountMin: Type.Optional(MajorUnits),
  amountMax: Type.Optional(MajorUnits),
  currency: Type.Optional(Text(3, 3)),
  q: Type.Optional(Text(0, 100)),
  taxId: Type.Optional(Type.String({ ...Text(1, 32), description: 'one of `taxpayer.taxIds`' })),
}
export const FilterQuery = Fields(filters)

export const standardLimit = 25
export const ListQuery = Fields({
  ...PageQuery(standardLimit),
  ...filters,
  sort: Type.Optional(OneOf(...receivedSorts)),
})

const timeFrom = (text: string | undefined): DayOrInstant | undefined =>
  text === undefined ? undefined : isDay.test(text) ? { day: text } : { instant: new Date(text) }
const amountFrom = (text: string | undefined): bigint | undefined => (text === undefined ? undefined : minorFrom(text))

export const filterFrom = (query: Static<typeof FilterQuery>): AskedFilter => ({
  seller: query.seller,
  accessPoint: query.accessPoint,
  transmissionStatus: query.transmissionStatus,
  paymentStatus: query.paymentStatus,
  issueDateFrom: query.issueDateFrom,
  issueDateTo: query.issueDateTo,
  receivedFrom: timeFrom(query.receivedFrom),
  receivedTo: timeFrom(query.receivedTo),
  amountMinMinor: amountFrom(query.amountMin),
  amountMaxMinor: amountFrom(query.amountMax),
  currency: query.currency,
  words: query.q,
  taxId: query.taxId,
})
export const fieldNames = { amountMinMinor: 'amountMin', amountMaxMinor: 'amountMax' }

const Words = Maybe(Type.String())
export const exampleReference = 'INV0042-B4B37F28-20261114'

const view = {
  id: Uuid,
  authorityReference: Type.String({ description: 'the IRN', examples: [exampleReference] }),
  invoiceNumber: Type.String({ examples: ['INV0042'] }),
  invoiceType: OneOf(...documentTypes),
  authorityTypeCode: Type.String({ examples: ['381'] }),
  invoiceKind: Words,
  issueDate: Day,
  dueDate: Maybe(Day),
  currency: Type.String({ examples: ['NGN'] }),
  seller: Fields({ name: Words, taxId: Words, email: Words, phone: Words, city: Words, country: Words }),
  buyer: Fields({ name: Words, taxId: Words }),
  corrects: Type.Array(Type.String(), { description: 'references of what a note corrects' }),
  duplicates: Type.Array(Type.String(), {
    description: 'Other references of the same supplier, number and day of issue; it is kept once.',
  }),
  possibleDuplicates: Type.Array(Type.String(), {
    description:
      'References of other documents of the supplier with this number and type, but another day of issue; at most 20. Each is counted.',
  }),
  netMinor: MinorUnits,
  taxMinor: MinorUnits,
  payableMinor: MinorUnits,
  paymentStatus: OneOf(...receivedPaymentStatuses),
  overdue: Type.Boolean(),
  transmissionStatus: OneOf(...transmissionStatuses),
  accessPoint: Type.Union([Type.String(), Type.Null()], { description: 'through whom the supplier sends' }),
  validation: Fields(
    {
      valid: Type.Boolean(),
      faults: List(Problem),
    },
    { description: 'what our own rules found' },
  ),
  inputVat: Fields(
    {
      claimable: Type.Boolean(),
      reason: Type.String({ description: 'a short code', examples: ['claimable'] }),
      message: Type.String({ examples: ['The VAT on it can be claimed until 2031-11-14.'] }),
      claimableMinor: Type.Integer({
        description: 'The VAT that can be deducted, in minor units, after credit notes and without other taxes.',
      }),
      claimableUntil: Maybe(Day),
    },
    { description: 'whether its VAT can be deducted, and why not' },
  ),
  receivedAt: Instant,
  acknowledgedAt: Maybe(Instant),
}
export const ItemView = Named('ReceivedInvoice', view)
export const DetailView = Named('ReceivedInvoiceDetail', {
  ...view,
  document: Type.Record(Type.String(), Type.Unknown(), {
    description: 'the authority’s copy, decrypted, as it was sent',
    examples: [{ irn: exampleReference, invoice_type_code: '381', legal_monetary_total: { payable_amount: 193500 } }],
  }),
})

export const SyncView = Named('Sync', {
  connected: Type.Boolean(),
  syncing: Type.Boolean({ description: 'something is on its way, or the network was never read yet' }),
  lastSyncedAt: Type.Union([Instant, Type.Null()], { description: 'when the network was last read to the end' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'why what is shown may not be all' }),
})

const toFault = ({ path, rule, message }: Fault) => ({ path, rule, message })

export function toItem(invoice: ReceivedInvoice, today: string) {
  const i = invoice
  const { claimable, rule, message, until, taxMinor } = claimToday(i, today)
  return {
    id: i.id,
    authorityReference: i.reference,
    invoiceNumber: i.number,
    invoiceType: i.type,
    authorityTypeCode: i.typeCode,
    invoiceKind: i.kind,
    issueDate: i.issueDate,
    dueDate: i.dueDate,
    currency: i.currency,
    seller: {
      name: i.sellerName,
      taxId: i.sellerTaxId,
      email: i.sellerEmail,
      phone: i.sellerPhone,
      city: i.sellerCity,
      country: i.sellerCountry,
    },
    buyer: { name: i.buyerName, taxId: i.buyerTaxId },
    corrects: [...i.corrects],
    duplicates: [...i.repeatedAs],
    possibleDuplicates: [...i.possibleDuplicates],
    netMinor: exactMinor(i.netMinor),
    taxMinor: exactMinor(i.taxMinor),
    payableMinor: exactMinor(i.payableMinor),
    paymentStatus: i.paymentStatus,
    overdue: isReceivedOverdue(i, today),
    transmissionStatus: i.acknowledgedAt === null ? ('transmitted' as const) : ('acknowledged' as const),
    accessPoint: i.accessPoint,
    validation: { valid: i.faults.length === 0, faults: i.faults.map(toFault) },
    inputVat: {
      claimable,
      reason: rule,
      message,
      claimableMinor: exactMinor(taxMinor),
      claimableUntil: claimable ? until : null,
    },
    receivedAt: i.receivedAt.toISOString(),
    acknowledgedAt: isoOrNull(i.acknowledgedAt),
  }
}

/** The copy goes out as it came: reading and writing it anew would round its longest numbers. */
export const toDetail = ({ invoice: { document, ...invoice }, today }: ReceivedDetail): JsonText =>
  JsonText.of(`${JSON.stringify(toItem(invoice, today)).slice(0, -1)},"document":${document}}`)

export const toSync = ({ isConnected, syncing, lastSyncedAt, error }: Sync) => ({
  connected: isConnected,
  syncing,
  lastSyncedAt: isoOrNull(lastSyncedAt),
  error,
})

export const figures = {
  count: Type.Integer(),
  creditNotes: Type.Integer(),
  suppliers: Type.Integer(),
  faulty: Type.Integer({ description: 'how many of them our own rules find fault with' }),
  overdueCount: Type.Integer(),
  netMinor: MinorUnits,
  taxMinor: MinorUnits,
  payableMinor: MinorUnits,
  unpaidMinor: MinorUnits,
  overdueMinor: MinorUnits,
  claimableTaxMinor: Type.Integer({
    description: 'The VAT that can be deducted today: the sum of `inputVat.claimableMinor`. Never below 0.',
  }),
}

export const toFigures = (f: Omit<CurrencyFigures, 'currency'>) => ({
  count: f.count,
  creditNotes: f.creditNotes,
  suppliers: f.suppliers,
  faulty: f.faulty,
  overdueCount: f.overdueCount,
  netMinor: exactMinor(f.netMinor),
  taxMinor: exactMinor(f.taxMinor),
  payableMinor: exactMinor(f.payableMinor),
  unpaidMinor: exactMinor(f.unpaidMinor),
  overdueMinor: exactMinor(f.overdueMinor),
  claimableTaxMinor: exactMinor(f.claimableTaxMinor),
})

export const nothing: Omit<CurrencyFigures, 'currency'> = {
  count: 0,
  creditNotes: 0,
  suppliers: 0,
  faulty: 0,
  overdueCount: 0,
  netMinor: 0n,
  taxMinor: 0n,
  payableMinor: 0n,
  unpaidMinor: 0n,
  overdueMinor: 0n,
  claimableTaxMinor: 0n,
}
