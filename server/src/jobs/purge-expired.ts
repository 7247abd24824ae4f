import { purgeNotifications } from '../modules/billing/index.ts'
import { purgeCollectionNotifications } from '../modules/collection/index.ts'
import { purgeRegistrations, purgeSessions } from '../modules/identity/index.ts'
import { purgeImports } from '../modules/imports/index.ts'
import { purgeMailbox, purgeMessages } from '../modules/messages/index.ts'
import { purgeAskedChanges, purgeLogos } from '../modules/organisations/index.ts'
import { purgeCodes, purgeDevices, purgeDoors } from '../modules/people/index.ts'
import { purgeRequestLog } from '../modules/request-log/index.ts'
import { purgeDeliveries } from '../modules/webhooks/index.ts'
import { purgeAuthChanges } from '../platform/callers/auth-changes.store.ts'
import { purgeRateWindows } from '../platform/limits/rate-limits.store.ts'
import { purgeExchanges } from '../platform/operations/exchanges.store.ts'
import { purgeIdempotencyKeys } from '../platform/operations/idempotency.store.ts'
import type { Machine } from '../platform/operations/runner.ts'
import { purgeFailedSchedule } from '../platform/work/dead-workers.store.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { purgeGivenUp } from '../platform/work/work.store.ts'
import { inBatches } from './in-batches.ts'

const hours = 3600_000
/** So many at a time, for there may be millions: a statement that takes longer than any may would never get anywhere. */
const batch = 1_000
const purgeExpiredJob = job<object>('purge-expired', 'upkeep', { maxAttempts: 1 })

/** Removes what time has made useless. Nothing depends on it: every reader looks at the expiry itself. */
export const purgeExpired = ({ db, clock, log }: Machine) =>
  handler(
    purgeExpiredJob,
    async () => {
      const now = clock.now()
      const ago = (ms: number) => new Date(now.getTime() - ms)
      const counts = [
        await inBatches(() => purgeIdempotencyKeys(db, now, batch)),
        await inBatches(() => purgeExchanges(db, new Date(Date.now() - 30 * 24 * hours), batch)),
        await inBatches(() => purgeRateWindows(db, new Date(Date.now() - hours), batch)),
        await inBatches(() => purgeAuthChanges(db, new Date(Date.now() - hours), batch)),
        await inBatches(() => purgeCodes(db, ago(24 * hours), batch)),
        await inBatches(() => purgeDoors(db, ago(48 * hours), batch)),
        await inBatches(() => purgeRegistrations(db, ago(24 * hours), batch)),
        await inBatches(() => purgeAskedChanges(db, ago(30 * 24 * hours), batch)),
        await inBatches(() => purgeDevices(db, ago(365 * 24 * hours), batch)),
        await inBatches(() => purgeSessions(db, ago(90 * 24 * hours), batch)),
        // Longer than any provider repeats itself.
        await inBatches(() => purgeNotifications(db, ago(90 * 24 * hours), batch)),
        await inBatches(() => purgeCollectionNotifications(db, ago(90 * 24 * hours), batch)),
        await inBatches(() => purgeMessages(db, ago(90 * 24 * hours), batch)),
        await inBatches(() => purgeMailbox(db, ago(90 * 24 * hours), batch)),
        await inBatches(() => purgeGivenUp(db, new Date(Date.now() - 90 * 24 * hours), batch)),
        await inBatches(() => purgeFailedSchedule(db, new Date(Date.now() - 90 * 24 * hours), batch)),
        await purgeLogos(db, batch),
        await inBatches(() => purgeImports(db, ago(30 * 24 * hours), 10)),
        await purgeRequestLog(db, ago(7 * 24 * hours)),
        await purgeDeliveries(db, ago(31 * 24 * hours)),
      ]
      log.info('purged', { count: counts.reduce((sum, count) => sum + count, 0) })
    },
    '7 * * * *',
  )
