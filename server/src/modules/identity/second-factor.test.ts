import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { password as ownPassword, type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const auth = '/a/v1/auth'
const enrol = (client: Client, token: string, password = ownPassword) =>
  client.post(`${auth}/totp/enrol`, { token, body: { password } })
const confirm = (client: Client, token: string, code: string) =>
  client.post(`${auth}/totp/confirm`, { token, body: { code } })
const disable = (client: Client, token: string, password: string, code: string) =>
  client.delete(`${auth}/totp`, { token, body: { password, code } })
const logIn = (client: Client, { email, password }: Person, code: string) =>
  client.post(`${auth}/login`, { body: { email, password, code } })

const codeOf = (secret: string, stepsFromNow = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.clock.now().getTime() + stepsFromNow * 30_000,
  })
/** A code that no time step around now has. */
function wrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((guess) => !right.includes(guess)) as string
}

interface ProtectedPerson extends Person {
  readonly secret: string
  readonly recoveryCodes: string[]
}

/** A person with a second factor, whose confirmed time step has passed. */
async function protectedPerson(client: Client = app.a): Promise<ProtectedPerson> {
  const person = await app.person()
  const { secret } = (await enrol(client, person.token)).data
  const { recoveryCodes } = (await confirm(client, person.token, codeOf(secret))).data
  app.clock.advance({ seconds: 30 })
  return { ...person, secret, recoveryCodes }
}

const subjectsTo = async (email: string, atLeast: number) =>
  (await app.mailTo(email, atLeast)).map(({ subject }) => subject)

describe.each(['A', 'B'] as const)('the second factor in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('is set up, required at the next sign-in, and switched off with password and code', async () => {
    const person = await app.person()
    const { token, email, password } = person
    const enrolled = await enrol(client, token)
    expect(enrolled.data).toEqual({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/), uri: expect.any(String) })
    const uri = new URL(enrolled.data.uri)
    expect([uri.protocol, uri.searchParams.get('secret')]).toEqual(['otpauth:', enrolled.data.secret])
    expect((await client.get(`${auth}/me`, { token })).data.user.totpEnabled).toBe(false)
    expect((await client.post(`${auth}/login`, { body: { email, password } })).status).toBe(200)

    const { secret } = enrolled.data
    const confirmed = await confirm(client, token, codeOf(secret))
    expect(confirmed.status).toBe(200)
    expect(confirmed.data.recoveryCodes).toHaveLength(10)
    expect((await client.get(`${auth}/me`, { token })).data.user.totpEnabled).toBe(true)
    expectRefusal(await client.post(`${auth}/login`, { body: { email, password } }), 'credentials.second_factor_needed')
    app.clock.advance({ seconds: 30 })
    expect((await logIn(client, person, codeOf(secret))).status).toBe(200)

    app.clock.advance({ seconds: 30 })
    expect((await disable(client, token, password, codeOf(secret))).data).toEqual({ totpEnabled: false })
    expect((await client.get(`${auth}/me`, { token })).data.user.totpEnabled).toBe(false)
    expect((await client.post(`${auth}/login`, { body: { email, password } })).status).toBe(200)
    expect(await subjectsTo(email, 2)).toEqual(['Second factor switched off', 'Second factor switched on'])
  })

  test('refuses requests in the wrong state', async () => {
    const person = await app.person()
    const early = await confirm(client, person.token, '123456')
    expectRefusal(early, 'totp.not_enrolled')
    expect([early.status, early.body.error.code]).toEqual([409, 'BIZ004'])
    expectRefusal(await disable(client, person.token, person.password, '123456'), 'totp.not_on')
    const on = await protectedPerson(client)
    expectRefusal(await enrol(client, on.token), 'totp.already_on')
    expectRefusal(await confirm(client, on.token, codeOf(on.secret)), 'totp.already_on')
  })

  test('needs password and code to be switched off', async () => {
    const { token, password, secret, email } = await protectedPerson(client)
    expectRefusal(await disable(client, token, 'wrong password', codeOf(secret)), 'credentials.wrong')
    expectRefusal(await disable(client, token, password, wrongCode(secret)), 'credentials.wrong')
    expect(faultPaths(await client.delete(`${auth}/totp`, { token, body: {} }))).toEqual(['code', 'password'])
    expect((await client.get(`${auth}/me`, { token })).data.user.totpEnabled).toBe(true)
    expect(await subjectsTo(email, 1)).toEqual(['Second factor switched on'])
  })

  test('a code works once, and no earlier code works after it', async () => {
    const person = await protectedPerson(client)
    const [before, now] = [codeOf(person.secret, -1), codeOf(person.secret)]
    expectRefusal(await logIn(client, person, before), 'credentials.wrong')
    expect((await logIn(client, person, now)).status).toBe(200)
    expectRefusal(await logIn(client, person, now), 'credentials.wrong')
    expectRefusal(await disable(client, person.token, person.password, now), 'credentials.wrong')
    app.clock.advance({ seconds: 30 })
    expectRefusal(await logIn(client, person, now), 'credentials.wrong')
    expectRefusal(await logIn(client, person, wrongCode(person.secret)), 'credentials.wrong')
    expect((await logIn(client, person, codeOf(person.secret))).status).toBe(200)
  })

  test('each of the ten recovery codes works once, for its owner only', async () => {
    const [person, other] = [await protectedPerson(client), await protectedPerson(client)]
    expect(new Set(person.recoveryCodes).size).toBe(10)
    for (const code of person.recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    const [first, second, third, ...rest] = person.recoveryCodes as [string, string, string, ...string[]]
    expectRefusal(await logIn(client, other, first), 'credentials.wrong')
    expect((await logIn(client, person, first)).status).toBe(200)
    expectRefusal(await logIn(client, person, first), 'credentials.wrong')
    expect((await logIn(client, person, ` ${second.toLowerCase().replace('-', ' ')} `)).status).toBe(200)
    expectRefusal(await logIn(client, person, second), 'credentials.wrong')
    const misread = third.replace('-', '').replaceAll('0', 'O').replace('1', 'I').replaceAll('1', 'l')
    expect((await logIn(client, person, misread)).status).toBe(200)
    expectRefusal(await logIn(client, person, third), 'credentials.wrong')
    expectRefusal(await logIn(client, person, 'ZZZZZ-ZZZZZ'), 'credentials.wrong')
    expect((await disable(client, person.token, person.password, rest[0] as string)).status).toBe(200)
  })
})

test('of two concurrent sign-ins with one code, one succeeds', async () => {
  const person = await protectedPerson()
  for (const code of [codeOf(person.secret), person.recoveryCodes[0] as string]) {
    const replies = await Promise.all([app.a, app.b, app.a].map((client) => logIn(client, person, code)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  }
})

test('only the last secret can be confirmed, and only with a right code', async () => {
  const { token } = await app.person()
  const first = (await enrol(app.a, token)).data.secret
  const last = (await enrol(app.a, token)).data.secret
  expect(last).not.toBe(first)
  expectRefusal(await confirm(app.a, token, wrongCode(last)), 'credentials.wrong')
  expectRefusal(await confirm(app.a, token, codeOf(first)), 'credentials.wrong')
  expect((await app.a.get(`${auth}/me`, { token })).data.user.totpEnabled).toBe(false)
  expect((await confirm(app.a, token, codeOf(last))).status).toBe(200)
})

test('a new setup invalidates the old secret and the old recovery codes', async () => {
  const person = await protectedPerson()
  await disable(app.a, person.token, person.password, codeOf(person.secret))
  app.clock.advance({ seconds: 30 })
  const anew = (await enrol(app.a, person.token)).data.secret
  const { recoveryCodes } = (await confirm(app.a, person.token, codeOf(anew))).data
  app.clock.advance({ seconds: 30 })
  expectRefusal(await logIn(app.a, person, person.recoveryCodes[0] as string), 'credentials.wrong')
  expectRefusal(await logIn(app.a, person, codeOf(person.secret)), 'credentials.wrong')
  expect((await logIn(app.a, person, recoveryCodes[0])).status).toBe(200)
})

test('the database holds the secret sealed and the recovery codes as fingerprints', async () => {
  const stored = ({ userId }: Person) =>
    app.runtime.db.one<{ totpSecret: string | null; totpPending: string | null; macs: string[] }>(
      sql`select totp_secret, totp_pending, array(select code_mac from recovery_codes where user_id = ${userId}) as macs
            from users where id = ${userId}`,
    )
  const waiting = await app.person()
  const { secret } = (await enrol(app.a, waiting.token)).data
  const pending = await stored(waiting)
  expect(pending).toEqual({ totpSecret: null, totpPending: expect.stringMatching(/^v1\.k1\./), macs: [] })
  const person = await protectedPerson()
  const on = await stored(person)
  expect(on).toMatchObject({ totpSecret: expect.stringMatching(/^v1\.k1\./), totpPending: null })
  expect(on.macs).toHaveLength(10)
  const text = JSON.stringify([pending, on])
  for (const plain of [secret, person.secret, ...person.recoveryCodes]) {
    expect(text).not.toContain(plain)
    expect(text).not.toContain(plain.replace('-', ''))
    expect(text).not.toContain(Buffer.from(plain).toString('base64url').slice(0, 8))
  }
})
