import { systemCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { handler } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import type { Runner } from '../../platform/operations/runner.ts'
import { checkBuyerJob, settleBuyerCheck } from './verify-buyer.ts'

const caller = systemCaller
const origin = { requestId: 'check-buyer', address: '', userAgent: '' }

/** A check that was ended before is not a failure of the job. */
const unlessEnded = (error: unknown): undefined => {
  if (error instanceof Refusal && error.refusal === 'resource.not_found') return undefined
  throw error
}

const checkBuyer = (runner: Runner) =>
  handler(checkBuyerJob, async (input) => {
    await runner.run(settleBuyerCheck, { caller, origin, input }).catch(unlessEnded)
  })

export const background: ModuleBackground = {
  jobs: (_, runner) => [checkBuyer(runner)],
  exchanges: [settleBuyerCheck],
}
