import Type, { type Static } from 'typebox'
import { Format } from 'typebox/format'
import { exactMinor } from '../../kernel/exact-json.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import {
  type CurrencyFigures,
  claimToday,
  type DayOrInstant,
  type FilterInput,
  isReceivedOverdue,
  type ReceivedDetail,
  type ReceivedInvoice,
  receivedPaymentStatuses,
  receivedSorts,
  type Sync,
  transmissionStatuses,
} from '../../modules/received-invoices/index.ts'
import {
  Day,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  MinorUnits,
  means,
  Named,
  OneOf,
  PageQuery,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { JsonText } from '../reply/json-text.ts'
import { decimalOrUndefined } from './amounts.ts'
import { Problem } from './invoices.ts'

const isDay = /^\d{4}-\d{2}-\d{2}$/
Format.Set('date-or-date-time', (text) => Format.Test(isDay.test(text) ? 'date' : 'date-time', text))
const DayOrInstantField = Type.String({ format: 'date-or-date-time', examples: ['2026-11-01'] })
const MajorUnits = Type.String({
  pattern: '^\\d{1,13}(?:\\.\\d{1,2})?$',
  explanation: 'must be an amount in major units, such as 1500 or 1500.50',
  examples: ['1500.50'],
})

const filters = {
  seller: means(
    'Only invoices whose supplier’s name contains this text, or whose supplier’s tax number begins with it. At most 100 characters.',
    Type.Optional(Text(0, 100)),
  ),
  accessPoint: means(
    'Only invoices sent through this access point, by its exact name. At most 256 characters.',
    Type.Optional(Text(1, 256)),
  ),
  transmissionStatus: means(
    'Only invoices with this status. `transmitted`: received, receipt not confirmed yet. `acknowledged`: receipt confirmed to the network.',
    Type.Optional(Text(1, 64)),
  ),
  paymentStatus: means(
    'Only invoices with this payment status: `unpaid`, `partial`, `paid` or `rejected`. `overdue`: the due date has passed and the invoice is not `paid`.',
    Type.Optional(OneOf(...receivedPaymentStatuses, 'overdue')),
  ),
  issueDateFrom: means('Only invoices issued on this day or later.', Type.Optional(Day)),
  issueDateTo: means('Only invoices issued on this day or earlier.', Type.Optional(Day)),
  receivedFrom: means(
    'Only invoices received from this time on: a day in your country’s time zone, or a time with its UTC offset.',
    Type.Optional(DayOrInstantField),
  ),
  receivedTo: means(
    'Only invoices received up to the end of this day in your country’s time zone, or before this time with its UTC offset.',
    Type.Optional(DayOrInstantField),
  ),
  amountMin: means('Only invoices with at least this amount payable, in major units.', Type.Optional(MajorUnits)),
  amountMax: means('Only invoices with at most this amount payable, in major units.', Type.Optional(MajorUnits)),
  currency: means('Only invoices in this currency, as an ISO 4217 code.', Type.Optional(Text(3, 3))),
  q: means(
    'Only invoices whose number, reference, supplier or notes contain these words. At most 100 characters.',
    Type.Optional(Text(0, 100)),
  ),
  taxId: means(
    'Only invoices sent to this tax number of yours, which is one of `taxpayer.taxIds`.',
    Type.Optional(Text(1, 32)),
  ),
}
export const FilterQuery = Fields(filters)

export const standardLimit = 25
export const ListQuery = Fields({
  ...PageQuery(standardLimit),
  ...filters,
  sort: means(
    'Order of the list; a leading `-` reverses it. `-receivedAt` (latest first) if left out.',
    Type.Optional(OneOf(...receivedSorts)),
  ),
})

const timeFrom = (text: string | undefined): DayOrInstant | undefined =>
  text === undefined ? undefined : isDay.test(text) ? { day: text } : { instant: new Date(text) }

export const filterFrom = (query: Static<typeof FilterQuery>): FilterInput => ({
  seller: query.seller,
  accessPoint: query.accessPoint,
  transmissionStatus: query.transmissionStatus,
  paymentStatus: query.paymentStatus,
  issueDateFrom: query.issueDateFrom,
  issueDateTo: query.issueDateTo,
  receivedFrom: timeFrom(query.receivedFrom),
  receivedTo: timeFrom(query.receivedTo),
  amountMin: decimalOrUndefined(query.amountMin),
  amountMax: decimalOrUndefined(query.amountMax),
  currency: query.currency,
  words: query.q,
  taxId: query.taxId,
})

const TextOrNull = Maybe(Type.String())
export const exampleReference = 'INV0042-B4B37F28-20261114'

const view = {
  id: means('Unique identifier of the received invoice (UUIDv7).', Uuid),
  authorityReference: Type.String({
    description: 'Invoice reference number (IRN) that the authority knows the document by.',
    examples: [exampleReference],
  }),
  invoiceNumber: Type.String({ description: 'Number that the supplier gave the document.', examples: ['INV0042'] }),
  invoiceType: means(
    'Kind of document: `standard` (an invoice), `credit_note`, `debit_note` or `prepayment`.',
    OneOf(...documentTypes),
  ),
  authorityTypeCode: Type.String({ description: 'Kind of document, as the authority’s code.', examples: ['381'] }),
  invoiceKind: means(
    'Who deals with whom, as the document says: B (business), C (consumer), G (government). Null if it does not say.',
    TextOrNull,
  ),
  issueDate: means('Day on which the supplier issued the document.', Day),
  dueDate: means('Last day for payment. Null if the document names none.', Maybe(Day)),
  currency: Type.String({ description: 'Currency of the document, as an ISO 4217 code.', examples: ['NGN'] }),
  seller: means(
    'The supplier, with the values on the document.',
    Fields({
      name: means('Name of the supplier. Null if the document has none.', TextOrNull),
      taxId: means('Tax number of the supplier. Null if the document has none.', TextOrNull),
      email: means('Email address of the supplier. Null if the document has none.', TextOrNull),
      phone: means('Telephone number of the supplier. Null if the document has none.', TextOrNull),
      city: means('City of the supplier. Null if the document has none.', TextOrNull),
      country: means('Country of the supplier, as the document writes it. Null if it has none.', TextOrNull),
    }),
  ),
  buyer: means(
    'The buyer, which is your organisation, with the values on the document.',
    Fields({
      name: means('Name of the buyer. Null if the document has none.', TextOrNull),
      taxId: means('Tax number of the buyer. Null if the document has none.', TextOrNull),
    }),
  ),
  corrects: Type.Array(Type.String(), {
    description: 'References of the documents that this credit or debit note corrects. Empty for invoices.',
  }),
  duplicates: Type.Array(Type.String(), {
    description:
      'Other references under which the same document came: same supplier, number, type and day of issue. It is stored once.',
  }),
  possibleDuplicates: Type.Array(Type.String(), {
    description:
      'References of other documents of the supplier with this number and type, but another day of issue; at most 20. Each is counted.',
  }),
  netMinor: means('Amount before tax, in minor units.', MinorUnits),
  taxMinor: means('Tax on the document, in minor units.', MinorUnits),
  payableMinor: means('Amount to be paid, with tax, in minor units.', MinorUnits),
  paymentStatus: means(
    'Payment status that the authority has on record: `unpaid`, `partial`, `paid` or `rejected`.',
    OneOf(...receivedPaymentStatuses),
  ),
  overdue: means('Whether the due date has passed and the document is not `paid`.', Type.Boolean()),
  transmissionStatus: means(
    '`transmitted`: received, receipt not confirmed yet. `acknowledged`: receipt confirmed to the network.',
    OneOf(...transmissionStatuses),
  ),
  accessPoint: Type.Union([Type.String(), Type.Null()], {
    description: 'Access point through which the supplier sends. Null if the network does not say.',
  }),
  validation: Fields(
    {
      valid: means('Whether the checks of this service found no fault.', Type.Boolean()),
      faults: means('Faults that the checks found. Empty if there are none.', List(Problem)),
    },
    { description: 'Result of the checks of this service.' },
  ),
  inputVat: Fields(
    {
      claimable: means('Whether VAT on this document can be deducted today.', Type.Boolean()),
      reason: Type.String({
        description: 'Short code of the rule that decides; `message` explains it.',
        examples: ['claimable'],
      }),
      message: Type.String({
        description: 'Why the VAT can or cannot be deducted, in words.',
        examples: ['The VAT on it can be claimed until 2031-11-14.'],
      }),
      claimableMinor: Type.Integer({
        description: 'The VAT that can be deducted, in minor units, after credit notes and without other taxes.',
      }),
      claimableUntil: means('Last day on which the VAT can be deducted. Null if it cannot.', Maybe(Day)),
    },
    { description: 'Whether VAT on this document can be deducted, and why.' },
  ),
  receivedAt: means('When this service received the document.', Instant),
  acknowledgedAt: means('When this service confirmed the receipt to the network. Null until then.', Maybe(Instant)),
}
export const ItemView = Named('ReceivedInvoice', view)
export const DetailView = Named('ReceivedInvoiceDetail', {
  ...view,
  document: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The authority’s copy of the document, decrypted and otherwise unchanged.',
    examples: [{ irn: exampleReference, invoice_type_code: '381', legal_monetary_total: { payable_amount: 193500 } }],
  }),
})

export const SyncView = Named('Sync', {
  connected: means('Whether the organisation is connected to the tax authority in this mode.', Type.Boolean()),
  syncing: Type.Boolean({
    description: 'Whether documents are being fetched, or the network has not been read yet.',
  }),
  lastSyncedAt: Type.Union([Instant, Type.Null()], {
    description: 'When the network was last read to the end. Null if it never was.',
  }),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the list may be incomplete, in words. Null if nothing is known to be missing.',
  }),
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

/** The copy is passed through as text: parsing and printing it would round its longest numbers. */
export const toDetail = ({ invoice: { document, ...invoice }, today }: ReceivedDetail): JsonText =>
  JsonText.of(`${JSON.stringify(toItem(invoice, today)).slice(0, -1)},"document":${document}}`)

export const toSync = ({ isConnected, syncing, lastSyncedAt, error }: Sync) => ({
  connected: isConnected,
  syncing,
  lastSyncedAt: isoOrNull(lastSyncedAt),
  error,
})

export const figures = {
  count: means('Number of documents, credit notes included.', Type.Integer()),
  creditNotes: means('Number of credit notes among them.', Type.Integer()),
  suppliers: means('Number of different suppliers.', Type.Integer()),
  faulty: means('Number of documents in which the checks of this service found faults.', Type.Integer()),
  overdueCount: means('Number of documents whose due date has passed and that are not `paid`.', Type.Integer()),
  netMinor: means('Sum of the amounts before tax, in minor units. Credit notes are subtracted.', MinorUnits),
  taxMinor: means('Sum of the tax, in minor units. Credit notes are subtracted.', MinorUnits),
  payableMinor: means('Sum of the amounts to be paid, in minor units. Credit notes are subtracted.', MinorUnits),
  unpaidMinor: means(
    'Sum payable on documents that are `unpaid` or `partial`, in minor units. Partly paid ones count in full.',
    MinorUnits,
  ),
  overdueMinor: means('Sum payable on overdue documents, in minor units. Partly paid ones count in full.', MinorUnits),
  claimableTaxMinor: Type.Integer({
    description:
      'The VAT that can be deducted today, in minor units: the sum of `inputVat.claimableMinor`. Never below 0.',
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
