import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, type Reply } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ trustProxy: { hops: 1 } })
})
afterAll(() => app.close())

const auth = '/a/v1/auth'
const home = '198.51.100.7'
const nobody = () => `n${randomBytes(6).toString('hex')}@example.test`
let networks = 0
/** An address in a network that no other test uses. */
const elsewhere = () => `10.${Math.floor(++networks / 250)}.${networks % 250}.1`

const post = (path: string, body: object, from: string, client: Client = app.a, token?: string) =>
  client.post(`${auth}/${path}`, {
    body,
    headers: { 'x-forwarded-for': from },
    ...(token === undefined ? {} : { token }),
  })
const forgot = (email: string, from: string) => post('forgot-password', { email }, from)
const reset = (email: string, code: string, from: string, client?: Client) =>
  post('reset-password', { email, code, password: 'a better password' }, from, client)
const logIn = ({ email, password }: Pick<Person, 'email' | 'password'>, from: string, own: object = {}, by?: TestApp) =>
  post('login', { email, password, ...own }, from, (by ?? app).a)

/** A person who has signed in from home before. */
async function atHome(by: TestApp = app): Promise<Person> {
  const person = await by.person()
  expect((await logIn(person, home, {}, by)).status).toBe(200)
  return person
}

const resetCodes = async (email: string, atLeast: number) =>
  (await app.mailTo(email, atLeast))
    .filter(({ subject }) => /^\d{6} is your Risiti code$/.test(subject))
    .map(({ subject }) => subject.slice(0, 6))
const otherThan = (...codes: string[]) => ['000000', '111111', '222222'].find((code) => !codes.includes(code)) as string
const warnings = async (email: string, atLeast: number) =>
  (await app.mailTo(email, atLeast)).filter(({ subject }) => /Too many wrong attempts/.test(subject))
const waitOf = (reply: Reply) => Number(reply.headers.get('retry-after')) / 3600
const setWrong = (purpose: string, wrong: number) =>
  app.runtime.db.run(sql`update attempt_counters set wrong = ${wrong} where purpose = ${purpose}`)

describe('a code for a new password', () => {
  test('is the only valid one: a newer code replaces the older, also for concurrent requests', async () => {
    const { email } = await app.person()
    await forgot(email, home)
    await forgot(email, home)
    const [newer, older] = (await resetCodes(email, 2)) as [string, string]
    if (older !== newer) expectRefusal(await reset(email, older, home), 'code.wrong')
    await Promise.all([forgot(email, home), forgot(email, home), forgot(email, home)])
    const open = sql`select count(*)::int as count from one_time_codes c join users u on u.id = c.user_id
                      where u.email = ${email} and used_at is null`
    expect(await app.runtime.db.one(open)).toEqual({ count: 1 })
    expectRefusal(await reset(email, otherThan(newer), home), 'code.wrong')
  })

  test('allows twenty guesses a day, over all codes and networks, and the person gets one mail', async () => {
    const person = await app.person()
    const { email } = person
    for (let round = 0; round < 4; round++) {
      await forgot(email, elsewhere())
      const [code = ''] = await resetCodes(email, round + 1)
      const guesses = ['A', 'B', 'A', 'B', 'A'] as const
      const replies = guesses.map((form) => reset(email, otherThan(code), elsewhere(), app.client(form)))
      for (const reply of await Promise.all(replies)) expectRefusal(reply, 'code.wrong')
    }
    await forgot(email, elsewhere())
    const [code = ''] = await resetCodes(email, 6)
    for (const from of [elsewhere(), elsewhere()]) {
      const refused = await reset(email, code, from)
      expectRefusal(refused, 'limit.exceeded')
      expect([refused.status, refused.body.error.code, waitOf(refused)]).toEqual([429, 'RATE001', 1])
    }
    const [told, ...more] = await warnings(email, 6)
    expect(more).toEqual([])
    expect(told?.text).toContain('the code for a new password of your account')

    // One more wrong attempt makes the wait longer. That locks the account again and sends another mail.
    app.clock.advance({ hours: 1 })
    expectRefusal(await reset(email, otherThan(code), elsewhere()), 'code.wrong')
    expect(waitOf(await reset(email, code, elsewhere()))).toBe(2)
    expect(await warnings(email, 7)).toHaveLength(2)
    app.clock.advance({ hours: 2 })
    await forgot(email, elsewhere())
    const [last = ''] = await resetCodes(email, 8)
    expect((await reset(email, last, elsewhere())).status).toBe(200)
  })

  test('of an unknown address is refused in the same way', async () => {
    const unknown = nobody()
    expectRefusal(await reset(unknown, '123456', elsewhere()), 'code.wrong')
    await setWrong('reset_password', 19)
    expectRefusal(await reset(unknown, '123456', elsewhere()), 'code.wrong')
    const refused = await reset(unknown, '123456', elsewhere())
    expectRefusal(refused, 'limit.exceeded')
    expect(waitOf(refused)).toBe(1)
  })

  test('counts all concurrent tries', async () => {
    const { email } = await app.person()
    await forgot(email, home)
    const [code = ''] = await resetCodes(email, 1)
    const replies = await Promise.all(Array.from({ length: 30 }, () => reset(email, otherThan(code), elsewhere())))
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(20)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10)
    expect(await warnings(email, 2)).toHaveLength(1)
  })

  test('works on a known network despite guesses of strangers', async () => {
    const person = await atHome()
    const { email } = person
    await forgot(email, home)
    const [code = ''] = await resetCodes(email, 1)
    const guesses = Array.from({ length: 20 }, () => reset(email, otherThan(code), elsewhere()))
    for (const reply of await Promise.all(guesses)) expectRefusal(reply, 'code.wrong')
    expectRefusal(await reset(email, code, elsewhere()), 'limit.exceeded')
    // The stranger used up neither the attempts at the code nor the daily limit.
    for (let tries = 0; tries < 4; tries++) expectRefusal(await reset(email, otherThan(code), home), 'code.wrong')
    expect((await reset(email, code, home)).status).toBe(200)
  })

  test('can be requested ten times a day from one network and a hundred times in total, with a separate limit for known networks', async () => {
    const { email } = await atHome()
    const one = elsewhere()
    const ask = async (from: string) => (await forgot(email, from)).status
    const askAtOnce = (times: number, from: () => string) =>
      Promise.all(Array.from({ length: times }, () => ask(from())))
    expect(await askAtOnce(10, () => one)).toEqual(Array(10).fill(200))
    expectRefusal(await forgot(email, one), 'limit.exceeded')
    await app.runtime.db.run(
      sql`update rate_windows set used = used + 80 where subject like 'forgot-password:%' and used = 10`,
    )
    expect(await askAtOnce(10, elsewhere)).toEqual(Array(10).fill(200))
    expectRefusal(await forgot(email, elsewhere()), 'limit.exceeded')
    expect(await ask(home)).toBe(200)
  })
})

describe('a second factor', () => {
  async function protect(person: Person) {
    const enrolled = await post('totp/enrol', { password: person.password }, home, app.a, person.token)
    const totp = new TOTP({ secret: Secret.fromBase32(enrolled.data.secret) })
    const codeNow = () => totp.generate({ timestamp: app.clock.now().getTime() })
    const confirmed = await post('totp/confirm', { code: codeNow() }, home, app.a, person.token)
    app.clock.advance({ seconds: 30 })
    const wrong = () => {
      const near = [-1, 0, 1].map((step) => totp.generate({ timestamp: app.clock.now().getTime() + step * 30_000 }))
      return otherThan(...near)
    }
    return { codeNow, wrong, recoveryCodes: confirmed.data.recoveryCodes as string[] }
  }

  test('allows twenty guesses a day, over app codes, recovery codes and all routes', async () => {
    const person = await atHome()
    const { codeNow, wrong, recoveryCodes } = await protect(person)
    const guesses = [
      () => logIn(person, elsewhere(), { code: wrong() }),
      () => logIn(person, elsewhere(), { code: 'ZZZZZ-ZZZZZ' }),
      () =>
        app.b.delete(`${auth}/totp`, {
          token: person.token,
          headers: { 'x-forwarded-for': elsewhere() },
          body: { password: person.password, code: wrong() },
        }),
      () =>
        app.b.post('/a/v1/organizations/me/ownership-transfer', {
          token: person.token,
          headers: { 'x-forwarded-for': elsewhere() },
          body: { toUserId: person.userId, password: person.password, code: wrong() },
        }),
    ]
    const tries = Array.from({ length: 20 }, (_, index) => (guesses[index % 4] as () => Promise<Reply>)())
    for (const reply of await Promise.all(tries)) expectRefusal(reply, 'credentials.wrong')
    for (const guess of guesses) expectRefusal(await guess(), 'limit.exceeded')
    for (const code of [codeNow(), recoveryCodes[0]])
      expectRefusal(await logIn(person, elsewhere(), { code }), 'limit.exceeded')
    const [told, ...more] = await warnings(person.email, 2)
    expect(more).toEqual([])
    expect(told?.text).toContain('by someone who knows your password')
    expect((await logIn(person, home, { code: codeNow() })).status).toBe(200)
    app.clock.advance({ hours: 1 })
    expect((await logIn(person, elsewhere(), { code: codeNow() })).status).toBe(200)
  })

  test('allows as many guesses during its setup', async () => {
    const person = await atHome()
    await post('totp/enrol', { password: person.password }, home, app.a, person.token)
    const confirm = () => post('totp/confirm', { code: 'ABCDEF' }, home, app.a, person.token)
    const replies = await Promise.all(Array.from({ length: 20 }, confirm))
    for (const reply of replies) expectRefusal(reply, 'credentials.wrong')
    expectRefusal(await confirm(), 'limit.exceeded')
  })

  test('needs the password for its setup', async () => {
    const { token } = await app.person()
    expectRefusal(await post('totp/enrol', { password: 'wrong password' }, home, app.b, token), 'credentials.wrong')
    expectRefusal(await app.a.post(`${auth}/totp/enrol`, { token, body: {} }), 'request.invalid')
  })
})

describe('a password', () => {
  const wrong = (person: Pick<Person, 'email'>, from: string) => logIn({ ...person, password: 'wrong password' }, from)

  test('allows a hundred guesses a day from one network, and does not block others', async () => {
    const person = await atHome()
    const burglar = elsewhere()
    expectRefusal(await wrong(person, burglar), 'credentials.wrong')
    await setWrong('password', 99)
    expectRefusal(await wrong(person, burglar), 'credentials.wrong')
    const refused = await logIn(person, burglar)
    expectRefusal(refused, 'limit.exceeded')
    expect(waitOf(refused)).toBe(1)
    for (const from of [elsewhere(), home]) expect((await logIn(person, from)).status).toBe(200)
    expect(await warnings(person.email, 1)).toEqual([])
  })

  test('allows a thousand guesses a day from all unknown networks, informs the person, and does not block known networks', async () => {
    const person = await atHome()
    expectRefusal(await wrong(person, elsewhere()), 'credentials.wrong')
    await setWrong('password', 999)
    expectRefusal(await wrong(person, elsewhere()), 'credentials.wrong')
    expectRefusal(await logIn(person, elsewhere()), 'limit.exceeded')
    expect(await warnings(person.email, 1)).toHaveLength(1)
    expect((await logIn(person, home)).status).toBe(200)
  })

  test('counts guesses on every route, also within a session', async () => {
    const person = await atHome()
    const from = elsewhere()
    const asks = [
      () =>
        post(
          'change-password',
          { currentPassword: 'wrong one', newPassword: 'another one' },
          from,
          app.a,
          person.token,
        ),
      () => post('totp/enrol', { password: 'wrong one' }, from, app.a, person.token),
    ]
    for (const ask of asks) expectRefusal(await ask(), 'credentials.wrong')
    await setWrong('password', 99)
    expectRefusal(await (asks[0] as () => Promise<Reply>)(), 'credentials.wrong')
    for (const ask of asks) expectRefusal(await ask(), 'limit.exceeded')
  })

  test('of an unknown address is refused in the same way', async () => {
    const unknown = { email: nobody() }
    const from = elsewhere()
    expectRefusal(await wrong(unknown, from), 'credentials.wrong')
    await setWrong('password', 99)
    expectRefusal(await wrong(unknown, from), 'credentials.wrong')
    expectRefusal(await wrong(unknown, from), 'limit.exceeded')
  })
})

describe('within a minute', () => {
  let limited: TestApp
  beforeAll(async () => {
    // The limit counts per minute. A stopped clock keeps the minute from changing during the test.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    limited = await startTestApp({ trustProxy: { hops: 1 }, limits: { login: 2 } })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await limited.close()
  })

  test('guesses of a stranger block neither known networks nor a third network', async () => {
    const person = await atHome(limited)
    const burglar = elsewhere()
    const guess = () => logIn({ ...person, password: 'wrong password' }, burglar, {}, limited)
    for (let tries = 0; tries < 2; tries++) expectRefusal(await guess(), 'credentials.wrong')
    for (const reply of await Promise.all(Array.from({ length: 30 }, guess))) expectRefusal(reply, 'limit.exceeded')
    for (const from of [elsewhere(), home]) expect((await logIn(person, from, {}, limited)).status).toBe(200)
  })

  test('many strangers together have ten times the limit of one, and known networks are separate', async () => {
    const person = await atHome(limited)
    const guess = () => logIn({ ...person, password: 'wrong password' }, elsewhere(), {}, limited)
    const replies = await Promise.all(Array.from({ length: 25 }, guess))
    // The twentieth attempt is the first sign-in from home, when home was not known yet.
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(19)
    expectRefusal(await logIn(person, elsewhere(), {}, limited), 'limit.exceeded')
    expect((await logIn(person, home, {}, limited)).status).toBe(200)
  })
})

describe('a network with a sign-in', () => {
  test.each([
    ['203.0.113.7', '203.0.113.250'],
    ['2001:db8::1', '2001:db8:0:0:9::2'],
  ])('is the same with another address: %s and %s', async (one, other) => {
    const person = await app.person()
    for (const from of [one, other]) expect((await logIn(person, from)).status).toBe(200)
    expect((await logIn(person, elsewhere())).status).toBe(200)
    expect((await app.mailTo(person.email, 1)).map(({ subject }) => subject)).toEqual(['New sign-in to Risiti'])
  })

  test('is known for 90 days, among the last ten networks', async () => {
    const person = await atHome()
    const close = async () => {
      for (const wrong of [0, 999]) {
        await setWrong('password', wrong)
        await logIn({ ...person, password: 'wrong password' }, elsewhere())
      }
      expectRefusal(await logIn(person, elsewhere()), 'limit.exceeded')
    }
    await close()
    expect((await logIn(person, home)).status).toBe(200)
    app.clock.advance({ days: 2 })
    for (let others = 0; others < 10; others++) {
      app.clock.advance({ seconds: 1 })
      expect((await logIn(person, elsewhere())).status).toBe(200)
    }
    await close()
    expectRefusal(await logIn(person, home), 'limit.exceeded')

    const traveller = await atHome()
    app.clock.advance({ days: 91 })
    await logIn({ ...traveller, password: 'wrong password' }, elsewhere())
    await setWrong('password', 999)
    await logIn({ ...traveller, password: 'wrong password' }, elsewhere())
    expectRefusal(await logIn(traveller, home), 'limit.exceeded')
  })
})
