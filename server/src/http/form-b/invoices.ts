import Type from 'typebox'
import type { BuyerId } from '../../modules/buyers/index.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import { List, means, Named } from '../definitions/fields.ts'
import { invoiceRoutes as routes } from '../routes/invoices.ts'
import { decimalOrNull } from '../shared/amounts.ts'
import { toInstalments } from '../shared/instalments.ts'
import { statisticsRoute } from '../shared/invoice-statistics.ts'
import {
  ById,
  DeletedView,
  DownloadQuery,
  DownloadView,
  filterNames,
  idOf,
  invoiceBodyLimit,
  ReadinessView,
  reopenNames,
  toDeleted,
  toDownload,
  toReadiness,
  toWarnings,
  WarningsView,
} from '../shared/invoices.ts'
import { sentFields } from '../shared/written-fields.ts'
import {
  checkDraft,
  declared,
  InvoiceChange,
  InvoiceView,
  NewInvoice,
  SummaryView,
  statusHere,
  toDraft,
  toLine,
  toSummary,
  toView,
} from './invoice-fields.ts'
import { ListQuery, toListRequest } from './invoice-list.ts'

const ofInvoice = { status: 200, params: ById, reply: InvoiceView, encode: toView } as const
const versionOf = ({ version }: { version: number }) => version

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
    location: ({ id }) => `/i/v1/invoices/${id}`,
    version: versionOf,
  }),
  validate: describeRoute(routes.validate, {
    status: 200,
    body: NewInvoice,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    reply: Named('Readiness', {
      valid: means('Whether the tax authority would accept the document.', Type.Boolean()),
      ...ReadinessView,
    }),
    decode: ({ body }) => toDraft(body),
    encode: (report) => ({ valid: report.problems.length === 0, ...toReadiness(report) }),
  }),
  getStatistics: statisticsRoute((status) => statusHere[status]),
  listUsedCodes: elsewhere,
  get: describeRoute(routes.get, { ...ofInvoice, decode: idOf, version: versionOf }),
  update: describeRoute(routes.update, {
    ...ofInvoice,
    body: InvoiceChange,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    readsIfMatch: true,
    decode: ({ params, body: { lineItems, ...body }, expectedVersion }) => ({
      id: params.id as InvoiceId,
      change: {
        buyerId: body.buyerId as BuyerId | undefined,
        isBuyerFixed: true as const,
        kindFollowsBuyer: true as const,
        issueDate: body.invoiceDate,
        dueDate: body.dueDate,
        instalments: toInstalments(body.instalments),
        exchangeRate: decimalOrNull(body.exchangeRate),
        supplyDate: body.supplyDate,
        currency: body.currency,
        lines: lineItems?.map(toLine),
        allowance: decimalOrNull(body.allowanceAmount),
        charge: decimalOrNull(body.chargeAmount),
        declaredPaymentStatus: declared(body.paymentStatus),
        ...sentFields(body),
      },
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
  send: describeRoute(routes.send, { ...ofInvoice, decode: idOf, version: versionOf }),
  remind: describeRoute(routes.remind, { ...ofInvoice, decode: idOf, version: versionOf }),
  download: describeRoute(routes.download, {
    status: 200,
    params: ById,
    query: DownloadQuery,
    reply: DownloadView,
    decode: ({ params, query }) => ({
      id: params.id as InvoiceId,
      format: query.format ?? 'pdf',
      acceptedOnly: true as const,
    }),
    encode: toDownload,
  }),
  reopen: describeRoute(routes.reopen, { ...ofInvoice, fieldNames: reopenNames, decode: idOf, version: versionOf }),
  share: elsewhere,
  unshare: elsewhere,
  createCreditNote: elsewhere,
  createDebitNote: elsewhere,
  recordPayment: elsewhere,
  listPayments: elsewhere,
  reversePayment: elsewhere,
}
