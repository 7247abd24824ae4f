import { systemCaller } from '../kernel/callers.ts'
import { followInvoices, followInvoicesJob } from '../modules/invoices/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler } from '../platform/work/queue.ts'
import { inBatches } from './in-batches.ts'

const origin = { requestId: 'follow-invoices', address: '', userAgent: '' }

/** Called for by events; every minute it also takes up what a lost call left. */
export const followInvoiceChanges = (runner: Runner) =>
  handler(
    followInvoicesJob,
    async () => {
      await inBatches(() => runner.run(followInvoices, { caller: systemCaller, origin, input: undefined }))
    },
    '* * * * *',
  )
