export { grantFreeCredits, grantFreeCreditsJob } from './accounts/free-credits.ts'
export { changeLowBalanceThreshold, lowBalanceJob, mailLowBalance } from './accounts/low-balance.ts'
export { findWithoutAccount, openAccount, openAccountJob } from './accounts/open-account.ts'
export { checkBalance, getBillingAccount, getStats } from './accounts/read-account.ts'
export { readLedger, readStatement, readUsage } from './accounts/read-ledger.ts'
export { fillSandbox, findSandboxesToFill } from './accounts/top-up-sandboxes.ts'
export type { SubscriptionId } from './ids.ts'
export { lookAtPaymentJob } from './payments/ask-to-look.ts'
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
export { purgeNotifications } from './payments/notifications.store.ts'
export { type Payment, type PaymentId, paymentKinds, paymentStatuses } from './payments/payment.ts'
export type { PaymentToLookAt } from './payments/payments.store.ts'
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
export { cancelSubscription } from './settling/cancel-subscription.ts'
export { chargeCard } from './settling/charge-card.ts'
export { findPaymentsToLookAt, lookAtPayment } from './settling/look-at-payment.ts'
export { allocateMonth, findMonthsToAllocate } from './subscriptions/allocate.ts'
export {
  getActiveSubscription,
  getSubscription,
  listOrganisationRenewals,
  listOrganisationSubscriptions,
} from './subscriptions/read-subscriptions.ts'
export { renewSubscription } from './subscriptions/renew-subscription.ts'
export { resumeSubscription } from './subscriptions/resume-subscription.ts'
export { chargeCardJob, findSubscriptionsToStep, stepSubscription } from './subscriptions/step-subscription.ts'
export { subscribe } from './subscriptions/subscribe.ts'
export {
  allocationWindow,
  currentPeriod,
  endReasons,
  type Subscription,
  subscriptionStatuses,
} from './subscriptions/subscription.ts'
export type { DueSubscription, Renewal } from './subscriptions/subscriptions.store.ts'
