import Type, { type Static } from 'typebox'
import type { BuyerId } from '../../modules/buyers/index.ts'
import {
  declaredPaymentStatuses,
  deliveries,
  invoiceStatuses,
  reportings,
  simpleStatuses,
} from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import { invoiceSorts, NotesOf } from '../both/invoices.ts'
import { Day, Fields, Instant, OneOf, PageQuery, pageFrom, Text, Uuid } from '../fields.ts'

export const ListQuery = Fields({
  ...PageQuery(),
  status: Type.Optional(OneOf(...invoiceStatuses)),
  invoiceType: Type.Optional(OneOf('standard', 'credit_note', 'debit_note')),
  paymentStatus: Type.Optional(OneOf(...declaredPaymentStatuses)),
  currency: Type.Optional(Text(3, 3)),
  buyerId: Type.Optional(Uuid),
  sellerId: Type.Optional(Uuid),
  createdBy: Type.Optional(Uuid),
  createdByType: Type.Optional(OneOf('user', 'api_key', 'service', 'system')),
  invoiceDateFrom: Type.Optional(Day),
  invoiceDateTo: Type.Optional(Day),
  dueDateFrom: Type.Optional(Day),
  dueDateTo: Type.Optional(Day),
  createdAtFrom: Type.Optional(Instant),
  createdAtTo: Type.Optional(Instant),
  search: Type.Optional(Text(0, 100)),
  simpleStatus: Type.Optional(OneOf(...simpleStatuses)),
  reporting: Type.Optional(OneOf(...reportings)),
  delivery: Type.Optional(OneOf(...deliveries)),
  credited: Type.Optional(Type.Boolean()),
  refundOwed: Type.Optional(Type.Boolean()),
  overdue: Type.Optional(OneOf('true')),
  reportDueTo: Type.Optional(Instant),
  originalInvoiceId: Type.Optional(NotesOf),
  amountFromMinor: Type.Optional(Type.Integer({ minimum: 0 })),
  amountToMinor: Type.Optional(Type.Integer({ minimum: 0 })),
  sortBy: Type.Optional(OneOf('createdAt', 'invoiceDate', 'invoiceNumber', 'payableMinor', 'dueDate', 'taxMinor')),
  sortOrder: Type.Optional(OneOf('ASC', 'DESC')),
})

const instantFrom = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))
const minorOf = (amount: number | undefined): bigint | undefined => (amount === undefined ? undefined : BigInt(amount))

export const toListRequest = (query: Static<typeof ListQuery>) => ({
  filter: {
    status: query.status && [query.status],
    type: query.invoiceType,
    paymentStatus: query.paymentStatus,
    currency: query.currency,
    buyerId: query.buyerId as BuyerId | undefined,
    sellerId: query.sellerId as SellerId | undefined,
    createdBy: query.createdBy,
    createdByType: query.createdByType,
    issueDateFrom: query.invoiceDateFrom,
    issueDateTo: query.invoiceDateTo,
    dueDateFrom: query.dueDateFrom,
    dueDateTo: query.dueDateTo,
    createdAtFrom: instantFrom(query.createdAtFrom),
    createdAtTo: instantFrom(query.createdAtTo),
    search: query.search,
    simpleStatus: query.simpleStatus,
    reporting: query.reporting,
    delivery: query.delivery,
    credited: query.credited,
    refundOwed: query.refundOwed,
    overdue: query.overdue === undefined ? undefined : (true as const),
    reportDueTo: instantFrom(query.reportDueTo),
    originalId: query.originalInvoiceId,
    amountFromMinor: minorOf(query.amountFromMinor),
    amountToMinor: minorOf(query.amountToMinor),
  },
  sort: { by: invoiceSorts[query.sortBy ?? 'createdAt'], descending: query.sortOrder !== 'ASC' },
  page: pageFrom(query),
})
