export { changeOfBalance, type MoveType, moveTypes } from './credit-balances.ts'
export {
  charging,
  chargingSeveral,
  enteringCharges,
  findBalances,
  listSandboxesBelow,
  lockBalances,
  openBalances,
  type StoredBalances,
  saveLowBalanceThreshold,
} from './credits.store.ts'
export { captureHolds, fundsFor, settingAside } from './holds.store.ts'
export { issue, revoke } from './issuing.ts'
export { capture, charge, hold, release } from './ledger.ts'
export * as ledgerEntries from './ledger-entries.store.ts'
