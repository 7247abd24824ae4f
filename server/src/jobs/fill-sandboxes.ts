import { noOrganisation, systemCaller } from '../kernel/callers.ts'
import { fillSandbox, findSandboxesToFill } from '../modules/billing/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { inBatches } from './in-batches.ts'

export const fillSandboxesJob = job<object>('fill-sandboxes', 'upkeep', { maxAttempts: 3 })
const caller = systemCaller
const origin = { requestId: 'fill-sandboxes', address: '', userAgent: '' }

/** Every day, shortly after midnight in Lagos, sandboxes are full again. */
export const fillSandboxes = (runner: Runner) =>
  handler(
    fillSandboxesJob,
    async () => {
      let after = noOrganisation
      await inBatches(async () => {
        const found = await runner.run(findSandboxesToFill, { caller, origin, input: { after } })
        for (const input of found) await runner.run(fillSandbox, { caller, origin, input })
        after = found.at(-1)?.organisationId ?? after
        return found.length
      })
    },
    '5 23 * * *',
  )
