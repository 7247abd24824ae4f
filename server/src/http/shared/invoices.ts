import Type from 'typebox'
import { invoiceKinds } from '../../jurisdictions/invoice-kinds.ts'
import { decimalText, spelled } from '../../kernel/decimal.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import { currencyDigits } from '../../kernel/money-words.ts'
import { receivableAges } from '../../kernel/receivable-ages.ts'
import type { Fault } from '../../kernel/refusals.ts'
import { type Download, documentFormats } from '../../modules/documents/index.ts'
import {
  derivedStatuses,
  type Invoice,
  type InvoiceId,
  type InvoicePayment,
  type InvoiceSummary,
  type invoiceOperations,
} from '../../modules/invoices/index.ts'
import {
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
} from '../definitions/fields.ts'
import { invoiceCurrencies, toDelivery, wireDeliveries } from './contract-words.ts'
import { PlannedHomeTax, toHomeTax } from './home-tax.ts'
import { PaymentTimesView, toPaymentTimes } from './instalments.ts'
import { meaningOf } from './value-meanings.ts'

export const invoiceBodyLimit = 2 * 1024 * 1024

/** The sort keys of the API and their names in the core. */
export const invoiceSorts = {
  createdAt: 'createdAt',
  invoiceDate: 'issueDate',
  invoiceNumber: 'number',
  payableMinor: 'payableMinor',
  dueDate: 'dueDate',
  taxMinor: 'taxMinor',
} as const

export const ById = Fields({ id: means('The id of the invoice or note (UUIDv7).', Uuid) })
export const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as InvoiceId })

export const TimeOfDay = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$',
  explanation: 'must be a time of day such as 13:05 or 13:05:30',
})
/** A time of day with seconds, as it is stored. */
export const timeFrom = (text: string): string => (text.length === 5 ? `${text}:00` : text)

export const SupplyDate = means(
  'The day of the supply, if it differs from the day of issue. Null if both are the same.',
  Maybe(Day),
)

const Text = Maybe(Type.String())
/** The currencies that a document can have. */
export const InvoiceCurrency = named('InvoiceCurrency', Listed(OneLine(3, 3), invoiceCurrencies))
/** The kinds of invoice of all countries. Each country allows some of them. */
export const InvoiceKind = named('InvoiceKind', means(meaningOf.invoiceKinds, Listed(OneLine(1, 20), invoiceKinds)))
export const DocumentType = named('InvoiceType', means(meaningOf.documentTypes, OneOf(...documentTypes)))

/** The fields of a document that both forms show alike. */
export const SharedView = {
  id: means('Unique identifier of the document (UUIDv7).', Uuid),
  invoiceNumber: means('The number of the document in your own series.', Type.String()),
  invoiceType: means(
    'The type of document. `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance.',
    DocumentType,
  ),
  sellerId: means('The seller that issues the document. Null while a draft has no seller.', Maybe(Uuid)),
  buyerId: means('The buyer of the document. Null for a document without a saved buyer.', Maybe(Uuid)),
  buyer: means(
    'Name and tax number of the buyer. A draft shows the current values, an issued document the values at its issue. Null without a buyer.',
    Maybe(
      Named('InvoiceBuyer', {
        name: means('The name of the buyer.', Type.String()),
        taxId: means('The tax number of the buyer. Null if the buyer has none.', Text),
      }),
    ),
  ),
  invoiceDate: means('The day of issue of the document.', Day),
  dueDate: means(
    'The day on which payment is due, with instalments the last one. Null if the sender set none.',
    Maybe(Day),
  ),
  ...PaymentTimesView,
  supplyDate: SupplyDate,
  currency: means('The currency of all amounts of the document (ISO 4217).', InvoiceCurrency),
  simpleStatus: means(
    'The status in one word. The first that applies: `cancelled`, `paid`, `part_paid`, `delivered` (reached the buyer), `reported` (the tax authority has it), `draft`, `issued`.',
    OneOf(...derivedStatuses.simpleStatuses),
  ),
  netMinor: means('The sum of the lines before tax, in minor units.', MinorUnits),
  allowanceMinor: means('The discount on the whole document, in minor units.', MinorUnits),
  chargeMinor: means('The charge added to the whole document, in minor units.', MinorUnits),
  taxMinor: means('The tax on the document, in minor units.', MinorUnits),
  roundingMinor: means('The amount that rounding adds or takes away, in minor units. Can be negative.', MinorUnits),
  payableMinor: means('The total of the document with tax, in minor units.', MinorUnits),
  paidMinor: means('The sum of the recorded payments, in minor units.', MinorUnits),
  creditedMinor: means('The sum of the credit notes against this invoice, in minor units.', MinorUnits),
  dueMinor: means('The amount still to be paid, in minor units. Zero on a credit note.', MinorUnits),
  refundOwedMinor: means(
    'The amount that the buyer paid beyond the total after credit notes, in minor units.',
    MinorUnits,
  ),
  overdue: means('Whether an amount is still due after its due date: `overdueMinor` is above zero.', Type.Boolean()),
  taxes: means(
    'The tax of the document, one entry for each tax category and rate.',
    List(
      Named('TaxGroup', {
        taxCategory: means('The tax category, from the code list `tax-categories`.', Type.String()),
        taxPercent: means('The tax rate in percent, as a decimal number.', Type.String()),
        taxableMinor: means('The amount that the tax is calculated on, in minor units.', MinorUnits),
        taxMinor: means('The tax of this category and rate, in minor units.', MinorUnits),
      }),
    ),
  ),
  originalInvoiceId: means('The invoice that a note corrects. Null for an invoice.', Maybe(Uuid)),
  originalInvoiceNumber: means('The number of the invoice that a note corrects. Null for an invoice.', Text),
  reason: means('Why a credit note or debit note was issued. Null for an invoice.', Text),
  reporting: means(
    'The state of the report to the tax authority.',
    Named('Reporting', {
      status: means(
        '`draft`: not issued yet. `not_reported`: issued but not submitted. `in_progress`: submitted, not decided. `reported`: the tax authority has accepted it. `needs_attention`: rejected, or no clear answer came.',
        OneOf(...derivedStatuses.reportings),
      ),
      delivery: means(
        'How the document reached the buyer. `deliver_to_buyer`: through the tax authority, and the buyer has confirmed it. `sent_email`: by email. `shared_link`: by a public link. `nrs`: the tax authority has it, but the buyer has not confirmed it. `none`: not yet.',
        OneOf(...wireDeliveries),
      ),
      irn: means(
        'The invoice reference number (IRN) under which the tax authority registered the document. Null until then.',
        Text,
      ),
      dueAt: means('The legal deadline for the report. Null for drafts and if the law sets none.', Maybe(Instant)),
      reportedAt: means('When Risiti learnt that the tax authority has the document. Null until then.', Maybe(Instant)),
      late: means(
        'Whether the document was reported after `dueAt`, or is not reported although `dueAt` has passed.',
        Type.Boolean(),
      ),
    }),
  ),
  finalisedAt: means('When the document was issued. Null for a draft.', Maybe(Instant)),
  submittedAt: means('When the document was last submitted to the tax authority. Null if never.', Maybe(Instant)),
  sentAt: means('When the document was last emailed to the buyer. Null if never.', Maybe(Instant)),
  sharedAt: means('When the public link was created. Null without a public link.', Maybe(Instant)),
  createdBy: means(
    'Who created the document.',
    Named('Actor', {
      id: means('The id of the user or API key. Null for `service` and `system`.', Maybe(Uuid)),
      type: means(meaningOf.actors, OneOf('user', 'api_key', 'service', 'system')),
    }),
  ),
  createdAt: means('When the document was created.', Instant),
  updatedAt: means('When the document last changed.', Instant),
}

export const toTaxes = (groups: InvoiceSummary['taxGroups']) =>
  groups.map(({ category, rate, taxableMinor, taxMinor }) => ({
    taxCategory: category,
    taxPercent: decimalText(rate),
    taxableMinor: Number(taxableMinor),
    taxMinor: Number(taxMinor),
  }))

export const toSharedView = (invoice: InvoiceSummary, today: string, now: Date) => ({
  id: invoice.id,
  invoiceNumber: invoice.number,
  invoiceType: invoice.type,
  sellerId: invoice.sellerId,
  buyerId: invoice.buyerId,
  buyer: invoice.buyerName === null ? null : { name: invoice.buyerName, taxId: invoice.buyerTaxId },
  invoiceDate: invoice.issueDate,
  dueDate: invoice.dueDate,
  ...toPaymentTimes(invoice, today),
  supplyDate: invoice.supplyDate,
  currency: invoice.currency,
  simpleStatus: derivedStatuses.simpleStatusOf(invoice),
  netMinor: Number(invoice.netMinor),
  allowanceMinor: Number(invoice.allowanceMinor),
  chargeMinor: Number(invoice.chargeMinor),
  taxMinor: Number(invoice.taxMinor),
  roundingMinor: Number(invoice.roundingMinor),
  payableMinor: Number(invoice.payableMinor),
  paidMinor: Number(invoice.paidMinor),
  creditedMinor: Number(invoice.creditedMinor),
  dueMinor: Number(derivedStatuses.dueMinor(invoice)),
  refundOwedMinor: Number(derivedStatuses.refundOwedMinor(invoice)),
  overdue: derivedStatuses.isOverdue(invoice, today),
  taxes: toTaxes(invoice.taxGroups),
  originalInvoiceId: invoice.originalId,
  originalInvoiceNumber: invoice.originalNumber,
  reason: invoice.reason,
  reporting: {
    status: derivedStatuses.reportingOf[invoice.status],
    delivery: toDelivery(invoice.delivery),
    irn: invoice.authorityReference,
    dueAt: isoOrNull(invoice.reportDueAt),
    reportedAt: isoOrNull(invoice.reportedAt),
    late: derivedStatuses.isReportLate(invoice, now),
  },
  finalisedAt: isoOrNull(invoice.finalisedAt),
  submittedAt: isoOrNull(invoice.submittedAt),
  sentAt: isoOrNull(invoice.sentAt),
  sharedAt: isoOrNull(invoice.sharedAt),
  createdBy: { id: invoice.createdBy.id, type: invoice.createdBy.type },
  createdAt: invoice.createdAt.toISOString(),
  updatedAt: invoice.updatedAt.toISOString(),
})

export const paymentStatus = derivedStatuses.paymentStatusOf
export const majorText = (minor: bigint, currency: string): string => spelled(minor, currencyDigits(currency))

/** The fields of a line that both forms show alike. */
export const SharedLineView = {
  description: means('What is sold, as printed on the document.', Type.String()),
  hsnCode: means('The customs code of goods (HS), from the code list `product-codes`. Null for services.', Text),
  isicCode: means('The code of a service (ISIC), from the code list `service-codes`. Null for goods.', Text),
  productCategory: means('The kind of goods or service, as text. Null if the line has none.', Text),
  unitCode: means('The unit of `quantity`, from the code list `units` (UN/ECE Recommendation 20).', Type.String()),
  taxCategory: means('The tax category, from the code list `tax-categories`.', Type.String()),
  netMinor: means('The amount of the line before tax, in minor units.', MinorUnits),
}

export const toSharedLine = (line: Invoice['lines'][number]) => ({
  description: line.description,
  hsnCode: line.hsnCode,
  isicCode: line.serviceCode,
  productCategory: line.productCategory,
  unitCode: line.unitCode,
  taxCategory: line.taxCategory,
  netMinor: Number(line.netMinor),
})

export const PaymentView = Named('Payment', {
  id: means('Unique identifier of the payment (UUIDv7).', Uuid),
  invoiceId: means('The invoice that was paid.', Uuid),
  amountMinor: means('The amount paid, in minor units of the currency of the invoice.', MinorUnits),
  paidOn: means('The day on which the buyer paid.', Day),
  method: means('How the buyer paid, such as `bank transfer`. Null if not recorded.', Text),
  reference: means('A reference of the payment, such as that of the bank. Null if not recorded.', Text),
  recordedBy: means('Who recorded the payment.', SharedView.createdBy),
  recordedAt: means('When the payment was recorded.', Instant),
  reversedAt: means('When the payment was reversed. Null while it counts.', Maybe(Instant)),
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
  id: means('The id of the draft that was deleted.', Uuid),
  invoiceNumber: means('The number of the deleted draft. It is never used again.', Type.String()),
  deleted: means('Always `true`: the draft is deleted.', Type.Literal(true)),
})
export const toDeleted = ({ id, number }: Pick<Invoice, 'id' | 'number'>) => ({
  id,
  invoiceNumber: number,
  deleted: true as const,
})

export const DownloadQuery = Fields({
  format: Type.Optional(
    means(
      'The format of the file. `pdf`, the default: for people. `xml`: UBL, for programs. `pdf-a3`: an archivable PDF with the UBL inside.',
      OneOf(...documentFormats),
    ),
  ),
})
export const DownloadView = Named('Download', {
  url: means('The link to the file. It works without a token.', Type.String({ format: 'uri' })),
  expiresAt: means('When the link stops working.', Instant),
  contentType: means('The media type of the file.', OneOf('application/pdf', 'application/xml')),
  sha256: means('The SHA-256 hash of the file, as 64 hexadecimal digits.', Type.String()),
})
export const toDownload = ({ url, expiresAt, contentType, sha256 }: Download) => ({
  url,
  expiresAt: expiresAt.toISOString(),
  contentType: contentType as 'application/pdf' | 'application/xml',
  sha256,
})

/** A problem of a document: the field, the rule and a message that says what to do. */
export const Problem = Named('Problem', {
  path: means('The field that the problem is about, such as `lineItems[2].quantity`.', Type.String()),
  rule: means('The rule that the field breaks, as a short code.', Type.String()),
  message: means('What is wrong and what to do, in English.', Type.String()),
})

/** Warnings that the reply to an issued document carries beside the document. */
export const WarningsView = {
  warnings: Type.Array(Problem, {
    description:
      'Problems that did not stop the operation: characters that the PDF cannot show, and addresses that the new version was not sent to.',
  }),
}
export const toWarnings = (warnings: readonly Fault[]) => ({ warnings: warnings.map((warning) => ({ ...warning })) })

/** The reply to the validation of a draft, beside each form's own name for the result. */
export const ReadinessView = {
  problems: means('The reasons for which the tax authority would refuse the document.', List(Problem)),
  advice: Type.Array(Problem, {
    description:
      'Hints that stop nothing: rules of law that the tax authority does not check, likely mistakes, and characters that the PDF cannot show.',
  }),
  netMinor: means('The sum of the lines before tax, in minor units.', MinorUnits),
  taxMinor: means('The tax on the document, in minor units.', MinorUnits),
  payableMinor: means('The total of the document with tax, in minor units.', MinorUnits),
  homeTax: PlannedHomeTax,
}
export const toReadiness = ({
  invoice,
  problems,
  advice,
}: Awaited<ReturnType<typeof invoiceOperations.validateInvoice.body>>) => ({
  problems: problems.map((problem) => ({ ...problem })),
  advice: advice.map((one) => ({ ...one })),
  netMinor: Number(invoice.netMinor),
  taxMinor: Number(invoice.taxMinor),
  payableMinor: Number(invoice.payableMinor),
  homeTax: toHomeTax(invoice.homeTax),
})

/** The filters of the list that both forms have. */
export const SharedFilters = {
  currency: Type.Optional(means('Only documents in this currency (ISO 4217).', OneLine(3, 3))),
  sellerId: Type.Optional(means('Only documents of the seller with this id.', Uuid)),
  buyerId: Type.Optional(means('Only documents for the buyer with this id.', Uuid)),
  invoiceDateFrom: Type.Optional(means('Only documents issued on this day or later.', Day)),
  invoiceDateTo: Type.Optional(means('Only documents issued on this day or earlier.', Day)),
  age: Type.Optional(
    means(
      `Only documents with an amount due, by the days since the due date. ${meaningOf.receivableAges} A document with instalments has each of their ages.`,
      OneOf(...receivableAges),
    ),
  ),
  amountDue: Type.Optional(
    means(
      '`true`: only documents with an amount due, also partly paid ones. `false`: only those without, such as drafts and credit notes.',
      Type.Boolean(),
    ),
  ),
  counted: Type.Optional(
    means(
      '`true`: only documents that count in turnover and tax, as in the overview. `false`: only drafts and rejected documents.',
      Type.Boolean(),
    ),
  ),
  reportDueTo: Type.Optional(
    means('Only documents that are not reported and whose deadline is at this time or earlier.', Instant),
  ),
  originalInvoiceId: Type.Optional(means('Only notes that correct the invoice with this id.', Uuid)),
  search: Type.Optional(
    means(
      'Only documents whose number or IRN starts with this text, or whose buyer has it in the name or tax number. Case does not matter.',
      OneLine(0, 100),
    ),
  ),
}

export const SortFields = {
  sortBy: Type.Optional(
    means(
      'The field to sort by. The default is `createdAt`. `dueDate`: by the next due date, if there are instalments.',
      OneOf('createdAt', 'invoiceDate', 'invoiceNumber', 'payableMinor', 'dueDate', 'taxMinor'),
    ),
  ),
  sortOrder: Type.Optional(
    means('`ASC`: smallest or oldest first. `DESC`, the default: largest or newest first.', OneOf('ASC', 'DESC')),
  ),
}

/** The API names of list filters, for faults that the core reports. */
export const filterNames = { issueDateFrom: 'invoiceDateFrom' }
/** The API names of fields that forbid reopening. */
export const reopenNames = { authorityReference: 'irn' }
