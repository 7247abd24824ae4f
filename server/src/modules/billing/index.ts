export { openAccount } from './accounts/open-account.ts'
export { background } from './background.ts'
export type { SubscriptionId } from './ids.ts'
export * as billingOperations from './operations.ts'
export { type CheckoutProviders, type ProviderName, providerNames } from './payments/checkout-provider.ts'
export { type Payment, type PaymentId, paymentKinds, paymentStatuses } from './payments/payment.ts'
export { findCheckoutUrl } from './payments/payments.store.ts'
export * as checkoutPort from './payments/port.ts'
export {
  allocationWindow,
  currentPeriod,
  endReasons,
  type Subscription,
  subscriptionStatuses,
} from './subscriptions/subscription.ts'
export type { Renewal } from './subscriptions/subscriptions.store.ts'
