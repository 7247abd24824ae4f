/** For modules that act on documents one by one: the lookups, and operations of a single document. */
export { deleteDraft } from './drafts/update-draft.ts'
export { emitInvoiceEvent } from './invoice-events.ts'
export { addressOfBuyer, canBeShown, saveReminded, sendInvoice, sendToBuyer } from './life/send-invoice.ts'
export type { InvoiceFilter } from './listing/invoice-filter.ts'
export { listInvoices } from './listing/list-invoices.ts'
export { findNumbers } from './numbers-by-id.store.ts'
