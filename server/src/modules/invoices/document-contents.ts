/** What an invoice contains, for other modules: for documents with the same contents, such as quotes, and for the authority. */
export { percentOf, type TaxGroup } from './amounts/totals.ts'
export { buyerParty, documentOf, sellerParty } from './document.ts'
export { composeDraft } from './drafts/compose-draft.ts'
export type { InvoiceLine } from './invoice.ts'
export { takeNextNumber } from './numbers.store.ts'
export {
  lineFrom,
  type StoredLine,
  type StoredTaxGroup,
  storedLine,
  storedTaxGroup,
  taxGroupFrom,
} from './stored-lines.ts'
