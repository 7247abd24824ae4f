import { job } from '../platform/jobs.ts'
import type { AbandonedExchange } from '../platform/operation.ts'
import { handler } from '../platform/queue.ts'
import type { Runner } from '../platform/runner.ts'

const settleExchangesJob = job<object>('settle-exchanges', { maxAttempts: 1 })

/** Ends what a dead process had begun to ask an outside party. */
export const settleExchanges = (runner: Runner, exchanges: readonly AbandonedExchange[]) =>
  handler(settleExchangesJob, async () => void (await runner.settleAbandoned(exchanges)), '* * * * *')
