import { purgeNotifications } from '../modules/billing/index.ts'
import { purgeCollectionNotifications } from '../modules/collection/index.ts'
import { purgeRegistrations, purgeSessions } from '../modules/identity/index.ts'
import { purgeImports } from '../modules/imports/index.ts'
import { purgeMailbox, purgeMessages } from '../modules/messages/index.ts'
import { purgeAskedChanges, purgeLogos } from '../modules/organisations/index.ts'
import { purgeAttemptCounters, purgeCodes, purgeDevices } from '../modules/people/index.ts'
import { purgeRequestLog } from '../modules/request-log/index.ts'
import { purgeNetworkLookups } from '../modules/tax-identities/index.ts'
import { purgeDeliveries } from '../modules/webhooks/index.ts'
import { hourlyAt, scheduled } from '../platform/background/handlers.ts'
import { purgeAuthChanges } from '../platform/callers/auth-changes.store.ts'
import { purgeFailing } from '../platform/jobs/failing-items.store.ts'
import { oneByOne } from '../platform/jobs/failing-items.ts'
import { purgeGivenUp } from '../platform/jobs/jobs.store.ts'
import { purgeRateWindows } from '../platform/limits/rate-limits.store.ts'
import { purgeExchanges } from '../platform/operations/exchanges.store.ts'
import { purgeIdempotencyKeys } from '../platform/operations/idempotency.store.ts'
import type { Runtime } from '../platform/operations/runner.ts'
import { inBatches } from './in-batches.ts'

const hours = 3600_000
const days = 24 * hours
/** Rows per statement. There may be millions, and one statement for all would hit its time limit every time. */
const batch = 1_000

/** Deletes expired rows. Nothing depends on it: every reader checks the expiry itself. A failing purge does not stop the others. */
export const purgeExpired = (runtime: Runtime) =>
  scheduled('purge-expired', hourlyAt(7), async () => {
    const { db, clock, log } = runtime
    const now = clock.now()
    const ago = (ms: number) => new Date(now.getTime() - ms)
    const really = (ms: number) => new Date(Date.now() - ms)
    const purges: Readonly<Record<string, () => Promise<number>>> = {
      'idempotency keys': () => inBatches(() => purgeIdempotencyKeys(db, now, batch)),
      exchanges: () => inBatches(() => purgeExchanges(db, really(30 * days), batch)),
      'rate windows': () => inBatches(() => purgeRateWindows(db, really(hours), batch)),
      'changes of tokens': () => inBatches(() => purgeAuthChanges(db, really(hours), batch)),
      codes: () => inBatches(() => purgeCodes(db, ago(24 * hours), batch)),
      throttles: () => inBatches(() => purgeAttemptCounters(db, ago(48 * hours), batch)),
      registrations: () => inBatches(() => purgeRegistrations(db, ago(24 * hours), batch)),
      'requested changes': () => inBatches(() => purgeAskedChanges(db, ago(30 * days), batch)),
      devices: () => inBatches(() => purgeDevices(db, ago(365 * days), batch)),
      sessions: () => inBatches(() => purgeSessions(db, ago(90 * days), batch)),
      // Longer than any provider repeats a notification.
      'payment notifications': () => inBatches(() => purgeNotifications(db, ago(90 * days), batch)),
      'collection notifications': () => inBatches(() => purgeCollectionNotifications(db, ago(90 * days), batch)),
      messages: () => inBatches(() => purgeMessages(db, ago(90 * days), batch)),
      mailbox: () => inBatches(() => purgeMailbox(db, ago(90 * days), batch)),
      'network lookups': () => inBatches(() => purgeNetworkLookups(db, ago(30 * days), batch)),
      'jobs given up': () => inBatches(() => purgeGivenUp(db, really(90 * days), batch)),
      // Every loop that records failing items runs at least once a day.
      'failing items': () => inBatches(() => purgeFailing(db, really(7 * days), batch)),
      logos: () => purgeLogos(db, batch),
      imports: () => inBatches(() => purgeImports(db, ago(30 * days), 10)),
      'request log': () => purgeRequestLog(runtime, ago(7 * days)),
      'webhook deliveries': () => purgeDeliveries(db, ago(31 * days)),
    }
    let count = 0
    const failed = await oneByOne(runtime, 'purge.failed', named(purges), async ({ purge }) => {
      count += await purge()
    })
    log.info('purged', { count })
    if (failed > 0) throw new Error(`${failed} purges failed`)
  })

const named = (purges: Readonly<Record<string, () => Promise<number>>>) =>
  Object.entries(purges).map(([id, purge]) => ({ id, purge }))
