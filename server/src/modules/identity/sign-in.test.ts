import { randomBytes, randomUUID } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Person, startTestApp, type TestApp, testVault } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const auth = '/a/v1/auth'
const nobody = () => `n${randomBytes(6).toString('hex')}@example.test`
const logIn = (
  client: Client,
  { email, password }: Pick<Person, 'email' | 'password'>,
  own: object = {},
  agent = 'one',
) => client.post(`${auth}/login`, { body: { email, password, ...own }, headers: { 'user-agent': agent } })
const refresh = (client: Client, refreshToken: string) => client.post(`${auth}/refresh`, { body: { refreshToken } })
const me = (client: Client, token: string) => client.get(`${auth}/me`, { token })
const messagesTo = async (email: string) =>
  (
    await app.runtime.db.one<{ count: number }>(
      sql`select count(*)::int as count from messages where recipient = ${email}`,
    )
  ).count

const told = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(/"(timestamp|requestId)":"[^"]+"/g, '"$1"'),
  headers: [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-.*)$/.test(name)),
})

describe.each(['A', 'B'] as const)('signing in in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('the right password opens a session in the requested mode, sandbox by default', async () => {
    const person = await app.person()
    const { status, data } = await logIn(client, person)
    expect(status).toBe(200)
    expect(data).toEqual({
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.stringMatching(/^rt_[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      organizationId: person.organisationId,
      mode: 'sandbox',
    })
    expect((await me(client, data.accessToken)).data).toMatchObject({ user: { id: person.userId }, mode: 'sandbox' })

    const live = await logIn(client, person, { mode: 'live' })
    expect(live.data.mode).toBe('live')
    const seen = await me(client, live.data.accessToken)
    expect([seen.data.mode, seen.body.meta.mode]).toEqual(['live', 'live'])
  })

  test('a wrong password and an unknown address get the same reply', async () => {
    const person = await app.person()
    const wrong = await logIn(client, { ...person, password: 'wrong password' })
    expectRefusal(wrong, 'credentials.wrong')
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'AUTH002'])
    expect(told(await logIn(client, { ...person, email: nobody() }))).toEqual(told(wrong))
  })

  test('a second factor is required only after the right password', async () => {
    const person = await app.person()
    const { token, password } = person
    const { secret } = (await client.post(`${auth}/totp/enrol`, { token, body: { password } })).data
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = totp.generate({ timestamp: app.clock.now().getTime() })
    await client.post(`${auth}/totp/confirm`, { token: person.token, body: { code } })
    const asked = await logIn(client, person)
    expectRefusal(asked, 'credentials.second_factor_needed')
    expect([asked.status, asked.body.error.code]).toEqual([401, 'AUTH003'])
    expectRefusal(await logIn(client, { ...person, password: 'wrong password' }), 'credentials.wrong')
    const next = totp.generate({ timestamp: app.clock.now().getTime() + 30_000 })
    expect((await logIn(client, person, { code: next })).status).toBe(200)
  })

  test('a refresh token gives a new pair, and its reuse ends the session and informs the owner', async () => {
    const person = await app.person()
    const first = (await logIn(client, person)).data
    const rotated = await refresh(client, first.refreshToken)
    expect(rotated.status).toBe(200)
    expect(rotated.data).toMatchObject({ organizationId: person.organisationId, mode: 'sandbox', expiresIn: 900 })
    expect(rotated.data.refreshToken).not.toBe(first.refreshToken)
    expect((await me(client, rotated.data.accessToken)).status).toBe(200)
    expect((await me(client, first.accessToken)).status).toBe(200)
    const third = (await refresh(client, rotated.data.refreshToken)).data

    expectRefusal(await refresh(client, first.refreshToken), 'session.ended')
    for (const token of [first.accessToken, rotated.data.accessToken, third.accessToken])
      expectRefusal(await me(client, token), 'auth.token_invalid')
    expectRefusal(await refresh(client, third.refreshToken), 'session.ended')
    const mails = await app.mailTo(person.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['A Risiti session was ended'])
    expect((await me(client, person.token)).status).toBe(200)
  })

  test('sessions are listed and ended by their owner only', async () => {
    const person = await app.person()
    const phone = (await logIn(client, person, {}, 'phone')).data
    const listed = await client.get(`${auth}/sessions`, { token: phone.accessToken })
    expect(listed.body.meta.pagination).toMatchObject({ page: 1, limit: 2, total: 2, totalPages: 1 })
    const [here, there] = [true, false].map((own) =>
      listed.data.find(({ current }: { current: boolean }) => current === own),
    )
    const now = app.clock.now()
    expect(here).toEqual({
      id: expect.any(String),
      current: true,
      organizationId: person.organisationId,
      mode: 'sandbox',
      address: '127.0.0.1',
      userAgent: 'phone',
      createdAt: now.toISOString(),
      lastUsedAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + 30 * 24 * 3600_000).toISOString(),
    })
    expect(there.userAgent).toBe('vitest')

    const stranger = await app.person()
    for (const id of [here.id, randomUUID(), 'not-an-id'])
      expectRefusal(await client.delete(`${auth}/sessions/${id}`, { token: stranger.token }), 'resource.not_found')

    const ended = await client.delete(`${auth}/sessions/${here.id}`, { token: person.token })
    expect(ended.data).toEqual({ id: here.id, ended: true })
    expectRefusal(await me(client, phone.accessToken), 'auth.token_invalid')
    expectRefusal(await refresh(client, phone.refreshToken), 'session.ended')
    expectRefusal(await client.delete(`${auth}/sessions/${here.id}`, { token: person.token }), 'resource.not_found')
    expect((await client.get(`${auth}/sessions`, { token: person.token })).data).toMatchObject([{ current: true }])
  })

  test('logging out ends only this session', async () => {
    const person = await app.person()
    const { accessToken: token, refreshToken } = (await logIn(client, person)).data
    expect((await client.post(`${auth}/logout`, { token })).data).toEqual({ ended: true })
    expectRefusal(await me(client, token), 'auth.token_invalid')
    expectRefusal(await refresh(client, refreshToken), 'session.ended')
    expect((await me(client, person.token)).status).toBe(200)
  })

  test('switching the mode invalidates the old token, and returns a new one', async () => {
    const person = await app.person()
    expect((await me(client, person.token)).data.mode).toBe('sandbox')
    const moved = await client.post(`${auth}/mode`, { token: person.token, body: { mode: 'live' } })
    expect([moved.status, moved.data.mode]).toEqual([200, 'live'])
    expectRefusal(await me(client, person.token), 'auth.token_outdated')
    expect((await me(client, moved.data.accessToken)).data.mode).toBe('live')
    expect((await refresh(client, moved.data.refreshToken)).data.mode).toBe('live')
    expect(
      faultPaths(await client.post(`${auth}/mode`, { token: moved.data.accessToken, body: { mode: 'x' } })),
    ).toEqual(['mode'])
  })
})

test('tries are counted before the password is hashed', async () => {
  // The limit counts per minute. A stopped clock keeps the minute from changing during the test.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const limited = await startTestApp({ limits: { login: 3 } })
  try {
    const [person, other] = [await limited.person(), await limited.person()]
    for (let tries = 0; tries < 3; tries++)
      expectRefusal(await logIn(limited.a, { ...person, password: 'wrong password' }), 'credentials.wrong')
    const right = await logIn(limited.a, { ...person, email: person.email.toUpperCase() })
    expectRefusal(right, 'limit.exceeded')
    expect([right.status, right.body.error.code]).toEqual([429, 'RATE001'])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(right.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    // An unreadable hash would raise an error if a password were compared with it.
    await limited.runtime.db.run(sql`update users set password_hash = 'unreadable' where id = ${person.userId}`)
    expectRefusal(await logIn(limited.b, person), 'limit.exceeded')
    expect((await logIn(limited.a, other)).status).toBe(200)
  } finally {
    vi.useRealTimers()
    await limited.close()
  }
})

test('a sign-in from a new device sends a mail, except the first one', async () => {
  const person = await app.person()
  await logIn(app.a, person, {}, 'laptop')
  await logIn(app.a, person, {}, 'laptop')
  expect(await messagesTo(person.email)).toBe(0)
  const phone = 'Mozilla/5.0 (Linux; Android 14) Chrome/140.0 <b>7</b> https://evil.example'
  await logIn(app.a, person, {}, phone)
  await logIn(app.b, person, {}, phone)
  await logIn(app.a, { ...person, password: 'wrong password' }, {}, 'burglar')
  expect(await messagesTo(person.email)).toBe(1)
  const [mail] = await app.mailTo(person.email)
  expect(mail?.subject).toBe('New sign-in to Risiti')
  // The client chooses its name, so that the mail uses our own names for programs.
  for (const words of [mail?.text, mail?.html]) {
    expect(words).toContain('Address: 127.0.0.1. Program: Chrome on Android.')
    expect(words).not.toContain('evil')
  }
})

test('of two concurrent refreshes with one token, one gets a pair, and the session ends', async () => {
  const person = await app.person()
  const replies = await Promise.all([refresh(app.a, person.refreshToken), refresh(app.b, person.refreshToken)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  const won = replies.find(({ status }) => status === 200) as Reply
  expectRefusal(await me(app.a, won.data.accessToken), 'auth.token_invalid')
  expectRefusal(await refresh(app.a, won.data.refreshToken), 'session.ended')
  expect(await messagesTo(person.email)).toBe(1)
})

test.each(['garbage', `rt_${randomBytes(32).toString('base64url')}`, `sk_test_${'a'.repeat(49)}`])(
  'the refresh token %s is refused',
  async (refreshToken) => expectRefusal(await refresh(app.a, refreshToken), 'session.ended'),
)

test('access and refresh tokens are not interchangeable', async () => {
  const person = await app.person()
  expect(faultPaths(await refresh(app.a, person.token))).toEqual(['refreshToken'])
  expectRefusal(await me(app.a, person.refreshToken), 'auth.token_invalid')
})

test('an access token is valid for 15 minutes', async () => {
  const person = await app.person()
  app.clock.advance({ minutes: 14, seconds: 59 })
  expect((await me(app.a, person.token)).status).toBe(200)
  app.clock.advance({ seconds: 1 })
  expectRefusal(await me(app.a, person.token), 'auth.token_invalid')
  expect((await refresh(app.a, person.refreshToken)).status).toBe(200)
})

test('a session is valid for 30 days after its last refresh', async () => {
  const [idle, busy] = [await app.person(), await app.person()]
  app.clock.advance({ days: 29, hours: 23 })
  const kept = (await refresh(app.a, busy.refreshToken)).data
  app.clock.advance({ hours: 1 })
  expectRefusal(await refresh(app.a, idle.refreshToken), 'session.ended')
  const { accessToken: token } = (await refresh(app.a, kept.refreshToken)).data
  expect((await app.a.get(`${auth}/sessions`, { token })).data).toHaveLength(1)
  const back = (await logIn(app.a, idle)).data.accessToken
  expect((await app.a.get(`${auth}/sessions`, { token: back })).data).toHaveLength(1)
})

describe('a foreign token', () => {
  interface Recipe {
    readonly claims?: object
    readonly header?: object
    readonly key?: Uint8Array
    readonly audience?: string
    readonly issuer?: string
    readonly lastsSeconds?: number
  }

  /** A valid token of a real session, except for the fields in `recipe`. */
  async function forge(person: Person, recipe: Recipe = {}): Promise<string> {
    const { vault } = app.runtime
    const session = await app.runtime.db.one<{ id: string }>(
      sql`select id from sessions where user_id = ${person.userId}`,
    )
    const claims = {
      kind: 'user',
      userId: person.userId,
      sessionId: session.id,
      sessionEpoch: 1,
      membershipEpoch: '1.0',
    }
    const now = Math.floor(app.clock.now().getTime() / 1000)
    return await new SignJWT({ ...claims, ...recipe.claims })
      .setProtectedHeader({ alg: 'HS256', kid: vault.signingKeyId, typ: 'at+jwt', ...recipe.header })
      .setIssuer(recipe.issuer ?? 'risiti')
      .setAudience(recipe.audience ?? 'risiti')
      .setIssuedAt(now)
      .setExpirationTime(now + (recipe.lastsSeconds ?? 900))
      .sign(recipe.key ?? (vault.signingKey(vault.signingKeyId) as Uint8Array))
  }
  const otherKey = testVault().signingKey('k1') as Uint8Array
  const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const parts = (token: string) => token.split('.') as [string, string, string]
  const claimsIn = (token: string) => JSON.parse(Buffer.from(parts(token)[1], 'base64url').toString()) as object

  test('is accepted with our signature, so that each case below fails for its own reason', async () => {
    const person = await app.person()
    expect((await me(app.a, await forge(person))).data.user.id).toBe(person.userId)
  })

  const cases: Record<string, (person: Person) => string | Promise<string>> = {
    'is not signed': (person) => new UnsecuredJWT({ ...claimsIn(person.token) }).encode(),
    'says none with our signature': (person) => {
      const [, payload, signature] = parts(person.token)
      return `${segment({ alg: 'none', typ: 'at+jwt', kid: 'k1' })}.${payload}.${signature}`
    },
    'has no signature': (person) => parts(person.token).slice(0, 2).concat('').join('.'),
    'names another person': (person) => {
      const [header, , signature] = parts(person.token)
      return `${header}.${segment({ ...claimsIn(person.token), userId: randomUUID() })}.${signature}`
    },
    'has a changed signature': (person) => {
      const [header, payload, signature] = parts(person.token)
      return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    },
    'is signed with another key': (person) => forge(person, { key: otherKey }),
    'names a key we lack': (person) => forge(person, { header: { kid: 'k9' } }),
    'names no key': (person) => forge(person, { header: { kid: undefined } }),
    'uses another algorithm': (person) => forge(person, { header: { alg: 'HS512' }, key: randomBytes(64) }),
    'is of another type': (person) => forge(person, { header: { typ: 'JWT' } }),
    'is for someone else': (person) => forge(person, { audience: 'other' }),
    'is from someone else': (person) => forge(person, { issuer: 'other' }),
    'has expired': (person) => forge(person, { lastsSeconds: 0 }),
    'says nothing of its kind': (person) => forge(person, { claims: { kind: undefined } }),
    'names a session of another': async (person) => forge(person, { claims: { userId: (await app.person()).userId } }),
    'is not a token at all': () => 'abc.def.ghi',
  }
  test.each(Object.keys(cases))('is refused when it %s', async (name) => {
    const person = await app.person()
    const token = (await cases[name]?.(person)) as string
    const reply = await me(app.a, token)
    expectRefusal(reply, 'auth.token_invalid')
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  })
})
