import type { Tenant } from '../kernel/tenant.ts'
import { background as apiKeys } from '../modules/api-keys/index.ts'
import { background as billing } from '../modules/billing/index.ts'
import { background as bulkJobs } from '../modules/bulk-jobs/index.ts'
import { background as buyerAccounts } from '../modules/buyer-accounts/index.ts'
import { background as buyers } from '../modules/buyers/index.ts'
import { background as collection } from '../modules/collection/index.ts'
import { background as confirmations } from '../modules/confirmations/index.ts'
import { background as documents } from '../modules/documents/index.ts'
import { background as identity } from '../modules/identity/index.ts'
import { background as imports } from '../modules/imports/index.ts'
import { background as invoices } from '../modules/invoices/index.ts'
import { background as items } from '../modules/items/index.ts'
import { background as messages } from '../modules/messages/index.ts'
import { background as organisations } from '../modules/organisations/index.ts'
import { background as people } from '../modules/people/index.ts'
import { background as programs } from '../modules/programs/index.ts'
import { background as quotes } from '../modules/quotes/index.ts'
import { background as receivedInvoices } from '../modules/received-invoices/index.ts'
import { background as recurringInvoices } from '../modules/recurring-invoices/index.ts'
import { background as reference } from '../modules/reference/index.ts'
import { background as reminders } from '../modules/reminders/index.ts'
import { background as requestLog } from '../modules/request-log/index.ts'
import { background as sellers } from '../modules/sellers/index.ts'
import { background as submissions } from '../modules/submissions/index.ts'
import { background as taxConnection } from '../modules/tax-connection/index.ts'
import { background as taxIdentities } from '../modules/tax-identities/index.ts'
import { background as taxReports } from '../modules/tax-reports/index.ts'
import { advanceClockJob, background as testClock, testClockJobs } from '../modules/test-clock/index.ts'
import { background as webhooks } from '../modules/webhooks/index.ts'
import type { JobHandler } from '../platform/background/handlers.ts'
import type { ModuleBackground } from '../platform/background/module-background.ts'
import { background as platform } from '../platform/background/platform-background.ts'
import { purgeExpired } from '../platform/background/purge-expired.ts'
import { resealSecrets } from '../platform/background/reseal-secrets.ts'
import { settleExchanges } from '../platform/background/settle-exchanges.ts'
import { isTenantBusy } from '../platform/background/tenant-activity.store.ts'
import type { Queryable } from '../platform/database/database.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'

/** Everything that brings background work. */
const modules: readonly ModuleBackground[] = [
  platform,
  apiKeys,
  billing,
  bulkJobs,
  buyerAccounts,
  buyers,
  collection,
  confirmations,
  documents,
  identity,
  imports,
  invoices,
  items,
  messages,
  organisations,
  people,
  programs,
  quotes,
  receivedInvoices,
  recurringInvoices,
  reference,
  reminders,
  requestLog,
  sellers,
  submissions,
  taxConnection,
  taxIdentities,
  taxReports,
  testClock,
  webhooks,
]

export const exchanges = modules.flatMap((one) => one.exchanges ?? [])
export const consumers = modules.flatMap((one) => one.consumers ?? [])
export const ownQueues = modules.flatMap((one) => one.queues ?? [])
export const sealedColumns = modules.flatMap((one) => one.sealedColumns ?? [])
const waitsForTime = {
  dueWork: modules.flatMap((one) => one.dueWork ?? []),
  inProgress: [
    (db: Queryable, tenant: Tenant) => isTenantBusy(db, tenant, advanceClockJob.name, consumers),
    ...modules.flatMap((one) => one.inProgress ?? []),
  ],
}
const purges = modules.flatMap((one) => one.purges ?? [])

export const jobHandlers = (runtime: Runtime, runner: Runner): readonly JobHandler[] => [
  ...modules.flatMap(({ jobs }) => jobs?.(runtime, runner) ?? []),
  ...testClockJobs(runtime, runner, waitsForTime),
  purgeExpired(runtime, purges),
  resealSecrets(runtime, sealedColumns),
  settleExchanges(runner, exchanges),
]

/** The metrics of all modules, for `/metrics`. */
export const moduleMetrics = (runtime: Runtime): (() => Promise<string>)[] =>
  modules.flatMap(({ metrics }) => (metrics ? [() => metrics(runtime)] : []))
