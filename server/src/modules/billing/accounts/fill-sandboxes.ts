import { systemCaller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { DueWork } from '../../../platform/background/due-work.ts'
import { dailyAt, scheduled } from '../../../platform/background/handlers.ts'
import { walk } from '../../../platform/background/walk.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { sandboxTopUp } from '../../catalogue/index.ts'
import { fillSandbox, findSandboxesToFill } from './top-up-sandboxes.ts'

const caller = systemCaller
const origin = { requestId: 'fill-sandboxes', address: '', userAgent: '' }
/** One walk a day, so it may take long. */
const forMs = 40 * 60_000

/** A sandbox that is moved forward is refilled whenever something is due, and on each of its days at most once. */
export const refills: DueWork = {
  name: 'credits of the sandbox',
  nextAt: async () => undefined,
  run: async (_, runner, { organisationId, mode }) => {
    await runner.run(fillSandbox, { caller, origin, input: { organisationId, mode } })
    return false
  },
}

/** Refills the credits of all sandboxes every day. */
export const fillSandboxes = (runtime: Runtime, runner: Runner) =>
  scheduled(
    'fill-sandboxes',
    dailyAt(sandboxTopUp.hourUtc, sandboxTopUp.minute),
    async () => {
      const failed = await walk<{ readonly organisationId: OrganisationId }>(runtime, {
        problem: 'sandbox.not_filled',
        findAfter: (last) => runner.run(findSandboxesToFill, { caller, origin, input: last }),
        work: (input) => runner.run(fillSandbox, { caller, origin, input }),
        forMs,
      })
      if (failed > 0) throw new Error(`${failed} sandboxes could not be filled`)
    },
    { maxAttempts: 3 },
  )
