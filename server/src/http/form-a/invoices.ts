import Type, { type Static } from 'typebox'
import type { Decimal } from '../../kernel/decimal.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { Invoice, InvoiceId, InvoicePayment } from '../../modules/invoices/index.ts'
import { itemTypes } from '../../modules/items/index.ts'
import { describeRoute, type Moment } from '../definitions/describe-route.ts'
import {
  Day,
  Fields,
  Instant,
  List,
  Maybe,
  MinorUnits,
  means,
  Named,
  OneOf,
  Prose,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { invoiceRoutes as routes } from '../routes/invoices.ts'
import { Amount, decimalFrom, decimalOrUndefined, paidMoney } from '../shared/amounts.ts'
import { checkLines, toLine } from '../shared/draft-lines.ts'
import { statisticsRoute } from '../shared/invoice-statistics.ts'
import {
  ById,
  DeletedView,
  DownloadQuery,
  DownloadView,
  filterNames,
  idOf,
  invoiceBodyLimit,
  PaymentView,
  ReadinessView,
  reopenNames,
  toDeleted,
  toDownload,
  toPayment,
  toReadiness,
  toWarnings,
  WarningsView,
} from '../shared/invoices.ts'
import { wholePage } from '../shared/parties.ts'
import { toChange, toDraft } from './invoice-drafts.ts'
import {
  checkDraft,
  InvoiceChange,
  InvoiceView,
  Lines,
  NewInvoice,
  SummaryView,
  toSummary,
  toView,
} from './invoice-fields.ts'
import { ListQuery, toListRequest } from './invoice-list.ts'

/** A credit note is for lines or for an amount. Without both, it credits the rest of the invoice. */
const linesOrAmount = (body: unknown): Fault[] =>
  typeof body === 'object' && body !== null && 'lineItems' in body && 'amount' in body
    ? [{ path: 'amount', rule: 'unwanted', message: 'must be left out if lineItems is sent' }]
    : []

const toPaymentReply = (
  { payment, invoice }: { payment: InvoicePayment; invoice: Invoice },
  moment: Moment,
): Static<typeof PaymentReply> => {
  const summary = toSummary(invoice, moment)
  return { payment: toPayment(payment), paidMinor: summary.paidMinor, dueMinor: summary.dueMinor, invoice: summary }
}

const ofInvoice = { params: ById, reply: InvoiceView, encode: toView } as const
const versionOf = ({ version }: { version: number }) => version
const locationOf = ({ id }: { id: string }) => `/i/v1/invoices/${id}`

const PaymentReply = Named('RecordedPayment', {
  payment: means('The payment that was recorded or reversed.', PaymentView),
  paidMinor: means('The sum of the recorded payments on the invoice, in minor units.', MinorUnits),
  dueMinor: means('The amount still to be paid on the invoice, in minor units.', MinorUnits),
  invoice: means('The invoice after the change, without its lines.', SummaryView),
})

export const invoices = {
  list: describeRoute(routes.list, {
    status: 200,
    query: ListQuery,
    reply: List(SummaryView),
    decode: ({ query }) => toListRequest(query),
    encode: ({ rows }, moment) => rows.map((row) => toSummary(row, moment)),
    pagination: (page) => page,
    fieldNames: filterNames,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    body: NewInvoice,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    reply: InvoiceView,
    decode: ({ body }) => toDraft(body),
    encode: toView,
    location: locationOf,
    version: versionOf,
  }),
  validate: describeRoute(routes.validate, {
    status: 200,
    body: NewInvoice,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    reply: Named('Readiness', {
      ready: means('Whether the tax authority would accept the document.', Type.Boolean()),
      ...ReadinessView,
    }),
    decode: ({ body }) => toDraft(body),
    encode: (report) => ({ ready: report.problems.length === 0, ...toReadiness(report) }),
  }),
  getStatistics: statisticsRoute((status) => status),
  listUsedCodes: describeRoute(routes.listUsedCodes, {
    status: 200,
    query: Fields({
      type: means('`goods`: product codes. `service`: service codes.', OneOf(...itemTypes)),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'The maximum number of codes.' }),
      ),
    }),
    reply: List(
      Named('UsedCode', {
        code: means('The product code or service code.', Type.String()),
        description: means(
          'The name of the code in its code list. Null if it is not on the list.',
          Maybe(Type.String()),
        ),
        useCount: means('The number of your invoice lines with this code.', Type.Integer()),
        lastUsedAt: means('When a line with this code was last saved.', Instant),
      }),
    ),
    decode: ({ query }) => ({ type: query.type, limit: query.limit ?? 20 }),
    encode: (codes) =>
      codes.map(({ code, description, uses, lastUsedAt }) => ({
        code,
        description,
        useCount: Number(uses),
        lastUsedAt: lastUsedAt.toISOString(),
      })),
    pagination: wholePage,
  }),
  get: describeRoute(routes.get, { ...ofInvoice, status: 200, decode: idOf, version: versionOf }),
  update: describeRoute(routes.update, {
    ...ofInvoice,
    status: 200,
    body: InvoiceChange,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    readsIfMatch: true,
    decode: ({ params, body, expectedVersion }) => ({
      id: params.id as InvoiceId,
      change: toChange(body),
      expectedVersion,
    }),
    version: versionOf,
  }),
  delete: describeRoute(routes.delete, {
    status: 200,
    params: ById,
    reply: DeletedView,
    decode: idOf,
    encode: toDeleted,
  }),
  finalise: describeRoute(routes.finalise, {
    status: 200,
    params: ById,
    reply: Named('FinalisedInvoice', { ...InvoiceView.properties, ...WarningsView }),
    decode: idOf,
    encode: (invoice, moment) => ({ ...toView(invoice, moment), ...toWarnings(invoice.warnings) }),
    version: versionOf,
  }),
  reopen: describeRoute(routes.reopen, {
    ...ofInvoice,
    status: 200,
    fieldNames: reopenNames,
    decode: idOf,
    version: versionOf,
  }),
  send: describeRoute(routes.send, { ...ofInvoice, status: 200, decode: idOf, version: versionOf }),
  remind: describeRoute(routes.remind, { ...ofInvoice, status: 200, decode: idOf, version: versionOf }),
  share: describeRoute(routes.share, {
    status: 201,
    params: ById,
    reply: Named('SharedInvoice', {
      id: means('The id of the shared document.', Uuid),
      url: means('The address of the public page of the document.', Type.String()),
      sharedAt: means('When the public link was created.', Instant),
    }),
    decode: idOf,
    encode: ({ id, url, sharedAt }) => ({ id, url, sharedAt: sharedAt.toISOString() }),
    location: locationOf,
  }),
  unshare: describeRoute(routes.unshare, {
    status: 200,
    params: ById,
    reply: Fields({
      id: means('The id of the document.', Uuid),
      shared: means('Always `false`: the public link no longer works.', Type.Literal(false)),
    }),
    decode: idOf,
    encode: ({ id }) => ({ id, shared: false as const }),
  }),
  download: describeRoute(routes.download, {
    status: 200,
    params: ById,
    query: DownloadQuery,
    reply: DownloadView,
    decode: ({ params, query }) => ({ id: params.id as InvoiceId, format: query.format ?? 'pdf' }),
    encode: toDownload,
  }),
  createCreditNote: describeRoute(routes.createCreditNote, {
    ...ofInvoice,
    status: 201,
    body: Named('NewCreditNote', {
      reason: means('Why the invoice is corrected. Printed on the credit note.', Prose(1, 500)),
      lineItems: Type.Optional(means('The lines to credit. Must be left out if `amount` is sent.', Lines)),
      amount: Type.Optional(
        means(
          'The amount to credit with tax, in major units such as dollars. Must be left out if `lineItems` is sent. Without both, the rest of the invoice is credited.',
          Amount,
        ),
      ),
    }),
    bodyLimit: invoiceBodyLimit,
    checkBody: (body) => [...checkLines({ amount: paidMoney })(body), ...linesOrAmount(body)],
    decode: ({ params, body }) => ({
      originalId: params.id as InvoiceId,
      reason: body.reason,
      lines: body.lineItems?.map(toLine),
      amount: decimalOrUndefined(body.amount),
    }),
    location: locationOf,
    version: versionOf,
  }),
  createDebitNote: describeRoute(routes.createDebitNote, {
    ...ofInvoice,
    status: 201,
    body: Named('NewDebitNote', {
      reason: means('Why the invoice is corrected. Printed on the debit note.', Prose(1, 500)),
      lineItems: means('The lines to charge in addition to the invoice.', Lines),
    }),
    bodyLimit: invoiceBodyLimit,
    checkBody: checkLines({}),
    decode: ({ params, body }) => ({
      originalId: params.id as InvoiceId,
      reason: body.reason,
      lines: body.lineItems.map(toLine),
    }),
    location: locationOf,
    version: versionOf,
  }),
  recordPayment: describeRoute(routes.recordPayment, {
    status: 201,
    params: ById,
    body: Named('NewPayment', {
      amount: means('The amount paid, in major units such as dollars. At most the amount due.', Amount),
      paidOn: means('The day on which the buyer paid.', Day),
      method: Type.Optional(means('How the buyer paid, such as `bank transfer`.', Maybe(Text(1, 50)))),
      reference: Type.Optional(means('A reference of the payment, such as that of the bank.', Maybe(Text(1, 100)))),
    }),
    checkBody: checkLines({ amount: paidMoney }),
    reply: PaymentReply,
    decode: ({ params, body }) => ({
      id: params.id as InvoiceId,
      amount: decimalFrom(body.amount) as Decimal,
      paidOn: body.paidOn,
      method: body.method ?? null,
      reference: body.reference ?? null,
    }),
    encode: toPaymentReply,
    location: ({ invoice }) => `${locationOf(invoice)}/payments`,
  }),
  listPayments: describeRoute(routes.listPayments, {
    status: 200,
    params: ById,
    reply: List(PaymentView),
    decode: idOf,
    encode: (payments) => payments.map(toPayment),
    pagination: wholePage,
  }),
  reversePayment: describeRoute(routes.reversePayment, {
    status: 200,
    params: Fields({ ...ById.properties, paymentId: means('The id of the payment.', Uuid) }),
    reply: PaymentReply,
    decode: ({ params }) => ({ id: params.id as InvoiceId, paymentId: params.paymentId as InvoicePayment['id'] }),
    encode: toPaymentReply,
  }),
}
