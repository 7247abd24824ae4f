import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtInMailbox } from '../../server/src/modules/messages/index.ts'
import type { OutgoingMessage } from '../../server/src/modules/messages/message.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { capturedLog, password, startTestApp, type TestApp } from '../harness/app.ts'
import type { RequestOptions } from '../harness/client.ts'
import { invoiceBody, issuer } from '../harness/invoices.ts'
import { lifeOf, ok } from '../harness/issued.ts'

/**
 * Runs every flow that handles a secret, with known secrets and the finest log level. Afterwards no secret may be in
 * the log, in a refusal or in a table. The built-in mailbox shows codes to allowed readers and stores them sealed.
 */
let app: TestApp
const { log, text: logText } = capturedLog()
const secrets = new Map<string, string>()
const refused: string[] = []
const outgoing: OutgoingMessage[] = []

/** Registers a secret for the search at the end. */
function canary(name: string, value: string): string {
  secrets.set(`${name} #${secrets.size}`, value)
  return value
}
const madeUp = (name: string) => canary(name, `canary-${name.replaceAll(' ', '-')}-${randomBytes(6).toString('hex')}`)

const lost = 'lost@example.test'
const carrier = {
  textsPhones: true,
  reachesPeople: false,
  async carry(message: OutgoingMessage) {
    if (!outgoing.some(({ id }) => id === message.id)) outgoing.push(message)
    if (message.to !== lost) return await builtInMailbox(app.runtime, { textsPhones: true }).carry(message)
    const error = new Error(`550 refused at ${relayUrl}, sent Authorization: Bearer ${relayToken}`)
    throw Object.assign(error, { command: `AUTH PLAIN ${relayPassword}`, mail: message.text, message2: message })
  },
}
const relayPassword = madeUp('relay password')
const relayToken = madeUp('relay token')
const relayUrl = `smtps://risiti:${relayPassword}@mail.example.test`

async function codeTo(email: string, which: number): Promise<string> {
  await expect.poll(() => outgoing.filter(({ to }) => to === email).length).toBeGreaterThan(which)
  const { subject } = outgoing.filter(({ to }) => to === email)[which] as OutgoingMessage
  return canary('mailed code', /^\d{6}/.exec(subject)?.[0] ?? `no code in ${subject}`)
}

interface Answer {
  readonly status: number
  readonly data: Record<string, string>
}
/** Plain `fetch`, because the API documents do not describe some of these replies. */
async function call(method: string, path: string, { token, body, headers = {} }: RequestOptions = {}): Promise<Answer> {
  const response = await fetch(`${app.url}/a/v1/auth/${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status >= 400) refused.push(text)
  return { status: response.status, data: JSON.parse(text).data ?? {} }
}
const post = (path: string, body: unknown, token?: string) =>
  call('POST', path, { body, ...(token === undefined ? {} : { token }) })

/** Signs in or refreshes, and registers the tokens. */
async function tokensFrom(answer: Answer): Promise<{ token: string; refreshToken: string }> {
  expect(answer.status).toBe(200)
  const { accessToken = '', refreshToken = '' } = answer.data
  return { token: canary('access token', accessToken), refreshToken: canary('refresh token', refreshToken) }
}

const person = (email: string, password: string) => ({
  email,
  password,
  firstName: 'Ada',
  lastName: 'Obi',
  organizationName: 'Obi Foods',
  country: 'NG',
})

beforeAll(async () => {
  app = await startTestApp({ log, carrier })
})
afterAll(() => app.close())

test('registering, verifying, signing in and out', async () => {
  const email = 'ada@example.test'
  const [first, wrong] = [madeUp('password'), madeUp('wrong password')]
  await post('register', person(email, first))
  await post('register', person(email, madeUp('second password')))
  const code = await codeTo(email, 0)
  await post('verify-email', { email, code: canary('wrong code', code === '111111' ? '222222' : '111111') })
  await tokensFrom(await post('verify-email', { email, code }))
  await post('register', person(email, madeUp('third password')))
  expect((await post('login', { email, password: wrong })).status).toBe(401)
  const session = await tokensFrom(await post('login', { email, password: first }))
  const rotated = await tokensFrom(await post('refresh', { refreshToken: session.refreshToken }))
  await tokensFrom(await post('mode', { mode: 'live' }, rotated.token))
  expect((await post('refresh', { refreshToken: session.refreshToken })).status).toBe(401)
  expect((await post('refresh', { refreshToken: madeUp('refresh token') })).status).toBe(401)
  expect((await call('GET', 'me', { token: rotated.token })).status).toBe(401)
})

test('the second factor', async () => {
  const { token, email } = await app.person()
  canary('access token', token)
  const { secret = '' } = (await post('totp/enrol', { password }, token)).data
  canary('totp secret', secret)
  const codeAt = (step: number) =>
    canary(
      'totp code',
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: app.clock.now().getTime() + step * 30_000,
      }),
    )
  await post('totp/confirm', { code: 'ABCDEF' }, token)
  const confirmed = (await post('totp/confirm', { code: codeAt(0) }, token)).data as unknown as Record<string, string[]>
  for (const code of confirmed.recoveryCodes ?? []) canary('recovery code', code)
  await tokensFrom(await post('login', { email, password, code: codeAt(1) }))
  await tokensFrom(await post('login', { email, password, code: confirmed.recoveryCodes?.[0] }))
  expect((await post('login', { email, password, code: 'ZZZZZ-ZZZZZ' })).status).toBe(401)
  await call('DELETE', 'totp', {
    token,
    body: { password: madeUp('wrong password'), code: confirmed.recoveryCodes?.[1] },
  })
  const off = { password: canary('password', password), code: confirmed.recoveryCodes?.[2] }
  expect((await call('DELETE', 'totp', { token, body: off })).status).toBe(200)
  canary('pending totp secret', (await post('totp/enrol', { password }, token)).data.secret as string)
})

test('forgotten and changed passwords', async () => {
  const { email, token } = await app.person()
  canary('access token', token)
  await post('forgot-password', { email })
  canary('hash of an address', hash('sha256', email))
  const code = await codeTo(email, 0)
  const next = madeUp('new password')
  await post('reset-password', { email, code, password: next })
  expect((await post('reset-password', { email, code, password: madeUp('late password') })).status).toBe(401)
  const session = await tokensFrom(await post('login', { email, password: next }))
  const change = { currentPassword: madeUp('wrong current password'), newPassword: madeUp('unused password') }
  expect((await post('change-password', change, session.token)).status).toBe(401)
  const changed = { currentPassword: next, newPassword: madeUp('changed password') }
  expect((await post('change-password', changed, session.token)).status).toBe(200)
})

test('API keys and their tokens', async () => {
  const { organisationId } = await app.person()
  for (const mode of ['sandbox', 'live'] as const) {
    const key = canary('api key', await app.key(organisationId, { mode }))
    const issued = await call('POST', 'token', { token: key })
    expect((await call('GET', 'me', { token: canary('key token', issued.data.accessToken ?? '') })).status).toBe(200)
    expect((await call('GET', 'me', { token: canary('mistyped key', `${key}0`) })).status).toBe(401)
  }
})

test('stored idempotent replies with links and passwords', async () => {
  const owner = await issuer(app)
  const heir = await app.member(owner.organisationId, 'ADMIN')
  const once = { headers: { 'idempotency-key': 'kept-for-a-day' } }
  const invoice = await lifeOf(app, owner).issued()
  ok(await app.a.post('/i/v1/invoices', { token: owner.token, body: invoiceBody.A(owner), ...once }), 201)
  const shared = await app.a.post(`/i/v1/invoices/${invoice.id}/share`, { token: owner.token, ...once })
  canary('share link', new URL(ok(shared, 201).url).pathname)
  const body = { password, toUserId: heir.userId }
  const handOver = '/a/v1/organizations/me/ownership-transfer'
  ok(await app.a.post(handOver, { token: owner.token, body, ...once }))
  // With this hash an attacker could test a list of common passwords.
  canary('hash of a password', hash('sha256', JSON.stringify(body)))
  canary('hash of an address', hash('sha256', owner.email))
})

test('malformed requests', async () => {
  const secretsSent: [string, string, RequestOptions][] = [
    ['POST', 'login', { body: { email: madeUp('not an email'), password: madeUp('password') } }],
    ['POST', 'login', { body: { email: 'a@example.test', password: { nested: madeUp('nested password') } } }],
    [
      'POST',
      'login',
      { body: { email: 'a@example.test', password: madeUp('long').repeat(10), extra: madeUp('extra') } },
    ],
    ['POST', 'login', { body: `{"email":"a@example.test","password":"${madeUp('broken json')}` }],
    ['POST', 'login', { body: madeUp('text body'), headers: { 'content-type': 'text/plain' } }],
    ['POST', 'verify-email', { body: { email: 'a@example.test', code: madeUp('code') } }],
    ['POST', 'mode', { token: 'x.y.z', body: { mode: madeUp('mode') } }],
    ['GET', `me?access_token=${madeUp('query token')}`, {}],
    ['GET', `me?password=%zz${madeUp('broken query')}`, {}],
    ['GET', 'me', { headers: { authorization: `Basic ${madeUp('basic')}` } }],
    ['GET', 'me', { token: madeUp('bearer') }],
    ['GET', 'me', { headers: { cookie: `session=${madeUp('cookie')}`, 'idempotency-key': madeUp('header') } }],
    ['DELETE', `sessions/${madeUp('path')}`, {}],
    ['GET', `nowhere/${madeUp('unknown path')}?key=${madeUp('unknown query')}`, {}],
  ]
  for (const [method, path, sending] of secretsSent)
    expect((await call(method, path, sending)).status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
})

test('an internal error that contains secrets', async () => {
  const cause = Object.assign(new Error('inner'), { config: { password: madeUp('inner secret') } })
  const failing = Object.assign(new Error(`boom at postgres://risiti:${madeUp('dsn password')}@db/x`, { cause }), {
    password: madeUp('property'),
    detail: `Failing row contains (${madeUp('row')}).`,
    query: `select ${madeUp('query text')}`,
  })
  vi.spyOn(app.runtime.limiter, 'takeExactly').mockRejectedValueOnce(failing)
  const answer = await post('login', { email: 'a@example.test', password: madeUp('password') })
  expect(answer.status).toBe(500)
})

test('a mail that cannot be sent', async () => {
  await post('register', person(lost, madeUp('password')))
  await codeTo(lost, 0)
  await expect.poll(() => logText().includes('"job.failed"')).toBe(true)
  const waiting = await app.runtime.db.rows(sql`select sent_at from messages where recipient = ${lost}`)
  expect(waiting).toEqual([{ sentAt: null }])
})

/** All rows of each table as text. */
async function everyTable(): Promise<Map<string, string>> {
  const client = new pg.Client(app.database.url)
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const dump = new Map<string, string>()
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(`select row_to_json(t)::text as text from ${name} t`)
      dump.set(name, rows.map(({ text }) => text).join('\n'))
    }
    const keys = await client.query<{ answer: Buffer | null }>('select answer from idempotency_keys')
    const answers = keys.rows.flatMap(({ answer }) => (answer ? [answer.toString()] : []))
    dump.set('unencrypted replies', answers.join('\n'))
    return dump
  } finally {
    await client.end()
  }
}

const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const instant = /\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d:?\d\d)?/g

/** The secrets in a text, in plain form or in a common encoding. */
function shown(text: string): string[] {
  const bare = text.replace(id, '').replace(instant, '')
  return [...secrets]
    .filter(([, value]) => {
      // Six digits occur inside many long numbers, so a code counts only as a separate word.
      if (/^\d{6}$/.test(value)) return new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(bare)
      const disguises = [
        value,
        value.replaceAll('-', ''),
        encodeURIComponent(value),
        Buffer.from(value).toString('hex'),
      ]
      return [
        ...disguises,
        Buffer.from(value)
          .toString('base64')
          .replace(/.{0,4}$/, ''),
      ].some((each) => text.includes(each))
    })
    .map(([name]) => name)
}

test('no secret is in the log, in a refusal or in a table', async () => {
  expect(secrets.size).toBeGreaterThanOrEqual(40)
  expect(shown([...secrets.values()].join(' '))).toHaveLength(secrets.size)

  const text = logText()
  for (const event of ['"msg":"request"', '"msg":"request.failed"', '"msg":"job.failed"']) expect(text).toContain(event)
  expect(shown(text)).toEqual([])

  expect(refused.length).toBeGreaterThan(20)
  expect(shown(refused.join('\n'))).toEqual([])

  const tables = await everyTable()
  const filled = ['users', 'messages', 'mailbox', 'events', 'jobs', 'idempotency_keys', 'rate_windows']
  for (const name of filled.map((name) => `public.${name}`)) expect(tables.get(name), `${name} has rows`).toMatch(/\{/)
  expect(tables.get('unencrypted replies')).toMatch(/"invoiceNumber"/)
  for (const [name, rows] of tables) expect(shown(rows), name).toEqual([])
})
