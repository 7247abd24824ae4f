import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import { lockingRow, sql } from '../../platform/database/sql.ts'
import { hashPassword } from '../people/index.ts'
import { totpSecretPlace } from '../people/second-factor.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const auth = '/a/v1/auth'
const newPassword = 'a better password'
const forgot = (client: Client, email: string) => client.post(`${auth}/forgot-password`, { body: { email } })
const reset = (client: Client, email: string, code: string, password = newPassword) =>
  client.post(`${auth}/reset-password`, { body: { email, code, password } })
const change = (client: Client, token: string, currentPassword: string, newPassword: string) =>
  client.post(`${auth}/change-password`, { token, body: { currentPassword, newPassword } })
const logIn = (client: Client, email: string, password: string) =>
  client.post(`${auth}/login`, { body: { email, password } })
const me = (client: Client, token: string) => client.get(`${auth}/me`, { token })
const otherThan = (code: string) => (code === '000000' ? '111111' : '000000')

async function codeTo(email: string, atLeast = 1): Promise<string> {
  const codes = (await app.mailTo(email, atLeast)).filter(({ subject }) => /^\d{6} is your Risiti code$/.test(subject))
  return (codes[0]?.subject ?? '').slice(0, 6)
}

const told = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(/"(timestamp|requestId|email)":"[^"]+"/g, '"$1"'),
  headers: [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-.*)$/.test(name)),
})

describe.each(['A', 'B'] as const)('a password in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('is reset with a mailed code, once, and every session ends', async () => {
    const { email, password, token, refreshToken } = await app.person()
    const elsewhere = (await logIn(client, email, password)).data
    const asked = await forgot(client, email.toUpperCase())
    expect([asked.status, asked.data]).toEqual([200, { email }])
    expect((await me(client, token)).status).toBe(200)

    const code = await codeTo(email)
    expectRefusal(await reset(client, email, otherThan(code)), 'code.wrong')
    const done = await reset(client, email, code)
    expect([done.status, done.data]).toEqual([200, { passwordChanged: true }])
    for (const ended of [token, elsewhere.accessToken]) expectRefusal(await me(client, ended), 'auth.token_invalid')
    for (const ended of [refreshToken, elsewhere.refreshToken])
      expectRefusal(await client.post(`${auth}/refresh`, { body: { refreshToken: ended } }), 'session.ended')
    expectRefusal(await logIn(client, email, password), 'credentials.wrong')
    expect((await logIn(client, email, newPassword)).status).toBe(200)
    expect((await app.mailTo(email, 2)).map(({ subject }) => subject)).toEqual([
      'Password changed',
      `${code} is your Risiti code`,
    ])

    expectRefusal(await reset(client, email, code, 'yet another one'), 'code.wrong')
    expect((await logIn(client, email, newPassword)).status).toBe(200)
  })

  test('of an unknown address gets the same replies and no mail', async () => {
    const known = await app.person()
    const unknown = `p${randomBytes(6).toString('hex')}@example.test`
    expect(told(await forgot(client, unknown))).toEqual(told(await forgot(client, known.email)))
    const wrong = await reset(client, known.email, otherThan(await codeTo(known.email)))
    expect(told(await reset(client, unknown, '123456'))).toEqual(told(wrong))
    expect(await app.runtime.db.rows(sql`select id from messages where recipient = ${unknown}`)).toEqual([])
  })

  test('is changed with the old password, and all other sessions end', async () => {
    const { email, password, token } = await app.person()
    const others = [(await logIn(client, email, password)).data, (await logIn(client, email, password)).data]
    expectRefusal(await change(client, token, 'wrong password', newPassword), 'credentials.wrong')
    for (const { accessToken } of others) expect((await me(client, accessToken)).status).toBe(200)

    const changed = await change(client, token, password, newPassword)
    expect([changed.status, changed.data]).toEqual([200, { passwordChanged: true, sessionsEnded: 2 }])
    expect((await me(client, token)).status).toBe(200)
    for (const { accessToken } of others) expectRefusal(await me(client, accessToken), 'auth.token_invalid')
    expectRefusal(await logIn(client, email, password), 'credentials.wrong')
    expect((await logIn(client, email, newPassword)).status).toBe(200)
    expect((await app.mailTo(email)).map(({ subject }) => subject)).toEqual(['Password changed'])
  })

  test('has 8 to 128 characters, is not a common password, and does not contain the name in the address', async () => {
    const { email, password, token } = await app.person()
    expect(faultPaths(await change(client, token, password, 'x'.repeat(7)))).toEqual(['newPassword'])
    expect(faultPaths(await reset(client, email, '12345', 'x'.repeat(129)))).toEqual(['code', 'password'])
    expect(faultPaths(await change(client, token, password, 'Password1'))).toEqual(['newPassword'])
    expect(faultPaths(await reset(client, email, '123456', `so ${email.split('@')[0]}`))).toEqual(['password'])
    expect((await change(client, token, password, 'ọ'.repeat(128))).status).toBe(200)
    expect((await logIn(client, email, 'ọ'.repeat(128))).status).toBe(200)
  })
})

test('a second factor stays on after a reset', async () => {
  const { email, password, token } = await app.person()
  const { secret } = (await app.a.post(`${auth}/totp/enrol`, { token, body: { password } })).data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().getTime() })
  await app.a.post(`${auth}/totp/confirm`, { token, body: { code } })
  await forgot(app.a, email)
  expect((await reset(app.a, email, await codeTo(email, 2))).status).toBe(200)
  expectRefusal(await logIn(app.a, email, newPassword), 'credentials.second_factor_needed')
})

test.each([
  [4, 200],
  [5, 401],
])('after %i wrong codes the right code gets %i', async (tries, status) => {
  const { email } = await app.person()
  await forgot(app.a, email)
  const code = await codeTo(email)
  for (let i = 0; i < tries; i++) expectRefusal(await reset(app.a, email, otherThan(code)), 'code.wrong')
  expect((await reset(app.a, email, code)).status).toBe(status)
})

test('concurrent tries are counted separately', async () => {
  const { email } = await app.person()
  await forgot(app.a, email)
  const code = await codeTo(email)
  const tries = Array.from({ length: 8 }, () => reset(app.a, email, otherThan(code)))
  for (const reply of await Promise.all(tries)) expectRefusal(reply, 'code.wrong')
  const left = await app.runtime.db.rows(
    sql`select attempts_left from one_time_codes c join users u on u.id = c.user_id where u.email = ${email}`,
  )
  expect(left).toEqual([{ attemptsLeft: 0 }])
  expectRefusal(await reset(app.a, email, code), 'code.wrong')
})

test('a code for a new password is valid for 15 minutes and for nothing else', async () => {
  const { email } = await app.person({ verified: false })
  await forgot(app.a, email)
  const code = await codeTo(email)
  expectRefusal(await app.a.post(`${auth}/verify-email`, { body: { email, code } }), 'code.wrong')
  app.clock.advance({ minutes: 15 })
  expectRefusal(await reset(app.a, email, code), 'code.wrong')
})

test('a reset verifies the address, and removes the access of an unverified registration', async () => {
  const { email, userId, token } = await app.person({ verified: false })
  const secret = app.runtime.vault.seal('JBSWY3DPEHPK3PXP', totpSecretPlace(userId))
  await app.runtime.db.run(sql`update users set totp_secret = ${secret}, totp_enabled_at = now() where id = ${userId}`)
  await app.a.post(`${auth}/resend-verification`, { body: { email } })
  const leftOver = await codeTo(email)
  await forgot(app.a, email)
  await reset(app.a, email, await codeTo(email, 2))

  expectRefusal(await me(app.a, token), 'auth.token_invalid')
  const back = await logIn(app.a, email, newPassword)
  const seen = await me(app.a, back.data.accessToken)
  expect(seen.data.user).toMatchObject({ emailVerified: true, totpEnabled: false })
  expectRefusal(await app.a.post(`${auth}/verify-email`, { body: { email, code: leftOver } }), 'code.wrong')
})

test('of two concurrent changes one succeeds', async () => {
  const { email, password, token } = await app.person()
  const wanted = ['password number one', 'password number two']
  const replies = await Promise.all(wanted.map((next) => change(app.a, token, password, next)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  const won = wanted[replies.findIndex(({ status }) => status === 200)] as string
  expect((await logIn(app.a, email, won)).status).toBe(200)
})

test('a concurrent sign-in with the old password does not survive the change', async () => {
  const { email, password, userId }: Person = await app.person()
  const passwordHash = await hashPassword(newPassword)
  const { late } = await app.runtime.db.transaction(async (tx) => {
    await tx.run(lockingRow(sql`select from users where id = ${userId}`, 'update', `person ${userId}`))
    await tx.run(sql`update users set password_hash = ${passwordHash} where id = ${userId}`)
    const late = logIn(app.a, email, password)
    await expect.poll(() => listLockWaits(app.owner)).toHaveLength(1)
    return { late }
  })
  expectRefusal(await late, 'credentials.wrong')
})
