import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../harness/client.ts'
import { createTestDatabase } from '../harness/database.ts'
import { registration, sqlOn, statusOf } from '../harness/installations.ts'
import { demo, launch, makeHome, type ServerNode, startNode, until } from '../harness/processes.ts'

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('a first start in an empty folder', () => {
  let node: ServerNode
  let firstKey: string
  const demoFile = async () => JSON.parse(await readFile(join(node.home, 'demo.json'), 'utf8'))

  beforeAll(async () => {
    // Stops before the demo data is complete. The next start must continue it.
    node = await startNode()
    firstKey = (await demoFile()).sandboxKey
    expect((await node.a.post('/a/v1/auth/register', { body: registration('kept@example.test') })).status).toBe(201)
    expect(await node.stop()).toEqual({ code: 0, signal: null })
    expect(await stat(join(node.home, 'demo-left.json'))).toBeDefined()
    node = await startNode({ home: node.home })
  })

  test('a later start has the same key and the same data', async () => {
    expect((await node.said(/API key {2}(\S+)\n/))[1]).toBe(firstKey)
    expect((await demoFile()).sandboxKey).toBe(firstKey)
    expect((await node.a.get('/a/v1/auth/me', { token: firstKey })).status).toBe(200)
    const { email, password } = registration('kept@example.test')
    expect((await node.a.post('/a/v1/auth/login', { body: { email, password } })).status).toBe(200)
  })

  test('prints the address of a working service', async () => {
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

  test('prints a command that creates an invoice, which the authority accepts', async () => {
    const [, url, authorization, body] = await node.said(
      /\n {2}curl -s (\S+) -H 'Authorization: ([^']+)' -H 'Content-Type: application\/json' -d '([^']+)'\n/,
    )
    const headers = { authorization: authorization as string, 'content-type': 'application/json' }
    const response = await fetch(url as string, { method: 'POST', headers, body: body as string })
    expect(response.status).toBe(201)
    const { meta, data } = (await response.json()) as { meta: { mode: string }; data: { id: string } }
    expect(meta.mode).toBe('sandbox')
    expect(data).toMatchObject({ invoiceKind: 'B2C', netMinor: 390_100, taxMinor: 29_258 })
    const status = async () => (await node.a.get(`/i/v1/invoices/${data.id}`, { token: firstKey })).data.status
    await until(async () => (await status()) === 'accepted', 'the accepted invoice')
  })

  test('connects the demo to the authority, with a confirmed tax number', async () => {
    const { data } = await node.a.get('/i/v1/tax-connection', { token: firstKey })
    expect(data).toMatchObject({ status: 'CONNECTED', problem: null, taxId: expect.stringMatching(/^\d{8}-\d{4}$/) })
    const { data: sellers } = await node.a.get('/i/v1/sellers', { token: firstKey })
    expect(sellers).toMatchObject([{ taxId: data.taxId, taxIdStatus: 'verified' }])
  })

  test('creates webhook endpoints in every state, and the receiver’s page shows their deliveries', async () => {
    const { data } = await node.a.get('/n/v1/webhook-endpoints?limit=100', { token: firstKey })
    expect(new Set(data.map(({ format }: { format: string }) => format))).toEqual(new Set(['A', 'B']))
    await until(async () => {
      const { data: now } = await node.a.get('/n/v1/webhook-endpoints?limit=100', { token: firstKey })
      const causes = new Set(now.map(({ disabledCause }: { disabledCause: string | null }) => disabledCause))
      const changing = now.filter(
        ({ previousSecretUntil }: { previousSecretUntil: string | null }) => previousSecretUntil,
      )
      const failing = now.filter(({ failuresInARow }: { failuresInARow: number }) => failuresInARow >= 50)
      return causes.size === 3 && changing.length === 1 && failing.length > 0
    }, 'endpoints that are enabled, switched off, gone and failing for long, and one whose secret is being changed')
    await until(async () => {
      const those = (status: string) =>
        node.a.get(`/n/v1/webhook-deliveries?limit=1&status=${status}`, { token: firstKey })
      const found = await Promise.all(['delivered', 'failed', 'retrying'].map(those))
      return found.every(({ data: deliveries }) => deliveries.length === 1)
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

  test('creates payments and accounts in every state, each once although the first start was interrupted', async () => {
    const { accessToken: token } = (await node.a.post('/a/v1/auth/login', { body: demo })).data
    const listed = async (what: string): Promise<Record<string, unknown>[]> =>
      (await node.a.get(`/b/v1/collection/${what}`, { token })).data
    await until(
      async () => (await listed('payments')).some(({ refundedMinor }) => refundedMinor === 100_000),
      'a refund',
    )
    const payments = await listed('payments')
    expect(payments.map(({ reconciliationStatus }) => reconciliationStatus).sort()).toEqual([
      'applied',
      'applied',
      'overpaid',
      'unmatched',
    ])
    expect((await listed('exceptions')).length).toBe(2)
    expect((await listed('credits')).length).toBe(1)
    const accounts = await listed('accounts?pageSize=100')
    expect(new Set(accounts.map(({ reference }) => reference)).size).toBe(6)
    expect(new Set(accounts.map(({ status }) => status))).toContain('deactivated')
  })

  test('creates invoices in every state, some of them submitted through the simulator', async () => {
    expect(node.output()).toContain('is created in the background within 30 seconds')
    const listed = async (query: string): Promise<Record<string, unknown>[]> =>
      (await node.a.get(`/i/v1/invoices?limit=100${query}`, { token: firstKey })).data
    const lasting = ['draft', 'finalised', 'accepted', 'rejected', 'cancelled', 'cancellation_pending']
    // The start does not wait for the authority's reply.
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
    // The authority never answers for this document. Its status is unknown until it fails.
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
      'delivery=nrs',
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
    ['/metrics', 'text/plain', 'risiti_outbound_requests_total{party="sandbox_bank",outcome="2xx"}'],
    ['/dev/mailbox', 'application/json', '['],
  ])('finds %s', async (path, contentType, part) => {
    const response = await fetch(`${node.url}${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(contentType)
    expect(await response.text()).toContain(part)
  })

  test('keeps the files with secrets private', async () => {
    expect(await modeOf(join(node.home, 'secrets.json'))).toBe(0o600)
    expect(await modeOf(join(node.home, 'demo.json'))).toBe(0o600)
  })

  /** `fetch` does not allow us to set the Host header. */
  const statusFor = async (host: string, address: string, method = 'GET'): Promise<number | undefined> => {
    const sent = request(address, { method, headers: { host, 'content-type': 'application/json' } })
    sent.end(method === 'POST' ? '{}' : undefined)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }

  test('a request with a foreign Host header sees nothing of the playground', async () => {
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
    // Pages outside the playground are served under any host name.
    expect(await statusFor('evil.example', `${node.url}/health`)).toBe(200)
  })

  test('a second start reports that the port is in use, and the first service continues', async () => {
    const second = await launch({ home: node.home, env: { PORT: new URL(node.url).port } })
    expect((await second.ended).code).toBe(1)
    expect(second.output()).toContain('The port is in use: stop the other program, or set PORT to a free one.')
    expect(second.output()).not.toMatch(/migration|dashboard/i)
    expect(second.output()).not.toMatch(/^\s+at /m)
    expect((await node.a.post('/a/v1/auth/login', { body: demo })).status).toBe(200)
    expect(await statusOf(`${node.url}/ready`)).toBe(200)
  })

  test('two services on two ports share a folder, and the last one to stop stops the database', async () => {
    const second = await startNode({ home: node.home })
    expect((await second.a.get('/a/v1/auth/me', { token: firstKey })).status).toBe(200)
    expect((await second.stop()).code).toBe(0)
    expect((await node.a.post('/a/v1/auth/login', { body: demo })).status).toBe(200)
  })

  test('the service stops its database at the end', async () => {
    const lock = join(node.home, 'postgres', 'postmaster.pid')
    expect(await stat(lock)).toBeDefined()
    expect((await node.stop()).code).toBe(0)
    await expect(stat(lock)).rejects.toThrow('ENOENT')
  })
})

test('a start with wrong settings lists every problem and stops', async () => {
  const started = await launch({
    env: {
      PORT: 'http',
      SMTP_URL: 'mailer:hunter2@nowhere',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'postgres://u:hunter2@h/d',
    },
    args: ['--role=cook'],
  })
  expect(await started.ended).toEqual({ code: 1, signal: null })
  const said = started.output()
  expect(said).toContain('Risiti did not start.')
  for (const about of ['PORT', 'SMTP_URL', 'LOG_LEVEL', '--role']) expect(said).toContain(`- ${about}`)
  expect(said).toContain('- SECRETS_FILE is required with DATABASE_URL')
  expect(said).not.toContain('hunter2')
  expect(said).not.toMatch(/^\s+at /m)
})

// `config.test.ts` says which settings make a playground.
describe('in production', () => {
  const METRICS_TOKEN = 'a-token-of-many-letters'
  let node: ServerNode
  let sql: pg.Client
  let DATA_DIR: string

  beforeAll(async () => {
    const { url: DATABASE_URL } = await createTestDatabase()
    sql = await sqlOn(DATABASE_URL)
    DATA_DIR = join(await makeHome(), 'never-made')
    const SECRETS_FILE = join(await makeHome(), 'secrets.json')
    const env = { DATABASE_URL, SECRETS_FILE, DATA_DIR, METRICS_TOKEN, NODE_ENV: 'production', LOG_LEVEL: 'info' }
    const command = await launch({ env, command: 'create-keys' })
    expect([(await command.ended).code, command.output()]).toEqual([
      0,
      expect.stringContaining(`Created ${SECRETS_FILE}`),
    ])
    expect(await modeOf(SECRETS_FILE)).toBe(0o600)
    node = await startNode({ env })
  })
  afterAll(() => node?.stop())

  test('there is no demo organisation, and nobody knows its password', async () => {
    expectRefusal(await node.a.post('/a/v1/auth/login', { body: demo }), 'credentials.wrong')
    expect((await sql.query('select count(*)::int as people from users')).rows).toEqual([{ people: 0 }])
    expect(node.output()).not.toContain('sk_test_')
  })

  test('with an external database, nothing is written to the disk', async () => {
    await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT')
    expect(await readdir(node.home)).toEqual([])
  })

  test('there is no playground mailbox', async () => {
    const email = 'private@example.test'
    expect((await node.a.post('/a/v1/auth/register', { body: registration(email) })).status).toBe(201)
    expect(await statusOf(`${node.url}/dev/mailbox`)).toBe(404)
    expect(await statusOf(`${node.url}/dev/mailbox?to=${email}`)).toBe(404)
  })

  test('the simulated checkout cannot be paid', async () => {
    const address = `${node.url}/dev/checkouts/00000000-0000-7000-8000-000000000000`
    for (const [headers, body] of [
      [{}, undefined],
      [{ 'content-type': 'application/json' }, '{"outcome":"paid"}'],
    ] as const) {
      const reply = await fetch(address, { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
      expect([reply.status, reply.headers.get('risiti-reason')]).toEqual([404, 'route.not_found'])
    }
  })

  test('metrics need the token', async () => {
    const metrics = `${node.url}/metrics`
    expect(await statusOf(metrics)).toBe(404)
    expect(await statusOf(metrics, { authorization: `Bearer ${METRICS_TOKEN}` })).toBe(200)
  })

  test('the API documents are served, and the service is ready', async () => {
    for (const path of ['/health', '/ready', '/docs', '/form-b/docs', '/openapi.json', '/form-b/openapi.json'])
      expect([path, await statusOf(`${node.url}${path}`)]).toEqual([path, 200])
  })
})
