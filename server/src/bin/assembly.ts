import { importReaders } from '../http/form-a/import-readers.ts'
import * as forms from '../http/forms.ts'
import { createLastUsed, type LastUsed } from '../modules/api-keys/index.ts'
import { createDrawer, undrawable } from '../modules/documents/index.ts'
import { callerLoader, capabilitiesNow } from '../modules/identity/index.ts'
import { createFileReader } from '../modules/imports/index.ts'
import { createCodeLists } from '../modules/reference/index.ts'
import { createRequestLog } from '../modules/request-log/index.ts'
import { newQueueCounts } from '../platform/background/queues.ts'
import { createAuthentication } from '../platform/callers/authentication.ts'
import type { Clock } from '../platform/clock.ts'
import { createTenantClocks } from '../platform/clocks/tenant-clocks.ts'
import type { RateLimits, Settings } from '../platform/config.ts'
import type { Database } from '../platform/database/database.ts'
import type { Replicas } from '../platform/database/replicas.ts'
import { createWakeUp } from '../platform/jobs/wake-up.ts'
import { createRateLimiter } from '../platform/limits/rate-limits.ts'
import type { Logger } from '../platform/logger.ts'
import type { Ports } from '../platform/operations/ports.ts'
import { createRunner, type Runner, type Runtime } from '../platform/operations/runner.ts'
import type { Vault } from '../platform/secrets/secrets.ts'

const everyFormat = Object.values(forms).flatMap(({ webhooks }) => (webhooks ? [webhooks.format] : []))
const webhookFormats: Ports['webhookFormats'] = {
  all: everyFormat,
  of(name) {
    const format = everyFormat.find((one) => one.name === name)
    if (!format) throw new Error(`no form of the API writes the webhook format ${name}`)
    return format
  },
}

/** What differs between installations and tests. */
export interface Parts {
  readonly db: Database
  readonly replicas?: Replicas | undefined
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Logger
  readonly limits: RateLimits
  readonly settings: Settings
  readonly ports: Pick<
    Ports,
    | 'messageCarrier'
    | 'checkoutProviders'
    | 'jurisdictions'
    | 'webhookHttp'
    | 'programDocuments'
    | 'simulatedNetwork'
    | 'collectionProviders'
    | 'simulatedPayers'
  >
  readonly drawing?: Parameters<typeof createDrawer>[1] | undefined
  readonly requestLogging?: Parameters<typeof createRequestLog>[3] | undefined
}

export interface Assembled {
  readonly runtime: Runtime
  readonly runner: Runner
  readonly lastUsed: LastUsed
  start(): Promise<void>
  stop(): Promise<void>
}

/** Builds everything below HTTP and jobs, in the same way for processes and tests. */
export function assemble({
  db,
  replicas,
  clock,
  vault,
  log,
  limits,
  settings,
  ports,
  drawing,
  requestLogging,
}: Parts): Assembled {
  const codeLists = createCodeLists(db, ports.jurisdictions, clock, log)
  const drawer = createDrawer(log, drawing)
  const fileReader = createFileReader(log)
  const wakeUp = createWakeUp(db, log)
  const lastUsed = createLastUsed(db, clock, log)
  const requestLog = createRequestLog(db, clock, log, requestLogging)
  const authentication = createAuthentication(db, callerLoader({ vault, limits, lastUsed }), clock, log)
  const runtime: Runtime = {
    db,
    replicas,
    clock,
    clocks: createTenantClocks(db, authentication, clock),
    vault,
    ports: {
      ...ports,
      codeLists,
      drawer,
      undrawable,
      capabilitiesNow,
      webhookFormats,
      importReaders,
      fileReader,
      requestLog,
    },
    settings,
    wakeUp,
    queueCounts: newQueueCounts(),
    ownQueueCounts: new Map(),
    consumerCounts: new Map(),
    authentication,
    log,
    limiter: createRateLimiter(db),
    attemptsPerMinute: limits.login,
  }
  return {
    runtime,
    runner: createRunner(runtime),
    lastUsed,
    async start() {
      await authentication.start()
      lastUsed.start()
      requestLog.start()
      await codeLists.start()
    },
    async stop() {
      await wakeUp.stop()
      await authentication.stop()
      await lastUsed.stop()
      await requestLog.stop()
      await codeLists.stop()
      await drawer.close()
      await fileReader.close()
    },
  }
}
