import { systemCaller } from '../kernel/callers.ts'
import {
  compareSettlements,
  followSettlements,
  reconcileCollection,
  sweepCollection,
  sweepSplits,
  sweepSubAccounts,
  useCredit,
  useCreditJob,
} from '../modules/collection/index.ts'
import { dailyAt, everyMinutes, handler, hourlyAt, scheduled } from '../platform/background/handlers.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'

const origin = { requestId: 'collection', address: '', userAgent: '' }

/** Finds transfers that were never notified, matched or finished. */
export const sweepReceivedMoney = (runtime: Runtime, runner: Runner) =>
  scheduled('sweep-collection', everyMinutes(1), () => sweepCollection(runtime, runner))

/** Runs once a day at a quiet hour: compares our records with those of the providers. */
export const reconcileReceivedMoney = (runtime: Runtime, runner: Runner) =>
  scheduled('reconcile-collection', dailyAt(2, 35), () => reconcileCollection(runtime, runner), { maxAttempts: 3 })

/** Asks providers again for sub-accounts that they have not confirmed. */
export const confirmSubAccounts = (runtime: Runtime, runner: Runner) =>
  scheduled('sweep-sub-accounts', everyMinutes(1), () => sweepSubAccounts(runtime, runner))

/** Assigns virtual accounts to new settlement accounts of sellers. */
export const pointAccounts = (runtime: Runtime, runner: Runner) =>
  scheduled('sweep-splits', everyMinutes(1), () => sweepSplits(runtime, runner))

/** The simulated bank pays out after a minute. */
export const followSandboxPayouts = (runtime: Runtime, runner: Runner) =>
  scheduled('follow-sandbox-settlements', everyMinutes(1), () => followSettlements(runtime, runner, 'sandbox'))

/** Real providers pay out once a day, and most notify us. */
export const followPayouts = (runtime: Runtime, runner: Runner) =>
  scheduled('follow-settlements', hourlyAt(20), () => followSettlements(runtime, runner, 'live'))

/** Compares received payments with payouts. */
export const comparePayouts = (runtime: Runtime, runner: Runner) =>
  scheduled('compare-settlements', hourlyAt(50), () => compareSettlements(runtime, runner), { maxAttempts: 3 })

/** Applies the buyer's credit to an invoice that was finalised. */
export const useBuyerCredit = (runner: Runner) =>
  handler(useCreditJob, (input) => runner.run(useCredit, { caller: systemCaller, origin, input }))
