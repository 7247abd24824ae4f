import { billingOperations } from '../../modules/billing/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const accounts = '/b/v1/billing-accounts'
const subscriptions = '/b/v1/subscriptions'
const payments = '/b/v1/payments'

export const billingRoutes = {
  getAccount: defineRoute('GET', `${accounts}/me`, 'token', billingOperations.getBillingAccount, {
    summary: 'Get your billing account and its balances',
    description:
      'A user sees both modes, an API key only its own. The account is created a few seconds after the organisation.',
  }),
  changeThreshold: defineRoute(
    'PATCH',
    `${accounts}/me/low-balance`,
    'user',
    billingOperations.changeLowBalanceThreshold,
    {
      summary: 'Set the low-balance threshold',
      description:
        'One mail is sent each time the live balance falls below this number of credits. 0 turns the mail off.',
    },
  ),
  checkBalance: defineRoute('GET', `${accounts}/{id}/check-balance`, 'token', billingOperations.checkBalance, {
    summary: 'Check whether the balance covers a number of credits',
    description: 'This reserves nothing: another request may spend the credits first.',
  }),
  getStats: defineRoute('GET', `${accounts}/{id}/stats`, 'token', billingOperations.getStats, {
    summary: 'Get the balance, lifetime totals and the last 30 days',
  }),
  readUsage: defineRoute('GET', `${accounts}/{id}/usage`, 'token', billingOperations.readUsage, {
    summary: 'Get credits spent, by action and by day',
    description:
      'Days are in the operator’s time zone, and both ends count. Without dates, the last 30 days are returned.',
  }),
  readLedger: defineRoute('GET', `${accounts}/{id}/ledger`, 'token', billingOperations.readLedger, {
    summary: 'List ledger entries, newest first',
    description:
      '`amount` is the change of the balance: a hold lowers the balance, and its capture does not change it again. `credits` is the number of credits moved.',
  }),
  readStatement: defineRoute('GET', `${accounts}/{id}/statement`, 'token', billingOperations.readStatement, {
    summary: 'Get a statement of account, as JSON or CSV',
    description:
      'Days are in the operator’s time zone, and both ends count. Without dates, this month is returned. Send `Accept: text/csv` for a file that a spreadsheet opens. A statement of account has at most 10,000 entries.',
  }),
  listSubscriptions: defineRoute(
    'GET',
    `${subscriptions}/history`,
    'token',
    billingOperations.listOrganisationSubscriptions,
    {
      summary: 'List all subscriptions, newest first',
    },
  ),
  getActiveSubscription: defineRoute(
    'GET',
    `${subscriptions}/active`,
    'token',
    billingOperations.getActiveSubscription,
    {
      summary: 'Get the active or overdue subscription',
    },
  ),
  listRenewals: defineRoute('GET', `${subscriptions}/renewals`, 'token', billingOperations.listOrganisationRenewals, {
    summary: 'List billing periods and how each was charged',
  }),
  getSubscription: defineRoute('GET', `${subscriptions}/{id}`, 'token', billingOperations.getSubscription, {
    summary: 'Get a subscription',
  }),
  subscribe: defineRoute('POST', `${subscriptions}/subscribe`, 'user', billingOperations.subscribe, {
    summary: 'Subscribe to a plan',
    description:
      'Returns the URL of a checkout page at the payment provider. The plan begins when the checkout is paid. A checkout that still awaits payment is returned again, with status 200.',
  }),
  cancelSubscription: defineRoute('PUT', `${subscriptions}/{id}/cancel`, 'user', billingOperations.cancelSubscription, {
    summary: 'Cancel a subscription',
    description:
      'The subscription ends with its current period. It ends at once if it awaits its first payment or is overdue.',
  }),
  renewSubscription: defineRoute('POST', `${subscriptions}/{id}/renew`, 'user', billingOperations.renewSubscription, {
    summary: 'Pay an overdue period',
    description:
      'Returns the URL of a checkout page at the payment provider. A checkout that still awaits payment is returned again, with status 200.',
  }),
  resumeSubscription: defineRoute('PUT', `${subscriptions}/{id}/resume`, 'user', billingOperations.resumeSubscription, {
    summary: 'Resume a cancelled subscription',
  }),
  listPayments: defineRoute('GET', `${payments}/history`, 'token', billingOperations.listOrganisationPayments, {
    summary: 'List payments, newest first',
  }),
  getPayment: defineRoute('GET', `${payments}/{id}`, 'token', billingOperations.getPayment, {
    summary: 'Get a payment',
    description: '`checkoutUrl` is present only while the payment is `pending`.',
  }),
  purchase: defineRoute('POST', `${payments}/purchase`, 'user', billingOperations.purchaseCredits, {
    summary: 'Buy a package of credits',
    description:
      'Returns the URL of a checkout page at the payment provider. The credits are added when the checkout is paid. A checkout for the same package and currency that still awaits payment is returned again, with status 200.',
  }),
}
