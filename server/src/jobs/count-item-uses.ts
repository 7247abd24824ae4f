import { systemCaller } from '../kernel/callers.ts'
import { countUses } from '../modules/items/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { inBatches } from './in-batches.ts'

export const countItemUsesJob = job<object>('count-item-uses', 'upkeep', { maxAttempts: 1 })
const origin = { requestId: 'count-item-uses', address: '', userAgent: '' }

export const countItemUses = (runner: Runner) =>
  handler(
    countItemUsesJob,
    async () => {
      await inBatches(() => runner.run(countUses, { caller: systemCaller, origin, input: undefined }))
    },
    '* * * * *',
  )
