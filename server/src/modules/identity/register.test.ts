import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import { systemRole } from '../../kernel/roles.ts'
import { sql } from '../../platform/database/sql.ts'
import { normaliseEmail } from '../people/index.ts'
import { totpSecretPlace } from '../people/second-factor.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const auth = '/a/v1/auth'
const freshEmail = () => `r${randomBytes(6).toString('hex')}@example.test`
const registration = (email: string, own: object = {}) => ({
  email,
  password: 'first password',
  firstName: 'Ada',
  lastName: 'Obi',
  organizationName: 'Obi Foods',
  country: 'NG',
  ...own,
})
const second = { password: 'second password', firstName: 'Ben', lastName: 'Udo', organizationName: 'Udo Shoes' }

const register = (client: Client, email: string, own?: object) =>
  client.post(`${auth}/register`, { body: registration(email, own) })
const verify = (client: Client, email: string, code: string) =>
  client.post(`${auth}/verify-email`, { body: { email, code } })
const resend = (client: Client, email: string) => client.post(`${auth}/resend-verification`, { body: { email } })
const logIn = (client: Client, email: string, password = 'first password') =>
  client.post(`${auth}/login`, { body: { email, password } })

/** Codes sent to an address, oldest first. */
async function codesTo(email: string, howMany = 1): Promise<string[]> {
  const mails = await app.mailTo(email, howMany)
  expect(mails).toHaveLength(howMany)
  return mails.map(({ subject }) => /^\d{6}/.exec(subject)?.[0] ?? subject).reverse()
}
const codeTo = async (email: string) => (await codesTo(email))[0] as string
const otherThan = (...codes: string[]): string =>
  ['000000', '111111', '222222'].find((guess) => !codes.includes(guess)) as string

const rowsOf = (email: string) =>
  app.runtime.db.rows<{ userId: string; organisationId: string; name: string; roleId: string; transactions: number }>(
    sql`select u.id as user_id, o.id as organisation_id, o.name, m.role_id,
               (select count(distinct x)::int from unnest(array[u.xmin::text, o.xmin::text, m.xmin::text]) x) as transactions
          from users u join memberships m on m.user_id = u.id join organisations o on o.id = m.organisation_id where u.email = ${email}`,
  )
const messagesTo = async (email: string) =>
  (await app.runtime.db.one<{ count: bigint }>(sql`select count(*) as count from messages where recipient = ${email}`))
    .count

/** Everything by which a caller can tell two replies apart: all but time and counters. */
const told = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(/"timestamp":"[^"]+"/, '"timestamp"'),
  headers: [...headers].filter(([name]) => !/^(date|ratelimit-.*)$/.test(name)),
})

describe.each(['A', 'B'] as const)('registering in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('sends a code, and the code verifies the address and signs in', async () => {
    const email = freshEmail()
    const registered = await register(client, email)
    expect(registered.status).toBe(201)
    expect(registered.data).toEqual({ email, emailVerified: false })

    const verified = await verify(client, email, await codeTo(email))
    const [made] = await rowsOf(email)
    expect(verified.status).toBe(200)
    expect(verified.data).toEqual({
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.stringMatching(/^rt_[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      organizationId: made?.organisationId,
      mode: 'sandbox',
    })
    const me = await client.get(`${auth}/me`, { token: verified.data.accessToken })
    expect(me.data).toMatchObject({ user: { email, firstName: 'Ada', emailVerified: true }, role: 'OWNER' })
  })

  test('an address with an account gets the same reply, and another mail', async () => {
    const taken = await app.person()
    const headers = { 'x-request-id': 'same' }
    const post = (email: string) => client.post(`${auth}/register`, { body: registration(email), headers })
    const free = `p${randomBytes(6).toString('hex')}@example.test`
    expect(free).toHaveLength(taken.email.length)
    const [toFree, toTaken] = [await post(free), await post(taken.email)]
    expect(told(toTaken)).toEqual({ ...told(toFree), text: told(toFree).text.replace(free, taken.email) })

    const [mail] = await app.mailTo(taken.email)
    expect(mail?.subject).toBe('You already have a Risiti account')
    expect(`${mail?.text}${mail?.html.replace(/style="[^"]*"/g, '')}`).not.toMatch(/\d{6}/)
    expect(await rowsOf(taken.email)).toMatchObject([{ name: 'Eze Stores' }])
    expect((await logIn(client, taken.email, taken.password)).status).toBe(200)
  })

  test.each([
    ['first', 0, 'first password', 'Ada', 'Obi Foods'],
    ['second', 1, 'second password', 'Ben', 'Udo Shoes'],
  ] as const)(
    'registered twice, the %s code sets its own password and names',
    async (_, at, password, name, business) => {
      const email = freshEmail()
      await register(client, email)
      await register(client, email, second)
      const codes = await codesTo(email, 2)
      const { data } = await verify(client, email, codes[at] as string)
      expect((await client.get(`${auth}/me`, { token: data.accessToken })).data.user.firstName).toBe(name)
      expect((await rowsOf(email)).map((row) => row.name)).toEqual([business])
      expect((await logIn(client, email, password)).status).toBe(200)
      expectRefusal(await logIn(client, email, at === 0 ? 'second password' : 'first password'), 'credentials.wrong')
      expectRefusal(await verify(client, email, codes[1 - at] as string), 'code.wrong')
    },
  )

  test('an unverified person may sign in, read and sign out, but not change anything', async () => {
    const email = freshEmail()
    await register(client, email)
    const token = (await logIn(client, email)).data.accessToken as string
    const me = await client.get(`${auth}/me`, { token })
    expect(me.data.user.emailVerified).toBe(false)
    const mode = await client.post(`${auth}/mode`, { token, body: { mode: 'live' } })
    expectRefusal(mode, 'auth.email_unverified')
    expect([mode.status, mode.body.error.code]).toEqual([403, 'AUTH004'])
    await verify(client, email, await codeTo(email))
    expect((await client.post(`${auth}/mode`, { token, body: { mode: 'sandbox' } })).status).toBe(200)

    const leaving = (await logIn(client, email)).data.accessToken as string
    expect((await client.post(`${auth}/logout`, { token: leaving })).data).toEqual({ ended: true })
  })

  test('every fault is listed at once', async () => {
    expect(faultPaths(await client.post(`${auth}/register`, { body: {} }))).toEqual(
      Object.keys(registration('')).sort(),
    )
    const wrong = { password: 'short', firstName: ' ', lastName: 7, organizationName: '', country: 'UK', extra: 1 }
    const reply = await client.post(`${auth}/register`, { body: { email: 'nobody', ...wrong } })
    expectRefusal(reply, 'request.invalid')
    expect([...new Set(faultPaths(reply))]).toEqual(['email', ...Object.keys(wrong)].sort())
    const weak = await register(client, 'ngozi@example.test', { password: 'iloveyou ngozi' })
    expectRefusal(weak, 'request.invalid')
    expect(weak.body.error.details).toEqual([
      {
        path: 'password',
        rule: 'contains_email',
        message: 'must not contain the name in your email address',
      },
    ])
  })
})

test('a person who registered the address of another keeps no access', async () => {
  const email = freshEmail()
  await register(app.a, email)
  const prepared = (await logIn(app.a, email)).data
  const [{ userId } = { userId: '' }] = await rowsOf(email)
  const secret = app.runtime.vault.seal('JBSWY3DPEHPK3PXP', totpSecretPlace(userId))
  await app.runtime.db.run(sql`update users set totp_secret = ${secret}, totp_enabled_at = now() where id = ${userId}`)
  await register(app.a, email, second)
  const mine = await verify(app.a, email, (await codesTo(email, 2))[1] as string)

  expectRefusal(await app.a.get(`${auth}/me`, { token: prepared.accessToken }), 'auth.token_invalid')
  expectRefusal(await app.a.post(`${auth}/refresh`, { body: { refreshToken: prepared.refreshToken } }), 'session.ended')
  const me = await app.a.get(`${auth}/me`, { token: mine.data.accessToken })
  expect(me.data.user).toMatchObject({ emailVerified: true, totpEnabled: false })
  expect((await logIn(app.a, email, 'second password')).status).toBe(200)
})

test('a person keeps the session from before the verification', async () => {
  const email = freshEmail()
  await register(app.a, email)
  const { accessToken: token } = (await logIn(app.a, email)).data
  await verify(app.a, email, await codeTo(email))
  expect((await app.a.get(`${auth}/me`, { token })).data.user.emailVerified).toBe(true)
})

test.each([
  [4, 200],
  [5, 401],
])('after %i wrong codes the right code gets %i', async (tries, status) => {
  const email = freshEmail()
  await register(app.a, email)
  const code = await codeTo(email)
  for (let i = 0; i < tries; i++) expectRefusal(await verify(app.a, email, otherThan(code)), 'code.wrong')
  expect((await verify(app.a, email, code)).status).toBe(status)
})

test('a code is valid once, for 15 minutes', async () => {
  const [late, timely] = [freshEmail(), freshEmail()]
  await register(app.a, late)
  await register(app.a, timely)
  const [lateCode, timelyCode] = [await codeTo(late), await codeTo(timely)]
  app.clock.advance({ minutes: 14, seconds: 59 })
  expect((await verify(app.a, timely, timelyCode)).status).toBe(200)
  expectRefusal(await verify(app.a, timely, timelyCode), 'code.wrong')
  app.clock.advance({ seconds: 1 })
  expectRefusal(await verify(app.a, late, lateCode), 'code.wrong')
})

test('a code is valid for one address', async () => {
  const [mine, theirs] = [freshEmail(), freshEmail()]
  await register(app.a, mine)
  await register(app.a, theirs)
  const [myCode, theirCode] = [await codeTo(mine), await codeTo(theirs)]
  if (myCode !== theirCode) expectRefusal(await verify(app.a, theirs, myCode), 'code.wrong')
  expect((await verify(app.a, theirs, theirCode)).status).toBe(200)
  expectRefusal(await verify(app.a, freshEmail(), myCode), 'code.wrong')
})

test('a code can be sent again, which replaces the older, and not to verified or unknown addresses', async () => {
  const email = freshEmail()
  await register(app.a, email)
  const again = await resend(app.a, email)
  expect([again.status, again.data]).toEqual([200, { email }])
  const [older, newer] = (await codesTo(email, 2)) as [string, string]
  if (older !== newer) expectRefusal(await verify(app.a, email, older), 'code.wrong')
  expect((await verify(app.a, email, newer)).status).toBe(200)
  expect((await resend(app.a, email)).data).toEqual({ email })
  expect(await messagesTo(email)).toBe(2n)
  const nobody = freshEmail()
  expect((await resend(app.a, nobody)).data).toEqual({ email: nobody })
  expect(await messagesTo(nobody)).toBe(0n)
})

test('an address is the same in every spelling', async () => {
  expect(normaliseEmail('  Ada.Obi@Example.TEST\n')).toBe('ada.obi@example.test')
  const email = freshEmail()
  expect((await register(app.a, email.toUpperCase())).data.email).toBe(email)
  const code = await codeTo(email)
  expect((await verify(app.a, email.replace('example', 'EXAMPLE'), code)).status).toBe(200)
  expect((await logIn(app.a, email.toUpperCase())).status).toBe(200)
  await register(app.a, email.replace(/^r/, 'R'))
  expect(await rowsOf(email)).toHaveLength(1)
})

test('person, organisation, ownership and events are written in one transaction', async () => {
  const email = freshEmail()
  await register(app.a, email)
  const [made] = await rowsOf(email)
  expect(made).toMatchObject({ roleId: systemRole('OWNER').id, name: 'Obi Foods', transactions: 1 })
  const { organisationId, userId } = made as { organisationId: string; userId: string }
  // Events of our own jobs about a new organisation come after these.
  const events = await app.runtime.db.rows(
    sql`select type, mode, object_id, data, actor_kind, actor_name from events
         where organisation_id = ${organisationId} and actor_kind = 'user' order by position`,
  )
  const actor = { actorKind: 'user', actorName: email, mode: null }
  expect(events).toEqual([
    {
      ...actor,
      type: 'organization.created',
      objectId: organisationId,
      data: { name: 'Obi Foods', country: 'NG', parentId: null },
    },
    { ...actor, type: 'member.joined', objectId: userId, data: { email, role: 'OWNER' } },
  ])

  await app.owner.run(sql`alter table events add constraint doomed check (data->>'name' <> 'Doomed')`)
  const unlucky = freshEmail()
  const body = JSON.stringify(registration(unlucky, { organizationName: 'Doomed' }))
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${app.url}${auth}/register`, { method: 'POST', headers, body })).status).toBe(500)
  const left = await app.runtime.db.one(
    sql`select (select count(*)::int from users where email = ${unlucky}) as users,
               (select count(*)::int from organisations where name = 'Doomed') as organisations`,
  )
  expect([left, await messagesTo(unlucky)]).toEqual([{ users: 0, organisations: 0 }, 0n])
})

test('two concurrent registrations of one address make one person, one organisation and two codes', async () => {
  const email = freshEmail()
  // A third, unfinished insert blocks both until they run side by side.
  const gate = await app.runtime.db.dedicatedClient()
  await gate.query('begin')
  await gate.query(
    `insert into users (id, email, password_hash, first_name, last_name, created_at, updated_at)
     values (gen_random_uuid(), '${email}', 'x', 'x', 'x', now(), now())`,
  )
  const fromCurl = { body: registration(email, second), headers: { 'user-agent': 'curl/8.5.0' } }
  const both = Promise.all([register(app.a, email), app.b.post(`${auth}/register`, fromCurl)])
  await expect.poll(() => listLockWaits(app.owner, /insert into users/)).toHaveLength(2)
  await gate.query('rollback')
  await gate.end()

  expect((await both).map((reply) => reply.status)).toEqual([201, 201])
  expect(await rowsOf(email)).toHaveLength(1)
  const mails = await app.mailTo(email, 2)
  const mine = mails.find(({ text }) => text.includes('Program: curl.'))
  expect((await verify(app.a, email, mine?.subject.slice(0, 6) ?? '')).status).toBe(200)
  expect((await logIn(app.a, email, 'second password')).status).toBe(200)
})
