import { everyMinutes, scheduled } from '../platform/background/handlers.ts'
import type { AbandonedExchange } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'

/** Settles the exchanges of dead processes. */
export const settleExchanges = (runner: Runner, exchanges: readonly AbandonedExchange[]) =>
  scheduled('settle-exchanges', everyMinutes(1), async () => void (await runner.settleAbandoned(exchanges)))
