import {
  cancelSubscription,
  changeLowBalanceThreshold,
  checkBalance,
  getActiveSubscription,
  getBillingAccount,
  getPayment,
  getStats,
  getSubscription,
  listOrganisationPayments,
  listOrganisationRenewals,
  listOrganisationSubscriptions,
  purchaseCredits,
  readLedger,
  readStatement,
  readUsage,
  renewSubscription,
  resumeSubscription,
  subscribe,
} from '../../modules/billing/index.ts'
import { endpoint } from '../endpoint.ts'

const accounts = '/b/v1/billing-accounts'
const subscriptions = '/b/v1/subscriptions'
const payments = '/b/v1/payments'

export const billingEndpoints = {
  getAccount: endpoint('GET', `${accounts}/me`, 'both', getBillingAccount, {
    summary: 'The billing account and its balances',
    description: 'A person sees both modes, a key its own. The account is set up a moment after the organisation.',
  }),
  changeThreshold: endpoint('PATCH', `${accounts}/me/low-balance`, 'user', changeLowBalanceThreshold, {
    summary: 'Say below how many live credits you want to hear of it',
    description: 'One mail for each time the balance falls below it; 0 for none.',
  }),
  checkBalance: endpoint('GET', `${accounts}/{id}/check-balance`, 'both', checkBalance, {
    summary: 'Whether the balance covers so many credits',
    description: 'Advisory: somebody else may spend them first.',
  }),
  getStats: endpoint('GET', `${accounts}/{id}/stats`, 'both', getStats, {
    summary: 'Balance, lifetime totals and the last 30 days',
  }),
  readUsage: endpoint('GET', `${accounts}/{id}/usage`, 'both', readUsage, {
    summary: 'What credits were spent on, by action and by day',
    description: 'Days are those of Lagos; both ends count. The last 30 days unless you say otherwise.',
  }),
  readLedger: endpoint('GET', `${accounts}/{id}/ledger`, 'both', readLedger, {
    summary: 'Every move of credits, newest first',
    description:
      '`amount` is what a move did to the balance: a hold lowers it, its capture changes nothing any more. `credits` is how many were moved.',
  }),
  readStatement: endpoint('GET', `${accounts}/{id}/statement`, 'both', readStatement, {
    summary: 'A statement of the ledger, as JSON or CSV',
    description:
      'Days are those of Lagos; both ends count. This month unless you say otherwise. `Accept: text/csv` answers a file for a spreadsheet.',
  }),
  listSubscriptions: endpoint('GET', `${subscriptions}/history`, 'both', listOrganisationSubscriptions, {
    summary: 'All subscriptions, newest first',
  }),
  getActiveSubscription: endpoint('GET', `${subscriptions}/active`, 'both', getActiveSubscription, {
    summary: 'The active or overdue subscription, with its allocation window',
  }),
  listRenewals: endpoint('GET', `${subscriptions}/renewals`, 'both', listOrganisationRenewals, {
    summary: 'Billing periods and how each was charged',
  }),
  getSubscription: endpoint('GET', `${subscriptions}/{id}`, 'both', getSubscription, { summary: 'A subscription' }),
  subscribe: endpoint('POST', `${subscriptions}/subscribe`, 'user', subscribe, {
    summary: 'Take a plan',
    description:
      'Answers the address of a hosted checkout; the plan begins when it is paid. A checkout that awaits payment is given again, with status 200.',
  }),
  cancelSubscription: endpoint('PUT', `${subscriptions}/{id}/cancel`, 'user', cancelSubscription, {
    summary: 'Cancel a subscription',
    description: 'It ends with its period. One that awaits its first payment, or is overdue, ends at once.',
  }),
  renewSubscription: endpoint('POST', `${subscriptions}/{id}/renew`, 'user', renewSubscription, {
    summary: 'Pay an overdue period',
    description: 'Answers the address of a hosted checkout; one that awaits payment is given again, with status 200.',
  }),
  resumeSubscription: endpoint('PUT', `${subscriptions}/{id}/resume`, 'user', resumeSubscription, {
    summary: 'Take a cancellation back',
  }),
  listPayments: endpoint('GET', `${payments}/history`, 'both', listOrganisationPayments, {
    summary: 'Payments, newest first',
  }),
  getPayment: endpoint('GET', `${payments}/{id}`, 'both', getPayment, {
    summary: 'A payment',
    description: '`checkoutUrl` is there only while it is pending.',
  }),
  purchase: endpoint('POST', `${payments}/purchase`, 'user', purchaseCredits, {
    summary: 'Buy a package of credits',
    description:
      'Answers the address of a hosted checkout; the credits are granted when it is paid. A checkout for the same package and currency that awaits payment is given again, with status 200.',
  }),
}
