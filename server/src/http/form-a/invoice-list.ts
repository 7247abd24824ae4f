import Type, { type Static } from 'typebox'
import type { BuyerId } from '../../modules/buyers/index.ts'
import { declaredPaymentStatuses, derivedStatuses, invoiceStatuses } from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import { Day, Fields, Instant, means, Named, OneOf, PageQuery, pageFrom, Uuid } from '../definitions/fields.ts'
import { deliveryFrom, wireDeliveries } from '../shared/contract-words.ts'
import { invoiceSorts, SharedFilters, SortFields } from '../shared/invoices.ts'

const filters = {
  ...SharedFilters,
  status: Type.Optional(
    means('Only documents with this status. `Invoice.status` explains the values.', OneOf(...invoiceStatuses)),
  ),
  invoiceType: Type.Optional(
    means(
      'Only documents of this type. `InvoiceType` explains the values.',
      OneOf('standard', 'credit_note', 'debit_note'),
    ),
  ),
  paymentStatus: Type.Optional(
    means(
      'Only documents with this payment status. `Invoice.paymentStatus` explains the values.',
      OneOf(...declaredPaymentStatuses),
    ),
  ),
  createdBy: Type.Optional(means('Only documents created by the user or API key with this id.', Uuid)),
  createdByType: Type.Optional(
    means(
      'Only documents created by this type of actor. `Actor.type` explains the values.',
      OneOf('user', 'api_key', 'service', 'system'),
    ),
  ),
  dueDateFrom: Type.Optional(
    means('Only documents due on this day or later: with instalments, by the next due date.', Day),
  ),
  dueDateTo: Type.Optional(
    means('Only documents due on this day or earlier: with instalments, by the next due date.', Day),
  ),
  createdAtFrom: Type.Optional(means('Only documents created at this time or later.', Instant)),
  createdAtTo: Type.Optional(means('Only documents created before this time.', Instant)),
  simpleStatus: Type.Optional(
    means(
      'Only documents with this `simpleStatus`. `Invoice.simpleStatus` explains the values.',
      OneOf(...derivedStatuses.simpleStatuses),
    ),
  ),
  reporting: Type.Optional(
    means(
      'Only documents with this `reporting.status`. `Reporting.status` explains the values.',
      OneOf(...derivedStatuses.reportings),
    ),
  ),
  delivery: Type.Optional(
    means(
      'Only documents with this `reporting.delivery`. `Reporting.delivery` explains the values.',
      OneOf(...wireDeliveries),
    ),
  ),
  credited: Type.Optional(means('`true`: only invoices with credit notes. `false`: only without.', Type.Boolean())),
  refundOwed: Type.Optional(means('`true`: only invoices with a refund owed. `false`: only without.', Type.Boolean())),
  amountFromMinor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only documents with a total of at least this amount, in minor units.',
    }),
  ),
  amountToMinor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only documents with a total of at most this amount, in minor units.',
    }),
  ),
}
const overdue = '`true`: only documents that are overdue.'

export const ListQuery = Fields({
  ...PageQuery(),
  ...filters,
  overdue: Type.Optional(means(overdue, OneOf('true'))),
  ...SortFields,
})
/** The filters of the list in the body of a bulk job. */
export const BulkFilter = Named('BulkFilter', {
  ...filters,
  overdue: Type.Optional(means(overdue, Type.Literal(true))),
})

const instantFrom = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))
const minorOf = (amount: number | undefined): bigint | undefined => (amount === undefined ? undefined : BigInt(amount))

type SentFilter = Omit<Static<typeof BulkFilter>, 'overdue'> & { readonly overdue?: 'true' | true }

const toFilter = (sent: SentFilter) => ({
  status: sent.status && [sent.status],
  type: sent.invoiceType,
  paymentStatus: sent.paymentStatus,
  currency: sent.currency,
  buyerId: sent.buyerId as BuyerId | undefined,
  sellerId: sent.sellerId as SellerId | undefined,
  createdBy: sent.createdBy,
  createdByType: sent.createdByType,
  issueDateFrom: sent.invoiceDateFrom,
  issueDateTo: sent.invoiceDateTo,
  dueDateFrom: sent.dueDateFrom,
  dueDateTo: sent.dueDateTo,
  createdAtFrom: instantFrom(sent.createdAtFrom),
  createdAtTo: instantFrom(sent.createdAtTo),
  search: sent.search,
  simpleStatus: sent.simpleStatus,
  reporting: sent.reporting,
  delivery: sent.delivery && deliveryFrom(sent.delivery),
  credited: sent.credited,
  refundOwed: sent.refundOwed,
  overdue: sent.overdue === undefined ? undefined : (true as const),
  age: sent.age,
  amountDue: sent.amountDue,
  counted: sent.counted,
  reportDueTo: instantFrom(sent.reportDueTo),
  originalId: sent.originalInvoiceId,
  amountFromMinor: minorOf(sent.amountFromMinor),
  amountToMinor: minorOf(sent.amountToMinor),
})

export const toBulkFilter = (sent: Static<typeof BulkFilter>) => toFilter(sent)

export const toListRequest = (query: Static<typeof ListQuery>) => ({
  filter: toFilter(query),
  sort: { by: invoiceSorts[query.sortBy ?? 'createdAt'], descending: query.sortOrder !== 'ASC' },
  page: pageFrom(query),
})
