import {
  cancelSubscription,
  chargeCard,
  grantFreeCreditsJob,
  lookAtPayment,
  lowBalanceJob,
  openAccountJob,
  purchaseCredits,
  renewSubscription,
  returnMoney,
  subscribe,
} from '../modules/billing/index.ts'
import { settleBuyerCheck } from '../modules/buyers/index.ts'
import {
  collectionQueue,
  confirmSubAccount,
  creditFollower,
  deactivateAccount,
  followRefund,
  openAccount,
  pointAccount,
  refundPayment,
  registerSettlementAccount,
  sendTransfer,
} from '../modules/collection/index.ts'
import { mailInvoiceJob } from '../modules/documents/index.ts'
import { invoiceLists } from '../modules/invoices/index.ts'
import { itemUses } from '../modules/items/index.ts'
import { followNewcomerJob, sendFromOutside } from '../modules/received-invoices/index.ts'
import { followProfileJob, settleSellerCheck, verifyOwnTaxNumber } from '../modules/sellers/index.ts'
import { paymentReports, queryStatus, reportPayment, startSubmissionQueue } from '../modules/submissions/index.ts'
import { connectToAuthority, refreshConnection, replaceConnection } from '../modules/tax-connection/index.ts'
import { checkReachability, getReachability, lookUpTaxId } from '../modules/tax-identities/index.ts'
import { reportTax, validateReference } from '../modules/tax-reports/index.ts'
import { webhookQueue } from '../modules/webhooks/index.ts'
import type { Consumer } from '../platform/background/consumer.ts'
import { eventCounts } from '../platform/background/count-events.ts'
import { consumerFor, type JobHandler } from '../platform/background/handlers.ts'
import type { OwnQueue } from '../platform/background/worker.ts'
import type { AbandonedExchange } from '../platform/operations/operation.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import { announceEnded } from './announce-ended.ts'
import { checkBuyer, checkSeller } from './check-tax-numbers.ts'
import {
  comparePayouts,
  confirmSubAccounts,
  followPayouts,
  followSandboxPayouts,
  pointAccounts,
  reconcileReceivedMoney,
  sweepReceivedMoney,
  useBuyerCredit,
} from './collection.ts'
import { emitDueReportsHandler } from './emit-due-reports.ts'
import { fillSandboxes } from './fill-sandboxes.ts'
import {
  acknowledgeForTenant,
  checkPaymentsOfTenant,
  followEveryFeed,
  followNewcomer,
  followOneFeed,
  receiveForTenant,
} from './follow-feeds.ts'
import { followOwnProfile } from './follow-profile.ts'
import { followUpEverybody, followUpForTenant } from './follow-up-submissions.ts'
import { keepEvents } from './keep-events.ts'
import { lookAtOnePayment, settleNotification, sweepPayments } from './look-at-payments.ts'
import { mailSentInvoice } from './mail-invoice.ts'
import { mailLowBalanceHandler } from './mail-low-balance.ts'
import { grantFreeCreditsOfBusiness, openAccountOfNewcomer, openMissingAccounts } from './open-accounts.ts'
import { purgeExpired } from './purge-expired.ts'
import { refreshCodeLists } from './refresh-code-lists.ts'
import { reportPaymentHandler } from './report-payment.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { chargeKeptCard, giveMoneyBack, runSubscriptions } from './run-subscriptions.ts'
import { sendMessage } from './send-message.ts'
import { settleExchanges } from './settle-exchanges.ts'
import { stampRegisteredInvoices } from './stamp-invoices.ts'
import { redeliverFailedOnes, replayMissedEvents, stopDeliveries } from './webhooks.ts'
import { workOnImports } from './work-on-import.ts'

/** Exchanges that a dead process may have left open. */
export const exchanges: readonly AbandonedExchange[] = [
  purchaseCredits,
  subscribe,
  renewSubscription,
  cancelSubscription,
  lookAtPayment,
  chargeCard,
  returnMoney,
  lookUpTaxId,
  getReachability,
  checkReachability,
  settleBuyerCheck,
  settleSellerCheck,
  verifyOwnTaxNumber,
  connectToAuthority,
  replaceConnection,
  refreshConnection,
  validateReference,
  reportTax,
  queryStatus,
  sendFromOutside,
  registerSettlementAccount,
  confirmSubAccount,
  pointAccount,
  openAccount,
  deactivateAccount,
  refundPayment,
  followRefund,
  sendTransfer,
  reportPayment,
]

/** The consumers of the event log. */
export const consumers: readonly Consumer[] = [
  ...[openAccountJob, grantFreeCreditsJob, lowBalanceJob, followProfileJob, mailInvoiceJob, followNewcomerJob].map(
    consumerFor,
  ),
  invoiceLists,
  itemUses,
  creditFollower,
  paymentReports,
  eventCounts,
]

/** Queues with tables of their own. */
export const ownQueues: readonly OwnQueue[] = [
  {
    name: 'submissions',
    wakesWith: 'authority',
    // Four for claims (`claimsAtOnce`) and six for writing answers (`writers`).
    connections: 10,
    start: (runtime, runner) => startSubmissionQueue(runtime, runner),
  },
  webhookQueue,
  collectionQueue,
]

/** All background work, in one list. */
export const jobHandlers = (runtime: Runtime, runner: Runner): readonly JobHandler[] => [
  sendMessage(runtime),
  announceEnded(runtime, runner),
  purgeExpired(runtime),
  settleExchanges(runner, exchanges),
  resealSecrets(runtime),
  openAccountOfNewcomer(runner),
  grantFreeCreditsOfBusiness(runner),
  openMissingAccounts(runtime, runner),
  fillSandboxes(runtime, runner),
  mailLowBalanceHandler(runner),
  emitDueReportsHandler(runtime, runner),
  settleNotification(runner),
  lookAtOnePayment(runner),
  sweepPayments(runtime, runner),
  runSubscriptions(runtime, runner),
  chargeKeptCard(runner),
  giveMoneyBack(runner),
  followOwnProfile(runner),
  checkBuyer(runner),
  checkSeller(runner),
  mailSentInvoice(runner),
  refreshCodeLists(runtime, runner),
  keepEvents(runtime),
  stopDeliveries(runtime),
  replayMissedEvents(runner),
  redeliverFailedOnes(runner),
  followEveryFeed(runner),
  followOneFeed(runtime, runner),
  followNewcomer(runner),
  receiveForTenant(runtime, runner),
  acknowledgeForTenant(runtime, runner),
  checkPaymentsOfTenant(runtime, runner),
  sweepReceivedMoney(runtime, runner),
  reconcileReceivedMoney(runtime, runner),
  confirmSubAccounts(runtime, runner),
  pointAccounts(runtime, runner),
  followSandboxPayouts(runtime, runner),
  followPayouts(runtime, runner),
  comparePayouts(runtime, runner),
  useBuyerCredit(runner),
  reportPaymentHandler(runner),
  followUpEverybody(runner),
  followUpForTenant(runtime, runner),
  stampRegisteredInvoices(runtime, runner),
  workOnImports(runner),
]
