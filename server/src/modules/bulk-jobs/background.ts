import { systemCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import { handler } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import { isConnectionFailure } from '../../platform/database/database.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import type { BulkSlice } from './bulk-job.ts'
import { purgeBulkJobs } from './bulk-jobs.store.ts'
import {
  continueBulkJob,
  readSlice,
  type SliceWork,
  saveItemFailure,
  stopBulkJob,
  workOnBulkJobJob,
  workOnItem,
} from './work-on-bulk-job.ts'

const origin = { requestId: 'work-on-bulk-job', address: '', userAgent: '' }

/** Ends a slow slice early, long before the deadline of its queue. */
const longestSliceMs = 10_000

const ourFailure = () =>
  refuse('internal.failure', {
    message: 'Something went wrong on our side, and nothing was changed. Try this document again.',
  })

/** Acts on the next documents, one after the other. Returns when to go on if the hourly limit of mails is reached. */
async function workOnSlice(
  { log, clock }: Runtime,
  runner: Runner,
  { bulkJobId, organisationId, mode }: BulkSlice,
  { caller, positions }: SliceWork,
): Promise<Date | null> {
  const startedAt = performance.now()
  for (const position of positions) {
    if (performance.now() - startedAt > longestSliceMs) return null
    const call = { caller, origin, input: { bulkJobId, position } }
    try {
      await runner.run(workOnItem, call).catch((error: unknown) => {
        if (error instanceof Refusal) throw error
        // A lock timeout or a lost connection may pass.
        return runner.run(workOnItem, call)
      })
    } catch (error) {
      if (error instanceof Refusal && error.refusal === 'limit.mails')
        return new Date(clock.now().getTime() + 1_000 * (error.retryAfterSeconds ?? 60))
      // The database is unavailable. The slice is repeated later and goes on with the documents that still wait.
      if (isConnectionFailure(error)) throw error
      if (!(error instanceof Refusal))
        log.error('bulk_job.item_failed', { organisationId, mode, reference: bulkJobId, error })
      const failure = error instanceof Refusal ? error : ourFailure()
      await runner.run(saveItemFailure, { ...call, input: { ...call.input, failure } })
    }
  }
  return null
}

/** Works on the next documents of a bulk job, with the rights of the person who started it. */
const workOnBulkJobs = (runtime: Runtime, runner: Runner) =>
  handler(workOnBulkJobJob, async (slice, { last }) => {
    const bySystem = { caller: systemCaller, origin }
    try {
      const work = await runner.run(readSlice, { ...bySystem, input: slice })
      if (!work) return
      if (!work.isAllowed) return await runner.run(stopBulkJob, { ...bySystem, input: slice })
      const continuesAt = await workOnSlice(runtime, runner, slice, work)
      await runner.run(continueBulkJob, { ...bySystem, input: { ...slice, continuesAt } })
    } catch (error) {
      if (last) await runner.run(stopBulkJob, { ...bySystem, input: slice })
      throw error
    }
  })

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [workOnBulkJobs(runtime, runner)],
  purges: [purgeAfter(30 * days, 'bulk_jobs', purgeBulkJobs, 10)],
}
