import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { programDocuments } from '../gateways/program-documents.ts'
import { smtpCarrier } from '../gateways/smtp.ts'
import { webhookHttp } from '../gateways/webhook-http.ts'
import { builtInMailbox, type Mailbox, type MessageCarrier } from '../modules/messages/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { bringUpToDate, type DatabaseAccess } from '../platform/database/bring-up-to-date.ts'
import { othersAreConnected } from '../platform/database/connections.store.ts'
import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { openReplicas } from '../platform/database/replicas.ts'
import { embeddedServiceRole } from '../platform/database/service-rights.store.ts'
import { untilWritable } from '../platform/database/until-writable.ts'
import type { Logger } from '../platform/logger.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import { loadExtraCa } from '../platform/outbound/extra-ca.ts'
import { createOutbound, type OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { anywhere, publicOnly, thisMachine } from '../platform/outbound/public-urls.ts'
import { loadKeyRing } from '../platform/secrets/key-file.ts'
import { checkKeyFile } from '../platform/secrets/secret-keys.store.ts'
import { createVault } from '../platform/secrets/secrets.ts'
import { checkPlaces } from '../platform/sharding/distribution.store.ts'
import { assemble } from './assembly.ts'
import { checkoutProviders } from './checkout-providers.ts'
import { collectionProviders, simulatedPayersOf } from './collection-providers.ts'
import { jurisdictions, simulatedNetworkOf } from './jurisdictions.ts'
import { programVersion } from './program-version.ts'
import { receiverOf } from './simulators.ts'

export interface OpenRuntime {
  readonly runtime: Runtime
  readonly runner: Runner
  readonly connection: string
  /** with the rights of the tables' owner */
  readonly ownerConnection: string
  readonly outbound: OutboundHttp
  /** the settings for further connections */
  readonly access: Pick<DatabaseOptions, 'connection' | 'prepares' | 'tracer'>
  close(): Promise<void>
}

/** The database of DATABASE_URL, or the embedded one in the data folder. */
export async function findDatabase(config: Config): Promise<DatabaseAccess & { stop(): Promise<void> }> {
  if (config.databaseUrl !== undefined)
    return { service: config.databaseUrl, owner: config.migrationDatabaseUrl, stop: async () => {} }
  const embedded = await startEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres') })
  return {
    service: embedded.urlOf(embeddedServiceRole),
    owner: embedded.url,
    serviceRole: embeddedServiceRole,
    async stop() {
      // Two processes in one place share the server, and the last one stops it. Our own connections take a moment to close.
      for (let looks = 0; await othersAreConnected(embedded.url); looks++) {
        if (looks === 10) return
        await wait(50)
      }
      await embedded.stop()
    },
  }
}

/** Mail uses SMTP if it is configured. Text messages have no gateway yet: the mailbox takes them, but not in production. */
function messageCarrier(config: Config, kept: Mailbox): MessageCarrier & { close(): void } {
  const mailbox = builtInMailbox(kept, { textsPhones: !config.production })
  const smtp = config.smtpUrl === undefined ? undefined : smtpCarrier(config.smtpUrl, config.mailFrom)
  return {
    textsPhones: mailbox.textsPhones,
    reachesPeople: smtp !== undefined,
    carry: (message) => (message.channel === 'email' && smtp ? smtp : mailbox).carry(message),
    close: () => smtp?.close(),
  }
}

/** Our own host names: a user must not make the service call itself from inside. */
const ownNames = ({ publicUrl }: Config): string[] => (publicUrl === undefined ? [] : [new URL(publicUrl).hostname])

/** The code is loaded only if there is somewhere to send traces. */
async function tracingOf({ traces, role }: Config, log: Logger, extraCa: readonly string[]) {
  if (!traces) return undefined
  const { startTracing } = await import('./tracing.ts')
  const resource = { 'service.name': 'risiti', 'service.version': programVersion, 'risiti.role': role }
  return startTracing(traces, resource, { log, extraCa })
}

/** Everything below HTTP and jobs, started in order; closing ends it in reverse order. */
export async function openRuntime(config: Config, log: Logger): Promise<OpenRuntime> {
  const ring = await loadKeyRing(config.secretsFile, { createIfMissing: config.databaseUrl === undefined })
  const extraCa = config.extraCaFile === undefined ? [] : await loadExtraCa(config.extraCaFile)
  const { stop: leave, ...found } = await findDatabase(config)
  const connection = found.service
  const tracing = await tracingOf(config, log, extraCa)
  const tracer = tracing?.tracer
  const access = { connection, prepares: config.preparedStatements, tracer }
  const db = openDatabase({ ...access, onIdleError: (error) => log.warn('database.connection_lost', { error }) })
  // Background work uses the primary.
  const replicas =
    config.replicaUrls.length === 0 || config.role === 'worker'
      ? undefined
      : openReplicas(db, access, config.replicaUrls, log)
  try {
    // As the owner: before the first migration there is no role of the service.
    await untilWritable(found.owner ?? connection, log)
    await bringUpToDate(found, log)
    await checkPlaces(db)
    const vault = createVault(ring)
    // A refused key file must not record its keys: the right file would then be refused for lacking them.
    await db.transaction((tx) => checkKeyFile(tx, vault))
    const carrier = messageCarrier(config, { db, vault })
    const outbound = createOutbound({ extraCa, tracer })
    const { runtime, runner, start, stop } = assemble({
      db,
      replicas,
      clock: systemClock,
      vault,
      log,
      limits: config.limits,
      settings: config.settings,
      ports: {
        messageCarrier: carrier,
        checkoutProviders: checkoutProviders(config, outbound),
        jurisdictions: jurisdictions(config, outbound),
        webhookHttp: webhookHttp(
          outbound,
          config.allowPrivateWebhooks ? anywhere : publicOnly(ownNames(config)),
          config.playground ? receiverOf(config.dataDir) : undefined,
          { allowsThisMachine: config.playground },
        ),
        programDocuments: programDocuments(outbound, [
          config.allowPrivateWebhooks ? anywhere : publicOnly(ownNames(config)),
          ...(config.playground ? [thisMachine] : []),
        ]),
        simulatedNetwork: simulatedNetworkOf(config, outbound),
        collectionProviders: collectionProviders(config, outbound),
        simulatedPayers: simulatedPayersOf(config, outbound),
      },
    })
    await start()
    return {
      runtime,
      runner,
      connection,
      ownerConnection: found.owner ?? connection,
      outbound,
      access,
      async close() {
        await stop()
        carrier.close()
        await outbound.close()
        await tracing?.close()
        await replicas?.close()
        await db.end()
        await leave()
      },
    }
  } catch (error) {
    await replicas?.close()
    await db.end()
    await leave()
    throw error
  }
}
