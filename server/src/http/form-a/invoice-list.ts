import Type, { type Static } from 'typebox'
import type { BuyerId } from '../../modules/buyers/index.ts'
import { declaredPaymentStatuses, derivedStatuses, invoiceStatuses } from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import { Day, Fields, Instant, means, OneOf, PageQuery, pageFrom, Uuid } from '../kernel/fields.ts'
import { deliveryFrom, wireDeliveries } from '../shared/contract-words.ts'
import { invoiceSorts, SharedFilters, SortFields } from '../shared/invoices.ts'

export const ListQuery = Fields({
  ...PageQuery(),
  ...SharedFilters,
  status: Type.Optional(means('Only documents with this status.', OneOf(...invoiceStatuses))),
  invoiceType: Type.Optional(means('Only documents of this type.', OneOf('standard', 'credit_note', 'debit_note'))),
  paymentStatus: Type.Optional(means('Only documents with this payment status.', OneOf(...declaredPaymentStatuses))),
  createdBy: Type.Optional(means('Only documents created by the user or API key with this id.', Uuid)),
  createdByType: Type.Optional(
    means('Only documents created by this type of actor.', OneOf('user', 'api_key', 'service', 'system')),
  ),
  dueDateFrom: Type.Optional(means('Only documents due on this day or later.', Day)),
  dueDateTo: Type.Optional(means('Only documents due on this day or earlier.', Day)),
  createdAtFrom: Type.Optional(means('Only documents created at this time or later.', Instant)),
  createdAtTo: Type.Optional(means('Only documents created before this time.', Instant)),
  simpleStatus: Type.Optional(
    means('Only documents with this `simpleStatus`.', OneOf(...derivedStatuses.simpleStatuses)),
  ),
  reporting: Type.Optional(means('Only documents with this `reporting.status`.', OneOf(...derivedStatuses.reportings))),
  delivery: Type.Optional(means('Only documents with this `reporting.delivery`.', OneOf(...wireDeliveries))),
  credited: Type.Optional(means('`true`: only invoices with credit notes. `false`: only without.', Type.Boolean())),
  refundOwed: Type.Optional(means('`true`: only invoices with a refund owed. `false`: only without.', Type.Boolean())),
  overdue: Type.Optional(means('Only documents that are overdue.', OneOf('true'))),
  amountFromMinor: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only documents with a total of at least this amount, in minor units.' }),
  ),
  amountToMinor: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only documents with a total of at most this amount, in minor units.' }),
  ),
  ...SortFields,
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
    delivery: query.delivery && deliveryFrom(query.delivery),
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
