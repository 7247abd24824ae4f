import { purgeAuthChanges } from '../callers/auth-changes.store.ts'
import { purgeFailing } from '../jobs/failing-items.store.ts'
import { failingMetrics } from '../jobs/failing-items.ts'
import { purgeGivenUp } from '../jobs/jobs.store.ts'
import { purgeRateWindows } from '../limits/rate-limits.store.ts'
import { purgeExchanges, purgeIdempotencyKeys } from '../operations/purges.store.ts'
import { eventCounts } from './count-events.ts'
import { keepEvents } from './keep-events.ts'
import type { ModuleBackground } from './module-background.ts'
import { days, hours, purgeAfter, purgeMachineryAfter } from './purge-expired.ts'

/** The background work of the platform itself. */
export const background: ModuleBackground = {
  jobs: (runtime) => [keepEvents(runtime)],
  consumers: [eventCounts],
  purges: [
    purgeAfter(0, 'idempotency keys', purgeIdempotencyKeys),
    purgeMachineryAfter(30 * days, 'exchanges', purgeExchanges),
    purgeMachineryAfter(hours, 'rate windows', purgeRateWindows),
    purgeMachineryAfter(hours, 'changes of tokens', purgeAuthChanges),
    purgeMachineryAfter(90 * days, 'jobs given up', purgeGivenUp),
    // Every loop that records failing items runs at least once a day.
    purgeMachineryAfter(7 * days, 'failing items', purgeFailing),
  ],
  metrics: ({ db }) => failingMetrics(db),
}
