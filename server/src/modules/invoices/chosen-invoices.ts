/** For modules that act on documents that a person chose, by their ids or by a filter. */
export type { InvoiceFilter } from './listing/invoice-filter.ts'
export { listInvoices } from './listing/list-invoices.ts'
export { findNumbers } from './numbers-by-id.store.ts'
