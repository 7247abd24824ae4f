/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { changeLowBalanceThreshold } from './accounts/low-balance.ts'
export { checkBalance, getBillingAccount, getStats } from './accounts/read-account.ts'
export { readLedger, readStatement, readUsage } from './accounts/read-ledger.ts'
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
