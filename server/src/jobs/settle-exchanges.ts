import type { AbandonedExchange } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'

const settleExchangesJob = job<object>('settle-exchanges', 'upkeep', { maxAttempts: 1 })

/** Settles the exchanges of dead processes. */
export const settleExchanges = (runner: Runner, exchanges: readonly AbandonedExchange[]) =>
  handler(settleExchangesJob, async () => void (await runner.settleAbandoned(exchanges)), '* * * * *')
