import Type, { type Static } from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import { documentFormats } from '../../modules/documents/index.ts'
import type { Invoice, InvoiceId, InvoicePayment, InvoicePaymentId } from '../../modules/invoices/index.ts'
import { itemTypes } from '../../modules/items/index.ts'
import { Amount, minorFrom, paidMoney } from '../both/amounts.ts'
import {
  ById,
  DeletedView,
  DownloadView,
  filterNames,
  idOf,
  invoiceBodyLimit,
  PaymentView,
  ReadinessView,
  statisticsRoute,
  toDeleted,
  toDownload,
  toPayment,
  toReadiness,
  toWarnings,
  WarningsView,
} from '../both/invoices.ts'
import { wholePage } from '../both/parties.ts'
import { invoiceEndpoints as endpoints } from '../endpoints/invoices.ts'
import { Day, Fields, Instant, List, Maybe, MinorUnits, Named, OneOf, Prose, Text, Uuid } from '../fields.ts'
import { type Moment, speak } from '../speak.ts'
import { toChange, toDraft } from './invoice-drafts.ts'
import {
  checkDraft,
  checkNote,
  InvoiceChange,
  InvoiceView,
  Lines,
  NewInvoice,
  SummaryView,
  toLine,
  toSummary,
  toView,
} from './invoice-fields.ts'
import { ListQuery, toListRequest } from './invoice-list.ts'

/** A credit note is of lines or of an amount; of neither, it is of all that is left. */
const linesOrAmount = (body: unknown): Fault[] =>
  typeof body === 'object' && body !== null && 'lineItems' in body && 'amount' in body
    ? [{ path: 'amount', rule: 'unwanted', message: 'must be left out where lineItems are sent' }]
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
  payment: PaymentView,
  paidMinor: MinorUnits,
  dueMinor: MinorUnits,
  invoice: SummaryView,
})

export const invoices = {
  list: speak(endpoints.list, {
    status: 200,
    query: ListQuery,
    reply: List(SummaryView),
    decode: ({ query }) => toListRequest(query),
    encode: ({ rows }, moment) => rows.map((row) => toSummary(row, moment)),
    pagination: (page) => page,
    fieldNames: filterNames,
  }),
  create: speak(endpoints.create, {
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
  validate: speak(endpoints.validate, {
    status: 200,
    body: NewInvoice,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    reply: Named('Readiness', { ready: Type.Boolean(), ...ReadinessView }),
    decode: ({ body }) => toDraft(body),
    encode: (report) => ({ ready: report.problems.length === 0, ...toReadiness(report) }),
  }),
  getStatistics: statisticsRoute((status) => status),
  listUsedCodes: speak(endpoints.listUsedCodes, {
    status: 200,
    query: Fields({
      type: OneOf(...itemTypes),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    }),
    reply: List(
      Named('UsedCode', {
        code: Type.String(),
        description: Maybe(Type.String()),
        useCount: Type.Integer(),
        lastUsedAt: Instant,
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
  get: speak(endpoints.get, { ...ofInvoice, status: 200, decode: idOf, version: versionOf }),
  update: speak(endpoints.update, {
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
  delete: speak(endpoints.delete, { status: 200, params: ById, reply: DeletedView, decode: idOf, encode: toDeleted }),
  finalise: speak(endpoints.finalise, {
    status: 200,
    params: ById,
    reply: Named('FinalisedInvoice', { ...InvoiceView.properties, ...WarningsView }),
    decode: idOf,
    encode: (invoice, moment) => ({ ...toView(invoice, moment), ...toWarnings(invoice.warnings) }),
    version: versionOf,
  }),
  reopen: speak(endpoints.reopen, { ...ofInvoice, status: 200, decode: idOf, version: versionOf }),
  send: speak(endpoints.send, { ...ofInvoice, status: 200, decode: idOf, version: versionOf }),
  remind: speak(endpoints.remind, { ...ofInvoice, status: 200, decode: idOf, version: versionOf }),
  share: speak(endpoints.share, {
    status: 201,
    params: ById,
    reply: Named('SharedInvoice', { id: Uuid, url: Type.String(), sharedAt: Instant }),
    decode: idOf,
    encode: ({ id, url, sharedAt }) => ({ id, url, sharedAt: sharedAt.toISOString() }),
    location: locationOf,
  }),
  unshare: speak(endpoints.unshare, {
    status: 200,
    params: ById,
    reply: Fields({ id: Uuid, shared: Type.Literal(false) }),
    decode: idOf,
    encode: ({ id }) => ({ id, shared: false as const }),
  }),
  download: speak(endpoints.download, {
    status: 200,
    params: ById,
    query: Fields({ format: Type.Optional(OneOf(...documentFormats)) }),
    reply: DownloadView,
    decode: ({ params, query }) => ({ id: params.id as InvoiceId, format: query.format ?? 'pdf' }),
    encode: toDownload,
  }),
  createCreditNote: speak(endpoints.createCreditNote, {
    ...ofInvoice,
    status: 201,
    body: Named('NewCreditNote', {
      reason: Prose(1, 500),
      lineItems: Type.Optional(Lines),
      amount: Type.Optional(Amount),
    }),
    bodyLimit: invoiceBodyLimit,
    checkBody: (body) => [...checkNote({ amount: paidMoney })(body), ...linesOrAmount(body)],
    decode: ({ params, body }) => ({
      originalId: params.id as InvoiceId,
      reason: body.reason,
      lines: body.lineItems?.map(toLine),
      amountMinor: body.amount === undefined ? undefined : minorFrom(body.amount),
    }),
    location: locationOf,
    version: versionOf,
  }),
  createDebitNote: speak(endpoints.createDebitNote, {
    ...ofInvoice,
    status: 201,
    body: Named('NewDebitNote', { reason: Prose(1, 500), lineItems: Lines }),
    bodyLimit: invoiceBodyLimit,
    checkBody: checkNote({}),
    decode: ({ params, body }) => ({
      originalId: params.id as InvoiceId,
      reason: body.reason,
      lines: body.lineItems.map(toLine),
    }),
    location: locationOf,
    version: versionOf,
  }),
  recordPayment: speak(endpoints.recordPayment, {
    status: 201,
    params: ById,
    body: Named('NewPayment', {
      amount: Amount,
      paidOn: Day,
      method: Type.Optional(Maybe(Text(1, 50))),
      reference: Type.Optional(Maybe(Text(1, 100))),
    }),
    checkBody: checkNote({ amount: paidMoney }),
    reply: PaymentReply,
    decode: ({ params, body }) => ({
      id: params.id as InvoiceId,
      amountMinor: minorFrom(body.amount),
      paidOn: body.paidOn,
      method: body.method ?? null,
      reference: body.reference ?? null,
    }),
    encode: toPaymentReply,
    location: ({ invoice }) => `${locationOf(invoice)}/payments`,
  }),
  listPayments: speak(endpoints.listPayments, {
    status: 200,
    params: ById,
    reply: List(PaymentView),
    decode: idOf,
    encode: (payments) => payments.map(toPayment),
    pagination: wholePage,
  }),
  reversePayment: speak(endpoints.reversePayment, {
    status: 200,
    params: Fields({ id: Uuid, paymentId: Uuid }),
    reply: PaymentReply,
    decode: ({ params }) => ({ id: params.id as InvoiceId, paymentId: params.paymentId as InvoicePaymentId }),
    encode: toPaymentReply,
  }),
}
