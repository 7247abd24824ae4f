export { background } from './background.ts'
export type { InvoiceChange } from './change-invoices.store.ts'
export { creditsTheRest } from './crediting/fitted-to-rest.ts'
export * as derivedStatuses from './derived-statuses.ts'
export { documentOf } from './document.ts'
export { createInvoice } from './drafts/create-invoice.ts'
export type { DraftInput, LineInput } from './drafts/draft.ts'
export type { ReadinessReport } from './drafts/validate-invoice.ts'
export {
  type Delivery,
  declaredPaymentStatuses,
  type Invoice,
  type InvoiceId,
  type InvoiceLine,
  type InvoiceSummary,
  type PaymentStatus,
} from './invoice.ts'
export { findingTogether, listOpenNotes } from './invoices.store.ts'
export { finaliseInTransaction, finaliseInvoice } from './life/finalise-invoice.ts'
export { type InvoiceMoves, moveInvoices, queuedInvoice } from './life/move-invoices.ts'
export { queueInvoices } from './life/queue-invoices.store.ts'
export { canReopen, reopenInTransaction } from './life/reopen-invoice.ts'
export { countReportsDue } from './life/report-deadlines.store.ts'
export { linkForBuyer } from './life/share-invoice.ts'
export { stampInvoices } from './life/stamp-invoices.ts'
export { type MonthRow, type StatisticsRow, sumByAge, sumByMonth } from './listing/statistics.store.ts'
export { type Turnover, turnoverOf } from './listing/turnover.ts'
export { type LockedInvoice, lockOwnInvoice } from './lock-invoice.ts'
export * as manyInvoices from './many-invoices.ts'
export { createCreditNote } from './notes/notes.ts'
export * as invoiceOperations from './operations.ts'
export { listOpenInvoices } from './payments/collected-payments.store.ts'
export * as collectedPayments from './payments/collected-payments.ts'
export type { InvoicePayment, InvoicePaymentId } from './payments/payment.ts'
export { listCreditPayments } from './payments/payments.store.ts'
export { getInvoiceStatus, getOwnInvoice, readDocument } from './read-invoices.ts'
export { isReportLate } from './report-deadlines.ts'
export { deleteShares, findSharedByToken } from './shares.store.ts'
export { type InvoiceMove, type InvoiceStatus, invoiceStatuses } from './status-moves.ts'
