export { type InvoiceMove, type InvoiceStatus, invoiceMoves, invoiceStatuses, isIssued, statusAfter } from './life.ts'
export { type DocumentAmounts, faultsOf, type LineAmounts, type TaxGroup, type Totals, totalsOf } from './totals.ts'
