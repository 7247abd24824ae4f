import { systemCaller } from '../kernel/callers.ts'
import { reconcileCollection, sweepCollection, useCredit, useCreditJob } from '../modules/collection/index.ts'
import type { Machine, Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'

const sweepCollectionJob = job<object>('sweep-collection', 'money', { maxAttempts: 1 })
const reconcileCollectionJob = job<object>('reconcile-collection', 'money', { maxAttempts: 3 })
const origin = { requestId: 'collection', address: '', userAgent: '' }

/** Finds what was never notified, matched or ended. */
export const sweepReceivedMoney = (machine: Machine, runner: Runner) =>
  handler(sweepCollectionJob, () => sweepCollection(machine, runner), '* * * * *')

/** Once a day, when little else happens: compares our books with those of the providers. */
export const reconcileReceivedMoney = (machine: Machine, runner: Runner) =>
  handler(reconcileCollectionJob, () => reconcileCollection(machine, runner), '35 2 * * *')

/** An invoice was finalised whose buyer has credit. */
export const useBuyerCredit = (runner: Runner) =>
  handler(useCreditJob, (input) => runner.run(useCredit, { caller: systemCaller, origin, input }))
