import {
  deactivateAccount,
  getAccount,
  getAccountStatus,
  getSettlementAccount,
  listBanks,
  listBuyerCredits,
  listExceptions,
  listOwnAccounts,
  listOwnSettlementAccounts,
  listOwnSettlementDays,
  listOwnSettlements,
  listReceivedPayments,
  openAccount,
  refundPayment,
  registerSettlementAccount,
  resolveException,
  resolveSettlementAccount,
  sendTransfer,
} from '../../modules/collection/index.ts'
import { endpoint } from '../endpoint.ts'

const base = '/b/v1/collection'
const settlement = `${base}/settlement-accounts`
const accounts = `${base}/accounts`

export const collectionEndpoints = {
  registerSettlement: endpoint('POST', settlement, 'both', registerSettlementAccount, {
    summary: 'Say which bank account a seller’s money goes to',
    description:
      'The bank is asked whose account it is, and every collection provider in use gives a sub-account for it that takes all of the seller’s money; `providers` says what each answered. A seller has one settlement account: another one takes its place, and virtual accounts that exist are led there as soon as the provider confirms. The code of the bank may be the central bank’s or the instant payment network’s. Registering or changing it needs a person whose sign-in is less than ten minutes old (401 with `Risiti-Reason: auth.sign_in_too_old`: sign in again and repeat it); an API key cannot do it (403). In live mode every owner is told by mail. Register the same account again to have a provider that refused asked again.',
  }),
  resolveSettlement: endpoint('POST', `${settlement}/resolve`, 'both', resolveSettlementAccount, {
    summary: 'Ask whose bank account it is',
    description: 'Name enquiry at the bank; nothing is stored.',
  }),
  listSettlements: endpoint('GET', settlement, 'both', listOwnSettlementAccounts, {
    summary: 'Settlement accounts, newest first',
  }),
  getSettlement: endpoint('GET', `${settlement}/{sellerId}`, 'both', getSettlementAccount, {
    summary: 'The settlement account of a seller',
  }),
  listBanks: endpoint('GET', `${base}/banks`, 'both', listBanks, {
    summary: 'Banks that money can be settled to',
  }),
  openAccount: endpoint('POST', accounts, 'both', openAccount, {
    summary: 'Open a virtual account for a buyer to pay into',
    description:
      'A `dynamic` one is for one amount, a `persistent` one for a buyer’s payments over time. The same `reference` with the same body gives the same account (200); with another body it is refused. All money that comes into it is passed on to the seller’s settlement account: if the provider has not confirmed that account, no virtual account is opened (409, and the message says why).',
  }),
  listAccounts: endpoint('GET', accounts, 'both', listOwnAccounts, {
    summary: 'Virtual accounts, newest first',
  }),
  getAccount: endpoint('GET', `${accounts}/{id}`, 'both', getAccount, {
    summary: 'One virtual account',
  }),
  getAccountStatus: endpoint('GET', `${accounts}/{id}/status`, 'both', getAccountStatus, {
    summary: 'What the provider says of a virtual account now',
    description: 'Asks the provider, for the case that its notifications do not come through.',
  }),
  deactivateAccount: endpoint('POST', `${accounts}/{id}/deactivate`, 'both', deactivateAccount, {
    summary: 'Stop a virtual account',
    description: 'At the provider and here; nothing comes into it any more. It may be asked for as often as one likes.',
  }),
  listPayments: endpoint('GET', `${base}/payments`, 'both', listReceivedPayments, {
    summary: 'Payments that came into virtual accounts, newest first',
    description: 'Every amount is at all times in one of four places: applied, credited, refunded, unmatched.',
  }),
  refundPayment: endpoint('POST', `${base}/payments/{id}/refund`, 'both', refundPayment, {
    summary: 'Send received money back',
    description:
      'All that is left of it, or a part. What nobody has a use for goes first, then the buyer’s credit, then what was applied: those invoices are due again. The provider pays it from the operator’s balance, because payments are passed on to the seller: `refund.paidFrom` says so, and so does the refusal if that balance is too low (409, `Risiti-Reason: collection.refund.no_balance`). A refund whose answer got lost is `pending` and ends by itself; it is never sent twice.',
  }),
  listSettlementsPaid: endpoint('GET', `${base}/settlements`, 'both', listOwnSettlements, {
    summary: 'What providers paid out to sellers’ bank accounts, newest first',
    description:
      'Providers pay out on the same day or the next. Each settlement names its amount, the fee and how many payments it pays out; `collection.settlement_updated` tells of it.',
  }),
  listSettlementDays: endpoint('GET', `${base}/settlements/days`, 'both', listOwnSettlementDays, {
    summary: 'What came on each day for each seller, and what of it was paid out',
    description:
      'The latest day first. `from` and `to` are days in Nigeria and both count: 30 days up to today if left out, 93 at most.',
  }),
  listExceptions: endpoint('GET', `${base}/exceptions`, 'both', listExceptions, {
    summary: 'Payments that somebody has to look at',
    description:
      'Unmatched and overpaid ones, those of which the provider’s statement says something else than our books, and those that were paid out to the seller with another amount (`settled_amount`), not within four days (`not_settled`), or although the sender’s bank took them back (`settled_reversed`).',
  }),
  resolveException: endpoint('POST', `${base}/exceptions/{paymentId}/resolve`, 'both', resolveException, {
    summary: 'Say what a payment was for',
    description:
      'An invoice, or a buyer over whose open invoices it is spread, oldest first. What is beyond that is the buyer’s credit.',
  }),
  listCredits: endpoint('GET', `${base}/credits`, 'both', listBuyerCredits, {
    summary: 'What buyers have to their credit',
    description:
      'One balance for each buyer and currency. It goes to the buyer’s next invoice in that currency by itself, or back by refunding the payment.',
  }),
  sendTransfer: endpoint('POST', '/sandbox/v1/transfers', 'both', sendTransfer, {
    summary: 'Have money arrive at a virtual account',
    description:
      'For trying things out, with sandbox tokens. A word in the narration makes the simulated bank’s notification misbehave: `#lost`, `#twice`, `#late`, `#forged`.',
  }),
}
