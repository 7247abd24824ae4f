import { systemCaller } from '../../kernel/callers.ts'
import { dailyAt, everyMinutes, handler, hourlyAt, scheduled } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { deactivateAccount } from './accounts/deactivate-account.ts'
import { openAccount } from './accounts/open-account.ts'
import { pointAccount } from './accounts/point-account.ts'
import { sendTransfer } from './accounts/send-transfer.ts'
import { sweepSplits } from './accounts/sweep-splits.ts'
import { spreadCredit, spreadCreditJob } from './applying/spread-credit.ts'
import { creditFollower, useCredit, useCreditJob } from './applying/use-credit.ts'
import { collectionMetrics } from './notifications/collection-metrics.ts'
import { purgeCollectionNotifications } from './notifications/notifications.store.ts'
import { collectionQueue } from './notifications/queue.ts'
import { reconcileCollection } from './notifications/reconcile.ts'
import { sweepCollection } from './notifications/sweep.ts'
import { compareSettlements } from './payouts/compare-settlements.ts'
import { followSettlements } from './payouts/follow-settlements.ts'
import { followRefund, refundPayment } from './refunding/refund-payment.ts'
import { confirmSubAccount } from './settlement-accounts/confirm-sub-account.ts'
import { registerSettlementAccount } from './settlement-accounts/register-settlement-account.ts'
import { sweepSubAccounts } from './settlement-accounts/sweep-sub-accounts.ts'

const origin = { requestId: 'collection', address: '', userAgent: '' }

/** Finds transfers that were never notified, matched or finished. */
const sweepReceivedMoney = (runtime: Runtime, runner: Runner) =>
  scheduled('sweep-collection', everyMinutes(1), () => sweepCollection(runtime, runner))

/** Runs once a day at a quiet hour: compares our records with those of the providers. */
const reconcileReceivedMoney = (runtime: Runtime, runner: Runner) =>
  scheduled('reconcile-collection', dailyAt(2, 35), () => reconcileCollection(runtime, runner), { maxAttempts: 3 })

/** Asks providers again for sub-accounts that they have not confirmed. */
const confirmSubAccounts = (runtime: Runtime, runner: Runner) =>
  scheduled('sweep-sub-accounts', everyMinutes(1), () => sweepSubAccounts(runtime, runner))

/** Assigns virtual accounts to new settlement accounts of sellers. */
const pointAccounts = (runtime: Runtime, runner: Runner) =>
  scheduled('sweep-splits', everyMinutes(1), () => sweepSplits(runtime, runner))

/** The simulated bank pays out after a minute. */
const followSandboxPayouts = (runtime: Runtime, runner: Runner) =>
  scheduled('follow-sandbox-settlements', everyMinutes(1), () => followSettlements(runtime, runner, 'sandbox'))

/** Real providers pay out once a day, and most notify us. */
const followPayouts = (runtime: Runtime, runner: Runner) =>
  scheduled('follow-settlements', hourlyAt(20), () => followSettlements(runtime, runner, 'live'))

/** Compares received payments with payouts. */
const comparePayouts = (runtime: Runtime, runner: Runner) =>
  scheduled('compare-settlements', hourlyAt(50), () => compareSettlements(runtime, runner), { maxAttempts: 3 })

/** Applies the buyer's credit to an invoice that was finalised. */
const useBuyerCredit = (runner: Runner) =>
  handler(useCreditJob, (input) => runner.run(useCredit, { caller: systemCaller, origin, input }))

/** Offers new credit to invoices that were issued while the payment was matched. */
const spreadBuyerCredit = (runner: Runner) =>
  handler(spreadCreditJob, (input) => runner.run(spreadCredit, { caller: systemCaller, origin, input }))

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [
    sweepReceivedMoney(runtime, runner),
    reconcileReceivedMoney(runtime, runner),
    confirmSubAccounts(runtime, runner),
    pointAccounts(runtime, runner),
    followSandboxPayouts(runtime, runner),
    followPayouts(runtime, runner),
    comparePayouts(runtime, runner),
    useBuyerCredit(runner),
    spreadBuyerCredit(runner),
  ],
  consumers: [creditFollower],
  exchanges: [
    registerSettlementAccount,
    confirmSubAccount,
    pointAccount,
    openAccount,
    deactivateAccount,
    refundPayment,
    followRefund,
    sendTransfer,
  ],
  queues: [collectionQueue],
  purges: [purgeAfter(90 * days, 'collection notifications', purgeCollectionNotifications)],
  metrics: ({ db }) => collectionMetrics(db),
}
