/** Values and types for the outer layer: schemas, pages and demo data. */
export { invoicedMinorOf, openDepositOf } from './convert-quote.ts'
export type { SharedQuote } from './open-shared-quote.ts'
export * from './quote.ts'
export { deleteQuoteShares } from './quote-shares.store.ts'
export { quoteStatuses } from './quote-status.ts'
