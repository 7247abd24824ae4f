import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import { type SystemCaller, systemCaller } from '../../../kernel/callers.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { addMember } from './add-member.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const users = '/a/v1/organizations/me/users'
const auth = '/a/v1/auth'
const newPhone = () => `+23470${randomInt(10_000_000, 100_000_000)}`

/** Adds a person to one more organisation directly in the database. */
const join = (person: Person, { organisationId }: Person, role: 'VIEWER' | 'ADMIN' = 'VIEWER') =>
  app.runtime.db.run(sql`
    insert into memberships (organisation_id, user_id, role_id, joined_at)
    values (${organisationId}, ${person.userId}, ${systemRole(role).id}, ${app.clock.now()})`)

/** A person who owns one business and is a viewer of another. */
async function guestOf(owner: Person): Promise<Person> {
  const guest = await app.person()
  await join(guest, owner)
  return guest
}

async function protect({ token, password }: Person): Promise<void> {
  const { secret } = (await app.a.post(`${auth}/totp/enrol`, { token, body: { password } })).data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().getTime() })
  expect((await app.a.post(`${auth}/totp/confirm`, { token, body: { code } })).status).toBe(200)
}

const rename = (owner: Person, { userId }: Person, firstName = 'Mallory') =>
  app.b.patch(`${users}/${userId}`, { token: owner.token, body: { firstName } })
const switchOff = (owner: Person, { userId }: Person, client: Client = app.a) =>
  client.delete(`${users}/${userId}/totp`, { token: owner.token })
async function setPhone(owner: Person, { userId }: Person, phoneNumber = newPhone()): Promise<Reply> {
  const { token } = owner
  await app.b.post(`${users}/${userId}/send-phone-verification`, { token, body: { phoneNumber } })
  const otp = (await app.mailTo(phoneNumber))[0]?.subject.slice(0, 6)
  return await app.b.post(`${users}/${userId}/verify-phone`, { token, body: { phoneNumber, otp } })
}
const confirm = (email: string, code: string, client: Client = app.a) =>
  client.post(`${auth}/confirm-change`, { body: { email, code } })

const asking = 'Confirm a change of your Risiti account'
/** Mails that ask a person for a change, newest first, with their codes. */
async function asked({ email }: Person, howMany = 1) {
  const find = async () => (await app.mailTo(email)).filter(({ subject }) => subject === asking)
  await expect.poll(async () => (await find()).length).toBe(howMany)
  return (await find()).map(({ text }) => ({ text, code: /^\w{4}-\w{4}-\w{4}$/m.exec(text)?.[0] as string }))
}
const codeTo = async (person: Person, howMany = 1) => (await asked(person, howMany))[0]?.code as string

const standing = async ({ userId }: Person) =>
  await app.runtime.db.one<{ firstName: string; phone: string | null; protected: boolean }>(
    sql`select first_name, phone, totp_enabled_at is not null as protected from users where id = ${userId}`,
  )
const eventsIn = ({ organisationId }: Person) =>
  app.runtime.db.rows(sql`
    select type, actor_name, data from events where organisation_id = ${organisationId} and type like 'member.%' and type <> 'member.joined' order by position`)

describe.each(['A', 'B'] as const)('a member of several organisations, in form %s', (form) => {
  let client: Client
  let owner: Person
  beforeAll(async () => {
    client = app.client(form)
    owner = await app.person()
  })

  test('keeps the second factor until the person confirms with the mailed code', async () => {
    const guest = await guestOf(owner)
    await protect(guest)
    const waiting = await switchOff(owner, guest, client)
    expect([waiting.status, waiting.data]).toEqual([
      202,
      expect.objectContaining({
        id: guest.userId,
        totpEnabled: true,
        awaitingConfirmation: {
          what: 'second_factor',
          expiresAt: new Date(app.clock.now().getTime() + 24 * 3600_000).toISOString(),
        },
      }),
    ])
    expect(await standing(guest)).toMatchObject({ protected: true })
    const [mail] = await asked(guest)
    expect(mail?.text).toContain(`${owner.email} of Eze Stores wants to switch off the second factor`)

    const code = mail?.code as string
    const typed = code.toLowerCase().replaceAll('0', 'o').replaceAll('-', ' ')
    const confirmed = await confirm(guest.email.toUpperCase(), typed, client)
    expect([confirmed.status, confirmed.data]).toEqual([
      200,
      { what: 'second_factor', organization: { id: owner.organisationId, name: 'Eze Stores' }, confirmed: true },
    ])
    expect(await standing(guest)).toMatchObject({ protected: false })
    const login = { body: { email: guest.email, password: guest.password } }
    expect((await client.post(`${auth}/login`, login)).status).toBe(200)
    const told = (await app.mailTo(guest.email, 3)).filter(({ subject }) => subject === 'Second factor switched off')
    expect(told).toHaveLength(1)
    expectRefusal(await confirm(guest.email, code, client), 'code.wrong')
  })

  test('every wrong code gets the same reply, also for an unknown address', async () => {
    const guest = await guestOf(owner)
    const told = ({ text, status }: Reply) => [status, text.replace(/"(timestamp|requestId)":"[^"]+"/g, '')]
    const wrong = await confirm(guest.email, 'ZZZZ-ZZZZ-ZZZZ', client)
    expectRefusal(wrong, 'code.wrong')
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'AUTH002'])
    for (const email of [owner.email, 'nobody-at-all@example.test'])
      expect(told(await confirm(email, 'ZZZZ-ZZZZ-ZZZZ', client))).toEqual(told(wrong))
    expect(faultPaths(await client.post(`${auth}/confirm-change`, { body: { code: 'short', to: 1 } }))).toEqual([
      'code',
      'email',
      'to',
    ])
  })
})

describe('a member of several organisations', () => {
  let owner: Person
  beforeAll(async () => {
    owner = await app.person()
  })

  test('keeps the name until the person confirms', async () => {
    const guest = await guestOf(owner)
    const waiting = await rename(owner, guest)
    expect([waiting.status, waiting.data]).toEqual([
      202,
      expect.objectContaining({
        firstName: 'Ngozi',
        awaitingConfirmation: { what: 'name', expiresAt: expect.any(String) },
      }),
    ])
    const [mail] = await asked(guest)
    expect(mail?.text).toContain('change your name to “Mallory Eze”')
    expect(await standing(guest)).toMatchObject({ firstName: 'Ngozi' })
    expect((await confirm(guest.email, mail?.code as string)).data.what).toBe('name')
    expect(await standing(guest)).toMatchObject({ firstName: 'Mallory' })
    const me = await app.a.get(`${auth}/me`, { token: guest.token })
    expect(me.data.user.firstName).toBe('Mallory')
  })

  test('keeps the phone until the person confirms, even if the new phone is verified', async () => {
    const guest = await guestOf(owner)
    const [own, others] = [newPhone(), newPhone()]
    expect((await setPhone(guest, guest, own)).status).toBe(200)
    const waiting = await setPhone(owner, guest, others)
    expect([waiting.status, waiting.data.phoneNumber, waiting.data.awaitingConfirmation.what]).toEqual([
      202,
      own,
      'phone',
    ])
    expect(await standing(guest)).toMatchObject({ phone: own })
    expect((await confirm(guest.email, await codeTo(guest))).status).toBe(200)
    expect(await standing(guest)).toMatchObject({ phone: others })
  })

  test('can change the own name and phone at once', async () => {
    const person = await app.person()
    await join(person, owner)
    expect((await rename(person, person, 'Ada')).status).toBe(200)
    expect((await setPhone(person, person)).status).toBe(200)
    expect(await standing(person)).toMatchObject({ firstName: 'Ada' })
  })

  test('counts suspended memberships too', async () => {
    const guest = await guestOf(owner)
    await app.runtime.db.run(
      sql`update memberships set status = 'suspended' where organisation_id = ${guest.organisationId}`,
    )
    expect((await rename(owner, guest)).status).toBe(202)
  })

  test('leaves the request and the decision in the audit log', async () => {
    const boss = await app.person()
    const guest = await guestOf(boss)
    await rename(boss, guest)
    await confirm(guest.email, await codeTo(guest))
    const { email } = guest
    expect(await eventsIn(boss)).toEqual([
      { type: 'member.change_asked', actorName: boss.email, data: { email, what: 'name' } },
      { type: 'member.updated', actorName: email, data: { email, firstName: 'Mallory', lastName: 'Eze' } },
    ])
    expect(await eventsIn(guest)).toEqual([])
  })
})

test('a member of this organisation alone is changed at once', async () => {
  const owner = await app.person()
  const member = await app.member(owner.organisationId, 'ADMIN')
  await protect(member)
  const renamed = await rename(owner, member, 'Ada')
  expect([renamed.status, renamed.data.firstName, renamed.data.awaitingConfirmation]).toEqual([200, 'Ada', undefined])
  expect((await setPhone(owner, member)).status).toBe(200)
  expect((await switchOff(owner, member)).status).toBe(200)
  expect((await standing(member)).protected).toBe(false)
  expect((await app.mailTo(member.email)).filter(({ subject }) => subject === asking)).toEqual([])
})

describe('changes between request and confirmation', () => {
  test('a pending phone change needs confirmation after the person joins a second organisation', async () => {
    const [owner, other] = [await app.person(), await app.person()]
    const member = await app.member(owner.organisationId, 'MEMBER')
    const phoneNumber = newPhone()
    const path = `${users}/${member.userId}`
    const { token } = owner
    await app.b.post(`${path}/send-phone-verification`, { token, body: { phoneNumber } })
    const otp = (await app.mailTo(phoneNumber))[0]?.subject.slice(0, 6)
    await join(member, other)
    expect((await app.b.post(`${path}/verify-phone`, { token, body: { phoneNumber, otp } })).status).toBe(202)
    expect(await standing(member)).toMatchObject({ phone: null })
  })

  test('a person who joins another organisation at the same time must confirm', async () => {
    const [owner, other] = [await app.person(), await app.person()]
    const member = await app.member(owner.organisationId, 'MEMBER')
    const joined = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const addingOther = operation({ needs: [], refuses: [] }, async (context: Inside<SystemCaller>) => {
      await addMember(context, other.organisationId, {
        person: { id: member.userId, email: member.email },
        role: systemRole('VIEWER'),
      })
      joined.resolve()
      await mayEnd.promise
    })
    const joining = app.runner.run(addingOther, { caller: systemCaller, origin, input: undefined })
    await joined.promise
    const renaming = rename(owner, member)
    await expect.poll(() => listLockWaits(app.owner)).toHaveLength(1)
    mayEnd.resolve()
    await joining
    expect((await renaming).status).toBe(202)
    expect(await standing(member)).toMatchObject({ firstName: 'Ngozi' })
  })

  const lapses: Record<string, (owner: Person, second: Person, guest: Person) => Promise<unknown>> = {
    'a day passes': async () => app.clock.advance({ hours: 24 }),
    'they are asked anew': async (_, second, guest) => await rename(second, guest, 'Other'),
    'they are removed': async (owner, _, guest) =>
      await app.a.delete(`${users}/${guest.userId}`, { token: owner.token }),
    'the one who asked is removed': async (owner, second) =>
      await app.a.delete(`${users}/${second.userId}`, { token: owner.token }),
    'the one who asked is suspended': async (owner, second) =>
      await app.a.patch(`${users}/${second.userId}/status`, { token: owner.token, body: { status: 'suspended' } }),
    'the one who asked may no longer': async (owner, second) =>
      await app.a.patch(`${users}/${second.userId}/role`, {
        token: owner.token,
        body: { roleId: systemRole('MEMBER').id },
      }),
    'they come to hold more than the one who asked': async (owner, _, guest) =>
      await app.runtime.db.run(sql`
        update memberships set role_id = ${systemRole('OWNER').id}
         where organisation_id = ${owner.organisationId} and user_id = ${guest.userId}`),
  }
  test.each(Object.keys(lapses))('a request lapses when %s', async (why) => {
    const owner = await app.person()
    const second = await app.member(owner.organisationId, 'ADMIN')
    const guest = await guestOf(owner)
    expect((await rename(second, guest)).status).toBe(202)
    const code = await codeTo(guest)
    await lapses[why]?.(owner, second, guest)
    expectRefusal(await confirm(guest.email, code), 'code.wrong')
    expect(await standing(guest)).toMatchObject({ firstName: 'Ngozi' })
  })

  test('a new second factor is not removed by an old request', async () => {
    const owner = await app.person()
    const guest = await guestOf(owner)
    await protect(guest)
    await switchOff(owner, guest)
    const code = await codeTo(guest)
    await app.runtime.db.run(
      sql`update users set totp_secret = null, totp_enabled_at = null where id = ${guest.userId}`,
    )
    app.clock.advance({ minutes: 1 })
    await protect(guest)
    expectRefusal(await confirm(guest.email, code), 'code.wrong')
    expect(await standing(guest)).toMatchObject({ protected: true })
  })

  test('requests from before a person left and returned are void', async () => {
    const owner = await app.person()
    const admin = await app.member(owner.organisationId, 'ADMIN')
    for (const [requester, leaver] of [
      [owner, 'guest'],
      [admin, 'requester'],
    ] as const) {
      const guest = await guestOf(owner)
      expect((await rename(requester, guest)).status).toBe(202)
      const code = await codeTo(guest)
      const gone = leaver === 'guest' ? guest : admin
      expect((await app.a.delete(`${users}/${gone.userId}`, { token: owner.token })).status).toBe(200)
      app.clock.advance({ seconds: 1 })
      await join(gone, owner, leaver === 'guest' ? 'VIEWER' : 'ADMIN')
      expectRefusal(await confirm(guest.email, code), 'code.wrong')
      expect(await standing(guest)).toMatchObject({ firstName: 'Ngozi' })
    }
  })

  test('a code belongs to one person', async () => {
    const owner = await app.person()
    const [guest, other] = [await guestOf(owner), await guestOf(owner)]
    await rename(owner, guest)
    const code = await codeTo(guest)
    expectRefusal(await confirm(other.email, code), 'code.wrong')
    const replies = await Promise.all([confirm(guest.email, code), confirm(guest.email, code, app.b)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})

test('concurrent requests about one person all get a reply', async () => {
  const [owner, other] = [await app.person(), await app.person()]
  const guest = await guestOf(owner)
  await join(guest, other)
  await rename(owner, guest)
  const code = await codeTo(guest)
  const { token } = owner
  const replies = await Promise.all(
    [0, 1, 2].flatMap((round) => [
      rename(owner, guest, `Name ${round}`),
      rename(other, guest, `Other ${round}`),
      rename(guest, guest, `Own ${round}`),
      confirm(guest.email, code),
      app.a.patch(`${users}/${guest.userId}/role`, { token, body: { roleId: systemRole('MEMBER').id } }),
      app.b.post('/a/v1/organizations/me/ownership-transfer', {
        token: guest.token,
        body: { toUserId: owner.userId, password: guest.password },
      }),
    ]),
  )
  expect(replies.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
})

test('one organisation can ask a person ten times a day', async () => {
  const owner = await app.person()
  const guest = await guestOf(owner)
  for (let times = 0; times < 10; times++) expect((await rename(owner, guest, `Name ${times}`)).status).toBe(202)
  const refused = await rename(owner, guest, 'Name 11')
  expectRefusal(refused, 'limit.exceeded')
  expect(refused.headers.get('retry-after')).toBe('86400')
  const [boss, other] = [await app.person(), await guestOf(owner)]
  await join(guest, boss)
  expect((await rename(boss, guest)).status).toBe(202)
  expect((await rename(owner, other)).status).toBe(202)
})

test('confirmation codes allow twenty guesses a day per network', async () => {
  const owner = await app.person()
  const guest = await guestOf(owner)
  await rename(owner, guest)
  const code = await codeTo(guest)
  const guesses = Array.from({ length: 20 }, () => confirm(guest.email, 'ZZZZ-ZZZZ-ZZZZ'))
  for (const reply of await Promise.all(guesses)) expectRefusal(reply, 'code.wrong')
  expectRefusal(await confirm(guest.email, code), 'limit.exceeded')
  app.clock.advance({ hours: 1 })
  expect((await confirm(guest.email, code)).status).toBe(200)
})
