import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'
import { whichGivesWay } from './registrations.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ trustProxy: { hops: 1 } })
})
afterAll(() => app.close())

const auth = '/a/v1/auth'
const freshEmail = () => `g${randomBytes(6).toString('hex')}@example.test`
const mine = '198.51.100.7'
const theirs = '203.0.113.9'

interface Who {
  readonly from: string
  readonly password: string
  readonly business: string
}
const me: Who = { from: mine, password: 'my own password', business: 'Obi Foods' }
const stranger: Who = { from: theirs, password: 'the password of a stranger', business: 'Udo Shoes' }

const at = (from: string) => ({ headers: { 'x-forwarded-for': from, 'user-agent': `browser at ${from}` } })
const register = (client: Client, email: string, { from, password, business }: Who) =>
  client.post(`${auth}/register`, {
    ...at(from),
    body: { email, password, firstName: 'Ada', lastName: 'Obi', organizationName: business, country: 'NG' },
  })
const resend = (email: string, from = mine, client = app.a) =>
  client.post(`${auth}/resend-verification`, { ...at(from), body: { email } })
const verify = (email: string, code: string, from = mine, client = app.a) =>
  client.post(`${auth}/verify-email`, { ...at(from), body: { email, code } })
const logIn = (email: string, password: string) =>
  app.a.post(`${auth}/login`, { ...at(mine), body: { email, password } })

/** Mails to an address about one registration, newest first, with their codes. */
async function mailsOf(email: string, { from }: Pick<Who, 'from'>, all: number) {
  const mails = await app.mailTo(email, all)
  expect(mails).toHaveLength(all)
  return mails
    .filter(({ text }) => text.includes(`Address: ${from}.`))
    .map((mail) => ({ ...mail, code: mail.subject.slice(0, 6) }))
}
const otherThan = (...codes: string[]) => ['000000', '111111', '222222'].find((code) => !codes.includes(code)) as string

describe.each(['A', 'B'] as const)('an address that two people register, in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('is verified for the registration whose code is used, even after new codes', async () => {
    const email = freshEmail()
    await register(client, email, me)
    app.clock.advance({ minutes: 1 })
    await register(client, email, stranger)
    await resend(email, mine, client)
    const [newest, first] = await mailsOf(email, me, 4)
    if (first?.code !== newest?.code) expectRefusal(await verify(email, first?.code ?? '', mine, client), 'code.wrong')
    const verified = await verify(email, newest?.code ?? '', mine, client)
    expect(verified.status).toBe(200)
    expect((await logIn(email, me.password)).status).toBe(200)
    expectRefusal(await logIn(email, stranger.password), 'credentials.wrong')
    const organisation = await client.get('/a/v1/organizations/me', { token: verified.data.accessToken, ...at(mine) })
    expect(organisation.text).toContain('Obi Foods')

    // The other registration is void, and no further mail is sent for it.
    const [late] = await mailsOf(email, stranger, 4)
    expectRefusal(await verify(email, late?.code ?? '', theirs, client), 'code.wrong')
    await resend(email, theirs, client)
    expect(await app.mailTo(email, 4)).toHaveLength(4)
  })
})

test('each mail shows the time and network of its registration, and that there are several', async () => {
  const email = freshEmail()
  const [first, second] = [app.clock.now().toISOString(), new Date(app.clock.now().getTime() + 60_000).toISOString()]
  await register(app.a, email, me)
  app.clock.advance({ minutes: 1 })
  await register(app.a, email, stranger)
  app.clock.advance({ minutes: 1 })
  // A request for new codes from anywhere yields mails that name the registrations.
  await resend(email, '192.0.2.1')
  const [again, once] = await mailsOf(email, me, 4)
  const [theirsAgain] = await mailsOf(email, stranger, 4)
  for (const mail of [again, once])
    expect(mail?.text).toContain(`registration of ${first}. Address: ${mine}. Program: unknown.`)
  expect(theirsAgain?.text).toContain(`registration of ${second}. Address: ${theirs}.`)
  expect(once?.text).not.toContain('more than once')
  for (const mail of [again, theirsAgain]) expect(mail?.text).toContain('registered more than once')
})

test('wrong codes of a stranger do not block the verification from another network', async () => {
  const email = freshEmail()
  await register(app.a, email, me)
  const [mail] = await mailsOf(email, me, 1)
  const wrong = otherThan(mail?.code ?? '')
  const guesses = Array.from({ length: 20 }, () => verify(email, wrong, theirs))
  for (const reply of await Promise.all(guesses)) expectRefusal(reply, 'code.wrong')
  expectRefusal(await verify(email, mail?.code ?? '', theirs), 'limit.exceeded')
  expectRefusal(await verify(email, mail?.code ?? '', '192.0.2.1'), 'limit.exceeded')
  expect((await verify(email, mail?.code ?? '', mine)).status).toBe(200)
})

test('a session of an unverified registration ends when another registration is verified', async () => {
  const email = freshEmail()
  await register(app.a, email, stranger)
  const login = { ...at(theirs), body: { email, password: stranger.password } }
  expect((await app.a.post(`${auth}/login`, login)).status).toBe(200)
  await register(app.a, email, me)
  const [mail] = await mailsOf(email, me, 2)
  expect((await verify(email, mail?.code ?? '')).status).toBe(200)
  const networks = sql`select count(*)::int as count from known_devices d join users u on u.id = d.user_id where u.email = ${email}`
  expect(await app.runtime.db.one(networks)).toEqual({ count: 1 })
})

test('of two concurrent verifications one succeeds', async () => {
  const email = freshEmail()
  await register(app.a, email, me)
  await register(app.a, email, stranger)
  const [[own], [other]] = [await mailsOf(email, me, 2), await mailsOf(email, stranger, 2)]
  const replies = await Promise.all([verify(email, own?.code ?? ''), verify(email, other?.code ?? '', theirs)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  const won = replies[0]?.status === 200 ? me : stranger
  expect((await logIn(email, won.password)).status).toBe(200)
})

test('concurrent requests for one address all get a reply', async () => {
  const email = freshEmail()
  await register(app.a, email, me)
  const [mail] = await mailsOf(email, me, 1)
  const asks = [
    (from: string) => register(app.b, email, { ...stranger, from }),
    (from: string) => resend(email, from),
    (from: string) => verify(email, '000000', from),
    (from: string) => app.a.post(`${auth}/forgot-password`, { ...at(from), body: { email } }),
    (from: string) =>
      app.b.post(`${auth}/reset-password`, { ...at(from), body: { email, code: '000000', password: 'another one' } }),
    (from: string) => app.a.post(`${auth}/login`, { ...at(from), body: { email, password: 'wrong password' } }),
  ]
  const networks = [mine, theirs, '192.0.2.1', '10.20.30.40', '10.20.31.40']
  const replies = await Promise.all([
    ...networks.flatMap((from) => asks.map((ask) => ask(from))),
    verify(email, mail?.code ?? ''),
  ])
  expect(replies.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
})

test('two registrations have different codes', async () => {
  const email = freshEmail()
  await register(app.a, email, me)
  await register(app.a, email, stranger)
  const macs = await app.runtime.db.rows<{ codeMac: string }>(
    sql`select code_mac from one_time_codes c join users u on u.id = c.user_id where u.email = ${email} and used_at is null`,
  )
  expect(new Set(macs.map(({ codeMac }) => codeMac)).size).toBe(2)
})

describe('limits', () => {
  test.each([
    ['none gives way while there is room', ['a', 'a', 'b', 'c'], 'a', undefined],
    ['the fourth from one network takes the place of its own oldest', ['b', 'a', 'a', 'a'], 'a', 1],
    ['the sixth takes that of the network that holds most', ['b', 'a', 'a', 'c', 'd'], 'd', 1],
    ['one network cannot push out another', ['b', 'a', 'a', 'a', 'c'], 'c', 1],
    ['where all hold one, the oldest gives way', ['e', 'a', 'b', 'c', 'd'], 'f', 0],
  ] as const)('%s', (_, networks, newcomer, at) => {
    const open = networks.map((networkMac, index) => ({ networkMac, index }))
    expect(whichGivesWay(open, newcomer)?.index).toBe(at)
  })

  test('five registrations of one address a day per network, and other networks are not affected', async () => {
    const email = freshEmail()
    await register(app.a, email, me)
    const replies = []
    for (let times = 0; times < 6; times++)
      replies.push(await register(app.a, email, { ...stranger, business: `Udo ${times}.` }))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429])
    expectRefusal(replies[5] as (typeof replies)[0], 'limit.exceeded')
    const open = await app.runtime.db.rows(
      sql`select organisation_name from registrations r join users u on u.id = r.user_id where u.email = ${email} and ended_at is null
           order by r.created_at, r.id`,
    )
    expect(open).toEqual(['Obi Foods', 'Udo 2.', 'Udo 3.', 'Udo 4.'].map((organisationName) => ({ organisationName })))
    // A registration that was pushed out is void together with its code.
    const gone = (await mailsOf(email, stranger, 6)).at(-1)
    expectRefusal(await verify(email, gone?.code ?? '', theirs), 'code.wrong')
    const [mail] = await mailsOf(email, me, 6)
    expect((await verify(email, mail?.code ?? '')).status).toBe(200)
  })

  test('five mails a day for the registering network, and three for others', async () => {
    const email = freshEmail()
    await register(app.a, email, me)
    for (let times = 0; times < 4; times++) await resend(email, times % 2 ? theirs : '192.0.2.1')
    expect(await app.mailTo(email, 4)).toHaveLength(4)
    for (let times = 0; times < 6; times++) await resend(email, mine)
    const mails = await mailsOf(email, me, 8)
    expect(mails).toHaveLength(8)
    expect((await verify(email, mails[0]?.code ?? '')).status).toBe(200)
  })

  test('a registration expires after a week, and can be repeated', async () => {
    const email = freshEmail()
    await register(app.a, email, me)
    app.clock.advance({ days: 7 })
    await resend(email)
    expect(await app.mailTo(email, 1)).toHaveLength(1)
    await register(app.a, email, { ...me, business: 'Obi Anew', from: '198.51.101.1' })
    const [mail] = await mailsOf(email, { from: '198.51.101.1' }, 2)
    expect((await verify(email, mail?.code ?? '', '198.51.101.1')).status).toBe(200)
  })
})
