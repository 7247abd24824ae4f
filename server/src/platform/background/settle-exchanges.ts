import type { AbandonedExchange } from '../operations/operation.ts'
import type { Runner } from '../operations/runner.ts'
import { everyMinutes, scheduled } from './handlers.ts'

/** Settles the exchanges of dead processes. */
export const settleExchanges = (runner: Runner, exchanges: readonly AbandonedExchange[]) =>
  scheduled('settle-exchanges', everyMinutes(1), async () => void (await runner.settleAbandoned(exchanges)))
