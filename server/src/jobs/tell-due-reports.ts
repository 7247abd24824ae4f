import { systemCaller } from '../kernel/callers.ts'
import { tellDueReports } from '../modules/invoices/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { inBatches } from './in-batches.ts'

const tellDueReportsJob = job<object>('tell-due-reports', 'upkeep', { maxAttempts: 1 })
const origin = { requestId: 'tell-due-reports', address: '', userAgent: '' }

/** Every minute: what has to be reported soon is told of once. */
export const tellOfDueReports = (runner: Runner) =>
  handler(
    tellDueReportsJob,
    async () => {
      await inBatches(() => runner.run(tellDueReports, { caller: systemCaller, origin, input: undefined }))
    },
    '* * * * *',
  )
