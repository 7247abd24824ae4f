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
export { capture, charge, hold, issue, refund, release, revoke } from './ledger.ts'
export {
  findBalanceBefore,
  type LedgerEntry,
  listEntries,
  listEntriesWithin,
  listUsage,
  type Span,
  sumIncoming,
  type UsageRow,
} from './ledger-entries.store.ts'
export type { LedgerContext } from './make-move.ts'
