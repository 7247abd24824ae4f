export type { BillingAccount, BillingAccountId } from './accounts/accounts.store.ts'
export { grantFreeCredits, grantFreeCreditsJob } from './accounts/free-credits.ts'
export {
  changeLowBalanceThreshold,
  tellLowBalance,
  tellLowBalanceJob,
} from './accounts/low-balance.ts'
export { ensureAccount, findWithoutAccount, openAccount, openAccountJob } from './accounts/open-account.ts'
export { checkBalance, getBillingAccount, getStats } from './accounts/read-account.ts'
export { readLedger, readStatement, readUsage } from './accounts/read-ledger.ts'
export { fillSandbox, findSandboxesToFill } from './accounts/top-up-sandboxes.ts'
export {
  type CardOrder,
  type CheckoutOrder,
  type CheckoutProvider,
  type CheckoutProviders,
  type Notification,
  type ProviderName,
  ProviderRefusal,
  type ProviderView,
  providerNames,
  type StartedCheckout,
} from './payments/checkout-provider.ts'
export { findPaymentsToLookAt, lookAtPayment, lookAtPaymentJob } from './payments/look-at-payment.ts'
export { purgeNotifications } from './payments/notifications.store.ts'
export { type Payment, type PaymentId, paymentKinds, paymentStatuses } from './payments/payment.ts'
export { findCheckoutUrl } from './payments/payments.store.ts'
export { purchaseCredits } from './payments/purchase-credits.ts'
export { getPayment, listOrganisationPayments } from './payments/read-payments.ts'
export {
  locatePayment,
  noteNotification,
  receiveNotification,
  settleNotificationJob,
} from './payments/receive-notification.ts'
export { returnMoney, returnMoneyJob } from './payments/return-money.ts'
export { billingSealedColumns } from './sealed-columns.ts'
export { allocateMonth, findMonthsToAllocate } from './subscriptions/allocate.ts'
export { cancelSubscription } from './subscriptions/cancel-subscription.ts'
export { chargeCard } from './subscriptions/charge-card.ts'
export {
  getActiveSubscription,
  getSubscription,
  listOrganisationRenewals,
  listOrganisationSubscriptions,
} from './subscriptions/read-subscriptions.ts'
export { renewSubscription } from './subscriptions/renew-subscription.ts'
export { resumeSubscription } from './subscriptions/resume-subscription.ts'
export { chargeCardJob, findSubscriptionsToStep, stepSubscription } from './subscriptions/step-subscription.ts'
export { type SubscriptionCheckout, subscribe } from './subscriptions/subscribe.ts'
export {
  allocationWindow,
  currentPeriod,
  endReasons,
  type Subscription,
  type SubscriptionId,
  subscriptionStatuses,
} from './subscriptions/subscription.ts'
export type { Renewal } from './subscriptions/subscriptions.store.ts'
