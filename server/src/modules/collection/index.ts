export type { OpenInput } from './accounts/open-account.ts'

export {
  accountKinds,
  accountStatuses,
  accountStatusOf,
  type VirtualAccount,
  type VirtualAccountId,
} from './accounts/virtual-account.ts'
export { findAccountToPay } from './accounts/virtual-accounts.store.ts'

export { background } from './background.ts'
export { isCollectionProvider } from './notifications/keep-notification.ts'
export * as collectionOperations from './operations.ts'
export { type Difference, differenceKinds } from './payments/differences.store.ts'
export { type ReceivedPayment, type ReceivedPaymentId, reconciliationStatuses } from './payments/received-payment.ts'
export {
  type AccountOrder,
  type CollectionNotification,
  type CollectionProvider,
  type CollectionProviders,
  collectionProviderNames,
  type ProviderAccount,
  providerAccountStatuses,
  type RefundOrder,
  type RefundStatus,
  type SimulatedPayers,
  type StatementPage,
  type Transfer,
  type UnreadableEntry,
} from './providers/collection-provider.ts'
export {
  BalanceTooLow,
  CollectionRefusal,
  ProviderNotSetUp,
  SubAccountsNotEnabled,
} from './providers/provider-refusals.ts'
export { routedProviders } from './providers/routed-providers.ts'
export {
  type ProviderSettlement,
  type SettledTransfer,
  type SettlementStatus,
  type Split,
  type SubAccount,
  type SubAccountOrder,
  settlementStatuses,
} from './providers/sub-accounts.ts'
export { refundStates } from './refunding/refund.ts'
export type { RefundResult } from './refunding/refund-payment.ts'
export type { SettledSeller } from './settlement/settlement-account.ts'
export { subAccountStates } from './settlement/sub-account.ts'
export {
  dayStatuses,
  outstandingOf,
  type Settlement,
  type SettlementDay,
  statusOfDay,
} from './settlements/settlement.ts'
