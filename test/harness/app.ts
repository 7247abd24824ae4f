import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { assemble } from '../../server/src/bin/assembly.ts'
import { routed } from '../../server/src/bin/checkout-providers.ts'
import { servedBy } from '../../server/src/bin/jurisdictions.ts'
import { simulatorKeys } from '../../server/src/bin/simulators.ts'
import { paystackProvider } from '../../server/src/gateways/paystack.ts'
import { sandboxBank, sandboxPayers } from '../../server/src/gateways/sandbox-bank.ts'
import { simulatedNetwork } from '../../server/src/gateways/simulated-network.ts'
import { stripeProvider } from '../../server/src/gateways/stripe.ts'
import { webhookDoor } from '../../server/src/gateways/webhook-door.ts'
import { formA } from '../../server/src/http/form-a/index.ts'
import { formB } from '../../server/src/http/form-b/index.ts'
import type { Form } from '../../server/src/http/kernel/form.ts'
import { closeServer, createServer } from '../../server/src/http/kernel/server.ts'
import { serveAuthorityNotifications } from '../../server/src/http/plain/authority-notifications.ts'
import { serveCollectionNotifications } from '../../server/src/http/plain/collection-notifications.ts'
import { serveDashboard } from '../../server/src/http/plain/dashboard.ts'
import { serveDevDemoKey } from '../../server/src/http/plain/dev-demo-key.ts'
import { serveDocuments } from '../../server/src/http/plain/documents.ts'
import { serveInvoiceChanges } from '../../server/src/http/plain/invoice-changes.ts'
import { serveProviderNotifications } from '../../server/src/http/plain/provider-notifications.ts'
import { serveReference } from '../../server/src/http/plain/reference.ts'
import { type StreamBounds, serveStream } from '../../server/src/http/plain/stream.ts'
import { serveVerification } from '../../server/src/http/plain/verify.ts'
import { consumers, jobHandlers, ownQueues } from '../../server/src/jobs/index.ts'
import { type AuthorityWith, nrsAuthorities } from '../../server/src/jurisdictions/ng/index.ts'
import type { Authority } from '../../server/src/jurisdictions/port.ts'
import { type SystemCaller, systemCaller } from '../../server/src/kernel/callers.ts'
import type { Capability } from '../../server/src/kernel/capabilities.ts'
import { newId, type OrganisationId, type UserId } from '../../server/src/kernel/ids.ts'
import { type SystemRoleName, systemRole } from '../../server/src/kernel/roles.ts'
import type { Mode } from '../../server/src/kernel/tenant.ts'
import { type LastUsed, mintKey, presets } from '../../server/src/modules/api-keys/index.ts'
import { openAccount } from '../../server/src/modules/billing/index.ts'
import { type CollectionProvider, routedProviders } from '../../server/src/modules/collection/index.ts'
import type { DrawerOptions } from '../../server/src/modules/documents/index.ts'
import { foundOrganisation } from '../../server/src/modules/foundings/index.ts'
import { noteRegistration } from '../../server/src/modules/identity/registrations.ts'
import { openSession } from '../../server/src/modules/identity/session.ts'
import { builtInMailbox, type MessageCarrier, readMailbox } from '../../server/src/modules/messages/index.ts'
import { addMember } from '../../server/src/modules/organisations/index.ts'
import { hashPassword, insertPerson } from '../../server/src/modules/people/index.ts'
import { hashCheaply } from '../../server/src/modules/people/passwords.ts'
import { SettableClock } from '../../server/src/platform/clock.ts'
import { type RateLimits, readConfig, type Settings, type TrustedProxies } from '../../server/src/platform/config.ts'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { comparePreparedTexts } from '../../server/src/platform/database/sql.ts'
import { createLogger, type Logger, silentLogger } from '../../server/src/platform/logger.ts'
import { type Inside, operation } from '../../server/src/platform/operations/operation.ts'
import type { Runner, Runtime } from '../../server/src/platform/operations/runner.ts'
import {
  anywhere,
  createOutbound,
  type OutboundHttp,
  type UrlRules,
} from '../../server/src/platform/outbound/outbound-http.ts'
import { createVault, type Vault } from '../../server/src/platform/secrets/secrets.ts'
import { startWorker, type Worker } from '../../server/src/platform/work/worker.ts'
import { type AuthoritySimulator, startAuthoritySimulator } from '../../simulators/src/authority/index.ts'
import { type BankSimulator, startBankSimulator } from '../../simulators/src/bank/index.ts'
import { type CheckoutSimulator, startCheckoutSimulator } from '../../simulators/src/checkout/index.ts'
import { type Client, createClient } from './client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { untilQuiet } from './quiet.ts'
import { eventsToldIn, holdToSchemas } from './told-events.ts'

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
  /** a connection with the rights of the tables' owner, which the service does not have */
  readonly owner: Database
  readonly url: string
  readonly a: Client
  readonly b: Client
  /** both forms by name, for `describe.each` and `test.each` */
  client(form: 'A' | 'B'): Client
  /** what was mailed or texted to someone, newest first; waits until there are as many as expected */
  mailTo(recipient: string, atLeast?: number): Promise<{ subject: string; text: string; html: string }[]>
  /** a verified person with an organisation and a session, made without hashing */
  person(options?: { mode?: Mode; verified?: boolean; email?: string }): Promise<Person>
  /** a further member of an organisation, signed in and acting for it */
  member(organisationId: OrganisationId, role: SystemRoleName, options?: { mode?: Mode }): Promise<Person>
  key(organisationId: OrganisationId, options?: { mode?: Mode; capabilities?: readonly Capability[] }): Promise<string>
  /** the billing account at once, without waiting for the job */
  openAccount(organisationId: OrganisationId): Promise<void>
  /** the payment providers, when asked for; the real clients speak to it */
  readonly checkout: CheckoutSimulator
  /** the tax authority, when asked for, in the modes asked for */
  readonly authority: AuthoritySimulator
  /** from now on nobody outside is waited for longer, where a request asks them; without a time, as long as each says */
  patience(longestMs?: number): void
  /** the bank that keeps virtual accounts, when asked for; the real client speaks to it */
  readonly bank: BankSimulator
  /** bytes of request bodies under way */
  bodyBytesHeld(): number
  /** connections that are open */
  connections(): Promise<number>
  /** does now what a schedule would do later */
  runJob(name: string): Promise<void>
  /** stops and starts everything that works in the background */
  stopWork(): Promise<void>
  startWork(): Promise<void>
  /** waits until every event was read and no work is due any more */
  quiet(): Promise<void>
  close(): Promise<void>
}

export interface TestAppOptions {
  readonly limits?: Partial<RateLimits>
  readonly settings?: Partial<Settings>
  readonly forms?: readonly Form[]
  readonly log?: Logger
  /** how many pages may listen, and how often it is asked whether they still may */
  readonly streams?: StreamBounds
  readonly carrier?: MessageCarrier
  readonly database?: TestDatabase
  readonly vault?: Vault
  readonly now?: Date | string
  /** start the simulator of the payment providers; without it no currency is routed */
  readonly checkout?: true
  /** start the simulator of the tax authority, reachable from these modes; without it there is no access to any */
  readonly authority?: readonly Mode[]
  /** start the simulated bank; without it nobody collects payments */
  readonly bank?: true
  /** puts something between us and the bank */
  readonly bankThrough?: (bank: CollectionProvider) => CollectionProvider
  /** who keeps virtual accounts beside the bank */
  readonly furtherKeepers?: readonly CollectionProvider[]
  /** who answers in place of the simulator, for what no authority would say, or the simulated one cannot */
  readonly authorityUrl?: string
  /** puts something between us and the authority, in all modes: another one, or one that can be told to misbehave */
  readonly authorityThrough?: (authority: Authority) => Authority
  /** whose word about where a request came from is taken; nobody's unless given */
  readonly trustProxy?: TrustedProxies
  /** which addresses webhooks may go to: any, unless given */
  readonly webhookRules?: UrlRules
  /** how requests leave, where a test looks names up in its own way */
  readonly outbound?: OutboundHttp
  /** how many bytes of request bodies may be under way */
  readonly bodyBytes?: number
  /** how long a connection may make no progress */
  readonly silenceMs?: number
  /** how long a client may take to read what it is sent */
  readonly readWithinMs?: number
  /** how long the beat is that steady answers leave on: short, unless a test listens to it */
  readonly beatMs?: number
  /** how PDFs are drawn, where a test wants fewer threads or shorter queues */
  readonly drawing?: DrawerOptions
  /** how often requests are written into their log: hardly ever, unless a test looks at it as a page does */
  readonly requestLogMs?: number
  /** where the pages of the dashboard are, where a test looks at them */
  readonly dashboard?: string
  /** the key that a playground shows to everybody, where a test is about one */
  readonly demoKey?: () => Promise<string | undefined>
}

/** As an operator who sets nothing has them. */
const { settings: standardSettings } = readConfig({}, [])
/** They rest so that under load one round does the work of many; a test waits for each. */
const eager = consumers.map((consumer) => ({ ...consumer, restMs: Math.min(consumer.restMs, 20) }))
const generous: RateLimits = {
  key: 1_000_000,
  session: 1_000_000,
  address: 1_000_000,
  login: 1_000_000,
  organisation: 1_000_000,
}
let passwordHash: Promise<string> | undefined

// What production takes on trust is compared here, and what it makes dear for guessers is cheap.
comparePreparedTexts(true)
hashCheaply(true)

export const testVault = (): Vault => createVault({ active: 'k1', keys: new Map([['k1', randomBytes(32)]]) })

/** The whole service in this process, on a database of its own, spoken to over real HTTP. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase())
  const log = options.log ?? silentLogger
  const clock = new SettableClock(options.now ?? new Date())
  const db = openDatabase({ connection: database.url })
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
  const access = authority && {
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
  const { bankThrough = (same: CollectionProvider) => same } = options
  const { authorityThrough = (same: Authority) => same } = options
  const through =
    (real: AuthorityWith): AuthorityWith =>
    (credentials) =>
      authorityThrough(real(credentials))
  const jurisdictions = servedBy(
    Object.fromEntries(access ? (options.authority ?? []).map((mode) => [mode, through(nrsAuthorities(access))]) : []),
  )
  const { runtime, runner, lastUsed, start, stop } = assemble({
    db,
    clock,
    vault,
    log,
    limits,
    settings: { ...standardSettings, dashboardUrl: 'http://dashboard.test', feedRestMs: 10, ...options.settings },
    ports: {
      messageCarrier: options.carrier ?? builtInMailbox({ db, vault }, { textsPhones: true }),
      checkoutProviders,
      jurisdictions,
      webhookDoor: webhookDoor(outbound, options.webhookRules ?? anywhere),
      simulatedNetwork: access && simulatedNetwork({ ...access, baseUrl: authority.url }),
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
  // Written when a test asks for it: every five seconds it would come between what a test compares.
  await lastUsed.stop()
  const handlers = jobHandlers(runtime, runner)
  const startWork = () =>
    startWorker(runtime, { connection: database.url }, { handlers: jobHandlers, consumers: eager, ownQueues })
  let worker: Worker | undefined = await startWork()
  const forms = options.forms ?? [formA, formB]
  const server = createServer(forms, {
    runtime,
    runner,
    config: { limits },
    beatMs: options.beatMs ?? 2,
    trustProxy: options.trustProxy,
    secureOrigin: false,
    ...(options.bodyBytes === undefined ? {} : { bodyBytes: options.bodyBytes }),
    ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
    ...(options.readWithinMs === undefined ? {} : { readWithinMs: options.readWithinMs }),
  })
  serveReference(server, forms, { runtime, config: { limits } })
  serveDocuments(server, { runtime, runner, config: { limits } })
  serveInvoiceChanges(server, { runtime, runner, config: { limits } })
  serveVerification(server, { runtime, runner, config: { limits } })
  serveStream(server, { runtime, runner, config: { limits } }, options.streams)
  serveProviderNotifications(server, { runtime, runner, config: { limits } })
  serveAuthorityNotifications(server, { runtime, runner, config: { limits } })
  serveCollectionNotifications(server, { runtime, runner, config: { limits } })
  if (options.demoKey) serveDevDemoKey(server, options.demoKey)
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

  /** A person who comes into an organisation in some way, and is signed in there. */
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
      for (let tries = 0; ; tries++) {
        const mails = await readMailbox({ db, vault }, recipient)
        if (mails.length >= atLeast || tries === 200)
          return mails.map(({ subject, text, html }) => ({ subject, text, html }))
        await new Promise((resolve) => setTimeout(resolve, 25))
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
    bodyBytesHeld: () => server.bodyBudget.heldBytes,
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
      worker ??= await startWork()
    },
    quiet: () => untilQuiet(db),
    async close() {
      await ending('checkout', checkout?.close())
      await ending('authority', authority?.close())
      await ending('bank', bank?.close())
      await ending('server', closeServer(server))
      await ending('worker', worker?.stop())
      await ending('machine', stop())
      await ending('outbound', outbound.close())
      const told = await eventsToldIn(db)
      await ending('database', db.end())
      await ending('owner', owner?.end())
      holdToSchemas(told)
    },
  }
}

/** Says which part of an application it is that does not come to its end, before the runner says that something does not. */
async function ending(what: string, end: Promise<unknown> | undefined): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`the ${what} of an application does not end`)), 20_000)
  try {
    await Promise.race([end, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A log whose lines can be searched, at the finest level. */
export function capturedLog(): { log: Logger; text(): string } {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream
  return { log: createLogger({ level: 'debug', style: 'json', destination }), text: () => lines.join('') }
}
