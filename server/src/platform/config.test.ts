import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigProblems, readConfig } from './config.ts'

function problemsOf(env: NodeJS.ProcessEnv, args: readonly string[] = []): readonly string[] {
  try {
    readConfig(env, args)
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
  return []
}

test('without settings the service is a playground on loopback with its data in .risiti', () => {
  expect(readConfig({}, [])).toEqual({
    production: false,
    role: 'all',
    host: '127.0.0.1',
    port: 4000,
    publicUrl: undefined,
    trustProxy: undefined,
    dataDir: resolve('.risiti'),
    databaseUrl: undefined,
    replicaUrls: [],
    preparedStatements: true,
    migrationDatabaseUrl: undefined,
    secretsFile: resolve('.risiti/secrets.json'),
    smtpUrl: undefined,
    mailFrom: 'Risiti <no-reply@risiti.test>',
    metricsToken: undefined,
    extraCaFile: undefined,
    allowPrivateWebhooks: false,
    limits: { key: 600, session: 300, organisation: 6_000, address: 60, login: 10 },
    bodyBytes: 64 * 1024 * 1024,
    settings: {
      keyGraceSeconds: 86_400,
      eventMonths: 84,
      importQuotaBytes: 200 * 1024 * 1024,
      bulkItemsQuota: 300_000,
      dashboardUrl: 'http://127.0.0.1:4000',
      sandboxPatienceMs: 12_000,
      feedRestMs: 500,
      reachabilityPerDay: 1_000,
      sharedStatements: true,
      collectionFeeBearer: 'seller',
      mailLimits: { document: 5, invitations: 100, hourly: 500 },
    },
    providers: {},
    authorities: {},
    monnify: {},
    paystackCustomerDomain: 'customers.risiti.test',
    logLevel: 'info',
    playground: true,
  })
})

test.each<[NodeJS.ProcessEnv, string[], object]>([
  [{ NODE_ENV: 'production' }, [], { production: true }],
  [{ NODE_ENV: 'development' }, [], { production: false }],
  [{ PORT: '0' }, [], { port: 0 }],
  [
    { COLLECTION_FEE_BEARER: 'operator' },
    [],
    { settings: expect.objectContaining({ collectionFeeBearer: 'operator' }) },
  ],
  [{ PORT: '65535' }, [], { port: 65535 }],
  [{ PORT: ' 8080 ' }, [], { port: 8080 }],
  [{ PORT: '' }, [], { port: 4000 }],
  [{ HOST: '::1' }, [], { host: '::1' }],
  [{ PUBLIC_URL: 'https://api.example.test/' }, [], { publicUrl: 'https://api.example.test' }],
  [{ PUBLIC_URL: 'http://api.example.test' }, [], { publicUrl: 'http://api.example.test' }],
  [{ TRUST_PROXY: '1' }, [], { trustProxy: { hops: 1 } }],
  [{ TRUST_PROXY: '12' }, [], { trustProxy: { hops: 12 } }],
  [{ TRUST_PROXY: '0' }, [], { trustProxy: undefined }],
  [{ TRUST_PROXY: '10.0.0.0/8' }, [], { trustProxy: { networks: [{ address: '10.0.0.0', prefix: 8 }] } }],
  [
    { TRUST_PROXY: '127.0.0.1, fd00::/8,::1' },
    [],
    {
      trustProxy: {
        networks: [
          { address: '127.0.0.1', prefix: 32 },
          { address: 'fd00::', prefix: 8 },
          { address: '::1', prefix: 128 },
        ],
      },
    },
  ],
  [{ DATA_DIR: '/var/lib/risiti' }, [], { dataDir: '/var/lib/risiti', secretsFile: '/var/lib/risiti/secrets.json' }],
  [{ SECRETS_FILE: '/etc/risiti/keys.json' }, [], { secretsFile: '/etc/risiti/keys.json' }],
  [{ DATABASE_URL: 'postgres://u:p@h/d', SECRETS_FILE: '/k' }, [], { databaseUrl: 'postgres://u:p@h/d' }],
  [{ DATABASE_URL: 'postgresql://u@h:5433/d', SECRETS_FILE: '/k' }, [], { databaseUrl: 'postgresql://u@h:5433/d' }],
  [
    {
      DATABASE_URL: 'postgres://u@h/d',
      SECRETS_FILE: '/k',
      DATABASE_REPLICA_URL: 'postgres://u@i/d, postgres://u@j/d',
    },
    [],
    { replicaUrls: ['postgres://u@i/d', 'postgres://u@j/d'] },
  ],
  [{ SMTP_URL: 'smtps://u:p@mail.example.test' }, [], { smtpUrl: 'smtps://u:p@mail.example.test' }],
  [{ MAIL_FROM: 'Us <us@example.test>' }, [], { mailFrom: 'Us <us@example.test>' }],
  [{ ALLOW_PRIVATE_WEBHOOKS: '1' }, [], { allowPrivateWebhooks: true }],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20b, y=2',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    },
    [],
    { traces: { endpoint: 'http://127.0.0.1:4318', headers: { 'x-key': 'a b', y: '2' }, share: 0.25 } },
  ],
  [{ METRICS_TOKEN: '0123456789abcdef' }, [], { metricsToken: '0123456789abcdef' }],
  [{ EXTRA_CA_FILE: '/etc/risiti/ca.pem' }, [], { extraCaFile: '/etc/risiti/ca.pem' }],
  [{ EXTRA_CA_FILE: ' ca.pem ' }, [], { extraCaFile: resolve('ca.pem') }],
  [{ LOG_LEVEL: 'silent' }, [], { logLevel: 'silent' }],
  [{ RATE_LIMIT_KEY: '1' }, [], { limits: { key: 1, session: 300, organisation: 10, address: 60, login: 10 } }],
  [
    { MAIL_LIMIT_DOCUMENT: '1', MAIL_LIMIT_INVITATIONS: '20', MAIL_LIMIT_HOURLY: '300' },
    [],
    { settings: { mailLimits: { document: 1, invitations: 20, hourly: 300 } } },
  ],
  [{}, ['--role=api'], { role: 'api' }],
  [{}, ['--role=worker'], { role: 'worker', port: 4001, settings: { dashboardUrl: 'http://127.0.0.1:4000' } }],
  [{ PORT: '4010' }, ['--role=worker'], { port: 4010 }],
  [{}, ['--role=all'], { role: 'all' }],
])('%j %j is accepted', (env, args, expected) => {
  expect(readConfig(env, args)).toMatchObject(expected)
})

test.each<[NodeJS.ProcessEnv, string[], string]>([
  [{ COLLECTION_FEE_BEARER: 'buyer' }, [], 'COLLECTION_FEE_BEARER must be seller or operator, not "buyer"'],
  [{ PORT: '65536' }, [], 'PORT must be a whole number from 0 to 65535, not "65536"'],
  [{ PORT: '-1' }, [], 'PORT must be a whole number from 0 to 65535, not "-1"'],
  [{ PORT: '80.5' }, [], 'PORT must be a whole number from 0 to 65535, not "80.5"'],
  [{ PORT: '0x50' }, [], 'PORT must be a whole number from 0 to 65535, not "0x50"'],
  [{ PORT: 'http' }, [], 'PORT must be a whole number from 0 to 65535, not "http"'],
  [{ RATE_LIMIT_LOGIN: '0' }, [], 'RATE_LIMIT_LOGIN must be a whole number from 1 to 10000000, not "0"'],
  [{ MAIL_LIMIT_DOCUMENT: '0' }, [], 'MAIL_LIMIT_DOCUMENT must be a whole number from 1 to 10000000, not "0"'],
  [{ MAIL_LIMIT_HOURLY: 'all' }, [], 'MAIL_LIMIT_HOURLY must be a whole number from 1 to 10000000, not "all"'],
  [
    { MAIL_LIMIT_INVITATIONS: '1e3' },
    [],
    'MAIL_LIMIT_INVITATIONS must be a whole number from 1 to 10000000, not "1e3"',
  ],
  [{ RATE_LIMIT_ADDRESS: 'many' }, [], 'RATE_LIMIT_ADDRESS must be a whole number from 1 to 10000000, not "many"'],
  ...[
    'yes',
    '-1',
    '100',
    '1.5',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0/8',
    'fd00::/129',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/8 proxy.example.test',
    '10.0.0.0/8,,10.1.0.0/16,',
  ].map((given): [NodeJS.ProcessEnv, string[], string] => [
    { TRUST_PROXY: given },
    [],
    `TRUST_PROXY must be a number of proxies from 0 to 99, or a list of their networks such as 10.0.0.0/8, fd00::/8; not ${JSON.stringify(given)}`,
  ]),
  [{ PUBLIC_URL: 'api.example.test' }, [], 'PUBLIC_URL must be a URL that begins with http:// or https://'],
  [{ PUBLIC_URL: 'ftp://example.test' }, [], 'PUBLIC_URL must be a URL that begins with http:// or https://'],
  [
    { NODE_ENV: 'production', PUBLIC_URL: 'http://api.example.test' },
    [],
    'PUBLIC_URL must begin with https:// in production',
  ],
  [
    { DATABASE_URL: 'mysql://u@h/d', SECRETS_FILE: '/k' },
    [],
    'DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
  ],
  [
    { DATABASE_URL: 'postgres://u@h/d' },
    [],
    'SECRETS_FILE is required with DATABASE_URL: every node must use the key file that belongs to that database',
  ],
  [{ MIGRATION_DATABASE_URL: 'postgres://o@h/d' }, [], 'MIGRATION_DATABASE_URL goes with DATABASE_URL: set that too'],
  [{ DATABASE_REPLICA_URL: 'postgres://o@h/d' }, [], 'DATABASE_REPLICA_URL goes with DATABASE_URL: set that too'],
  [
    { DATABASE_URL: 'postgres://u@h/d', SECRETS_FILE: '/k', DATABASE_REPLICA_URL: 'postgres://u@i/d,mysql://u@j/d' },
    [],
    'DATABASE_REPLICA_URL must be a URL that begins with postgres:// or postgresql://; several are separated by commas',
  ],
  [{ SMTP_URL: 'mail.example.test:25' }, [], 'SMTP_URL must be a URL that begins with smtp:// or smtps://'],
  [
    { MONNIFY_API_KEY: 'MK_PROD_X', MONNIFY_SECRET_KEY: 's' },
    [],
    'MONNIFY_API_KEY, MONNIFY_SECRET_KEY, MONNIFY_CONTRACT_CODE belong together: set all of them, or none',
  ],
  [
    { MONNIFY_API_KEY: 'MK_TEST_X', MONNIFY_SECRET_KEY: 's', MONNIFY_CONTRACT_CODE: '1' },
    [],
    'MONNIFY_API_KEY must not be a key that begins with MK_TEST_',
  ],
  [
    { MONNIFY_SANDBOX_API_KEY: 'MK_PROD_X', MONNIFY_SANDBOX_SECRET_KEY: 's', MONNIFY_SANDBOX_CONTRACT_CODE: '1' },
    [],
    'MONNIFY_SANDBOX_API_KEY must not be a key that begins with MK_PROD_',
  ],
  [
    { PAYSTACK_SECRET_KEY: 'sk_live_x' },
    [],
    'PAYSTACK_CUSTOMER_DOMAIN is required with a PAYSTACK_SECRET_KEY that begins with sk_live_',
  ],
  [
    { PAYSTACK_CUSTOMER_DOMAIN: 'customers' },
    [],
    'PAYSTACK_CUSTOMER_DOMAIN must be a domain such as customers.example.com',
  ],
  [{ METRICS_TOKEN: 'short' }, [], 'METRICS_TOKEN must have at least 16 characters'],
  [{ LOG_LEVEL: 'loud' }, [], 'LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud"'],
  [{}, ['--role=cook'], '--role must be api, worker or all, not "cook"'],
  [{}, ['--role'], 'unknown argument "--role"; the only one is --role=api|worker|all'],
  [{}, ['--port=1'], 'unknown argument "--port=1"; the only one is --role=api|worker|all'],
])('%j %j is refused with a message', (env, args, problem) => {
  expect(problemsOf(env, args)).toEqual([problem])
})

test('all problems are reported at once', () => {
  const env = {
    NODE_ENV: 'production',
    PORT: 'http',
    PUBLIC_URL: 'http://api.example.test',
    DATABASE_URL: 'postgres://u@h/d',
    SMTP_URL: 'nowhere',
    METRICS_TOKEN: 'short',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: 'perhaps',
    RATE_LIMIT_KEY: '-5',
  }
  const problems = problemsOf(env, ['--role=cook', 'help'])
  const about = problems.map((problem) => /^(unknown argument|--role|[A-Z_]+)/.exec(problem)?.[0])
  expect(about.sort()).toEqual([
    '--role',
    'LOG_LEVEL',
    'METRICS_TOKEN',
    'PORT',
    'PUBLIC_URL',
    'RATE_LIMIT_KEY',
    'SECRETS_FILE',
    'SMTP_URL',
    'TRUST_PROXY',
    'unknown argument',
  ])
  const whole = new ConfigProblems(problems).message
  expect(whole).toMatch(/^The configuration has 10 problems:\n/)
  for (const problem of problems) expect(whole).toContain(`\n  - ${problem}`)
  expect(new ConfigProblems(['one']).message).toBe('The configuration has a problem:\n  - one')
})

test('a message about a wrong setting never contains its secret', () => {
  const secret = 'hunter2-very-secret'
  const problems = problemsOf({
    DATABASE_URL: `mysql://app:${secret}@db.example.test/risiti`,
    SMTP_URL: `smtp//mailer:${secret}@mail.example.test`,
    PUBLIC_URL: `ftp://admin:${secret}@example.test`,
    METRICS_TOKEN: secret.slice(0, 10),
  })
  expect(problems).toHaveLength(4)
  expect(problems.join('\n')).not.toContain(secret.slice(0, 10))
})

describe('a playground is open only on loopback', () => {
  const hosts: [string | undefined, boolean][] = [
    [undefined, true],
    ['127.0.0.1', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.10', false],
    ['risiti.example.test', false],
  ]
  const cases = [false, true].flatMap((production) =>
    [undefined, 'https://api.example.test'].flatMap((publicUrl) =>
      hosts.map(([host, isLoopback]) => ({
        production,
        publicUrl,
        host,
        open: !production && publicUrl === undefined && isLoopback,
      })),
    ),
  )
  test.each([
    ['1', false],
    ['10.0.0.0/8', false],
    ['0', true],
  ])('TRUST_PROXY %s: %s', (trusted, open) => {
    expect(readConfig({ TRUST_PROXY: trusted }, []).playground).toBe(open)
  })
  test('four of thirty-two combinations are open', () => {
    expect(cases).toHaveLength(32)
    expect(cases.filter(({ open }) => open)).toHaveLength(4)
  })
  test.each(cases)(
    'production $production, PUBLIC_URL $publicUrl, HOST $host: $open',
    ({ production, publicUrl, host, open }) => {
      const env = {
        ...(production ? { NODE_ENV: 'production' } : {}),
        ...(publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl }),
        ...(host === undefined ? {} : { HOST: host }),
      }
      expect(readConfig(env, []).playground).toBe(open)
    },
  )
})
