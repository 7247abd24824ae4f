import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { newAccountPath } from '../../../../../test/harness/joining.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const mine = '/a/v1/organizations/me/invitations'
const auth = '/a/v1/auth'
const freshEmail = () => `b${randomBytes(6).toString('hex')}@example.test`

async function codeTo(email: string): Promise<string> {
  const [mail] = await app.mailTo(email)
  return /^(\w{4})-(\w{4})$/m
    .exec(mail?.text ?? '')
    ?.slice(1)
    .join('') as string
}
async function invite(owner: Person, email: string, own: object = {}) {
  const body = { email, fullName: 'Ada Obi', ...own }
  const { data, status } = await app.b.post(mine, { token: owner.token, body })
  expect(status).toBe(201)
  return { id: data.id as string, code: await codeTo(email) }
}
const account = (email: string, own: object = {}) => ({
  email,
  password: 'a fine password',
  firstName: 'Ada',
  lastName: 'Obi',
  ...own,
})
const acceptIn = (form: 'A' | 'B', invitationCode: string, email: string, own?: object) =>
  app.client(form).post(newAccountPath[form], { body: { invitationCode, ...account(email, own) } })

const peopleWith = async (email: string) => {
  const { db } = app.runtime
  const people = await db.rows<{ id: string; verified: boolean }>(
    sql`select id, email_verified_at is not null as verified from users where email = ${email}`,
  )
  return await Promise.all(
    people.map(async (one) => ({
      ...one,
      memberships: (await db.rows(sql`select from memberships where user_id = ${one.id}`)).length,
    })),
  )
}

describe.each(['A', 'B'] as const)('in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })
  const accept = (invitationCode: string, email: string, own?: object) => acceptIn(form, invitationCode, email, own)
  const logIn = (email: string, password = 'a fine password') =>
    client.post(`${auth}/login`, { body: { email, password } })

  test('creates a verified account for the invited address, and the person can sign in to the organisation', async () => {
    const owner = await app.person()
    const email = freshEmail()
    const role = systemRole('DEVELOPER')
    const { id, code } = await invite(owner, email, { roleId: role.id, customPermissions: ['invoice.submit'] })
    const joined = await accept(` ${code.toLowerCase()} `, email.toUpperCase())
    expect(joined.status).toBe(201)
    expect(joined.data).toEqual({
      organization: { id: owner.organisationId, name: 'Eze Stores' },
      userId: expect.any(String),
      role: { id: role.id, name: 'DEVELOPER', label: 'Developer' },
    })
    expect(joined.headers.get('location')).toBe(
      `${client.form.prefix}/a/v1/organizations/me/users/${joined.data.userId}`,
    )
    expect(await peopleWith(email)).toEqual([{ id: joined.data.userId, verified: true, memberships: 1 }])

    const session = await logIn(email)
    expect(session.data).toMatchObject({ organizationId: owner.organisationId, mode: 'sandbox' })
    const me = await client.get(`${auth}/me`, { token: session.data.accessToken })
    expect(me.data).toMatchObject({
      user: {
        id: joined.data.userId,
        email,
        firstName: 'Ada',
        lastName: 'Obi',
        emailVerified: true,
        totpEnabled: false,
      },
      role: 'DEVELOPER',
    })
    expect(me.data.capabilities).toEqual([...role.capabilities, 'invoice.submit'].sort())
    expect((await client.get(`${mine}/${id}`, { token: owner.token })).data.status).toBe('accepted')
    expectRefusal(await accept(code, email), 'invitation.unknown')

    const events = await app.runtime.db.rows(sql`
      select type, actor_id, actor_name from events
       where organisation_id = ${owner.organisationId} and actor_id = ${joined.data.userId} order by type`)
    const actor = { actorId: joined.data.userId, actorName: email }
    expect(events).toEqual([
      { type: 'invitation.accepted', ...actor },
      { type: 'member.joined', ...actor },
    ])
  })

  test('every mismatch gets the same 404, creates no account and reveals none', async () => {
    const owner = await app.person()
    const [email, other] = [freshEmail(), freshEmail()]
    const { id, code } = await invite(owner, email)
    const wrong = `${code[0] === '7' ? '8' : '7'}${code.slice(1)}`
    const told = (reply: Awaited<ReturnType<typeof accept>>) => {
      expectRefusal(reply, 'invitation.unknown')
      return reply.text.replace(/"(timestamp|requestId)":"[^"]+"/g, '')
    }
    const first = told(await accept(wrong, email))
    expect(told(await accept(code, other))).toBe(first)
    expect(told(await accept(code, owner.email, { password: owner.password }))).toBe(first)
    expect(told(await accept(wrong, owner.email))).toBe(first)
    await client.delete(`${mine}/${id}`, { token: owner.token })
    expect(told(await accept(code, email))).toBe(first)
    const late = freshEmail()
    const expired = await invite(owner, late)
    app.clock.advance({ days: 7 })
    expect(told(await accept(expired.code, late))).toBe(first)
    const people = await Promise.all([email, other, late].map(peopleWith))
    expect(people.flat()).toEqual([])
  })

  test('a password has 8 to 50 characters, names at most 100', async () => {
    const owner = await app.person()
    const faults = async (own: object) => [...new Set(faultPaths(await accept('00000000', freshEmail(), own)))]
    expect(await faults({ password: 'p'.repeat(7) })).toEqual(['password'])
    expect(await faults({ password: 'p'.repeat(51) })).toEqual(['password'])
    expect(await faults({ firstName: ' ', lastName: 'n'.repeat(101) })).toEqual(['firstName', 'lastName'])
    expect(await faults({ email: 'nobody', role: 'OWNER' })).toEqual(['email', 'role'])
    const invited = freshEmail()
    const { code } = await invite(owner, invited)
    expect(faultPaths(await accept(code, invited, { password: 'password1' }))).toEqual(['password'])
    for (const password of ['p'.repeat(8), 'p'.repeat(50)]) {
      const email = freshEmail()
      const { code } = await invite(owner, email)
      expect((await accept(code, email, { password, firstName: 'n'.repeat(100) })).status).toBe(201)
      expect((await logIn(email, password)).status).toBe(200)
    }
  })

  test('a person with an account joins with the password, and keeps names and password', async () => {
    const [owner, joining] = [await app.person(), await app.person()]
    const { id, code } = await invite(owner, joining.email)
    const refused = await accept(code, joining.email, { password: 'not the password' })
    expectRefusal(refused, 'invitation.account_exists')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'RES002'])
    expect((await client.get(`${mine}/${id}`, { token: owner.token })).data.status).toBe('pending')

    const joined = await accept(code, joining.email, { password: joining.password, firstName: 'Other' })
    expect([joined.status, joined.data.userId]).toEqual([201, joining.userId])
    expect(await peopleWith(joining.email)).toEqual([{ id: joining.userId, verified: true, memberships: 2 }])
    const me = await client.get(`${auth}/me`, joining)
    expect(me.data.user.firstName).toBe('Ngozi')
    expect((await logIn(joining.email, joining.password)).status).toBe(200)
  })

  test('the code verifies an unverified account, and its session then works', async () => {
    const [owner, joining] = [await app.person(), await app.person({ verified: false })]
    const { code } = await invite(owner, joining.email)
    const mode = { token: joining.token, body: { mode: 'sandbox' } }
    expectRefusal(await client.post(`${auth}/mode`, mode), 'auth.email_unverified')
    expect((await accept(code, joining.email, { password: joining.password })).status).toBe(201)
    expect((await client.get(`${auth}/me`, joining)).data.user.emailVerified).toBe(true)
    expect((await client.post(`${auth}/mode`, mode)).status).toBe(200)
  })

  test('a token of somebody else changes nothing: the invited person joins', async () => {
    const owner = await app.person()
    const email = freshEmail()
    const { code } = await invite(owner, email)
    const body = { invitationCode: code, ...account(email) }
    const joined = await client.post(newAccountPath[form], { token: owner.token, body })
    expect(joined.status, joined.text).toBe(201)
    expect(await peopleWith(email)).toEqual([{ id: joined.data.userId, verified: true, memberships: 1 }])
  })

  test('an existing member is refused, and the invitation stays', async () => {
    const [owner, joining] = [await app.person(), await app.person()]
    const { id, code } = await invite(owner, joining.email)
    await app.runtime.db.run(sql`
      insert into memberships (organisation_id, user_id, role_id, joined_at)
      values (${owner.organisationId}, ${joining.userId}, ${systemRole('VIEWER').id}, now())`)
    expectRefusal(await accept(code, joining.email, { password: joining.password }), 'member.exists')
    expect((await client.get(`${mine}/${id}`, { token: owner.token })).data.status).toBe('pending')
  })

  test('of concurrent uses of a code, one succeeds and creates one account', async () => {
    const owner = await app.person()
    const email = freshEmail()
    const { code } = await invite(owner, email)
    const replies = await Promise.all(['one', 'two', 'three'].map((name) => accept(code, email, { firstName: name })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 201)) expect([404, 409]).toContain(reply.status)
    expect(await peopleWith(email)).toMatchObject([{ memberships: 1 }])
  })

  /** Stops an acceptance at its invitation, makes a change, and lets it continue. */
  async function acceptAround(change: string, id: string, ...accepting: Parameters<typeof accept>) {
    const { db } = app.runtime
    const { organisationId } = await db.one<{ organisationId: string }>(
      sql`select organisation_id from invitations where id = ${id}`,
    )
    const gate = await db.dedicatedClient()
    await gate.query('begin')
    await gate.query('select from invitations where organisation_id = $1 and id = $2 for update', [organisationId, id])
    const reply = accept(...accepting)
    await expect.poll(() => listLockWaits(app.owner, /for no key update of i/)).toHaveLength(1)
    await gate.query(change, [id])
    await gate.query('commit')
    await gate.end()
    return await reply
  }

  test.each(['new', 'known'])(
    'an invitation that is withdrawn during its acceptance leaves no trace: %s',
    async (who) => {
      const [owner, known] = [await app.person(), await app.person({ verified: false })]
      const email = who === 'known' ? known.email : freshEmail()
      const { id, code } = await invite(owner, email)
      const before = await peopleWith(email)
      const withdraw = `update invitations set status = 'withdrawn', ended_at = now() where id = $1`
      const refused = await acceptAround(withdraw, id, code, email, { password: known.password })
      expectRefusal(refused, 'invitation.unknown')
      expect(await peopleWith(email)).toEqual(before)
    },
  )

  test('a password that changes during its check is refused', async () => {
    const [owner, joining] = [await app.person(), await app.person()]
    const { id, code } = await invite(owner, joining.email)
    const change = `update users set password_hash = 'changed' where email = (select email from invitations where id = $1)`
    const refused = await acceptAround(change, id, code, joining.email, { password: joining.password })
    expectRefusal(refused, 'invitation.account_exists')
    expect(await peopleWith(joining.email)).toMatchObject([{ memberships: 1 }])
  })

  test('guesses at the password are limited for a person with the code', async () => {
    const throttled = await startTestApp({ database: app.database, vault: app.runtime.vault, limits: { login: 3 } })
    try {
      const joining = await app.person()
      const { code } = await invite(await app.person(), joining.email)
      const body = { invitationCode: code, ...account(joining.email, { password: 'not the password' }) }
      const replies = await Promise.all(
        Array.from({ length: 12 }, () => throttled.client(form).post(newAccountPath[form], { body })),
      )
      const refused = replies.filter(({ status }) => status === 429)
      // The attempts may fall into two windows of a minute.
      expect(refused.length).toBeGreaterThanOrEqual(6)
      for (const reply of refused) expectRefusal(reply, 'limit.exceeded')
      for (const reply of replies.filter(({ status }) => status !== 429))
        expectRefusal(reply, 'invitation.account_exists')
    } finally {
      await throttled.close()
    }
  })
})

test('ten wrong codes lock the address for an hour, whichever form gets them, and reveal no account', async () => {
  const owner = await app.person()
  const known = await app.person()
  const wrong = '00000000'
  for (const email of [freshEmail(), known.email]) {
    const { id, code } = await invite(owner, email)
    const tries = Array.from({ length: 10 }, (_, index) => acceptIn(index % 2 ? 'A' : 'B', wrong, email))
    for (const reply of await Promise.all(tries)) expectRefusal(reply, 'invitation.unknown')
    const before = await peopleWith(email)
    for (const form of ['A', 'B'] as const) {
      const refused = await acceptIn(form, code, email, { password: known.password })
      expectRefusal(refused, 'limit.exceeded')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    }
    expect(await peopleWith(email)).toEqual(before)
    expect((await app.b.get(`${mine}/${id}`, { token: owner.token })).data.status).toBe('pending')
  }
})
