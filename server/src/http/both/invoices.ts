import Type from 'typebox'
import { invoiceKinds } from '../../jurisdictions/invoice-kinds.ts'
import { spelled } from '../../kernel/decimal.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { Download } from '../../modules/documents/index.ts'
import {
  decimalText,
  deliveries,
  dueMinor,
  type Invoice,
  type InvoiceId,
  type InvoiceLine,
  type InvoicePayment,
  type InvoiceStatus,
  type InvoiceSummary,
  invoiceCurrencies,
  isOverdue,
  isReportLate,
  paymentStatusOf,
  type ReadinessReport,
  refundOwedMinor,
  reportingOf,
  reportings,
  type StatisticsRow,
  simpleStatuses,
  simpleStatusOf,
} from '../../modules/invoices/index.ts'
import { invoiceEndpoints as endpoints } from '../endpoints/invoices.ts'
import {
  Country,
  Day,
  Fields,
  Instant,
  isoOrNull,
  List,
  Listed,
  Maybe,
  MinorUnits,
  means,
  Named,
  named,
  Text as OneLine,
  OneOf,
  Uuid,
} from '../fields.ts'
import { speak } from '../speak.ts'
import { exactMinor } from './amounts.ts'

export const invoiceBodyLimit = 2 * 1024 * 1024

/** What people sort by, as the core calls it. */
export const invoiceSorts = {
  createdAt: 'createdAt',
  invoiceDate: 'issueDate',
  invoiceNumber: 'number',
  payableMinor: 'payableMinor',
  dueDate: 'dueDate',
  taxMinor: 'taxMinor',
} as const

export const ById = Fields({ id: Uuid })
export const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as InvoiceId })

export const TimeOfDay = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$',
  explanation: 'must be a time of day such as 13:05 or 13:05:30',
})
/** With seconds, as it is kept. */
export const timeFrom = (text: string): string => (text.length === 5 ? `${text}:00` : text)

export const SupplyDate = Type.String({
  format: 'date',
  description: 'the day on which goods or services were supplied, where it is not the day of issue',
})

const Text = Maybe(Type.String())
/** What a document may be made out in. */
export const InvoiceCurrency = named('InvoiceCurrency', Listed(OneLine(3, 3), invoiceCurrencies))
/** Each country knows some of them. */
export const InvoiceKind = named('InvoiceKind', Listed(OneLine(1, 20), invoiceKinds))
const DocumentType = named('InvoiceType', OneOf(...documentTypes))

/** What both forms show of a document, in the same words. */
export const SharedView = {
  id: Uuid,
  invoiceNumber: Type.String(),
  invoiceType: DocumentType,
  sellerId: Maybe(Uuid),
  buyerId: Maybe(Uuid),
  buyer: Maybe(Named('InvoiceBuyer', { name: Type.String(), taxId: Text })),
  invoiceDate: Day,
  dueDate: Maybe(Day),
  supplyDate: Maybe(SupplyDate),
  currency: InvoiceCurrency,
  simpleStatus: OneOf(...simpleStatuses),
  netMinor: MinorUnits,
  allowanceMinor: MinorUnits,
  chargeMinor: MinorUnits,
  taxMinor: MinorUnits,
  roundingMinor: MinorUnits,
  payableMinor: MinorUnits,
  paidMinor: MinorUnits,
  creditedMinor: MinorUnits,
  dueMinor: MinorUnits,
  refundOwedMinor: MinorUnits,
  overdue: Type.Boolean(),
  taxes: List(
    Named('TaxGroup', {
      taxCategory: Type.String(),
      taxPercent: Type.String(),
      taxableMinor: MinorUnits,
      taxMinor: MinorUnits,
    }),
  ),
  paymentTerms: Text,
  notes: Text,
  originalInvoiceId: Maybe(Uuid),
  originalInvoiceNumber: Text,
  reason: Text,
  reporting: Named('Reporting', {
    status: OneOf(...reportings),
    delivery: OneOf(...deliveries),
    irn: Text,
    dueAt: Maybe(Instant),
    reportedAt: Maybe(Instant),
    late: Type.Boolean({ description: 'it was not reported by `dueAt`, or is not yet although that has passed' }),
  }),
  finalisedAt: Maybe(Instant),
  submittedAt: Maybe(Instant),
  sentAt: Maybe(Instant),
  sharedAt: Maybe(Instant),
  createdBy: Named('Actor', { id: Maybe(Uuid), type: OneOf('user', 'api_key', 'service', 'system') }),
  createdAt: Instant,
  updatedAt: Instant,
}

export const toSharedView = (invoice: InvoiceSummary, today: string, now: Date) => ({
  id: invoice.id,
  invoiceNumber: invoice.number,
  invoiceType: invoice.type,
  sellerId: invoice.sellerId,
  buyerId: invoice.buyerId,
  buyer: invoice.buyerName === null ? null : { name: invoice.buyerName, taxId: invoice.buyerTaxId },
  invoiceDate: invoice.issueDate,
  dueDate: invoice.dueDate,
  supplyDate: invoice.supplyDate,
  currency: invoice.currency,
  simpleStatus: simpleStatusOf(invoice),
  netMinor: Number(invoice.netMinor),
  allowanceMinor: Number(invoice.allowanceMinor),
  chargeMinor: Number(invoice.chargeMinor),
  taxMinor: Number(invoice.taxMinor),
  roundingMinor: Number(invoice.roundingMinor),
  payableMinor: Number(invoice.payableMinor),
  paidMinor: Number(invoice.paidMinor),
  creditedMinor: Number(invoice.creditedMinor),
  dueMinor: Number(dueMinor(invoice)),
  refundOwedMinor: Number(refundOwedMinor(invoice)),
  overdue: isOverdue(invoice, today),
  taxes: invoice.taxGroups.map(({ category, rate, taxableMinor, taxMinor }) => ({
    taxCategory: category,
    taxPercent: decimalText(rate),
    taxableMinor: Number(taxableMinor),
    taxMinor: Number(taxMinor),
  })),
  paymentTerms: invoice.paymentTerms,
  notes: invoice.notes,
  originalInvoiceId: invoice.originalId,
  originalInvoiceNumber: invoice.originalNumber,
  reason: invoice.reason,
  reporting: {
    status: reportingOf[invoice.status],
    delivery: invoice.delivery,
    irn: invoice.irn,
    dueAt: isoOrNull(invoice.reportDueAt),
    reportedAt: isoOrNull(invoice.reportedAt),
    late: isReportLate(invoice, now),
  },
  finalisedAt: isoOrNull(invoice.finalisedAt),
  submittedAt: isoOrNull(invoice.submittedAt),
  sentAt: isoOrNull(invoice.sentAt),
  sharedAt: isoOrNull(invoice.sharedAt),
  createdBy: { id: invoice.createdBy.id, type: invoice.createdBy.type },
  createdAt: invoice.createdAt.toISOString(),
  updatedAt: invoice.updatedAt.toISOString(),
})

export const paymentStatus = paymentStatusOf
export const majorText = (minor: bigint): string => spelled(minor, 2)

/** What both forms show of a line, in the same words. */
export const SharedLineView = {
  description: Type.String(),
  hsnCode: Text,
  isicCode: Text,
  productCategory: Text,
  unitCode: Type.String(),
  taxCategory: Type.String(),
  netMinor: MinorUnits,
}

export const toSharedLine = (line: InvoiceLine) => ({
  description: line.description,
  hsnCode: line.hsnCode,
  isicCode: line.serviceCode,
  productCategory: line.productCategory,
  unitCode: line.unitCode,
  taxCategory: line.taxCategory,
  netMinor: Number(line.netMinor),
})

export const PaymentView = Named('Payment', {
  id: Uuid,
  invoiceId: Uuid,
  amountMinor: MinorUnits,
  paidOn: Day,
  method: Text,
  reference: Text,
  recordedBy: SharedView.createdBy,
  recordedAt: Instant,
  reversedAt: Maybe(Instant),
})

export const toPayment = (payment: InvoicePayment) => ({
  id: payment.id,
  invoiceId: payment.invoiceId,
  amountMinor: Number(payment.amountMinor),
  paidOn: payment.paidOn,
  method: payment.method,
  reference: payment.reference,
  recordedBy: { id: payment.recordedBy.id, type: payment.recordedBy.type },
  recordedAt: payment.recordedAt.toISOString(),
  reversedAt: isoOrNull(payment.reversedAt),
})

export const DeletedView = Named('DeletedInvoice', {
  id: Uuid,
  invoiceNumber: Type.String(),
  deleted: Type.Literal(true),
})
export const toDeleted = ({ id, number }: Pick<Invoice, 'id' | 'number'>) => ({
  id,
  invoiceNumber: number,
  deleted: true as const,
})

export const DownloadView = Named('Download', {
  url: Type.String({ format: 'uri' }),
  expiresAt: Instant,
  contentType: OneOf('application/pdf', 'application/xml'),
  sha256: Type.String(),
})
export const toDownload = ({ url, expiresAt, contentType, sha256 }: Download) => ({
  url,
  expiresAt: expiresAt.toISOString(),
  contentType: contentType as 'application/pdf' | 'application/xml',
  sha256,
})

/** What is wrong, where, and what to do about it. */
export const Problem = Named('Problem', { path: Type.String(), rule: Type.String(), message: Type.String() })

/** What is told to whoever issues a document, beside the document. */
export const WarningsView = {
  warnings: Type.Array(Problem, {
    description: 'what will not look as it was written: letters that the PDF cannot draw; it stopped nothing',
  }),
}
export const toWarnings = (warnings: readonly Fault[]) => ({ warnings: warnings.map((warning) => ({ ...warning })) })

/** What both forms tell of a draft that was only asked about, beside their own word for it. */
export const ReadinessView = {
  problems: List(Problem),
  advice: Type.Array(Problem, {
    description:
      'what the law asks although the authority does not, what looks like a slip, and letters that the PDF cannot draw; it stops nothing',
  }),
  netMinor: MinorUnits,
  taxMinor: MinorUnits,
  payableMinor: MinorUnits,
}
export const toReadiness = ({ invoice, problems, advice }: ReadinessReport) => ({
  problems: problems.map((problem) => ({ ...problem })),
  advice: advice.map((one) => ({ ...one })),
  netMinor: Number(invoice.netMinor),
  taxMinor: Number(invoice.taxMinor),
  payableMinor: Number(invoice.payableMinor),
})

/** Of a list: only the notes that correct one invoice. */
export const NotesOf = means('only notes that correct this invoice', Uuid)

/** What the filters of lists are called, where the core finds fault with them. */
export const filterNames = { issueDateFrom: 'invoiceDateFrom' }

const StatisticsView = Named('InvoiceStatistics', {
  startDate: Maybe(Day),
  endDate: Maybe(Day),
  groups: List(
    Fields({
      status: Type.String(),
      invoiceType: DocumentType,
      currency: Type.String(),
      count: Type.Integer(),
      netMinor: MinorUnits,
      taxMinor: MinorUnits,
      payableMinor: MinorUnits,
      paidMinor: MinorUnits,
    }),
  ),
  totals: Type.Array(
    Named('InvoiceTotals', {
      currency: Type.String(),
      documents: Type.Integer({ description: 'How many documents count, notes included.' }),
      invoicedMinor: Type.Integer({
        description: 'What was invoiced, less what was credited, in minor units. Can be negative.',
      }),
      taxMinor: Type.Integer({
        description: 'Tax on what was invoiced, less tax on what was credited, in minor units. Can be negative.',
      }),
      paidMinor: MinorUnits,
    }),
    {
      description:
        'What the documents come to in each currency. Drafts and rejected documents are left out. A cancelled invoice and the credit note that cancels it come to zero.',
    },
  ),
})

/** Statuses that a form calls by one name are one group there. */
function toGroups(rows: readonly StatisticsRow[], nameOf: (status: InvoiceStatus) => string) {
  const groups = new Map<string, Omit<StatisticsRow, 'status'> & { readonly status: string }>()
  for (const row of rows) {
    const status = nameOf(row.status)
    const key = `${status} ${row.type} ${row.currency}`
    const { count = 0, netMinor = 0n, taxMinor = 0n, payableMinor = 0n, paidMinor = 0n } = groups.get(key) ?? {}
    groups.set(key, {
      ...row,
      status,
      count: count + row.count,
      netMinor: netMinor + row.netMinor,
      taxMinor: taxMinor + row.taxMinor,
      payableMinor: payableMinor + row.payableMinor,
      paidMinor: paidMinor + row.paidMinor,
    })
  }
  return [...groups.values()].map((group) => ({
    status: group.status,
    invoiceType: group.type,
    currency: group.currency,
    count: group.count,
    netMinor: exactMinor(group.netMinor),
    taxMinor: exactMinor(group.taxMinor),
    payableMinor: exactMinor(group.payableMinor),
    paidMinor: exactMinor(group.paidMinor),
  }))
}

/** Both forms say it alike, but for the names of statuses. */
export const statisticsRoute = (nameOf: (status: InvoiceStatus) => string) =>
  speak(endpoints.getStatistics, {
    status: 200,
    query: Fields({
      startDate: Type.Optional(Day),
      endDate: Type.Optional(Day),
      jurisdiction: Type.Optional(Country),
    }),
    reply: StatisticsView,
    decode: ({ query }) => ({ from: query.startDate, to: query.endDate, jurisdiction: query.jurisdiction }),
    encode: ({ from, to, rows, totals }) => ({
      startDate: from,
      endDate: to,
      groups: toGroups(rows, nameOf),
      totals: totals.map(({ currency, documents, invoicedMinor, taxMinor, paidMinor }) => ({
        currency,
        documents,
        invoicedMinor: exactMinor(invoicedMinor),
        taxMinor: exactMinor(taxMinor),
        paidMinor: exactMinor(paidMinor),
      })),
    }),
    fieldNames: { from: 'startDate' },
  })
