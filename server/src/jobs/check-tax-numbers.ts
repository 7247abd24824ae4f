import { systemCaller } from '../kernel/callers.ts'
import { Refusal } from '../kernel/refusals.ts'
import { checkBuyerJob, settleBuyerCheck } from '../modules/buyers/index.ts'
import { checkSellerJob, settleSellerCheck } from '../modules/sellers/index.ts'
import { handler } from '../platform/background/handlers.ts'
import type { Runner } from '../platform/operations/runner.ts'

const caller = systemCaller
const origin = { requestId: 'check-tax-numbers', address: '', userAgent: '' }

/** A check that was ended before is not a failure of the job. */
const unlessEnded = (error: unknown): undefined => {
  if (error instanceof Refusal && error.refusal === 'resource.not_found') return undefined
  throw error
}

export const checkBuyer = (runner: Runner) =>
  handler(checkBuyerJob, async (input) => {
    await runner.run(settleBuyerCheck, { caller, origin, input }).catch(unlessEnded)
  })

export const checkSeller = (runner: Runner) =>
  handler(checkSellerJob, async (input) => {
    await runner.run(settleSellerCheck, { caller, origin, input }).catch(unlessEnded)
  })
