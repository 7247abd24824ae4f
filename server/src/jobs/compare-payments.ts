import { systemCaller } from '../kernel/callers.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { comparePayments, findTenantsToCompare } from '../modules/submissions/index.ts'
import type { Machine, Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { inTurns } from './in-turns.ts'

const comparePaymentsJob = job<object>('compare-payments', 'upkeep', { maxAttempts: 1 })
const caller = systemCaller
const origin = { requestId: 'compare-payments', address: '', userAgent: '' }

/** Every ten minutes: what the authority was told of the payment of documents of earlier versions is compared with the truth, once. */
export const comparePaymentsTold = (machine: Machine, runner: Runner) =>
  handler(
    comparePaymentsJob,
    async () => {
      const failed = await inTurns<Tenant>(machine, {
        problem: 'invoice.payments_not_compared',
        findAfter: (last) => runner.run(findTenantsToCompare, { caller, origin, input: last }),
        takeBatch: (tenant) => runner.run(comparePayments, { caller, origin, input: tenant }),
      })
      if (failed > 0) throw new Error(`payments were not compared for ${failed} tenants`)
    },
    '*/10 * * * *',
  )
