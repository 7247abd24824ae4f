import { collectionOperations } from '../../modules/collection/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const base = '/b/v1/collection'
const settlement = `${base}/settlement-accounts`
const accounts = `${base}/accounts`

export const collectionRoutes = {
  registerSettlement: defineRoute('POST', settlement, 'token', collectionOperations.registerSettlementAccount, {
    summary: 'Register or change a seller’s settlement account',
    description:
      'The settlement account is the bank account that collected money goes to. This service asks the bank for the account holder. Every collection provider in use then creates a sub-account that receives all of the seller’s money; `providers` says what each answered. A seller has one settlement account: a new one replaces it. Existing virtual accounts follow as soon as the provider confirms. The bank code may be the central bank’s or that for instant transfers. Only a user who signed in less than ten minutes ago can do this. Otherwise the reply is 401 with `Risiti-Reason: auth.sign_in_too_old`: sign in again and repeat the request. An API key gets 403. In live mode every owner gets a mail. Register the same account again to ask a provider that refused once more.',
  }),
  resolveSettlement: defineRoute(
    'POST',
    `${settlement}/resolve`,
    'token',
    collectionOperations.resolveSettlementAccount,
    {
      summary: 'Look up the holder of a bank account',
      description: 'This service asks the bank and stores nothing.',
    },
  ),
  listSettlements: defineRoute('GET', settlement, 'token', collectionOperations.listOwnSettlementAccounts, {
    summary: 'List settlement accounts, newest first',
  }),
  getSettlement: defineRoute('GET', `${settlement}/{sellerId}`, 'token', collectionOperations.getSettlementAccount, {
    summary: 'Get the settlement account of a seller',
  }),
  listBanks: defineRoute('GET', `${base}/banks`, 'token', collectionOperations.listBanks, {
    summary: 'List banks that money can be settled to',
  }),
  openAccount: defineRoute('POST', accounts, 'token', collectionOperations.openAccount, {
    summary: 'Open a virtual account that a buyer pays into',
    description:
      'A `dynamic` account is for one payment of a fixed amount, a `persistent` account for payments over time. The same `reference` with the same body returns the same account (200); with another body the request is refused. All money is passed on to the seller’s settlement account. If the provider has not confirmed that account, the reply is 409 and its message says why.',
  }),
  listAccounts: defineRoute('GET', accounts, 'token', collectionOperations.listOwnAccounts, {
    summary: 'List virtual accounts, newest first',
  }),
  getAccount: defineRoute('GET', `${accounts}/{id}`, 'token', collectionOperations.getAccount, {
    summary: 'Get a virtual account',
  }),
  getAccountStatus: defineRoute('GET', `${accounts}/{id}/status`, 'token', collectionOperations.getAccountStatus, {
    summary: 'Ask the provider for the status of a virtual account',
    description: 'Use this if a payment is missing: this service asks the provider now and looks for new payments.',
  }),
  deactivateAccount: defineRoute(
    'POST',
    `${accounts}/{id}/deactivate`,
    'token',
    collectionOperations.deactivateAccount,
    {
      summary: 'Deactivate a virtual account',
      description:
        'The account is closed at the provider and takes no more payments. Repeating the request changes nothing.',
    },
  ),
  listPayments: defineRoute('GET', `${base}/payments`, 'token', collectionOperations.listReceivedPayments, {
    summary: 'List payments into virtual accounts, newest first',
    description: 'Each payment is divided into four parts at all times: applied, credited, refunded and unmatched.',
  }),
  refundPayment: defineRoute('POST', `${base}/payments/{id}/refund`, 'token', collectionOperations.refundPayment, {
    summary: 'Refund a received payment',
    description:
      'You can refund a part, or all that is left. The unmatched part is used first, then the buyer’s credit, then the applied part. Of the applied part, amounts that invoices owe back (`refundOwedMinor`) are taken first, then the rest, latest first: those invoices are due again. The provider pays the refund from the operator’s balance, because payments are passed on to the seller; see `refund.paidFrom`. If that balance is too low, the reply is 409 with `Risiti-Reason: collection.refund.no_balance`. If the provider’s answer is lost, the refund stays `pending` until the provider confirms it. A refund is never paid twice.',
  }),
  listSettlementsPaid: defineRoute('GET', `${base}/settlements`, 'token', collectionOperations.listOwnSettlements, {
    summary: 'List settlements to sellers’ bank accounts, newest first',
    description:
      'Providers pay out on the same day or the next. Each settlement names its amount, the fee and the number of payments. The event `collection.settlement_updated` is sent when one changes.',
  }),
  listSettlementDays: defineRoute(
    'GET',
    `${base}/settlements/days`,
    'token',
    collectionOperations.listOwnSettlementDays,
    {
      summary: 'List amounts received and paid out, by day and seller',
      description:
        'The latest day comes first. `from` and `to` are days in your country’s time zone, and both count. The default is the 30 days up to today, the maximum is 93 days.',
    },
  ),
  listExceptions: defineRoute('GET', `${base}/exceptions`, 'token', collectionOperations.listExceptions, {
    summary: 'List payments that need your attention',
    description:
      'These payments are unmatched or overpaid, or our records differ from the provider’s statement of account. Others have a payout that differs. `settled_amount`: another amount. `not_settled`: no payout within four days. `settled_reversed`: a payout although the sender’s bank took the money back.',
  }),
  resolveException: defineRoute(
    'POST',
    `${base}/exceptions/{paymentId}/resolve`,
    'token',
    collectionOperations.resolveException,
    {
      summary: 'Assign a payment to an invoice or a buyer',
      description:
        'Name either an invoice, or a buyer whose open invoices are then paid, oldest first. Only invoices of the seller whose account received the payment can be paid. What is left over becomes the buyer’s credit, also if it was another buyer’s credit before.',
    },
  ),
  listCredits: defineRoute('GET', `${base}/credits`, 'token', collectionOperations.listBuyerCredits, {
    summary: 'List buyers’ credit balances',
    description:
      'There is one balance for each buyer and currency. It is applied to the buyer’s next invoice in that currency automatically. Refund the payment to send it back.',
  }),
  sendTransfer: defineRoute('POST', '/sandbox/v1/transfers', 'token', collectionOperations.sendTransfer, {
    summary: 'Simulate a transfer to a virtual account',
    description:
      'For tests, with sandbox tokens only. Put `#lost`, `#twice`, `#late` or `#forged` in the narration to make the simulated bank’s notification misbehave.',
  }),
}
