export { type BillableAction, costs } from './costs.ts'
export { findBooks, openBooks } from './credits.store.ts'
export { capture, charge, hold, issue, refund, release, revoke } from './ledger.ts'
