import type { AbandonedExchange } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { job } from '../platform/work/jobs.ts'
import { handler } from '../platform/work/queue.ts'

const settleExchangesJob = job<object>('settle-exchanges', { maxAttempts: 1 })

/** Ends what a dead process had begun to ask an outside party. */
export const settleExchanges = (runner: Runner, exchanges: readonly AbandonedExchange[]) =>
  handler(settleExchangesJob, async () => void (await runner.settleAbandoned(exchanges)), '* * * * *')
