import { once } from 'node:events'
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../server/src/platform/database/database.ts'
import { migrate, migrationsDir } from '../../server/src/platform/database/migrations.store.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import { loadKeyRing, rotateKey } from '../../server/src/platform/secrets/key-file.ts'
import { checkKeyFile } from '../../server/src/platform/secrets/secret-keys.store.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { expectRefusal } from '../harness/client.ts'
import { createTestDatabase } from '../harness/database.ts'
import { openLink } from '../harness/link.ts'
import {
  demo,
  launch,
  makeHome,
  makeKeyFile,
  type ServerNode,
  startNode,
  until,
  withoutDemo,
} from '../harness/processes.ts'

const clients: pg.Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.end())))

async function sqlOn(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  clients.push(client)
  return client
}

/** A database in which nothing was ever done. */
const createEmptyDatabase = async (): Promise<string> => (await createTestDatabase({ isEmpty: true })).owner.url

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const migrationFiles = async () => (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort()
const appliedTo = async (sql: pg.Client): Promise<string[]> =>
  (await sql.query('select name from schema_migrations order by name')).rows.map((row) => row.name)
const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status
const registration = (email: string) => ({
  email,
  password: 'correct horse battery',
  firstName: 'Ngozi',
  lastName: 'Eze',
  organizationName: 'Eze Stores',
  country: 'NG',
})

describe('a newcomer, with nothing but an empty place', () => {
  let node: ServerNode
  let firstKey: string
  const demoFile = async () => JSON.parse(await readFile(join(node.home, 'demo.json'), 'utf8'))
  const startAgain = async () => {
    expect(await node.stop()).toEqual({ code: 0, signal: null })
    node = await startNode({ home: node.home })
  }

  beforeAll(async () => {
    node = await startNode()
    firstKey = (await demoFile()).sandboxKey
  })

  test('gets a service that works, and is told where', async () => {
    expect(await demoFile()).toEqual({
      baseUrl: node.url,
      ...demo,
      organizationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sandboxKey: expect.stringMatching(/^sk_test_\w{49}$/),
    })
    await node.said(/Try it:\n.+\n/)
    for (const said of [`${node.url}/docs`, `${node.url}/form-b/docs`, demo.email, demo.password, firstKey])
      expect(node.output()).toContain(said)
    expect((await node.a.post('/a/v1/auth/login', { body: demo })).status).toBe(200)
    expect(await (await fetch(`${node.url}/health`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${node.url}/ready`)).json()).toEqual({
      status: 'ready',
      checks: {
        database: 'ok',
        queue: 'ok',
        'start-up': 'ok',
        worker: 'ok',
        consumers: 'ok',
        'authority NG sandbox': 'ok',
      },
    })
  })

  test('can copy the line that is printed, and has created an invoice', async () => {
    const [, url, authorization, body] = await node.said(
      /\n {2}curl -s (\S+) -H 'Authorization: ([^']+)' -H 'Content-Type: application\/json' -d '([^']+)'\n/,
    )
    const headers = { authorization: authorization as string, 'content-type': 'application/json' }
    const response = await fetch(url as string, { method: 'POST', headers, body: body as string })
    expect(response.status).toBe(201)
    const { meta, data } = (await response.json()) as { meta: { mode: string }; data: { id: string } }
    expect(meta.mode).toBe('sandbox')
    expect(data).toMatchObject({ status: 'draft', invoiceKind: 'B2C', netMinor: 390_100, taxMinor: 29_258 })
    expect((await node.a.get(`/i/v1/invoices/${data.id}`, { token: firstKey })).data).toMatchObject(data)
  })

  test('finds the demo connected to the authority, with a confirmed tax number', async () => {
    const { data } = await node.a.get('/i/v1/tax-connection', { token: firstKey })
    expect(data).toMatchObject({ status: 'CONNECTED', problem: null, taxId: expect.stringMatching(/^\d{8}-\d{4}$/) })
    const { data: sellers } = await node.a.get('/i/v1/sellers', { token: firstKey })
    expect(sellers).toMatchObject([{ taxId: data.taxId, taxIdStatus: 'verified' }])
  })

  test('finds webhook endpoints in every state, and what they were sent on the page of the receiver', async () => {
    const { data } = await node.a.get('/n/v1/webhook-endpoints?limit=100', { token: firstKey })
    expect(new Set(data.map(({ format }: { format: string }) => format))).toEqual(new Set(['A', 'B']))
    expect(
      data.filter(({ previousSecretUntil }: { previousSecretUntil: string | null }) => previousSecretUntil),
    ).toHaveLength(1)
    await until(async () => {
      const { data: now } = await node.a.get('/n/v1/webhook-endpoints?limit=100', { token: firstKey })
      const causes = new Set(now.map(({ disabledCause }: { disabledCause: string | null }) => disabledCause))
      return causes.size === 4
    }, 'endpoints that are enabled, switched off, disabled by failures and gone')
    await until(async () => {
      const { data: deliveries } = await node.a.get('/n/v1/webhook-deliveries?limit=100', { token: firstKey })
      const statuses = new Set(deliveries.map(({ status }: { status: string }) => status))
      return ['delivered', 'failed', 'retrying'].every((status) => statuses.has(status))
    }, 'deliveries in every state')
    const page = await fetch(`${node.url}/dev/webhooks`)
    const text = await page.text()
    for (const part of [
      'What arrived',
      '/orders',
      '/stock',
      '/ledger',
      '/refuses/for-now',
      '/refuses/too-often',
      '/gone',
      '/asleep',
    ])
      expect(text).toContain(part)
  })

  test('finds invoices in every state, those at the authority reached through the simulator', async () => {
    expect(node.output()).toContain('on their way to the simulated authority')
    const listed = async (query: string): Promise<Record<string, unknown>[]> =>
      (await node.a.get(`/i/v1/invoices?limit=100${query}`, { token: firstKey })).data
    const lasting = ['draft', 'finalised', 'accepted', 'rejected', 'cancelled', 'cancellation_pending']
    // The authority is asked beside the start, which does not wait for it.
    await until(
      async () => {
        const found = new Set((await listed('')).map(({ status }) => status))
        return lasting.every((status) => found.has(status))
      },
      `invoices that are ${lasting.join(', ')}`,
    )
    const data = await listed('')
    const values = (name: string) => new Set(data.map((invoice) => invoice[name]))
    const simple = ['draft', 'issued', 'reported', 'delivered', 'part_paid', 'paid', 'cancelled']
    expect([...values('simpleStatus')]).toEqual(expect.arrayContaining(simple))
    // Nobody answers for this one: it is failed in the end, and until then nobody knows where it is.
    const [unanswered] = await listed('&search=lekki')
    const { data: report } = await node.a.get(`/i/v1/invoices/${unanswered?.id}/status`, { token: firstKey })
    expect(['queued', 'failed']).toContain(report.status)
    expect(['unknown', 'in_progress']).toContain(report.report.outcome)
    const [ready] = await listed('&status=finalised')
    const submitted = await node.a.post(`/i/v1/invoices/${ready?.id}/submit`, { token: firstKey })
    expect(submitted.status, submitted.text).toBe(202)
    expect(values('currency')).toEqual(new Set(['NGN', 'USD', 'EUR', 'GBP']))
    expect(values('invoiceType')).toEqual(new Set(['standard', 'prepayment', 'credit_note', 'debit_note']))
    for (const filter of [
      'overdue=true',
      'refundOwed=true',
      'credited=true',
      'delivery=sent_email',
      'delivery=shared_link',
    ])
      expect([filter, (await node.a.get(`/i/v1/invoices?${filter}`, { token: firstKey })).data.length > 0]).toEqual([
        filter,
        true,
      ])
    await until(async () => {
      const mails = (await (await fetch(`${node.url}/dev/mailbox?to=accounts@bello.test`)).json()) as object[]
      return mails.length === 1
    }, 'the mailed invoice')
  })

  test.each([
    ['/docs', 'text/html', 'Form A'],
    ['/form-b/docs', 'text/html', 'Form B'],
    ['/openapi.json', 'application/json', '"openapi":"3.1'],
    ['/form-b/openapi.json', 'application/json', '"openapi":"3.1'],
    ['/metrics', 'text/plain', 'risiti_http_request_seconds'],
    ['/metrics', 'text/plain', 'risiti_outbound_requests_total{party="paystack",outcome="2xx"}'],
    ['/dev/mailbox', 'application/json', '['],
  ])('finds %s', async (path, contentType, part) => {
    const response = await fetch(`${node.url}${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(contentType)
    expect(await response.text()).toContain(part)
  })

  test('keeps secrets to themselves', async () => {
    expect(await modeOf(join(node.home, 'secrets.json'))).toBe(0o600)
    expect(await modeOf(join(node.home, 'demo.json'))).toBe(0o600)
  })

  /** `fetch` would not let us say whom we call. */
  const statusFor = async (host: string, address: string, method = 'GET'): Promise<number | undefined> => {
    const sent = request(address, { method, headers: { host, 'content-type': 'application/json' } })
    sent.end(method === 'POST' ? '{}' : undefined)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }

  test('who is called by a foreign name shows nothing of the playground', async () => {
    const { checkout, authority, receiver } = JSON.parse(await readFile(join(node.home, 'simulators.json'), 'utf8'))
    const paymentId = '00000000-0000-7000-8000-000000000000'
    const pages: [string, string, number][] = [
      ['GET', `${node.url}/dev/mailbox`, 200],
      ['HEAD', `${node.url}/dev/mailbox`, 200],
      ['GET', `${node.url}/%64ev/mailbox`, 200],
      ['GET', `${node.url}/dev/mailbox?to=${demo.email}`, 200],
      ['POST', `${node.url}/dev/checkouts/${paymentId}`, 400],
      ['GET', `${node.url}/metrics`, 200],
      ['GET', `${checkout}/paystack/bank`, 401],
      ['GET', `${authority}/api`, 200],
      ['GET', `${node.url}/dev/webhooks`, 302],
      ['GET', `${receiver}/`, 200],
    ]
    const { port } = new URL(node.url)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '0.0.0.0',
    ])
      for (const [method, address] of pages)
        expect([method, address, host, await statusFor(host, address, method)]).toEqual([method, address, host, 404])
    for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`])
      for (const [method, address, status] of pages)
        expect([method, address, host, await statusFor(host, address, method)]).toEqual([method, address, host, status])
    for (const host of ['127.8.8.8', '[::1]', `[::1]:${port}`])
      expect([host, await statusFor(host, `${node.url}/dev/mailbox`)]).toEqual([host, 200])
    // What is no part of the playground is served under any name.
    expect(await statusFor('evil.example', `${node.url}/health`)).toBe(200)
  })

  test('who starts it a second time is told that the port is in use, and the first goes on', async () => {
    const second = await launch({ home: node.home, env: { PORT: new URL(node.url).port } })
    expect((await second.ended).code).toBe(1)
    expect(second.output()).toContain('The port is in use: stop the other program, or set PORT to a free one.')
    expect(second.output()).not.toMatch(/^\s+at /m)
    expect((await node.a.post('/a/v1/auth/login', { body: demo })).status).toBe(200)
    expect(await statusOf(`${node.url}/ready`)).toBe(200)
  })

  test('two may share the place on two ports; the last to leave stops the database', async () => {
    const second = await startNode({ home: node.home })
    expect((await second.a.get('/a/v1/auth/me', { token: firstKey })).status).toBe(200)
    expect((await second.stop()).code).toBe(0)
    expect((await node.a.post('/a/v1/auth/login', { body: demo })).status).toBe(200)
  })

  test('finds the same key and their data after a later start', async () => {
    const email = 'kept@example.test'
    expect((await node.a.post('/a/v1/auth/register', { body: registration(email) })).status).toBe(201)
    await startAgain()
    expect((await node.said(/API key {2}(\S+)\n/))[1]).toBe(firstKey)
    expect((await demoFile()).sandboxKey).toBe(firstKey)
    expect((await node.a.get('/a/v1/auth/me', { token: firstKey })).status).toBe(200)
    const login = await node.a.post('/a/v1/auth/login', { body: { email, password: registration(email).password } })
    expect(login.status).toBe(200)
  })

  test('gets a new key when demo.json is gone; the old one, which a program may still use, stays valid', async () => {
    const { organizationId } = await demoFile()
    await rm(join(node.home, 'demo.json'))
    await startAgain()
    const { sandboxKey, organizationId: sameOrganisation } = await demoFile()
    expect(sandboxKey).not.toBe(firstKey)
    expect(sameOrganisation).toBe(organizationId)
    expect((await node.a.get('/a/v1/auth/me', { token: sandboxKey })).status).toBe(200)
    expect((await node.a.get('/a/v1/auth/me', { token: firstKey })).status).toBe(200)
  })

  test('who changes their mind while it starts leaves no database running behind', async () => {
    expect((await node.stop()).code).toBe(0)
    const again = await launch({ home: node.home })
    const lock = join(node.home, 'postgres', 'postmaster.pid')
    await until(async () => (await readFile(lock, 'utf8').catch(() => '')).includes('ready'), 'a database')
    expect((await again.stop()).code).toBe(0)
    await expect(stat(lock)).rejects.toThrow('ENOENT')
  })

  test('who takes the demo along into production is refused, and told how to end it', async () => {
    const { home } = node
    const { accessToken, url } = await beforeTheEnd(home)
    // As long as it runs the others find a database, and need not start one each.
    const outside: [Record<string, string>, string[]][] = [
      [{ NODE_ENV: 'production' }, []],
      [{ NODE_ENV: 'production' }, ['--role=worker']],
      [{ PUBLIC_URL: 'https://api.example.test' }, ['--role=api']],
      [{ HOST: '0.0.0.0' }, []],
    ]
    for (const [env, args] of outside) {
      const refused = await launch({ home, env, args })
      expect(await refused.ended).toEqual({ code: 1, signal: null })
      expect(refused.output()).toContain('holds the demo organisation')
      expect(refused.output()).toContain('npm run demo:remove')
      expect(refused.output()).not.toMatch(/^\s+at |listens|is running/m)
    }
    const { sandboxKey } = await demoFile()
    expect((await node.stop()).code).toBe(0)

    const removing = await launch({ home, env: { NODE_ENV: 'production' }, command: 'remove-demo' })
    expect(await removing.ended).toEqual({ code: 0, signal: null })
    expect(removing.output()).toContain('Nobody can use the demo any more')
    const again = await launch({ home, command: 'remove-demo' })
    expect([(await again.ended).code, again.output()]).toEqual([0, 'There is no demo in this database.\n'])

    node = await startNode({ home, env: { NODE_ENV: 'production' } })
    for (const email of ['demo', 'admin', 'viewer'].map((name) => `${name}@risiti.test`))
      expectRefusal(await node.a.post('/a/v1/auth/login', { body: { ...demo, email } }), 'credentials.wrong')
    for (const token of [firstKey, sandboxKey, accessToken])
      expect((await fetch(`${node.url}/a/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        401,
      )
    expect(await statusOf(`${node.url}${new URL(url).pathname}`)).toBe(404)
    expect(await statusOf(`${node.url}/dev/mailbox`)).toBe(404)
    await expect(demoFile()).rejects.toThrow('ENOENT')
    // Whoever came to the playground on their own account is still there.
    const body = { email: 'kept@example.test', password: registration('').password }
    expect((await node.a.post('/a/v1/auth/login', { body })).status).toBe(200)
    expect((await node.stop()).code).toBe(0)
  })

  /** A session and a link from the playground's last hour. */
  async function beforeTheEnd(home: string): Promise<{ accessToken: string; url: string }> {
    node = await startNode({ home })
    const { accessToken } = (await node.a.post('/a/v1/auth/login', { body: demo })).data
    const { data } = await node.a.get('/i/v1/invoices?delivery=shared_link&limit=1', { token: firstKey })
    const shared = await node.a.post(`/i/v1/invoices/${data[0].id}/share`, { token: firstKey })
    expect(await statusOf(`${node.url}${new URL(shared.data.url).pathname}`)).toBe(200)
    return { accessToken, url: shared.data.url }
  }
})

describe.concurrent('a start with something wrong', () => {
  async function refusedStart(env: Record<string, string>, args: string[] = []): Promise<string> {
    const started = await launch({ env, args })
    expect(await started.ended).toEqual({ code: 1, signal: null })
    expect(started.output()).toContain('Risiti did not start.')
    expect(started.output()).not.toMatch(/^\s+at /m)
    return started.output()
  }

  /** What a start asks of the key file that it is given, and what it leaves in a database that has known none. */
  async function fits(keyFile: string, connection: string): Promise<void> {
    const db = openDatabase({ connection })
    await checkKeyFile(db, createVault(await loadKeyRing(keyFile, { createIfMissing: false })))
    await db.end()
  }

  test('lists every problem and stops', async () => {
    const said = await refusedStart(
      { PORT: 'http', SMTP_URL: 'mailer:hunter2@nowhere', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://u:hunter2@h/d' },
      ['--role=cook'],
    )
    for (const about of ['PORT', 'SMTP_URL', 'LOG_LEVEL', '--role']) expect(said).toContain(`- ${about}`)
    expect(said).toContain('- SECRETS_FILE is required with DATABASE_URL')
    expect(said).not.toContain('hunter2')
  })

  test('makes no key file for a database that is not its own', async () => {
    const { url } = await createTestDatabase()
    const missing = join(await makeHome(), 'secrets.json')
    const env = { DATABASE_URL: url, SECRETS_FILE: missing }
    const said = await refusedStart(env)
    expect(said).toContain(`no key file at ${missing}`)
    await expect(stat(missing)).rejects.toThrow('ENOENT')

    // It names the command that makes one, once.
    expect(said).toContain('npm run secrets:create')
    const creating = async () => {
      const command = await launch({ env, command: 'create-keys' })
      return [(await command.ended).code, command.output()]
    }
    expect(await creating()).toEqual([0, expect.stringContaining(`Made ${missing}`)])
    expect(await modeOf(missing)).toBe(0o600)
    const made = await readFile(missing, 'utf8')
    expect(await creating()).toEqual([1, expect.stringContaining('already, which was left as it is')])
    expect(await readFile(missing, 'utf8')).toBe(made)
    await fits(missing, url)
  })

  test('says that the authority to trust cannot be read', async () => {
    const EXTRA_CA_FILE = join(await makeHome(), 'ca.pem')
    expect(await refusedStart({ EXTRA_CA_FILE })).toContain(
      `EXTRA_CA_FILE names ${EXTRA_CA_FILE}, which cannot be read`,
    )
  })

  test('says that the database cannot be reached, and not with which password', async () => {
    const DATABASE_URL = `postgresql://app:hunter2@127.0.0.1:${await freePort()}/risiti`
    const said = await refusedStart({ DATABASE_URL, SECRETS_FILE: await makeKeyFile() })
    expect(said).toContain('The database cannot be reached')
    expect(said).not.toContain('hunter2')
  })

  test('refuses the key file of another database, and the right one still fits afterwards', async () => {
    const { url: DATABASE_URL } = await createTestDatabase()
    const [right, wrong] = [await makeKeyFile(), await makeKeyFile()]
    await rotateKey(wrong)
    await fits(right, DATABASE_URL)
    expect(await refusedStart({ DATABASE_URL, SECRETS_FILE: wrong })).toContain('belongs to another database')
    const node = await startNode({ env: { DATABASE_URL, SECRETS_FILE: right, ...withoutDemo } })
    expect(await statusOf(`${node.url}/ready`)).toBe(200)
    expect((await node.stop()).code).toBe(0)
  })
})

describe('migrations', () => {
  const waitingToMigrate = async (sql: pg.Client) => {
    const { rows } = await sql.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name = 'risiti migrate' and wait_event_type = 'Lock'`,
    )
    return rows.length
  }

  /** Holds up whoever makes a table of this name, until the given work is done. */
  async function whileTableIsTaken(sql: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
    await sql.query('begin')
    await sql.query(`create table ${table} ()`)
    await work()
    await sql.query('rollback')
  }

  test('five nodes that start at once on an empty database all come up, and each step is taken once', async () => {
    const DATABASE_URL = await createEmptyDatabase()
    const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), LOG_LEVEL: 'info' }
    const [sql, watcher] = [await sqlOn(DATABASE_URL), await sqlOn(DATABASE_URL)]
    const starting = Array.from({ length: 5 }, () => startNode({ env }))
    await whileTableIsTaken(sql, 'schema_migrations', () =>
      until(async () => (await waitingToMigrate(watcher)) === 5, 'five at the starting line'),
    )
    const nodes = await Promise.all(starting)
    for (const { url } of nodes) expect(await statusOf(`${url}/ready`)).toBe(200)
    const steps = nodes.flatMap((node) => node.output().match(/"migration":"[^"]+"/g) ?? [])
    const files = await migrationFiles()
    expect(steps.sort()).toEqual(files.map((name) => `"migration":"${name}"`))
    expect(await appliedTo(sql)).toEqual(files)
    const count = (table: string) => sql.query(`select count(*)::int as count from ${table}`)
    expect((await count(`users where email = 'demo@risiti.test'`)).rows).toEqual([{ count: 1 }])
    expect((await count('organisations where parent_id is null')).rows).toEqual([{ count: 1 }])
    expect((await Promise.all(nodes.map((node) => node.stop()))).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
  })

  test('a start that was killed in the middle of a step is completed by the next one', async () => {
    const DATABASE_URL = await createEmptyDatabase()
    const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile() }
    const [sql, watcher] = [await sqlOn(DATABASE_URL), await sqlOn(DATABASE_URL)]
    await whileTableIsTaken(sql, 'users', async () => {
      const killed = await launch({ env })
      await until(async () => (await waitingToMigrate(watcher)) === 1, 'a migration that waits')
      await killed.kill()
    })
    const node = await startNode({ env })
    expect(await appliedTo(watcher)).toEqual(await migrationFiles())
    expect((await node.a.post('/a/v1/auth/login', { body: demo })).status).toBe(200)
    expect((await node.stop()).code).toBe(0)
  })

  test('a file that was changed after it was applied is refused, and nothing after it is done', async () => {
    const url = await createEmptyDatabase()
    const dir = await makeHome()
    await cp(migrationsDir, dir, { recursive: true })
    expect(await migrate(url, silentLogger, dir)).toBe((await migrationFiles()).length)
    expect(await migrate(url, silentLogger, dir)).toBe(0)
    await writeFile(join(dir, '9998_new.sql'), 'create table added (id int)')
    await writeFile(join(dir, '0002_messages.sql'), 'select 1')
    await expect(migrate(url, silentLogger, dir)).rejects.toThrow('0002_messages.sql was changed after it was applied')
    expect(await appliedTo(await sqlOn(url))).toEqual(await migrationFiles())
  })

  test('an owner makes the tables, who rules over nothing else, and a service works with them that owns none', async () => {
    const { url: DATABASE_URL, owner, database } = await createTestDatabase({ isEmpty: true })
    const ownerRole = `owner_of_${database}`
    const ruler = await sqlOn(owner.url)
    await ruler.query(`create role ${ownerRole} login`)
    await ruler.query(`alter database ${database} owner to ${ownerRole}`)
    const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), ...withoutDemo }

    const early = await launch({ env })
    expect((await early.ended).code).toBe(1)
    expect(early.output()).toContain('may not make them.\nSet MIGRATION_DATABASE_URL')
    expect(early.output()).toContain('npm run migrate')
    expect(early.output()).not.toMatch(/^\s+at /m)

    const MIGRATION_DATABASE_URL = owner.url.replace(`//${owner.user}@`, `//${ownerRole}@`)
    for (const times of ['once', 'again']) {
      const migrating = await launch({ env: { ...env, MIGRATION_DATABASE_URL }, command: 'migrate' })
      expect([times, await migrating.ended]).toEqual([times, { code: 0, signal: null }])
    }
    const node = await startNode({ env })
    expect((await node.a.post('/a/v1/auth/register', { body: registration('roles@example.test') })).status).toBe(201)
    const sql = await sqlOn(DATABASE_URL)
    await until(async () => (await sql.query('select from mailbox')).rowCount === 1, 'a mail, which the worker carried')
    await expect(sql.query('delete from users')).rejects.toThrow('permission denied')
    expect((await node.stop()).code).toBe(0)
  })

  test('a step that fails leaves nothing of itself, and those before it stand', async () => {
    const url = await createEmptyDatabase()
    const dir = await makeHome()
    await writeFile(join(dir, '0001_good.sql'), 'create table good (id int)')
    await writeFile(join(dir, '0002_bad.sql'), 'create table half (id int); select 1 / 0')
    await expect(migrate(url, silentLogger, dir)).rejects.toThrow('0002_bad.sql failed and was rolled back')
    const sql = await sqlOn(url)
    expect(await appliedTo(sql)).toEqual(['0001_good.sql'])
    expect((await sql.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }])
    await writeFile(join(dir, '0002_bad.sql'), 'create table half (id int)')
    expect(await migrate(url, silentLogger, dir)).toBe(1)
  })
})

test.concurrent('the roles split the work: one serves and sends nothing, the other sends and tells only how it is', async () => {
  const { url: DATABASE_URL } = await createTestDatabase()
  const METRICS_TOKEN = 'a-token-of-many-letters'
  const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), METRICS_TOKEN, ...withoutDemo }
  const sql = await sqlOn(DATABASE_URL)
  const jobs = async () => (await sql.query(`select attempts from work where job = 'send-message'`)).rows
  const mails = async () => (await sql.query('select recipient from mailbox')).rows

  const api = await startNode({ env, args: ['--role=api'] })
  const email = 'roles@example.test'
  expect((await api.a.post('/a/v1/auth/register', { body: registration(email) })).status).toBe(201)
  await until(async () => (await jobs()).length === 1, 'a job in the queue')
  await wait(700) // a worker would have taken it at once
  expect(await jobs()).toEqual([{ attempts: 0 }])
  expect(await mails()).toEqual([])
  const waiting = await fetch(`${api.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  expect(await waiting.text()).toContain('risiti_lane_waiting{lane="mail"} 1')

  const PORT = String(await freePort())
  const worker = await launch({ env: { ...env, PORT }, args: ['--role=worker'] })
  await worker.said(/Risiti worker is running/)
  await until(async () => (await mails()).length === 1, 'the mail')
  expect(await mails()).toEqual([{ recipient: email }])
  // How it is it tells, to whoever watches over it; and nothing else.
  const page = `http://127.0.0.1:${PORT}`
  expect(await (await fetch(`${page}/health`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(`${page}/ready`)).json()).toEqual({
    status: 'ready',
    checks: { database: 'ok', queue: 'ok', worker: 'ok', consumers: 'ok' },
  })
  expect(await statusOf(`${page}/metrics`)).toBe(404)
  const metrics = await fetch(`${page}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const figures = await metrics.text()
  for (const figure of [
    'risiti_consumer_behind_seconds{consumer="invoice-lists"}',
    'risiti_consumer_waiting{consumer="invoice-lists"}',
    'risiti_consumer_events_total{consumer="invoice-lists",outcome="failed"} 0',
    'risiti_lane_attempts_total{lane="mail",outcome="done"} 1',
    'risiti_lane_attempts_total{lane="webhooks",outcome="done"} 0',
    'risiti_webhook_queue_waiting 0',
    'risiti_webhook_queue_overdue_seconds 0',
    'risiti_webhook_batches 0',
  ])
    expect(figures).toContain(figure)
  for (const path of ['/docs', '/openapi.json', '/a/v1/auth/me', '/form-b/a/v1/auth/me', '/dev/mailbox', '/s/x']) {
    const response = await fetch(`${page}${path}`)
    expect([path, response.status, await response.json()]).toMatchObject([path, 404, { error: { code: 'RES001' } }])
  }
  expect([(await worker.stop()).code, (await api.stop()).code]).toEqual([0, 0])
})

test.concurrent('a node without its database lives, is not ready, says why, and gets ready again', async () => {
  const link = await openLink(await createTestDatabase())
  const node = await startNode({ env: { DATABASE_URL: link.url, SECRETS_FILE: await makeKeyFile(), ...withoutDemo } })
  const ready = async () => {
    const response = await fetch(`${node.url}/ready`)
    return { status: response.status, ...((await response.json()) as { checks: object; error?: object }) }
  }
  expect(await ready()).toMatchObject({ status: 'ready' })
  for (const fault of ['cut', 'blackhole'] as const) {
    link[fault]()
    expect(await ready()).toMatchObject({
      checks: { database: 'cannot be reached', queue: 'cannot be reached', 'start-up': 'ok' },
      error: { code: 'DEP001', message: 'Not ready: database cannot be reached, queue cannot be reached.' },
    })
    expect(await statusOf(`${node.url}/ready`)).toBe(503)
    expect(await statusOf(`${node.url}/health`)).toBe(200)
    link.pass()
    await until(async () => (await statusOf(`${node.url}/ready`)) === 200, 'readiness')
  }
  expect((await node.stop()).code).toBe(0)
})

describe.each([
  { where: 'in production', env: { NODE_ENV: 'production' }, token: undefined },
  { where: 'with a public address', env: { PUBLIC_URL: 'https://api.example.test' }, token: 'a-token-of-many-letters' },
  { where: 'listening to the world', env: { HOST: '0.0.0.0' }, token: undefined },
])('$where', ({ env, token }) => {
  let node: ServerNode
  let sql: pg.Client
  let DATA_DIR: string

  beforeAll(async () => {
    const { url: DATABASE_URL } = await createTestDatabase()
    sql = await sqlOn(DATABASE_URL)
    DATA_DIR = join(await makeHome(), 'never-made')
    const access = token === undefined ? {} : { METRICS_TOKEN: token }
    node = await startNode({ env: { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), DATA_DIR, ...env, ...access } })
  })
  afterAll(() => node?.stop())

  test('there is no demo organisation, and nobody knows its password', async () => {
    expectRefusal(await node.a.post('/a/v1/auth/login', { body: demo }), 'credentials.wrong')
    expect((await sql.query('select count(*)::int as people from users')).rows).toEqual([{ people: 0 }])
    expect(node.output()).not.toContain('sk_test_')
  })

  test('nothing is written beside a database elsewhere, as where nothing may be written', async () => {
    await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT')
    expect(await readdir(node.home)).toEqual([])
  })

  test('there is no mailbox to look into', async () => {
    const email = 'private@example.test'
    expect((await node.a.post('/a/v1/auth/register', { body: registration(email) })).status).toBe(201)
    expect(await statusOf(`${node.url}/dev/mailbox`)).toBe(404)
    expect(await statusOf(`${node.url}/dev/mailbox?to=${email}`)).toBe(404)
  })

  test('there are no buttons of the simulated page to press', async () => {
    const address = `${node.url}/dev/checkouts/00000000-0000-7000-8000-000000000000`
    for (const [headers, body] of [
      [{}, undefined],
      [{ 'content-type': 'application/json' }, '{"outcome":"paid"}'],
    ] as const) {
      const reply = await fetch(address, { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
      expect([reply.status, reply.headers.get('risiti-reason')]).toEqual([404, 'route.not_found'])
    }
  })

  test('metrics are for whoever has the token, if there is one', async () => {
    const metrics = `${node.url}/metrics`
    expect(await statusOf(metrics)).toBe(404)
    expect(await statusOf(metrics, { authorization: 'Bearer a-wrong-one-altogether' })).toBe(404)
    const right = { authorization: `Bearer ${token ?? 'a-token-of-many-letters'}` }
    expect(await statusOf(metrics, right)).toBe(token === undefined ? 404 : 200)
  })

  test('the documents are served, and it is ready', async () => {
    for (const path of ['/health', '/ready', '/docs', '/form-b/docs', '/openapi.json', '/form-b/openapi.json'])
      expect([path, await statusOf(`${node.url}${path}`)]).toEqual([path, 200])
  })
})

test.concurrent('a consumer that stands still is told of, and goes on behind an event that it is told to skip', async () => {
  const { url: DATABASE_URL } = await createTestDatabase()
  const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), ...withoutDemo }
  const sql = await sqlOn(DATABASE_URL)
  const node = await startNode({ env })
  const event = '01933e2b-7b1e-7000-8000-000000000001'
  await sql.query(`
    insert into events (organisation_id, id, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
    values (gen_random_uuid(), '${event}', 'invoice.sent', gen_random_uuid(), '{}', 'system', 'test', '', '', 'test', now());
    update event_places set failures = 3, failing_event = '${event}', reason = 'TypeError', retry_at = now() + interval '1 hour'
     where consumer = 'mail-invoice'`)
  const standing = `mail-invoice stands at event ${event}`
  await until(async () => {
    // Who asks more often is told to come later, and the answer is some seconds old.
    await wait(1_500)
    const ready = (await (await fetch(`${node.url}/ready`)).json()) as { checks: { consumers: string } }
    return ready.checks.consumers === standing
  }, 'word of the consumer that stands still')
  const skip = async (...args: string[]) => {
    const command = await launch({ env, args, command: 'skip-event' })
    return [(await command.ended).code, command.output()]
  }
  expect(await skip('mail-invoice', event)).toEqual([
    1,
    expect.stringContaining('npm run events:skip -- CONSUMER EVENT WHY'),
  ])
  expect(await skip('nobody', event, 'why')).toEqual([1, expect.stringContaining('no consumer is called nobody')])
  expect(await skip('mail-invoice', event, 'its', 'object', 'is', 'gone')).toEqual([
    0,
    expect.stringContaining(`mail-invoice goes on behind ${event}`),
  ])
  expect((await sql.query('select consumer, event_id, reason, failure from skipped_events')).rows).toEqual([
    { consumer: 'mail-invoice', event_id: event, reason: 'its object is gone', failure: 'TypeError' },
  ])
  expect((await node.stop()).code).toBe(0)
})
