import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { refreshed } from '../../../../../test/harness/custom-role.ts'
import { sql } from '../../../platform/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const me = '/a/v1/organizations/me'
const newPhone = () => `+23480${randomInt(10_000_000, 100_000_000)}`
type Bearer = Pick<Person, 'token'>
const send = ({ token }: Bearer, phoneNumber: string): Promise<Reply> =>
  app.b.post(`${me}/onboarding/send-phone-verification`, { token, body: { phoneNumber } })
const verify = ({ token }: Bearer, otp: string): Promise<Reply> =>
  app.b.post(`${me}/onboarding/verify-phone`, { token, body: { otp } })
const complete = ({ token }: Bearer): Promise<Reply> => app.b.post(`${me}/onboarding/complete`, { token })
const profile = async ({ token }: Bearer) => (await app.b.get(me, { token })).data

/** The newest code that was texted to a phone. */
async function codeTextedTo(phone: string, atLeast = 1): Promise<string> {
  const [text] = await app.mailTo(phone, atLeast)
  expect(text).toMatchObject({ subject: expect.stringMatching(/^\d{6} is your Risiti code\b/), html: '' })
  return text?.subject.slice(0, 6) as string
}
async function sendCode(person: Bearer, phone: string): Promise<string> {
  expect((await send(person, phone)).data).toEqual({ phoneNumber: phone })
  return await codeTextedTo(phone)
}
const anotherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const eventsOf = async ({ organisationId }: Person, type: string) =>
  (
    await app.machine.db.rows<{ data: object }>(
      sql`select data from events where organisation_id = ${organisationId} and type = ${type} order by seq`,
    )
  ).map(({ data }) => data)

describe('the phone of the business', () => {
  test('becomes its phone when the code that was texted to it comes back', async () => {
    const person = await app.person()
    const phone = newPhone()
    const code = await sendCode(person, phone)
    expect(await profile(person)).toMatchObject({ phoneNumber: null, phoneVerified: false })
    const verified = await verify(person, code)
    expect(verified.data).toMatchObject({ id: person.organisationId, phoneNumber: phone, phoneVerified: true })
    expect(await profile(person)).toEqual(verified.data)
    expect(await eventsOf(person, 'organization.phone_verified')).toEqual([{ phone }])
    expectRefusal(await verify(person, code), 'phone.code_wrong')
    expect(await eventsOf(person, 'organization.phone_verified')).toHaveLength(1)
  })

  test('is not verified by a wrong code; five wrong ones spend the right one', async () => {
    const person = await app.person()
    const code = await sendCode(person, newPhone())
    for (let tries = 0; tries < 4; tries++) expectRefusal(await verify(person, anotherThan(code)), 'phone.code_wrong')
    expect((await verify(person, code)).status).toBe(200)
    const other = await app.person()
    const spent = await sendCode(other, newPhone())
    for (let tries = 0; tries < 5; tries++) expectRefusal(await verify(other, anotherThan(spent)), 'phone.code_wrong')
    const refused = await verify(other, spent)
    expectRefusal(refused, 'phone.code_wrong')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL001'])
    expect(await profile(other)).toMatchObject({ phoneNumber: null, phoneVerified: false })
  })

  test('must be verified within 15 minutes', async () => {
    const [quick, slow] = [await app.person(), await app.person()]
    const codes = [await sendCode(quick, newPhone()), await sendCode(slow, newPhone())] as const
    app.clock.advance({ minutes: 14, seconds: 59 })
    expect((await verify(quick, codes[0])).status).toBe(200)
    app.clock.advance({ seconds: 1 })
    expectRefusal(await verify(await refreshed(app, slow), codes[1]), 'phone.code_wrong')
  })

  test('is verified only by the person who asked, and only for the organisation they asked for', async () => {
    const person = await app.person()
    const colleague = await app.member(person.organisationId, 'ADMIN')
    const phone = newPhone()
    const code = await sendCode(person, phone)
    expectRefusal(await verify(colleague, code), 'phone.code_wrong')
    expectRefusal(await verify(await app.person(), code), 'phone.code_wrong')

    const body = { businessName: 'Second', email: 'second@eze.ng' }
    const second = (await app.b.post('/a/v1/organizations', { token: person.token, body })).data.id as string
    const there = await app.b.post('/a/v1/organizations/switch', {
      token: person.token,
      body: { organizationId: second },
    })
    const inSecond = { token: there.data.accessToken as string }
    expectRefusal(await verify(inSecond, code), 'phone.code_wrong')
    expect(await profile(inSecond)).toMatchObject({ id: second, phoneNumber: null, phoneVerified: false })
    expect(await profile(colleague)).toMatchObject({ phoneNumber: null, phoneVerified: false })
  })

  test('may change: the newest one verified counts, and a code names its own phone', async () => {
    const person = await app.person()
    const [first, second] = [newPhone(), newPhone()]
    const codes = [await sendCode(person, first), await sendCode(person, second)] as const
    expect((await verify(person, codes[0])).data.phoneNumber).toBe(first)
    // One of them was used: the other is no longer good.
    expectRefusal(await verify(person, codes[1]), 'phone.code_wrong')
    expect((await send(person, second)).status).toBe(200)
    expect((await verify(person, await codeTextedTo(second, 2))).data.phoneNumber).toBe(second)
  })

  test('is in E.164 form, and the code is six digits', async () => {
    const person = await app.person()
    for (const phone of ['', '08012345678', '+0801234567', '+123456', '+1234567890123456', '+234-801-234-5678']) {
      const refused = await send(person, phone)
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual(['phoneNumber'])
    }
    for (const otp of ['', '12345', '1234567', '12345a', ' 12345']) {
      const refused = await verify(person, otp)
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual(['otp'])
    }
    const { token } = person
    const unknown = await app.b.post(`${me}/onboarding/verify-phone`, { token, body: { otp: '123456', phone: 'x' } })
    expect(faultPaths(unknown)).toEqual(['phone'])
  })

  test('cannot be verified where no text can be sent, and that is said at once', async () => {
    const mute = await startTestApp({ carrier: { textsPhones: false, carry: async () => {} } })
    try {
      const { token, userId } = await mute.person()
      const body = { phoneNumber: newPhone() }
      for (const path of [`${me}/onboarding`, `${me}/users/${userId}`]) {
        const refused = await mute.b.post(`${path}/send-phone-verification`, { token, body })
        expectRefusal(refused, 'dependency.unavailable')
        expect([refused.status, refused.body.error.code]).toEqual([503, 'DEP001'])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(refused.body.error.message).toContain('SMS')
      }
      expect(await mute.machine.db.rows(sql`select 1 from one_time_codes`)).toEqual([])
    } finally {
      await mute.close()
    }
  })
})

describe('onboarding', () => {
  test('is complete once the phone is verified, and stays so', async () => {
    const person = await app.person()
    const early = await complete(person)
    expectRefusal(early, 'onboarding.incomplete')
    expect(early.status).toBe(409)
    expect(early.body.error.details).toEqual([
      { path: 'phone', rule: 'unverified', message: expect.stringContaining('phone') },
    ])
    expect(await profile(person)).toMatchObject({ onboardingCompleted: false, onboardingCompletedAt: null })

    await verify(person, await sendCode(person, newPhone()))
    const doneAt = app.clock.now().toISOString()
    const done = await complete(person)
    expect(done.data).toMatchObject({ onboardingCompleted: true, onboardingCompletedAt: doneAt })
    app.clock.advance({ minutes: 5 })
    expect((await complete(person)).data).toEqual(done.data)
    expect(await profile(person)).toEqual(done.data)
    expect(await eventsOf(person, 'organization.onboarding_completed')).toEqual([{ name: 'Eze Stores' }])
    const seenInA = await app.a.get(`/a/v1/organizations/${person.organisationId}`, { token: person.token })
    expect(seenInA.data).toMatchObject({ phoneVerified: true, onboardedAt: doneAt })
  })

  test('is the work of people who may change the organisation', async () => {
    const owner = await app.person()
    const key = { token: await app.key(owner.organisationId) }
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    const steps = [
      (by: Bearer) => send(by, newPhone()),
      (by: Bearer) => verify(by, '123456'),
      (by: Bearer) => complete(by),
    ]
    for (const step of steps) {
      expectRefusal(await step(viewer), 'auth.capability_missing')
      expectRefusal(await step(key), 'auth.users_only')
    }
  })
})
