import Type from 'typebox'
import { documentTypes } from '../../kernel/invoice-document.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import { documentFormats } from '../../modules/documents/index.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import { minorOrNull } from '../both/amounts.ts'
import {
  ById,
  DeletedView,
  DownloadView,
  filterNames,
  idOf,
  invoiceBodyLimit,
  invoiceSorts,
  NotesOf,
  ReadinessView,
  statisticsRoute,
  toDeleted,
  toDownload,
  toReadiness,
} from '../both/invoices.ts'
import { invoiceEndpoints as endpoints } from '../endpoints/invoices.ts'
import { Day, Fields, Instant, List, Named, OneOf, PageQuery, pageFrom, Text, Uuid } from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'
import {
  checkDraft,
  declared,
  InvoiceChange,
  InvoiceView,
  NewInvoice,
  paymentStatuses,
  SummaryView,
  statuses,
  statusesMeant,
  statusHere,
  toDraft,
  toLine,
  toSummary,
  toView,
} from './invoice-fields.ts'

const ofInvoice = { status: 200, params: ById, reply: InvoiceView, encode: toView } as const
const versionOf = ({ version }: { version: number }) => version

export const invoices = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(OneOf(...statuses)),
      invoiceType: Type.Optional(OneOf(...documentTypes)),
      paymentStatus: Type.Optional(OneOf(...paymentStatuses)),
      currency: Type.Optional(Text(3, 3)),
      sellerId: Type.Optional(Uuid),
      buyerId: Type.Optional(Uuid),
      invoiceDateFrom: Type.Optional(Day),
      invoiceDateTo: Type.Optional(Day),
      reportDueTo: Type.Optional(Instant),
      originalInvoiceId: Type.Optional(NotesOf),
      search: Type.Optional(Text(0, 100)),
      sortBy: Type.Optional(OneOf('createdAt', 'invoiceDate', 'invoiceNumber', 'payableMinor', 'dueDate', 'taxMinor')),
      sortOrder: Type.Optional(OneOf('ASC', 'DESC')),
    }),
    reply: List(SummaryView),
    decode: ({ query }) => ({
      filter: {
        status: query.status && statusesMeant(query.status),
        type: query.invoiceType,
        paymentStatus: query.paymentStatus,
        currency: query.currency,
        sellerId: query.sellerId as SellerId | undefined,
        buyerId: query.buyerId as BuyerId | undefined,
        issueDateFrom: query.invoiceDateFrom,
        issueDateTo: query.invoiceDateTo,
        reportDueTo: query.reportDueTo === undefined ? undefined : new Date(query.reportDueTo),
        originalId: query.originalInvoiceId,
        search: query.search,
      },
      sort: { by: invoiceSorts[query.sortBy ?? 'createdAt'], descending: query.sortOrder !== 'ASC' },
      page: pageFrom(query),
    }),
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
    location: ({ id }) => `/i/v1/invoices/${id}`,
    version: versionOf,
  }),
  validate: speak(endpoints.validate, {
    status: 200,
    body: NewInvoice,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    reply: Named('Readiness', { valid: Type.Boolean(), ...ReadinessView }),
    decode: ({ body }) => toDraft(body),
    encode: (report) => ({ valid: report.problems.length === 0, ...toReadiness(report) }),
  }),
  getStatistics: statisticsRoute((status) => statusHere[status]),
  listUsedCodes: elsewhere,
  get: speak(endpoints.get, { ...ofInvoice, decode: idOf, version: versionOf }),
  update: speak(endpoints.update, {
    ...ofInvoice,
    body: InvoiceChange,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    readsIfMatch: true,
    decode: ({ params, body: { lineItems, ...body }, expectedVersion }) => ({
      id: params.id as InvoiceId,
      change: {
        issueDate: body.invoiceDate,
        dueDate: body.dueDate,
        supplyDate: body.supplyDate,
        currency: body.currency,
        lines: lineItems?.map(toLine),
        allowanceMinor: minorOrNull(body.allowanceAmount),
        chargeMinor: minorOrNull(body.chargeAmount),
        declaredPaymentStatus: declared(body.paymentStatus),
        ...(body.paymentTerms === undefined ? {} : { paymentTerms: body.paymentTerms }),
        ...(body.notes === undefined ? {} : { notes: body.notes }),
      },
      expectedVersion,
    }),
    version: versionOf,
  }),
  delete: speak(endpoints.delete, { status: 200, params: ById, reply: DeletedView, decode: idOf, encode: toDeleted }),
  finalise: speak(endpoints.finalise, { ...ofInvoice, decode: idOf, version: versionOf }),
  send: speak(endpoints.send, { ...ofInvoice, decode: idOf, version: versionOf }),
  remind: speak(endpoints.remind, { ...ofInvoice, decode: idOf, version: versionOf }),
  download: speak(endpoints.download, {
    status: 200,
    params: ById,
    query: Fields({ format: Type.Optional(OneOf(...documentFormats)) }),
    reply: DownloadView,
    decode: ({ params, query }) => ({
      id: params.id as InvoiceId,
      format: query.format ?? 'pdf',
      acceptedOnly: true as const,
    }),
    encode: toDownload,
  }),
  reopen: elsewhere,
  share: elsewhere,
  unshare: elsewhere,
  createCreditNote: elsewhere,
  createDebitNote: elsewhere,
  recordPayment: elsewhere,
  listPayments: elsewhere,
  reversePayment: elsewhere,
}
