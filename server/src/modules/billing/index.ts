export { changeLowBalanceThreshold } from './accounts/low-balance.ts'
export { openAccount } from './accounts/open-account.ts'
export { checkBalance, getBillingAccount, getStats } from './accounts/read-account.ts'
export { readLedger, readStatement, readUsage } from './accounts/read-ledger.ts'
export { background } from './background.ts'
export type { SubscriptionId } from './ids.ts'
export {
  type CheckoutOrder,
  type CheckoutProvider,
  type CheckoutProviders,
  type Notification,
  type ProviderName,
  ProviderRefusal,
  type ProviderView,
  providerNames,
} from './payments/checkout-provider.ts'
export { type Payment, type PaymentId, paymentKinds, paymentStatuses } from './payments/payment.ts'
export { findCheckoutUrl } from './payments/payments.store.ts'
export { purchaseCredits } from './payments/purchase-credits.ts'
export { getPayment, listOrganisationPayments } from './payments/read-payments.ts'
export { receiveNotification } from './payments/receive-notification.ts'
export { cancelSubscription } from './settling/cancel-subscription.ts'
export {
  getActiveSubscription,
  getSubscription,
  listOrganisationRenewals,
  listOrganisationSubscriptions,
} from './subscriptions/read-subscriptions.ts'
export { renewSubscription } from './subscriptions/renew-subscription.ts'
export { resumeSubscription } from './subscriptions/resume-subscription.ts'
export { subscribe } from './subscriptions/subscribe.ts'
export {
  allocationWindow,
  currentPeriod,
  endReasons,
  type Subscription,
  subscriptionStatuses,
} from './subscriptions/subscription.ts'
export type { Renewal } from './subscriptions/subscriptions.store.ts'
