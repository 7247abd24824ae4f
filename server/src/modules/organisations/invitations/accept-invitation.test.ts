import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
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

async function codeTo(email: string, howMany = 1): Promise<string> {
  const [mail] = await app.mailTo(email, howMany)
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
const accept = ({ token }: { token: string }, invitationCode: string, headers: Record<string, string> = {}) =>
  app.a.post('/a/v1/accept-invitation', { token, body: { invitationCode }, headers })

const membersOf = async ({ organisationId }: Person) =>
  (
    await app.runtime.db.rows<{ userId: string }>(
      sql`select user_id from memberships where organisation_id = ${organisationId} order by joined_at, user_id`,
    )
  ).map(({ userId }) => userId)
const statusOf = async (owner: Person, id: string) =>
  (await app.a.get(`${mine}/${id}`, { token: owner.token })).data.status

test('the invited person joins in the role and with the permissions of the invitation, and can switch there', async () => {
  const [owner, joining] = [await app.person(), await app.person()]
  const role = systemRole('ACCOUNTANT')
  const { id, code } = await invite(owner, joining.email, { roleId: role.id, customPermissions: ['api_key.read'] })
  const joined = await accept(joining, ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `)
  expect(joined.status).toBe(200)
  expect(joined.data).toEqual({
    organization: { id: owner.organisationId, name: 'Eze Stores' },
    userId: joining.userId,
    role: { id: role.id, name: 'ACCOUNTANT', label: 'Accountant' },
  })
  expect(joined.text).not.toMatch(/token/i)
  expect(await membersOf(owner)).toEqual([owner.userId, joining.userId])
  expect(await statusOf(owner, id)).toBe('accepted')

  // The session stays in its organisation until it is switched.
  const before = await app.a.get('/a/v1/auth/me', joining)
  expect(before.data).toMatchObject({ organizationId: joining.organisationId, role: 'OWNER' })
  const body = { organizationId: owner.organisationId }
  const moved = await app.a.post('/a/v1/organizations/switch', { token: joining.token, body })
  const me = await app.a.get('/a/v1/auth/me', { token: moved.data.accessToken })
  expect(me.data).toMatchObject({ organizationId: owner.organisationId, role: 'ACCOUNTANT' })
  expect(me.data.capabilities).toEqual([...role.capabilities, 'api_key.read'].sort())

  const events = await app.runtime.db.rows(sql`
    select type, object_id, actor_id, data from events
     where organisation_id = ${owner.organisationId} and type in ('invitation.accepted', 'member.joined') and object_id <> ${owner.userId} order by type`)
  const actorId = joining.userId
  expect(events).toEqual([
    { type: 'invitation.accepted', objectId: id, actorId, data: { email: joining.email } },
    { type: 'member.joined', objectId: joining.userId, actorId, data: { email: joining.email, role: 'ACCOUNTANT' } },
  ])
})

test('a code works once, and an Idempotency-Key repeats the reply', async () => {
  const [owner, joining] = [await app.person(), await app.person()]
  const { code } = await invite(owner, joining.email)
  const headers = { 'idempotency-key': `accept-${randomBytes(6).toString('hex')}` }
  const first = await accept(joining, code, headers)
  const replayed = await accept(joining, code, headers)
  expect([replayed.status, replayed.text]).toEqual([200, first.text])
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  const again = await accept(joining, code)
  expectRefusal(again, 'invitation.unknown')
  expect([again.status, again.body.error.code]).toEqual([404, 'RES001'])
  expect(await membersOf(owner)).toEqual([owner.userId, joining.userId])
})

test('foreign, withdrawn, replaced, expired and invalid codes get the same 404', async () => {
  const [owner, joining, stranger] = [await app.person(), await app.person(), await app.person()]
  const { id, code } = await invite(owner, joining.email)
  expectRefusal(await accept(stranger, code), 'invitation.unknown')
  expectRefusal(await accept(owner, code), 'invitation.unknown')
  expectRefusal(await accept(joining, 'UUUUUUUU'), 'invitation.unknown')
  await app.a.post(`${mine}/${id}/resend`, { token: owner.token })
  const replacement = await codeTo(joining.email, 2)
  expectRefusal(await accept(joining, code), 'invitation.unknown')
  await app.a.delete(`${mine}/${id}`, { token: owner.token })
  expectRefusal(await accept(joining, replacement), 'invitation.unknown')

  const other = await app.person()
  const late = await invite(owner, other.email)
  app.clock.advance({ days: 7 })
  const { accessToken: token } = (
    await app.a.post('/a/v1/auth/refresh', { body: { refreshToken: other.refreshToken } })
  ).data
  expectRefusal(await accept({ token }, late.code), 'invitation.unknown')
  expect(await membersOf(owner)).toEqual([owner.userId])
})

test('accepting needs a verified address, and the code stays valid until then', async () => {
  const [owner, joining] = [await app.person(), await app.person({ verified: false })]
  const { code } = await invite(owner, joining.email)
  const refused = await accept(joining, code)
  expectRefusal(refused, 'auth.email_unverified')
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AUTH004'])
  await app.runtime.db.run(sql`update users set email_verified_at = now() where id = ${joining.userId}`)
  app.runtime.authentication.forget([`user:${joining.userId}`])
  expect((await accept(joining, code)).status).toBe(200)
})

test('an existing member is refused, and the invitation stays', async () => {
  const [owner, joining] = [await app.person(), await app.person()]
  const { id, code } = await invite(owner, joining.email)
  await app.runtime.db.run(sql`
    insert into memberships (organisation_id, user_id, role_id, joined_at)
    values (${owner.organisationId}, ${joining.userId}, ${systemRole('VIEWER').id}, now())`)
  const refused = await accept(joining, code)
  expectRefusal(refused, 'member.exists')
  expect([refused.status, refused.body.error.code]).toEqual([409, 'RES002'])
  expect(await statusOf(owner, id)).toBe('pending')
})

test('of two concurrent uses of a code, one succeeds', async () => {
  const [owner, joining] = [await app.person(), await app.person()]
  const { id, code } = await invite(owner, joining.email)
  const replies = await Promise.all([1, 2, 3].map(() => accept(joining, code)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  expect(await membersOf(owner)).toEqual([owner.userId, joining.userId])
  expect(await statusOf(owner, id)).toBe('accepted')
  const events = sql`select count(*)::int as count from events where object_id = ${id} and type = 'invitation.accepted'`
  expect(await app.runtime.db.one(events)).toEqual({ count: 1 })
})

test.each(['resent', 'withdrawn'])('a code that is %s while it is being accepted no longer works', async (how) => {
  const [owner, joining] = [await app.person(), await app.person()]
  const { id, code } = await invite(owner, joining.email)
  // Locks the invitation as the other request would, until the acceptance waits for it.
  const gate = await app.runtime.db.dedicatedClient()
  await gate.query('begin')
  if (how === 'resent')
    await gate.query(`update invitations set code_mac = 'new', code_hash = 'new' where id = $1`, [id])
  else await gate.query(`update invitations set status = 'withdrawn', ended_at = now() where id = $1`, [id])
  const accepting = accept(joining, code)
  await expect.poll(() => listLockWaits(app.owner, /for no key update of i/)).toHaveLength(1)
  await gate.query('commit')
  await gate.end()
  expectRefusal(await accepting, 'invitation.unknown')
  expect(await membersOf(owner)).toEqual([owner.userId])
})

test('joining as a signed-in person needs a session and a code, and joining with a new account needs no token', async () => {
  const owner = await app.person()
  const path = '/a/v1/accept-invitation'
  const code = { invitationCode: '01234567' }
  const account = { email: 'new@example.test', password: 'a fine password', firstName: 'Ada', lastName: 'Obi' }
  expectRefusal(await app.a.post(path, { body: code }), 'auth.token_missing')
  expectRefusal(await app.a.post(path, { body: code, token: await app.key(owner.organisationId) }), 'auth.users_only')
  const extra = await app.a.post(path, { token: owner.token, body: { ...code, ...account } })
  expect(faultPaths(extra)).toEqual(['email', 'firstName', 'lastName', 'password'])
  expect(faultPaths(await app.a.post(path, { token: owner.token, body: {} }))).toEqual(['invitationCode'])
  for (const invitationCode of ['1234567', '12345678901234567', 12345678]) {
    const wrong = await app.a.post(path, { token: owner.token, body: { invitationCode } })
    expect(faultPaths(wrong)).toEqual(['invitationCode'])
  }
  for (const form of ['A', 'B'] as const) {
    const join = (body: object) => app.client(form).post(newAccountPath[form], { body })
    expect(faultPaths(await join(code))).toEqual(['email', 'firstName', 'lastName', 'password'])
    expectRefusal(await join({ ...code, ...account }), 'invitation.unknown')
  }
  const paths = [
    [app.a, path],
    [app.a, newAccountPath.A],
    [app.b, path],
  ] as const
  for (const [client, at] of paths) {
    const wrongMethod = await client.get(at, owner)
    expectRefusal(wrongMethod, 'route.method_not_allowed')
    expect(wrongMethod.headers.get('allow')).toBe('POST')
  }
})
