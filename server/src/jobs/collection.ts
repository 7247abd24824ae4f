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
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'

const sweepCollectionJob = job<object>('sweep-collection', 'money', { maxAttempts: 1 })
const reconcileCollectionJob = job<object>('reconcile-collection', 'money', { maxAttempts: 3 })
const sweepSubAccountsJob = job<object>('sweep-sub-accounts', 'money', { maxAttempts: 1 })
const sweepSplitsJob = job<object>('sweep-splits', 'money', { maxAttempts: 1 })
const followSandboxSettlementsJob = job<object>('follow-sandbox-settlements', 'money', { maxAttempts: 1 })
const followSettlementsJob = job<object>('follow-settlements', 'money', { maxAttempts: 1 })
const compareSettlementsJob = job<object>('compare-settlements', 'money', { maxAttempts: 3 })
const origin = { requestId: 'collection', address: '', userAgent: '' }

/** Finds transfers that were never notified, matched or finished. */
export const sweepReceivedMoney = (runtime: Runtime, runner: Runner) =>
  handler(sweepCollectionJob, () => sweepCollection(runtime, runner), '* * * * *')

/** Runs once a day at a quiet hour: compares our records with those of the providers. */
export const reconcileReceivedMoney = (runtime: Runtime, runner: Runner) =>
  handler(reconcileCollectionJob, () => reconcileCollection(runtime, runner), '35 2 * * *')

/** Asks providers again for sub-accounts that they have not confirmed. */
export const confirmSubAccounts = (runtime: Runtime, runner: Runner) =>
  handler(sweepSubAccountsJob, () => sweepSubAccounts(runtime, runner), '* * * * *')

/** Assigns virtual accounts to new settlement accounts of sellers. */
export const pointAccounts = (runtime: Runtime, runner: Runner) =>
  handler(sweepSplitsJob, () => sweepSplits(runtime, runner), '* * * * *')

/** The simulated bank pays out after a minute. */
export const followSandboxPayouts = (runtime: Runtime, runner: Runner) =>
  handler(followSandboxSettlementsJob, () => followSettlements(runtime, runner, 'sandbox'), '* * * * *')

/** Real providers pay out once a day, and most notify us. */
export const followPayouts = (runtime: Runtime, runner: Runner) =>
  handler(followSettlementsJob, () => followSettlements(runtime, runner, 'live'), '20 * * * *')

/** Compares received payments with payouts. */
export const comparePayouts = (runtime: Runtime, runner: Runner) =>
  handler(compareSettlementsJob, () => compareSettlements(runtime, runner), '50 * * * *')

/** Applies the buyer's credit to an invoice that was finalised. */
export const useBuyerCredit = (runner: Runner) =>
  handler(useCreditJob, (input) => runner.run(useCredit, { caller: systemCaller, origin, input }))
