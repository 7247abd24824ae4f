export { changeOfBalance, type MoveType, moveTypes } from './books.ts'
export {
  charging,
  chargingSeveral,
  enteringCharges,
  findBooks,
  listSandboxesBelow,
  lockBooks,
  openBooks,
  type StoredBooks,
  saveLowBalanceThreshold,
} from './credits.store.ts'
export { captureHolds, fundsFor, settingAside } from './holds.store.ts'
export { issue, revoke } from './issuing.ts'
export { capture, charge, hold, release } from './ledger.ts'
export * as ledgerEntries from './ledger-entries.store.ts'
