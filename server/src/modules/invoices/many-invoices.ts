/** For modules that act on many documents: the lookups, and operations of a single document. */
export { deleteDraft } from './drafts/update-draft.ts'
export { remindBuyer, sendInvoice } from './life/send-invoice.ts'
export type { InvoiceFilter } from './listing/invoice-filter.ts'
export { listInvoices } from './listing/list-invoices.ts'
export { findNumbers } from './numbers-by-id.store.ts'
