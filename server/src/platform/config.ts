import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Mode } from '../kernel/tenant.ts'

export type Role = 'api' | 'worker' | 'all'

export interface RateLimits {
  /** requests a minute */
  readonly key: number
  readonly session: number
  /** of all keys of one organisation together, and of all its people together */
  readonly organisation: number
  readonly address: number
  readonly login: number
}

/** Limits on mail that an organisation sends to others. */
export interface MailLimits {
  /** mails of one document to one address, per day */
  readonly document: number
  /** invitations per day */
  readonly invitations: number
  /** mails of every kind, per hour */
  readonly hourly: number
}

/** Settings of the business that an operator may change. */
export interface Settings {
  /** how long a rotated API key still works, unless the caller says otherwise */
  readonly keyGraceSeconds: number
  /** how many whole months of events (the audit log) are kept */
  readonly eventMonths: number
  /** how many bytes an organisation's imports may take in the database */
  readonly importQuotaBytes: number
  /** the most documents of bulk jobs that are stored for a tenant */
  readonly bulkItemsQuota: number
  /** the address of the dashboard, for links in mails and the return from a checkout */
  readonly dashboardUrl: string
  readonly mailLimits: MailLimits
  /** how long the sandbox's authority is asked about a document before the submission fails */
  readonly sandboxPatienceMs: number
  /** the shortest pause between two reads of the feed of received invoices: anybody can send a notification */
  readonly feedRestMs: number
  /** free network lookups per organisation and day; cached answers do not count */
  readonly reachabilityPerDay: number
  /** whether one statement may write for several organisations; a distributed database needs false */
  readonly sharedStatements: boolean
  /** who pays a collection provider's fee: the seller (deducted from the money) or the operator */
  readonly collectionFeeBearer: 'seller' | 'operator'
}

/** The keys of the payment providers that are configured. */
export interface ProviderKeys {
  readonly paystack?: { readonly secretKey: string }
  readonly stripe?: { readonly secretKey: string; readonly webhookSecret: string }
}

/**
 * The settings that a country needs: a name for each value, and the environment variable that gives it. The variables
 * of a mode belong together. A variable that ends in `_URL` must be an address.
 */
export interface CountrySettings {
  readonly country: string
  readonly variables: Readonly<Record<Mode, Readonly<Record<string, string>>>>
}

/** The values of a country's settings in one mode, by name. */
export type CountryAccess = Readonly<Record<string, string>>

/** Access to Monnify, which keeps virtual accounts. */
export interface MonnifyAccess {
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
}

/** Whose `X-Forwarded-For` is trusted: a number of proxies in a row, or the proxies of given networks. */
export type TrustedProxies =
  | { readonly hops: number }
  | { readonly networks: readonly { readonly address: string; readonly prefix: number }[] }

/** Known before the settings are checked, for the words about settings that are wrong. */
export const isProduction = (env: NodeJS.ProcessEnv = process.env): boolean => env.NODE_ENV === 'production'

/** Where traces go, in the format of OpenTelemetry. */
export interface TraceSettings {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** the part of traces that is sent, from 0 to 1 */
  readonly share: number
}

export interface Config {
  readonly production: boolean
  readonly role: Role
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly trustProxy: TrustedProxies | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** standbys of the same server for reads; each URL leads to one server */
  readonly replicaUrls: readonly string[]
  /** false for poolers that do not keep prepared statements from one transaction to the next */
  readonly preparedStatements: boolean
  /** the connection of the tables' owner, if the service has a role of its own */
  readonly migrationDatabaseUrl: string | undefined
  readonly secretsFile: string
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly metricsToken: string | undefined
  readonly traces: TraceSettings | undefined
  /** certificate authorities to trust in addition to the public ones, for outbound requests */
  readonly extraCaFile: string | undefined
  /** for development: webhooks may go to private addresses, and without TLS */
  readonly allowPrivateWebhooks: boolean
  readonly limits: RateLimits
  /** memory for the bodies of running requests, in bytes */
  readonly bodyBytes: number
  readonly settings: Settings
  readonly providers: ProviderKeys
  /** access to tax authorities, by country */
  readonly authorities: Readonly<Record<string, Readonly<Partial<Record<Mode, CountryAccess>>>>>
  readonly monnify: { readonly live?: MonnifyAccess; readonly sandbox?: MonnifyAccess }
  /** the email domain of the customers for which Paystack opens accounts */
  readonly paystackCustomerDomain: string
  readonly logLevel: string
  /**
   * Demo data, `/dev` pages and simulators exist only in a playground. A playground needs loopback, no public address, no proxy, and never
   * runs in production.
   */
  readonly playground: boolean
}

export class ConfigProblems extends Error {
  override readonly name = 'ConfigProblems'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    )
    this.problems = problems
  }
}

/** The specification has header values percent-encoded, but many people write them plain. */
function decodedOrSame(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost'])
const logLevels = ['debug', 'info', 'warn', 'error', 'silent']

/** An address, or a network such as 10.0.0.0/8. A network of all addresses is refused: it would trust everyone. */
function networkFrom(text: string): { address: string; prefix: number } | undefined {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const longest = { 4: 32, 6: 128 }[isIP(address)]
  const prefix = bits === undefined ? longest : Number(bits)
  if (longest === undefined || prefix === undefined || prefix < 1 || prefix > longest) return undefined
  return { address, prefix }
}

/** Arguments of a command, in addition to settings. */
export const commandArguments = (): readonly string[] => process.argv.slice(2)

/** Reads all settings once and lists all problems together. The only reader of the environment and of arguments. */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  args: readonly string[] = commandArguments(),
  countries: readonly CountrySettings[] = [],
): Config {
  const problems: string[] = []
  const text = (name: string): string | undefined => env[name]?.trim() || undefined

  const whole = (name: string, standard: number, least: number, most: number): number => {
    const given = text(name)
    if (given === undefined) return standard
    const value = Number(given)
    if (/^\d+$/.test(given) && value >= least && value <= most) return value
    problems.push(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(given)}`)
    return standard
  }

  const beginsWith = (given: string, schemes: readonly string[]): boolean =>
    URL.canParse(given) && schemes.includes(new URL(given).protocol.slice(0, -1))

  const url = (name: string, schemes: readonly string[]): string | undefined => {
    const given = text(name)
    if (given === undefined || beginsWith(given, schemes)) return given
    // The message does not repeat the value: it may contain a password.
    problems.push(`${name} must be a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`)
    return undefined
  }

  const proxies = (name: string): TrustedProxies | undefined => {
    const given = text(name)
    if (given === undefined || given === '0') return undefined
    if (/^[1-9]\d?$/.test(given)) return { hops: Number(given) }
    const networks = given.split(/[\s,]+/).map(networkFrom)
    if (networks.every((network) => network !== undefined)) return { networks }
    problems.push(
      `${name} must be a number of proxies from 0 to 99, or a list of their networks such as 10.0.0.0/8, fd00::/8; not ${JSON.stringify(given)}`,
    )
    return undefined
  }

  const switched = (name: string, standard: boolean): boolean => {
    const given = text(name)
    if (given !== undefined && !['0', '1'].includes(given))
      problems.push(`${name} must be 0 or 1, not ${JSON.stringify(given)}`)
    return given === undefined ? standard : given === '1'
  }

  const oneOf = <Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice => {
    const given = text(name)
    const chosen = choices.find((choice) => choice === given)
    if (given !== undefined && chosen === undefined)
      problems.push(`${name} must be ${choices.join(' or ')}, not ${JSON.stringify(given)}`)
    return chosen ?? choices[0]
  }

  let role: Role = 'all'
  for (const arg of args) {
    const given = /^--role=(.*)$/.exec(arg)?.[1]
    if (given === 'api' || given === 'worker' || given === 'all') role = given
    else if (given !== undefined) problems.push(`--role must be api, worker or all, not ${JSON.stringify(given)}`)
    else problems.push(`unknown argument ${JSON.stringify(arg)}; the only one is --role=api|worker|all`)
  }

  const production = text('NODE_ENV') === 'production'
  const host = text('HOST') ?? '127.0.0.1'
  const publicUrl = url('PUBLIC_URL', ['http', 'https'])?.replace(/\/+$/, '')
  const databaseUrl = url('DATABASE_URL', ['postgres', 'postgresql'])
  const migrationDatabaseUrl = url('MIGRATION_DATABASE_URL', ['postgres', 'postgresql'])
  if (migrationDatabaseUrl !== undefined && databaseUrl === undefined)
    problems.push('MIGRATION_DATABASE_URL goes with DATABASE_URL: set that too')
  const replicaUrls = (text('DATABASE_REPLICA_URL') ?? '').split(/[\s,]+/).filter((given) => given !== '')
  if (!replicaUrls.every((given) => beginsWith(given, ['postgres', 'postgresql'])))
    problems.push(
      'DATABASE_REPLICA_URL must be a URL that begins with postgres:// or postgresql://; several are separated by commas',
    )
  if (replicaUrls.length > 0 && databaseUrl === undefined)
    problems.push('DATABASE_REPLICA_URL goes with DATABASE_URL: set that too')
  const dataDir = resolve(text('DATA_DIR') ?? '.risiti')
  const secretsFile = text('SECRETS_FILE')
  if (databaseUrl !== undefined && secretsFile === undefined)
    problems.push(
      'SECRETS_FILE is required with DATABASE_URL: every node must use the key file that belongs to that database',
    )
  if (production && publicUrl?.startsWith('http:')) problems.push('PUBLIC_URL must begin with https:// in production')
  const logLevel = text('LOG_LEVEL') ?? 'info'
  if (!logLevels.includes(logLevel))
    problems.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${JSON.stringify(logLevel)}`)
  const metricsToken = text('METRICS_TOKEN')
  if (metricsToken !== undefined && metricsToken.length < 16)
    problems.push('METRICS_TOKEN must have at least 16 characters')

  const tracesEndpoint = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'])?.replace(/\/+$/, '')
  const tracesHeaders = (text('OTEL_EXPORTER_OTLP_HEADERS') ?? '').split(',').filter((pair) => pair.trim() !== '')
  // The message does not repeat the value: it may contain a key.
  if (!tracesHeaders.every((pair) => /^\s*[\w-]+\s*=\s*[\x21-\x7e]/.test(pair)))
    problems.push('OTEL_EXPORTER_OTLP_HEADERS must be pairs such as name=value, separated by commas')
  const tracesShare = text('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  if (!/^(?:0|1|0?\.\d{1,6}|1\.0+)$/.test(tracesShare))
    problems.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${JSON.stringify(tracesShare)}`)
  const headerOf = (pair: string): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at).trim().toLowerCase(), decodedOrSame(pair.slice(at + 1).trim())]
  }
  const traces = tracesEndpoint && {
    endpoint: tracesEndpoint,
    headers: Object.fromEntries(tracesHeaders.map(headerOf)),
    share: Number(tracesShare),
  }

  const extraCaFile = text('EXTRA_CA_FILE')

  const paystackKey = text('PAYSTACK_SECRET_KEY')
  const stripeKey = text('STRIPE_SECRET_KEY')
  const stripeWebhookSecret = text('STRIPE_WEBHOOK_SECRET')
  if (paystackKey !== undefined && !/^sk_(test|live)_\w+$/.test(paystackKey))
    problems.push('PAYSTACK_SECRET_KEY must be a secret key, which begins with sk_test_ or sk_live_')
  if (stripeKey !== undefined && !/^[sr]k_(test|live)_\w+$/.test(stripeKey))
    problems.push('STRIPE_SECRET_KEY must be a secret or restricted key, which begins with sk_ or rk_')
  if ((stripeKey === undefined) !== (stripeWebhookSecret === undefined))
    problems.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both, or neither')

  const authorityUrl = (name: string) => url(name, production ? ['https'] : ['http', 'https'])?.replace(/\/+$/, '')
  const authority = (variables: Readonly<Record<string, string>>): CountryAccess | undefined => {
    const names = Object.values(variables)
    const values = Object.entries(variables).map(
      ([value, name]) => [value, name.endsWith('_URL') ? authorityUrl(name) : text(name)] as const,
    )
    if (values.every((entry): entry is [string, string] => entry[1] !== undefined)) return Object.fromEntries(values)
    if (names.some((name) => text(name) !== undefined))
      problems.push(`${names.join(', ')} belong together: set all of them, or none`)
    return undefined
  }
  const authorities = Object.fromEntries(
    countries.map(({ country, variables }) => {
      const [live, sandbox] = [authority(variables.live), authority(variables.sandbox)]
      return [country, { ...(live ? { live } : {}), ...(sandbox ? { sandbox } : {}) }]
    }),
  )

  const monnify = (prefix: string, others: string): MonnifyAccess | undefined => {
    const names = [`${prefix}_API_KEY`, `${prefix}_SECRET_KEY`, `${prefix}_CONTRACT_CODE`]
    const [apiKey, secretKey, contractCode] = names.map(text)
    // Otherwise simulated money could count as real, or real money as simulated.
    if (apiKey?.startsWith(others)) problems.push(`${prefix}_API_KEY must not be a key that begins with ${others}`)
    if (apiKey !== undefined && secretKey !== undefined && contractCode !== undefined)
      return { apiKey, secretKey, contractCode }
    if (names.some((name) => text(name) !== undefined))
      problems.push(`${names.join(', ')} belong together: set all of them, or none`)
    return undefined
  }
  const [monnifyLive, monnifySandbox] = [monnify('MONNIFY', 'MK_TEST_'), monnify('MONNIFY_SANDBOX', 'MK_PROD_')]
  const paystackCustomerDomain = (text('PAYSTACK_CUSTOMER_DOMAIN') ?? 'customers.risiti.test').toLowerCase()
  if (!/^(?=.{3,190}$)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(paystackCustomerDomain))
    problems.push('PAYSTACK_CUSTOMER_DOMAIN must be a domain such as customers.example.com')
  // Accounts are found by this value alone: a default that changes later would lose them.
  if (paystackKey?.startsWith('sk_live_') && text('PAYSTACK_CUSTOMER_DOMAIN') === undefined)
    problems.push('PAYSTACK_CUSTOMER_DOMAIN is required with a PAYSTACK_SECRET_KEY that begins with sk_live_')

  // A worker has a default port of its own, so that API and worker start on one machine.
  const keyLimit = whole('RATE_LIMIT_KEY', 600, 1, 10_000_000)
  const apiPort = 4000
  const port = whole('PORT', role === 'worker' ? 4001 : apiPort, 0, 65535)
  const dashboardPort = role === 'worker' ? apiPort : port
  const trustProxy = proxies('TRUST_PROXY')
  const config: Config = {
    production,
    role,
    host,
    port,
    publicUrl,
    trustProxy,
    dataDir,
    databaseUrl,
    replicaUrls,
    preparedStatements: switched('PREPARED_STATEMENTS', true),
    migrationDatabaseUrl,
    secretsFile: secretsFile === undefined ? resolve(dataDir, 'secrets.json') : resolve(secretsFile),
    smtpUrl: url('SMTP_URL', ['smtp', 'smtps']),
    mailFrom: text('MAIL_FROM') ?? 'Risiti <no-reply@risiti.test>',
    metricsToken,
    traces: traces || undefined,
    extraCaFile: extraCaFile === undefined ? undefined : resolve(extraCaFile),
    allowPrivateWebhooks: switched('ALLOW_PRIVATE_WEBHOOKS', false),
    limits: {
      key: keyLimit,
      session: whole('RATE_LIMIT_SESSION', 300, 1, 10_000_000),
      organisation: whole('RATE_LIMIT_ORGANISATION', 10 * keyLimit, 1, 100_000_000),
      address: whole('RATE_LIMIT_ADDRESS', 60, 1, 10_000_000),
      login: whole('RATE_LIMIT_LOGIN', 10, 1, 10_000_000),
    },
    bodyBytes: whole('BODY_MEMORY_MB', 64, 16, 4_096) * 1024 * 1024,
    settings: {
      keyGraceSeconds: whole('KEY_GRACE_SECONDS', 86_400, 0, 604_800),
      // Six full years, and the year that is not over.
      eventMonths: whole('EVENT_MONTHS', 84, 2, 1_200),
      sandboxPatienceMs: 12_000,
      feedRestMs: 500,
      reachabilityPerDay: whole('REACHABILITY_LIMIT', 1_000, 1, 10_000_000),
      sharedStatements: switched('SHARED_STATEMENTS', true),
      collectionFeeBearer: oneOf('COLLECTION_FEE_BEARER', ['seller', 'operator']),
      mailLimits: {
        document: whole('MAIL_LIMIT_DOCUMENT', 5, 1, 10_000_000),
        invitations: whole('MAIL_LIMIT_INVITATIONS', 100, 1, 10_000_000),
        hourly: whole('MAIL_LIMIT_HOURLY', 500, 1, 10_000_000),
      },
      importQuotaBytes: whole('IMPORT_QUOTA_MB', 200, 10, 100_000) * 1024 * 1024,
      bulkItemsQuota: whole('BULK_ITEMS_QUOTA', 300_000, 10_000, 10_000_000),
      dashboardUrl: publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${dashboardPort}`,
    },
    providers: {
      ...(paystackKey === undefined ? {} : { paystack: { secretKey: paystackKey } }),
      ...(stripeKey === undefined || stripeWebhookSecret === undefined
        ? {}
        : { stripe: { secretKey: stripeKey, webhookSecret: stripeWebhookSecret } }),
    },
    authorities,
    monnify: { ...(monnifyLive ? { live: monnifyLive } : {}), ...(monnifySandbox ? { sandbox: monnifySandbox } : {}) },
    paystackCustomerDomain,
    logLevel,
    playground: !production && publicUrl === undefined && trustProxy === undefined && loopbackHosts.has(host),
  }
  if (problems.length > 0) throw new ConfigProblems(problems)
  return config
}
