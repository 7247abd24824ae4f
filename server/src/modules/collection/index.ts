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
  dayStatuses,
  outstandingOf,
  type Settlement,
  type SettlementDay,
  statusOfDay,
} from './payouts/settlement.ts'
export {
  type CollectionProviders,
  collectionProviderNames,
  providerAccountStatuses,
} from './providers/collection-provider.ts'
export * as collectionPort from './providers/port.ts'
export { routedProviders } from './providers/routed-providers.ts'
export { settlementStatuses } from './providers/sub-accounts.ts'
export { refundStates } from './refunding/refund.ts'
export type { RefundResult } from './refunding/refund-payment.ts'
export type { SettledSeller } from './settlement-accounts/settlement-account.ts'
export { subAccountStates } from './settlement-accounts/sub-account.ts'
