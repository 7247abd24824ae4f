import type { AddressInfo } from 'node:net'
import { readDemoKey } from '../demo/seed-demo.ts'
import type { Form } from '../http/definitions/form.ts'
import * as everyForm from '../http/forms.ts'
import { serveMcp } from '../http/mcp/serve-mcp.ts'
import { serveOAuth } from '../http/oauth/serve-oauth.ts'
import { serveAuthorityNotifications } from '../http/plain/authority-notifications.ts'
import { serveCollectionNotifications } from '../http/plain/collection-notifications.ts'
import { serveDashboard } from '../http/plain/dashboard.ts'
import { serveDevCheckouts } from '../http/plain/dev-checkouts.ts'
import { serveDevDemo } from '../http/plain/dev-demo.ts'
import { serveDevDemoKey } from '../http/plain/dev-demo-key.ts'
import { serveDevMailbox } from '../http/plain/dev-mailbox.ts'
import { serveDevWebhooks } from '../http/plain/dev-webhooks.ts'
import { serveDocuments } from '../http/plain/documents.ts'
import { type Readiness, serveHealth, Unhealthy } from '../http/plain/health.ts'
import { serveInvoiceChanges } from '../http/plain/invoice-changes.ts'
import { guardDevPages } from '../http/plain/loopback-names.ts'
import { serveMetrics } from '../http/plain/metrics.ts'
import { serveProviderNotifications } from '../http/plain/provider-notifications.ts'
import { serveReference } from '../http/plain/reference.ts'
import { serveSharedQuotes } from '../http/plain/shared-quotes.ts'
import { serveStream } from '../http/plain/stream.ts'
import { serveVerification } from '../http/plain/verify.ts'
import { Unavailable } from '../http/reply/unavailable.ts'
import { countReadiness } from '../http/request/counting.ts'
import { closeServer, createServer } from '../http/server/server.ts'
import { moduleMetrics } from '../jobs/index.ts'
import type { Jurisdictions } from '../jurisdictions/port.ts'
import { modes } from '../kernel/tenant.ts'
import { consumerMetrics, queueAttemptMetrics } from '../platform/background/attempt-metrics.ts'
import { listConsumers } from '../platform/background/consumer-states.store.ts'
import type { Config } from '../platform/config.ts'
import { requireWritable } from '../platform/database/connections.store.ts'
import type { Database } from '../platform/database/database.ts'
import type { Replicas } from '../platform/database/replicas.ts'
import { jobsAreReachable } from '../platform/jobs/jobs.store.ts'
import { metricsText } from '../platform/metrics.ts'
import { programVersion } from './program-version.ts'
import type { OpenRuntime } from './runtime.ts'

export interface ListeningServer {
  readonly url: string
  close(): Promise<void>
}

const forms: readonly Form[] = Object.values(everyForm)
type Server = ReturnType<typeof createServer>

/** An unreachable authority does not stop anyone from selling, so the node stays ready. */
const authorityLinks = ({ all, authority }: Jurisdictions): Readiness[] =>
  all.flatMap(({ country }) =>
    modes.flatMap((mode) => {
      const linked = authority(country, mode)
      if (!linked) return []
      const check = async () => {
        if (!(await linked.isHealthy(AbortSignal.timeout(1_500)))) throw new Error('not healthy')
      }
      return [{ name: `authority ${country} ${mode}`, check, optional: true as const }]
    }),
  )

/** A failing consumer stops alone: the node stays ready, and reports the state of that consumer. */
const consumersGoOn = (db: Database): Readiness => ({
  name: 'consumers',
  optional: true,
  check: async () => {
    const troubles = (await listConsumers(db)).flatMap(({ consumer, failingEvent, setAside }) => [
      ...(failingEvent === null ? [] : [`${consumer} stands at event ${failingEvent}`]),
      ...(setAside === 0 ? [] : [`${consumer} has set aside ${setAside} events`]),
    ])
    if (troubles.length > 0) throw new Unhealthy(troubles.join(', '))
  },
})

const replicasAreUsed = (replicas: Replicas): Readiness => ({
  name: 'replicas',
  optional: true,
  check: async () => {
    if (replicas.counts().used === 0) throw new Unhealthy('none is used, all reads go to the primary')
  },
})

/** The server with the pages of every process: liveness, readiness and metrics. */
function serverOf(
  { runtime, runner, outbound, access }: OpenRuntime,
  config: Config,
  mounted: readonly Form[],
  readiness: readonly Readiness[],
): Server {
  const { db } = runtime
  const unavailable = new Unavailable(runtime.log)
  const server = createServer(
    forms,
    {
      runtime,
      runner,
      config,
      trustProxy: config.trustProxy,
      secureOrigin: config.publicUrl?.startsWith('https:') ?? false,
      publicOrigin: config.publicUrl && new URL(config.publicUrl).origin,
      unavailable,
      tracer: access.tracer,
      bodyBytes: config.bodyBytes,
    },
    mounted,
  )
  serveHealth(
    server,
    [
      { name: 'database', check: () => requireWritable(db) },
      { name: 'queue', check: () => jobsAreReachable(db) },
      ...readiness,
      consumersGoOn(db),
      ...(runtime.replicas ? [replicasAreUsed(runtime.replicas)] : []),
      ...authorityLinks(runtime.ports.jurisdictions),
    ],
    { admit: (request, reply) => countReadiness(request, reply, { runtime, config }) },
  )
  const measured = [
    () => buildInfo(config),
    outbound.metrics,
    unavailable.metrics,
    ...(runtime.replicas ? [runtime.replicas.metrics] : []),
    () => queueAttemptMetrics([...Object.entries(runtime.queueCounts), ...runtime.ownQueueCounts]),
    () => consumerMetrics(runtime.consumerCounts),
    ...moduleMetrics(runtime),
  ]
  serveMetrics(server, db, { open: config.playground, token: config.metricsToken }, measured)
  return server
}

/** Always 1: the labels are what it tells. */
const buildInfo = ({ role }: Config): Promise<string> =>
  metricsText([
    {
      name: 'risiti_build_info',
      help: 'The running program: its version, its role, and the version of Node.',
      values: [[{ version: programVersion, role, node: process.version }, 1]],
    },
  ])

async function listen(server: Server, { host, port }: Config): Promise<ListeningServer> {
  await server.listen({ host, port })
  const { port: taken } = server.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () => closeServer(server),
  }
}

export interface ApiParts {
  /** further conditions before the node is ready, although it listens already */
  readonly readiness: readonly Readiness[]
  /** the folder of the dashboard; without it there is no dashboard */
  readonly dashboard?: string | undefined
  /** the address of the playground's webhook receiver */
  readonly receiverUrl?: string | undefined
}

export async function startApi(
  open: OpenRuntime,
  config: Config,
  { readiness, dashboard, receiverUrl }: ApiParts,
): Promise<ListeningServer> {
  const { runtime, runner, outbound } = open
  const { db } = runtime
  const server = serverOf(open, config, forms, readiness)
  serveReference(server, forms, { runtime, config })
  serveDocuments(server, { runtime, runner, config })
  serveSharedQuotes(server, { runtime, runner, config })
  serveInvoiceChanges(server, { runtime, runner, config })
  serveVerification(server, { runtime, runner, config })
  serveStream(server, { runtime, runner, config })
  serveProviderNotifications(server, { runtime, runner, config })
  serveAuthorityNotifications(server, { runtime, runner, config })
  serveCollectionNotifications(server, { runtime, runner, config })
  serveMcp(server, {
    runtime,
    runner,
    config,
    forms,
    publicOrigin: config.publicUrl && new URL(config.publicUrl).origin,
    version: programVersion,
  })
  serveOAuth(server, { runtime, runner, config, publicOrigin: config.publicUrl && new URL(config.publicUrl).origin })
  if (dashboard !== undefined) serveDashboard(server, dashboard)
  if (config.playground) {
    guardDevPages(server)
    serveDevDemo(server, config.dataDir)
    serveDevMailbox(server, runtime)
    serveDevDemoKey(server, () => readDemoKey(config.dataDir))
    serveDevCheckouts(server, db, outbound)
    if (receiverUrl !== undefined) serveDevWebhooks(server, receiverUrl)
  }
  return await listen(server, config)
}

/** The pages of a process that only runs background work. */
export const startWorkerPages = (
  open: OpenRuntime,
  config: Config,
  readiness: readonly Readiness[],
): Promise<ListeningServer> => listen(serverOf(open, config, [], readiness), config)
