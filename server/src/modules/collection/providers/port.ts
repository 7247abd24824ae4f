/** What a client of a provider of virtual accounts implements and uses. */
export type {
  AccountOrder,
  CollectionNotification,
  CollectionProvider,
  ProviderAccount,
  RefundOrder,
  RefundStatus,
  SimulatedPayers,
  StatementPage,
  Transfer,
  UnreadableEntry,
} from './collection-provider.ts'
export { BalanceTooLow, CollectionRefusal, ProviderNotSetUp, SubAccountsNotEnabled } from './provider-refusals.ts'
export type {
  ProviderSettlement,
  SettledTransfer,
  SettlementStatus,
  Split,
  SubAccount,
  SubAccountOrder,
} from './sub-accounts.ts'
