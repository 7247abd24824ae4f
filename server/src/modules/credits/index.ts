export { changeOfBalance, type MoveType, moveTypes } from './books.ts'
export {
  captureHolds,
  charging,
  chargingSeveral,
  enteringCharges,
  findBooks,
  fundsFor,
  listSandboxesBelow,
  lockBooks,
  openBooks,
  type StoredBooks,
  saveLowBalanceThreshold,
  settingAside,
} from './credits.store.ts'
export { capture, charge, hold, issue, release, revoke } from './ledger.ts'
export * as ledgerEntries from './ledger-entries.store.ts'
