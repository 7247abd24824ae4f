import { randomInt } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { refreshed } from '../../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { sql } from '../../../platform/database/sql.ts'

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
/** Only the profile shows these, not the replies of onboarding. */
const noLetterhead = { logo: null, bankDetails: null }

/** Latest code that was sent to a phone. */
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
    await app.runtime.db.rows<{ data: object }>(
      sql`select data from events where organisation_id = ${organisationId} and type = ${type} order by position`,
    )
  ).map(({ data }) => data)

describe('the phone of the business', () => {
  test('is set after it is verified with a texted code', async () => {
    const person = await app.person()
    const phone = newPhone()
    const code = await sendCode(person, phone)
    expect(await profile(person)).toMatchObject({ phoneNumber: null, phoneVerified: false })
    const verified = await verify(person, code)
    expect(verified.data).toMatchObject({ id: person.organisationId, phoneNumber: phone, phoneVerified: true })
    expect(await profile(person)).toEqual({ ...verified.data, ...noLetterhead })
    expect(await eventsOf(person, 'organization.phone_verified')).toEqual([{ phone }])
    expectRefusal(await verify(person, code), 'phone.code_wrong')
    expect(await eventsOf(person, 'organization.phone_verified')).toHaveLength(1)
  })

  test('is not verified by a wrong code, and five wrong codes invalidate the right one', async () => {
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

  test('is verified only by the requesting person for the same organisation', async () => {
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

  test('can change: the last verified phone counts, and a code is for one phone', async () => {
    const person = await app.person()
    const [first, second] = [newPhone(), newPhone()]
    const codes = [await sendCode(person, first), await sendCode(person, second)] as const
    // A newer code voids the older one, even if it went to another phone.
    if (codes[0] !== codes[1]) expectRefusal(await verify(person, codes[0]), 'phone.code_wrong')
    expect((await verify(person, codes[1])).data.phoneNumber).toBe(second)
    expect((await send(person, first)).status).toBe(200)
    expect((await verify(person, await codeTextedTo(first, 2))).data.phoneNumber).toBe(first)
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

  test('cannot be verified without a text carrier, which is refused at once', async () => {
    const mute = await startTestApp({ carrier: { textsPhones: false, reachesPeople: true, carry: async () => {} } })
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
      expect(await mute.runtime.db.rows(sql`select 1 from one_time_codes`)).toEqual([])
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
    expect(await profile(person)).toEqual({ ...done.data, ...noLetterhead })
    expect(await eventsOf(person, 'organization.onboarding_completed')).toEqual([{ name: 'Eze Stores' }])
    const seenInA = await app.a.get(`/a/v1/organizations/${person.organisationId}`, { token: person.token })
    expect(seenInA.data).toMatchObject({ phoneVerified: true, onboardedAt: doneAt })
  })

  test('needs people who may change the organisation', async () => {
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

describe('the tax number of the business', () => {
  let known: TestApp
  beforeAll(async () => {
    known = await startTestApp({ authority: ['sandbox'] })
  })
  afterAll(() => known.close())
  afterEach(() => known.authority.control.misbehave(undefined))

  const sellers = '/i/v1/sellers'
  const check = ({ token }: Bearer, taxNo: unknown) =>
    known.b.post(`${me}/onboarding/verify-tax-number`, { token, body: { taxNo } })
  const own = async ({ token }: Bearer) => (await known.b.get(me, { token })).data
  const primaryOf = ({ token }: Bearer) =>
    eventually(async () => {
      const { data } = await known.a.get(sellers, { token })
      expect(data).toHaveLength(1)
      return data[0]
    })
  /** A person whose organisation has its primary seller already. */
  async function settled(): Promise<Person> {
    const person = await known.person()
    await primaryOf(person)
    return person
  }
  const told = async ({ organisationId }: Person) =>
    (
      await known.runtime.db.rows<{ type: string; data: object }>(sql`
        select type, data from events
         where organisation_id = ${organisationId} and (type like '%tax%' or type = 'seller.updated') order by position`)
    ).map(({ type, data }) => [type, data])
  const checksOf = ({ organisationId }: Person) =>
    known.runtime.db.rows(sql`select status, charged from tax_number_checks where organisation_id = ${organisationId}`)
  const otherSeller = ({ token }: Bearer, taxNumber: string) => {
    const postalAddress = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
    const body = { partyName: 'Other', taxNumber, email: 'o@eze.ng', phoneNumber: '0801', postalAddress }
    return known.b.post(sellers, { token, body })
  }

  test('is set after the authority confirms it, also for the primary seller', async () => {
    const person = await settled()
    expect(await own(person)).toMatchObject({ taxNo: null, taxNoVerified: false })
    const verified = await check(person, ' 61000000-0001 ')
    expect(verified.status, verified.text).toBe(200)
    expect(verified.data).toMatchObject({ id: person.organisationId, taxNo: '61000000-0001', taxNoVerified: true })
    expect(await own(person)).toEqual({ ...verified.data, ...noLetterhead })
    const seller = await primaryOf(person)
    expect(seller).toMatchObject({ taxId: '61000000-0001', taxIdStatus: 'verified' })
    expect(await told(person)).toEqual([
      ['seller.tax_id_verified', expect.objectContaining({ sellerId: seller.id, taxId: '61000000-0001' })],
      ['organization.tax_number_verified', { taxNumber: '61000000-0001' }],
    ])
    expect(await checksOf(person)).toEqual([{ status: 'verified', charged: false }])
    // The authority was not asked in the other mode.
    const live = await known.member(person.organisationId, 'OWNER', { mode: 'live' })
    expect(await primaryOf(live)).toMatchObject({ taxId: '61000000-0001', taxIdStatus: 'unverified' })
    // A later change of the profile does not change the seller's number.
    await known.b.patch(me, { token: person.token, body: { businessName: 'Eze & Co' } })
    await eventually(async () =>
      expect(await primaryOf(person)).toMatchObject({
        name: 'Eze & Co',
        taxId: '61000000-0001',
        taxIdStatus: 'verified',
      }),
    )
    expect((await check(person, '61000000-0002')).data).toMatchObject({ taxNo: '61000000-0002', taxNoVerified: true })
    expect(await primaryOf(person)).toMatchObject({ taxId: '61000000-0002', taxIdStatus: 'verified' })
  })

  test.each([
    ['61000000-9404', 'not_found'],
    ['61000000-9409', 'name_mismatch'],
  ])('is not set if the authority does not confirm it: %s, %s', async (taxNo, status) => {
    const person = await settled()
    const refused = await check(person, taxNo)
    expectRefusal(refused, 'authority.not_confirmed')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'TAX001'])
    expect(await checksOf(person)).toEqual([{ status, charged: false }])
    expect(await own(person)).toMatchObject({ taxNo: null, taxNoVerified: false })
    expect(await primaryOf(person)).toMatchObject({ taxId: null, taxIdStatus: 'unverified' })
    expect(await told(person)).toEqual([])
    expect((await check(person, '61000000-0001')).status).toBe(200)
  })

  test.each(['9503', 'down', 'busy', 'nonsense'] as const)(
    'waits for an authority that does not answer: %s',
    async (how) => {
      const person = await settled()
      if (how !== '9503') known.authority.control.misbehave(how)
      const refused = await check(person, how === '9503' ? '61000000-9503' : '61000000-0001')
      expectRefusal(refused, 'authority.unavailable')
      expect([refused.status, refused.body.error.code]).toEqual([502, 'TAX001'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await own(person)).toMatchObject({ taxNo: null, taxNoVerified: false })
      known.authority.control.misbehave(undefined)
      expect((await check(person, '61000000-0001')).status).toBe(200)
    },
  )

  test('must be valid', async () => {
    const person = await settled()
    const asked = known.authority.control.requests.length
    for (const taxNo of ['', '1234', 'RC1401999', '1'.repeat(51), 7, null, undefined]) {
      const refused = await check(person, taxNo)
      expectRefusal(refused, 'request.invalid')
      expect(new Set(faultPaths(refused)), String(taxNo)).toEqual(new Set(['taxNo']))
    }
    expect(known.authority.control.requests.length).toBe(asked)
    expect(await checksOf(person)).toEqual([])
  })

  test('cannot be that of another seller, even of one that was added during the check', async () => {
    const person = await settled()
    expect((await otherSeller(person, '610000000003')).status).toBe(201)
    const refused = await check(person, '61000000-0003')
    expectRefusal(refused, 'seller.tax_id_taken')
    expect(refused.status).toBe(409)
    known.authority.control.misbehave('held')
    const asked = known.authority.control.requests.length
    const late = check(person, '61000000-0004')
    await eventually(async () => expect(known.authority.control.requests.length).toBe(asked + 1))
    expect((await otherSeller(person, '61000000-0004')).status).toBe(201)
    expectRefusal(await check(person, '61000000-0005'), 'state.changed')
    known.authority.control.misbehave(undefined)
    expectRefusal(await late, 'seller.tax_id_taken')
    expect(await own(person)).toMatchObject({ taxNo: null, taxNoVerified: false })
    expect((await check(person, '61000000-0005')).status).toBe(200)
  })

  test('is needed to complete onboarding if there is an authority, and so is the phone', async () => {
    const person = await settled()
    const finish = () => known.b.post(`${me}/onboarding/complete`, { token: person.token })
    const missing = async () => {
      const refused = await finish()
      expectRefusal(refused, 'onboarding.incomplete')
      return faultPaths(refused)
    }
    expect(await missing()).toEqual(['phone', 'taxNumber'])
    await check(person, '61000000-0001')
    expect(await missing()).toEqual(['phone'])
    const { organisationId } = person
    await known.runtime.db.run(sql`update organisations set phone_verified_at = now() where id = ${organisationId}`)
    expect((await finish()).data).toMatchObject({ onboardingCompleted: true, taxNoVerified: true })

    // Without access to an authority in this mode, no number can be confirmed.
    const live = await known.person({ mode: 'live' })
    const early = await known.b.post(`${me}/onboarding/complete`, { token: live.token })
    expect(faultPaths(early)).toEqual(['phone'])
    await primaryOf(live)
    expectRefusal(await check(live, '61000000-0001'), 'authority.unavailable')
  })

  test('needs people who may change the organisation', async () => {
    const person = await settled()
    const viewer = await known.member(person.organisationId, 'VIEWER')
    expectRefusal(await check(viewer, '61000000-0001'), 'auth.capability_missing')
    expectRefusal(await check({ token: await known.key(person.organisationId) }, '61000000-0001'), 'auth.users_only')
    expect(await checksOf(person)).toEqual([])
  })
})
