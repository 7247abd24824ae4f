import { systemCaller } from '../kernel/callers.ts'
import { announceEndedKeys } from '../modules/api-keys/index.ts'
import { expireInvitations } from '../modules/organisations/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { inBatches } from './in-batches.ts'

const announceEndedJob = job<object>('announce-ended', 'upkeep', { maxAttempts: 1 })
const origin = { requestId: 'announce-ended', address: '', userAgent: '' }

/** Keys and invitations end by themselves; this only makes events of it. */
export const announceEnded = (runner: Runner) =>
  handler(
    announceEndedJob,
    async () => {
      for (const operation of [announceEndedKeys, expireInvitations]) {
        const call = { caller: systemCaller, origin, input: undefined }
        await inBatches(() => runner.run(operation, call))
      }
    },
    '* * * * *',
  )
