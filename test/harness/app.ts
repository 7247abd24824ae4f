import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, inject } from 'vitest'
import { assemble } from '../../server/src/bin/assembly.ts'
import { routed } from '../../server/src/bin/checkout-providers.ts'
import { servedBy, servedNigeria } from '../../server/src/bin/jurisdictions.ts'
import { simulatorKeys } from '../../server/src/bin/simulators.ts'
import { paystackProvider } from '../../server/src/gateways/paystack.ts'
import { programDocuments } from '../../server/src/gateways/program-documents.ts'
import { sandboxBank, sandboxPayers } from '../../server/src/gateways/sandbox-bank.ts'
import { simulatedNetwork } from '../../server/src/gateways/simulated-network.ts'
import { stripeProvider } from '../../server/src/gateways/stripe.ts'
import { webhookHttp } from '../../server/src/gateways/webhook-http.ts'
import type { Form } from '../../server/src/http/definitions/form.ts'
import * as everyForm from '../../server/src/http/forms.ts'
import { serveMcp } from '../../server/src/http/mcp/serve-mcp.ts'
import { serveOAuth } from '../../server/src/http/oauth/serve-oauth.ts'
import { serveAuthorityNotifications } from '../../server/src/http/plain/authority-notifications.ts'
import { serveCollectionNotifications } from '../../server/src/http/plain/collection-notifications.ts'
import { serveDashboard } from '../../server/src/http/plain/dashboard.ts'
import { serveDevDemoKey } from '../../server/src/http/plain/dev-demo-key.ts'
import { serveDevMailbox } from '../../server/src/http/plain/dev-mailbox.ts'
import { serveDocuments } from '../../server/src/http/plain/documents.ts'
import { serveInvoiceChanges } from '../../server/src/http/plain/invoice-changes.ts'
import { serveProviderNotifications } from '../../server/src/http/plain/provider-notifications.ts'
import { serveReference } from '../../server/src/http/plain/reference.ts'
import { serveSharedQuotes } from '../../server/src/http/plain/shared-quotes.ts'
import { type StreamBounds, serveStream } from '../../server/src/http/plain/stream.ts'
import { serveVerification } from '../../server/src/http/plain/verify.ts'
import type { LongPollBounds } from '../../server/src/http/server/long-polls.ts'
import { closeServer, createServer } from '../../server/src/http/server/server.ts'
import { consumers, jobHandlers, ownQueues } from '../../server/src/jobs/index.ts'
import { type AuthorityWith, nrsAuthorities } from '../../server/src/jurisdictions/ng/index.ts'
import type { Authority, Jurisdictions } from '../../server/src/jurisdictions/port.ts'
import { type SystemCaller, systemCaller } from '../../server/src/kernel/callers.ts'
import type { Capability } from '../../server/src/kernel/capabilities.ts'
import { newId, type OrganisationId, type UserId } from '../../server/src/kernel/ids.ts'
import { type SystemRoleName, systemRole } from '../../server/src/kernel/roles.ts'
import type { Mode } from '../../server/src/kernel/tenant.ts'
import { type LastUsed, mintKey, presets } from '../../server/src/modules/api-keys/index.ts'
import { openAccount } from '../../server/src/modules/billing/index.ts'
import { type collectionPort, routedProviders } from '../../server/src/modules/collection/index.ts'
import type { DrawerOptions } from '../../server/src/modules/documents/drawing/drawer.ts'
import { foundOrganisation } from '../../server/src/modules/foundings/index.ts'
import { noteRegistration } from '../../server/src/modules/identity/registrations.ts'
import { openSession } from '../../server/src/modules/identity/session.ts'
import { builtInMailbox, type MessageCarrier, readMailbox } from '../../server/src/modules/messages/index.ts'
import { addMember } from '../../server/src/modules/organisations/index.ts'
import { hashPassword, insertPerson } from '../../server/src/modules/people/index.ts'
import { hashCheaply } from '../../server/src/modules/people/passwords.ts'
import { startWorker, type Worker } from '../../server/src/platform/background/worker.ts'
import { SettableClock } from '../../server/src/platform/clock.ts'
import { type RateLimits, readConfig, type Settings, type TrustedProxies } from '../../server/src/platform/config.ts'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { openReplicas, type ReplicaOptions } from '../../server/src/platform/database/replicas.ts'
import { comparePreparedTexts } from '../../server/src/platform/database/sql.ts'
import { createLogger, type Logger, silentLogger } from '../../server/src/platform/logger.ts'
import { type Inside, operation } from '../../server/src/platform/operations/operation.ts'
import type { Runner, Runtime } from '../../server/src/platform/operations/runner.ts'
import { createOutbound, type OutboundHttp } from '../../server/src/platform/outbound/outbound-http.ts'
import { anywhere, type UrlRules } from '../../server/src/platform/outbound/public-urls.ts'
import { createVault, type Vault } from '../../server/src/platform/secrets/secrets.ts'
import type { Tracer } from '../../server/src/platform/tracing/tracer.ts'
import { type AuthoritySimulator, startAuthoritySimulator } from '../../simulators/src/authority/index.ts'
import { type BankSimulator, startBankSimulator } from '../../simulators/src/bank/index.ts'
import { type CheckoutSimulator, startCheckoutSimulator } from '../../simulators/src/checkout/index.ts'
import { findDifferentCopies } from './citus-cluster.ts'
import { type Client, createClient } from './client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { eventsEmittedIn, holdToSchemas } from './emitted-events.ts'
import { eventually, pauseMs } from './eventually.ts'
import { untilQuiet } from './quiet.ts'
import { checkingShardTexts } from './shard-texts.ts'

export const origin = { requestId: 'test', address: '127.0.0.1', userAgent: 'vitest' }
export const password = 'correct horse battery'

export interface Person {
  readonly email: string
  readonly password: string
  readonly userId: UserId
  readonly organisationId: OrganisationId
  readonly token: string
  readonly refreshToken: string
}

export interface TestApp {
  readonly runtime: Runtime
  readonly runner: Runner
  readonly clock: SettableClock
  readonly lastUsed: LastUsed
  readonly database: TestDatabase
  /** a connection with the rights of the tables' owner, which the service lacks */
  readonly owner: Database
  readonly url: string
  readonly a: Client
  readonly b: Client
  /** the client of a form, for `describe.each` and `test.each` */
  client(form: 'A' | 'B'): Client
  /** emails and text messages to a recipient, newest first; waits for at least `atLeast` */
  mailTo(recipient: string, atLeast?: number): Promise<{ subject: string; text: string; html: string }[]>
  /** a verified person with an organisation and a session, created without password hashing */
  person(options?: { mode?: Mode; verified?: boolean; email?: string }): Promise<Person>
  /** another member of an organisation, signed in there */
  member(organisationId: OrganisationId, role: SystemRoleName, options?: { mode?: Mode }): Promise<Person>
  key(organisationId: OrganisationId, options?: { mode?: Mode; capabilities?: readonly Capability[] }): Promise<string>
  /** opens the billing account at once, without the job */
  openAccount(organisationId: OrganisationId): Promise<void>
  /** the simulated payment providers, if started; the real clients call them */
  readonly checkout: CheckoutSimulator
  /** the simulated tax authority, if started, for the chosen modes */
  readonly authority: AuthoritySimulator
  /** shortens the timeout of outside calls in requests; without an argument, each call has its own timeout again */
  patience(longestMs?: number): void
  /** the simulated bank for virtual accounts, if started; the real client calls it */
  readonly bank: BankSimulator
  /** bytes of request bodies in progress */
  bodyBytesHeld(): number
  /** open connections */
  connections(): Promise<number>
  /** runs a scheduled job now */
  runJob(name: string): Promise<void>
  /** stops all background work; `startWork` starts it again */
  stopWork(): Promise<void>
  startWork(): Promise<void>
  /** waits until every event is consumed and no job is due */
  quiet(): Promise<void>
  /** texts of statements that run on one shard if the database is a cluster; `close` checks them */
  shardTexts(): string[]
  close(): Promise<void>
}

export interface TestAppOptions {
  readonly limits?: Partial<RateLimits>
  readonly settings?: Partial<Settings>
  readonly forms?: readonly Form[]
  readonly log?: Logger
  /** limit of open event streams, and how often their rights are checked */
  readonly streams?: StreamBounds
  readonly carrier?: MessageCarrier
  readonly database?: TestDatabase
  /** the addresses of standbys of the database's server; by default reads use the primary */
  readonly replicas?: ReplicaOptions & { readonly urls: readonly string[] }
  /** how long to wait for a free connection; long by default, because a busy machine is no overload */
  readonly connectWithinMs?: number
  readonly vault?: Vault
  readonly now?: Date | string
  /** starts the simulated payment providers; without them no currency can be paid */
  readonly checkout?: true
  /** starts the simulated tax authority for these modes; without it no mode has access to one */
  readonly authority?: readonly Mode[]
  /** starts the simulated bank; without it there is no collection */
  readonly bank?: true
  /** wraps the bank's client */
  readonly bankThrough?: (bank: collectionPort.CollectionProvider) => collectionPort.CollectionProvider
  /** further providers of virtual accounts */
  readonly furtherKeepers?: readonly collectionPort.CollectionProvider[]
  /** a server in place of the simulator, for replies that the simulator cannot give */
  readonly authorityUrl?: string
  /** wraps the authority's client in all modes, for example to make it fail */
  readonly authorityThrough?: (authority: Authority) => Authority
  /** other countries in place of Nigeria, over the outbound HTTP of the service */
  readonly countries?: (outbound: OutboundHttp) => Jurisdictions
  /** proxies whose forwarding headers are trusted; none by default */
  readonly trustProxy?: TrustedProxies
  /** addresses that webhooks may call; any by default */
  readonly webhookRules?: UrlRules
  /** outbound HTTP, for tests with their own name lookup */
  readonly outbound?: OutboundHttp
  /** limit of request body bytes in progress */
  readonly bodyBytes?: number
  /** limit of time without progress on a connection */
  readonly silenceMs?: number
  /** limit of time for a client to read a reply */
  readonly readWithinMs?: number
  /** limits of requests that wait for events */
  readonly longPolls?: LongPollBounds
  /** interval of constant-time replies; short by default */
  readonly replyIntervalMs?: number
  /** options of the PDF drawer, for fewer threads or shorter queues */
  readonly drawing?: DrawerOptions
  /** interval of writes to the request log; very long by default */
  readonly requestLogMs?: number
  /** folder of the built dashboard, for tests that open its pages */
  readonly dashboard?: string
  /** the public demo key of a playground, for tests about it */
  readonly demoKey?: () => Promise<string | undefined>
  /** serves the mailbox of a playground */
  readonly mailbox?: boolean
  /** makes spans; pass an `outbound` with the same tracer for outgoing calls */
  readonly tracer?: Tracer
}

/** The default settings of an installation. */
const { settings: standardSettings } = readConfig({}, [])
/** Consumers pause so that one round handles many events under load. Tests need each event soon. */
const eager = consumers.map((consumer) => ({ ...consumer, restMs: Math.min(consumer.restMs, 20) }))
const generous: RateLimits = {
  key: 1_000_000,
  session: 1_000_000,
  address: 1_000_000,
  login: 1_000_000,
  organisation: 1_000_000,
}
let passwordHash: Promise<string> | undefined
/** Only there for mail that never comes: a busy machine is no failure. */
const mailPatienceMs = 60_000

// Tests compare prepared texts, which production trusts. Tests also use cheap password hashing.
comparePreparedTexts(true)
hashCheaply(true)

export const testVault = (): Vault => createVault({ active: 'k1', keys: new Map([['k1', randomBytes(32)]]) })

/** Runs the whole service in this process, with its own database and real HTTP. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase())
  const log = options.log ?? silentLogger
  const clock = new SettableClock(options.now ?? new Date())
  const access = {
    connection: database.url,
    connectWithinMs: options.connectWithinMs ?? 60_000,
    tracer: options.tracer,
  }
  const onShards = checkingShardTexts(openDatabase(access))
  const { db } = onShards
  const replicas = options.replicas && openReplicas(db, access, options.replicas.urls, log, options.replicas)
  const vault = options.vault ?? testVault()
  const limits = { ...generous, ...options.limits }
  const outbound = options.outbound ?? createOutbound()
  const checkout = options.checkout
    ? await startCheckoutSimulator({
        paystackKey: simulatorKeys.paystack,
        stripeKey: simulatorKeys.stripe,
        stripeWebhookSecret: simulatorKeys.stripeWebhook,
        now: () => clock.now(),
      })
    : undefined
  const checkoutProviders = routed(
    checkout
      ? {
          paystack: paystackProvider({
            secretKey: simulatorKeys.paystack,
            outbound,
            baseUrl: `${checkout.url}/paystack`,
          }),
          stripe: stripeProvider({
            secretKey: simulatorKeys.stripe,
            webhookSecret: simulatorKeys.stripeWebhook,
            outbound,
            baseUrl: checkout.url,
          }),
        }
      : {},
  )
  const authority = options.authority
    ? await startAuthoritySimulator({
        apiKey: simulatorKeys.nrs,
        apiSecret: simulatorKeys.nrsSecret,
        now: () => clock.now(),
      })
    : undefined
  const authorityAccess = authority && {
    outbound,
    baseUrl: options.authorityUrl ?? authority.url,
    apiKey: simulatorKeys.nrs,
    apiSecret: simulatorKeys.nrsSecret,
  }
  const bank = options.bank
    ? await startBankSimulator({
        apiKey: simulatorKeys.bank,
        webhookSecret: simulatorKeys.bankWebhook,
        now: () => clock.now(),
      })
    : undefined
  const bankAccess = bank && {
    outbound,
    baseUrl: bank.url,
    apiKey: simulatorKeys.bank,
    webhookSecret: simulatorKeys.bankWebhook,
  }
  const { bankThrough = (same: collectionPort.CollectionProvider) => same } = options
  const { authorityThrough = (same: Authority) => same } = options
  const through =
    (real: AuthorityWith): AuthorityWith =>
    (credentials) =>
      authorityThrough(real(credentials))
  const jurisdictions =
    options.countries?.(outbound) ??
    servedBy([
      servedNigeria(
        Object.fromEntries(
          authorityAccess
            ? (options.authority ?? []).map((mode) => [mode, through(nrsAuthorities(authorityAccess))])
            : [],
        ),
      ),
    ])
  const { runtime, runner, lastUsed, start, stop } = assemble({
    db,
    replicas,
    clock,
    vault,
    log,
    limits,
    settings: {
      ...standardSettings,
      dashboardUrl: 'http://dashboard.test',
      feedRestMs: 0,
      ...options.settings,
    },
    ports: {
      messageCarrier: options.carrier ?? builtInMailbox({ db, vault }, { textsPhones: true }),
      checkoutProviders,
      jurisdictions,
      webhookHttp: webhookHttp(outbound, options.webhookRules ?? anywhere),
      programDocuments: programDocuments(outbound, [options.webhookRules ?? anywhere]),
      simulatedNetwork: authorityAccess && simulatedNetwork({ ...authorityAccess, baseUrl: authority.url }),
      collectionProviders: routedProviders([
        ...(bankAccess ? [bankThrough(sandboxBank(bankAccess))] : []),
        ...(options.furtherKeepers ?? []),
      ]),
      simulatedPayers: bankAccess && sandboxPayers(bankAccess),
    },
    drawing: options.drawing,
    requestLogging: { everyMs: options.requestLogMs ?? 3600_000 },
  })
  await start()
  // Written only on a test's request. Every five seconds, it would change rows that a test compares.
  await lastUsed.stop()
  const handlers = jobHandlers(runtime, runner)
  const startWork = () => startWorker(runtime, access, { handlers: jobHandlers, consumers: eager, ownQueues })
  let worker: Worker | undefined = startWork()
  const forms = options.forms ?? Object.values(everyForm)
  const server = createServer(forms, {
    runtime,
    runner,
    config: { limits },
    replyIntervalMs: options.replyIntervalMs ?? 2,
    trustProxy: options.trustProxy,
    secureOrigin: false,
    tracer: options.tracer,
    ...(options.bodyBytes === undefined ? {} : { bodyBytes: options.bodyBytes }),
    ...(options.longPolls ? { longPolls: options.longPolls } : {}),
    ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
    ...(options.readWithinMs === undefined ? {} : { readWithinMs: options.readWithinMs }),
  })
  serveReference(server, forms, { runtime, config: { limits } })
  serveDocuments(server, { runtime, runner, config: { limits } })
  serveSharedQuotes(server, { runtime, runner, config: { limits } })
  serveInvoiceChanges(server, { runtime, runner, config: { limits } })
  serveVerification(server, { runtime, runner, config: { limits } })
  serveStream(server, { runtime, runner, config: { limits } }, options.streams)
  serveProviderNotifications(server, { runtime, runner, config: { limits } })
  serveAuthorityNotifications(server, { runtime, runner, config: { limits } })
  serveCollectionNotifications(server, { runtime, runner, config: { limits } })
  serveMcp(server, { runtime, runner, config: { limits }, forms: options.forms ?? forms, version: 'test' })
  serveOAuth(server, { runtime, runner, config: { limits } })
  if (options.demoKey) serveDevDemoKey(server, options.demoKey)
  if (options.mailbox) serveDevMailbox(server, runtime)
  if (options.dashboard !== undefined) serveDashboard(server, options.dashboard)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  checkout?.notifyAt({ paystack: `${url}/notifications/paystack`, stripe: `${url}/notifications/stripe` })
  authority?.notifyAt(`${url}/notifications/authority/NG/sandbox`)
  bank?.notifyAt(`${url}/notifications/collection/sandbox/sandbox`)
  const clients = new Map(forms.map((form) => [form.name, createClient(form, url)]))
  const client = (form: 'A' | 'B') => clients.get(form) as Client

  const inOperation = <Result>(body: (context: Inside<SystemCaller>) => Promise<Result>): Promise<Result> =>
    runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

  const newEmail = () => `p${randomBytes(6).toString('hex')}@example.test`

  /** Creates a signed-in person who becomes a member of an organisation in the given way. */
  async function enter(
    email: string,
    verified: boolean,
    mode: Mode,
    how: (context: Inside<SystemCaller>, person: { id: UserId; email: string }) => Promise<OrganisationId>,
  ): Promise<Person> {
    passwordHash ??= hashPassword(password)
    const hash = await passwordHash
    return await inOperation(async (context) => {
      const id: UserId = newId()
      const emailVerifiedAt = verified ? context.now : null
      await insertPerson(
        context.tx,
        { id, email, passwordHash: hash, firstName: 'Ngozi', lastName: 'Eze', emailVerifiedAt },
        context.now,
      )
      const organisationId = await how(context, { id, email })
      const names = { firstName: 'Ngozi', lastName: 'Eze', organisationName: 'Eze Stores', country: 'NG' }
      if (!verified) await noteRegistration(context, id, { ...names, passwordHash: hash })
      const { accessToken, refreshToken } = await openSession(context, id, mode)
      return { email, password, userId: id, organisationId, token: accessToken, refreshToken }
    })
  }

  let owner: Database | undefined
  return {
    runtime,
    runner,
    clock,
    lastUsed,
    database,
    get owner() {
      owner ??= openDatabase({ connection: database.owner.url, poolSize: 2 })
      return owner
    },
    url,
    client,
    get a() {
      return client('A')
    },
    get b() {
      return client('B')
    },
    async mailTo(recipient, atLeast = 1) {
      for (const beganAt = performance.now(); ; await wait(pauseMs(beganAt))) {
        const mails = await readMailbox({ db, vault }, recipient)
        if (mails.length >= atLeast || performance.now() > beganAt + mailPatienceMs)
          return mails.map(({ subject, text, html }) => ({ subject, text, html }))
      }
    },
    person: ({ mode = 'sandbox', verified = true, email = newEmail() } = {}) =>
      enter(email, verified, mode, (context, founder) =>
        foundOrganisation(context, founder, { name: 'Eze Stores', country: 'NG' }),
      ),
    member: (organisationId, role, { mode = 'sandbox' } = {}) =>
      enter(newEmail(), true, mode, async (context, { id, email }) => {
        await addMember(context, organisationId, { person: { id, email }, role: systemRole(role) })
        return organisationId
      }),
    key: async (organisationId, { mode = 'sandbox', capabilities = presets.full_integration } = {}) =>
      (
        await inOperation((context) =>
          mintKey(context, organisationId, { mode, name: 'Test key', ownCapabilities: capabilities, createdBy: null }),
        )
      ).key,
    openAccount: (organisationId) =>
      runner.run(openAccount, { caller: systemCaller, origin, input: { organisationId } }),
    get checkout() {
      if (!checkout) throw new Error('start the test app with { checkout: true }')
      return checkout
    },
    get authority() {
      if (!authority) throw new Error('start the test app with { authority: [...] }')
      return authority
    },
    patience: (longestPatienceMs) => void Object.assign(runtime, { longestPatienceMs }),
    get bank() {
      if (!bank) throw new Error('start the test app with { bank: true }')
      return bank
    },
    bodyBytesHeld: () => server.bodyBudget.reservedBytes,
    connections: () => promisify(server.server.getConnections.bind(server.server))(),
    async runJob(name) {
      const found = handlers.find(({ job }) => job.name === name)
      if (!found) throw new Error(`no job is called ${name}`)
      await found.handle({}, { number: 1, last: true })
    },
    async stopWork() {
      await worker?.stop()
      worker = undefined
    },
    async startWork() {
      worker ??= startWork()
    },
    quiet: () => untilQuiet(db),
    shardTexts: () => [...onShards.texts],
    async close() {
      await ending('checkout', checkout?.close())
      await ending('authority', authority?.close())
      await ending('bank', bank?.close())
      await ending('server', closeServer(server))
      await ending('worker', worker?.stop())
      await ending('machine', stop())
      await ending('outbound', outbound.close())
      await ending('replicas', replicas?.close())
      const told = await eventsEmittedIn(db)
      if (inject('workers').length > 0)
        await eventually(async () => expect(await findDifferentCopies(database.owner)).toEqual([]), 15_000)
      await ending('database', db.end())
      await ending('owner', owner?.end())
      holdToSchemas(told)
      expect(onShards.faults(), 'names that run_on_shard does not find').toEqual([])
    },
  }
}

/** Names the part of the application that does not stop, before the test runner times out. */
async function ending(what: string, end: Promise<unknown> | undefined): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`the ${what} of an application does not end`)), 60_000)
  try {
    await Promise.race([end, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A searchable log at the finest level. */
export function capturedLog(): { log: Logger; text(): string } {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream
  return { log: createLogger({ level: 'debug', style: 'json', destination }), text: () => lines.join('') }
}
