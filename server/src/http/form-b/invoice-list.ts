import Type, { type Static } from 'typebox'
import { documentTypes } from '../../kernel/invoice-document.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import { Fields, means, Named, OneOf, PageQuery, pageFrom } from '../definitions/fields.ts'
import { invoiceSorts, SharedFilters, SortFields } from '../shared/invoices.ts'
import { paymentStatuses, statuses, statusesMeant } from './invoice-fields.ts'

const filters = {
  status: Type.Optional(
    means('Only documents with this status. `Invoice.status` explains the values.', OneOf(...statuses)),
  ),
  invoiceType: Type.Optional(
    means('Only documents of this type. `InvoiceType` explains the values.', OneOf(...documentTypes)),
  ),
  paymentStatus: Type.Optional(
    means(
      'Only documents with this payment status. `Invoice.paymentStatus` explains the values.',
      OneOf(...paymentStatuses),
    ),
  ),
  ...SharedFilters,
}
export const ListQuery = Fields({ ...PageQuery(), ...filters, ...SortFields })
/** The filters of the list in the body of a bulk job. */
export const BulkFilter = Named('BulkFilter', filters)

export const toFilter = (sent: Static<typeof BulkFilter>) => ({
  status: sent.status && statusesMeant(sent.status),
  type: sent.invoiceType,
  paymentStatus: sent.paymentStatus,
  currency: sent.currency,
  sellerId: sent.sellerId as SellerId | undefined,
  buyerId: sent.buyerId as BuyerId | undefined,
  issueDateFrom: sent.invoiceDateFrom,
  issueDateTo: sent.invoiceDateTo,
  age: sent.age,
  amountDue: sent.amountDue,
  counted: sent.counted,
  reportDueTo: sent.reportDueTo === undefined ? undefined : new Date(sent.reportDueTo),
  originalId: sent.originalInvoiceId,
  search: sent.search,
})

export const toListRequest = (query: Static<typeof ListQuery>) => ({
  filter: toFilter(query),
  sort: { by: invoiceSorts[query.sortBy ?? 'createdAt'], descending: query.sortOrder !== 'ASC' },
  page: pageFrom(query),
})
