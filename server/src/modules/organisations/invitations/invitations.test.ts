import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const mine = '/a/v1/organizations/me/invitations'
const freshEmail = () => `i${randomBytes(6).toString('hex')}@example.test`
const invitation = (own: object = {}) => ({ email: freshEmail(), fullName: 'Ada Obi', ...own })
const post = (client: Client, { token }: { token: string }, own?: object) =>
  client.post(mine, { token, body: invitation(own) })

const codeIn = ({ text }: { text: string }) =>
  /^([0-9A-HJKMNP-TV-Z]{4})-([0-9A-HJKMNP-TV-Z]{4})$/m.exec(text)?.slice(1).join('') as string
const codeTo = async (email: string, howMany = 1) => codeIn((await app.mailTo(email, howMany))[0] as { text: string })
const preview = (email: string, invitationCode: string) =>
  app.a.post('/a/v1/verify-invitation', { body: { email, invitationCode } })

const eventsOf = (objectId: string) =>
  app.runtime.db.rows<{ type: string; data: object }>(
    sql`select type, data from events where object_id = ${objectId} order by position`,
  )
const week = 7 * 24 * 3600_000
const inAWeek = () => new Date(app.clock.now().getTime() + week).toISOString()
/** A session lives for 30 days, its access token for 15 minutes. */
const tokenAnew = async ({ refreshToken }: Person) =>
  (await app.a.post('/a/v1/auth/refresh', { body: { refreshToken } })).data.accessToken as string

/** A member who may also invite. Only OWNER and ADMIN may by their role. */
async function invitingMember(owner: Person): Promise<{ token: string }> {
  const member = await app.member(owner.organisationId, 'MEMBER')
  const permissions = `/a/v1/organizations/me/users/${member.userId}/permissions`
  const body = { permissions: ['invitation.create', 'invitation.read'] }
  expect((await app.b.post(permissions, { token: owner.token, body })).status).toBe(200)
  return { token: await tokenAnew(member) }
}

describe.each(['A', 'B'] as const)('invitations in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('inviting returns all but the code, mails the code and emits an event', async () => {
    const owner = await app.person()
    const role = systemRole('ACCOUNTANT')
    const email = freshEmail()
    const made = await client.post(`/a/v1/organizations/${owner.organisationId}/invitations`, {
      token: owner.token,
      body: { email, fullName: 'Ada Obi', roleId: role.id, message: 'Come & join <us>' },
    })
    expect(made.status).toBe(201)
    expect(made.data).toEqual({
      id: expect.any(String),
      email,
      fullName: 'Ada Obi',
      role: { id: role.id, name: 'ACCOUNTANT', label: 'Accountant' },
      customPermissions: [],
      message: 'Come & join <us>',
      status: 'pending',
      invitedBy: owner.userId,
      createdAt: app.clock.now().toISOString(),
      expiresAt: inAWeek(),
    })
    expect(made.headers.get('location')).toBe(`${client.form.prefix}${mine}/${made.data.id}`)
    expect((await client.get(`${mine}/${made.data.id}`, { token: owner.token })).data).toEqual(made.data)
    expect((await client.get(mine, { token: owner.token })).data).toEqual([made.data])

    const [mail] = await app.mailTo(email)
    expect(mail?.subject).toBe('You are invited to join an organisation at Risiti')
    for (const words of [`“Ngozi Eze” (${owner.email}) invites you`, 'as Accountant', '“Come & join <us>”'])
      expect(mail?.text).toContain(words)
    expect(mail?.html).toContain('Come &amp; join &lt;us&gt;')
    expect((await preview(email, await codeTo(email))).status).toBe(200)
    expect(await eventsOf(made.data.id)).toEqual([{ type: 'invitation.created', data: { email, role: 'ACCOUNTANT' } }])
  })

  test('the default role is MEMBER, and an address is the same in every spelling', async () => {
    const owner = await app.person()
    const email = freshEmail()
    const { data } = await post(client, owner, { email: email.toUpperCase() })
    expect(data).toMatchObject({ email, role: { name: 'MEMBER' }, message: null })
    expectRefusal(await post(client, owner, { email: `I${email.slice(1)}` }), 'invitation.exists')
  })

  test('an address has one pending invitation per organisation, and ended ones do not count', async () => {
    const [owner, other] = [await app.person(), await app.person()]
    const email = freshEmail()
    const first = await post(client, owner, { email })
    const again = await post(client, owner, { email })
    expectRefusal(again, 'invitation.exists')
    expect([again.status, again.body.error.code]).toEqual([409, 'RES002'])
    expect((await post(client, other, { email })).status).toBe(201)
    await client.delete(`${mine}/${first.data.id}`, { token: owner.token })
    expect((await post(client, owner, { email })).status).toBe(201)
  })

  test('two concurrent invitations of one address make one', async () => {
    const owner = await app.person()
    const email = freshEmail()
    const replies = await Promise.all([1, 2, 3, 4].map(() => post(client, owner, { email })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect((await client.get(mine, { token: owner.token })).body.meta.pagination.total).toBe(1)
  })

  test('a member cannot be invited, suspended or not', async () => {
    const owner = await app.person()
    const member = await app.member(owner.organisationId, 'VIEWER')
    expectRefusal(await post(client, owner, { email: member.email.toUpperCase() }), 'member.exists')
    const status = `/a/v1/organizations/me/users/${member.userId}/status`
    await client.patch(status, { token: owner.token, body: { status: 'suspended' } })
    expectRefusal(await post(client, owner, { email: member.email }), 'member.exists')
    expectRefusal(await post(client, owner, { email: owner.email }), 'member.exists')
  })

  test('the role OWNER, an unknown role and a role of another organisation are refused', async () => {
    const [owner, other] = [await app.person(), await app.person()]
    const role = { name: 'clerk', displayName: 'Clerk', permissions: ['invoice.read'] }
    const theirs = await app.b.post('/a/v1/organizations/me/roles', { token: other.token, body: role })
    expect(theirs.status).toBe(201)
    for (const roleId of [systemRole('OWNER').id, randomUUID(), theirs.data.id, 'MEMBER']) {
      const reply = await post(client, owner, { roleId })
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(['roleId'])
    }
  })

  test('a role above the inviter’s is refused with the missing capabilities, and the own role is accepted', async () => {
    const owner = await app.person()
    const admin = await app.member(owner.organisationId, 'ADMIN')
    expect((await post(client, admin, { roleId: systemRole('ADMIN').id })).status).toBe(201)

    const inviter = await invitingMember(owner)
    expect((await post(client, inviter)).status).toBe(201)
    const above = await post(client, inviter, { roleId: systemRole('ACCOUNTANT').id })
    expectRefusal(above, 'role.above_own')
    expect(faultPaths(above)).toEqual(
      [
        ...['account', 'ledger', 'payment', 'statement', 'subscription', 'usage'].map((name) => `billing.${name}.read`),
        ...['manage', 'read'].map((name) => `collection.${name}`),
        ...['cancel', 'record_payment', 'retry', 'submit'].map((name) => `invoice.${name}`),
      ].sort(),
    )
    const admins = await post(client, owner, { roleId: systemRole('ADMIN').id })
    expectRefusal(await client.post(`${mine}/${admins.data.id}/resend`, inviter), 'role.above_own')
  })

  test('names, messages and addresses have their limits, and every fault is listed', async () => {
    const owner = await app.person()
    const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`
    expect((await post(client, owner, { fullName: 'é'.repeat(255), message: 'm'.repeat(500) })).status).toBe(201)
    expect((await post(client, owner, { fullName: 'Al', message: 'm', email: longest })).status).toBe(201)
    const refused: [object, string[]][] = [
      [{ fullName: 'A' }, ['fullName']],
      [{ fullName: '   ' }, ['fullName']],
      [{ fullName: 'é'.repeat(256), message: 'm'.repeat(501) }, ['fullName', 'message']],
      [{ email: 'nobody', fullName: 7 }, ['email', 'fullName']],
      [{ email: `${longest}d` }, ['email']],
      [{ code: 'ABCDEFGH', status: 'accepted' }, ['code', 'status']],
      [{ email: undefined, fullName: undefined }, ['email', 'fullName']],
    ]
    for (const [own, paths] of refused) {
      const reply = await post(client, owner, own)
      expectRefusal(reply, 'request.invalid')
      expect([...new Set(faultPaths(reply))]).toEqual(paths)
    }
  })

  test('sending again replaces the code and extends the invitation by seven days', async () => {
    const owner = await app.person()
    const { data: first } = await post(client, owner)
    const { id, email } = first
    const before = await codeTo(email)
    app.clock.advance({ minutes: 10 })
    const again = await client.post(`${mine}/${id}/resend`, { token: owner.token })
    expect(again.status).toBe(200)
    expect(again.data).toEqual({ ...first, expiresAt: inAWeek() })
    expect(again.data.expiresAt).not.toBe(first.expiresAt)
    expect((await client.get(`${mine}/${id}`, { token: owner.token })).data).toEqual(again.data)

    const after = await codeTo(email, 2)
    expect(after).not.toBe(before)
    expectRefusal(await preview(email, before), 'invitation.unknown')
    expect((await preview(email, after)).status).toBe(200)
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['invitation.created', 'invitation.resent'])
  })

  test('withdrawing invalidates the code, and only pending invitations can be withdrawn or sent again', async () => {
    const owner = await app.person()
    const { id, email } = (await post(client, owner)).data
    const code = await codeTo(email)
    const withdrawn = await client.delete(`${mine}/${id}`, { token: owner.token })
    expect([withdrawn.status, withdrawn.data.status]).toEqual([200, 'withdrawn'])
    expectRefusal(await preview(email, code), 'invitation.unknown')
    const refused = await client.delete(`${mine}/${id}`, { token: owner.token })
    expectRefusal(refused, 'invitation.not_pending')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    expectRefusal(await client.post(`${mine}/${id}/resend`, { token: owner.token }), 'invitation.not_pending')
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['invitation.created', 'invitation.withdrawn'])
    expect(await app.mailTo(email)).toHaveLength(1)
  })

  test('of two concurrent withdrawals one succeeds', async () => {
    const owner = await app.person()
    const { id } = (await post(client, owner)).data
    const replies = await Promise.all([1, 2, 3].map(() => client.delete(`${mine}/${id}`, { token: owner.token })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['invitation.created', 'invitation.withdrawn'])
  })

  test('invitations of another organisation are not found', async () => {
    const [owner, stranger] = [await app.person(), await app.person()]
    const { id, email } = (await post(client, owner)).data
    const theirs = `/a/v1/organizations/${owner.organisationId}/invitations`
    for (const path of [`${mine}/${id}`, `${theirs}/${id}`, `${mine}/${randomUUID()}`, `${mine}/not-an-id`]) {
      expectRefusal(await client.get(path, stranger), 'resource.not_found')
      expectRefusal(await client.delete(path, stranger), 'resource.not_found')
      expectRefusal(await client.post(`${path}/resend`, stranger), 'resource.not_found')
    }
    expectRefusal(await client.get(theirs, stranger), 'resource.not_found')
    expectRefusal(await client.post(theirs, { token: stranger.token, body: invitation() }), 'resource.not_found')
    expect((await client.get(mine, stranger)).data).toEqual([])
    expect((await preview(email, await codeTo(email))).status).toBe(200)
  })

  test('invitations are listed by status, newest first, in pages', async () => {
    const owner = await app.person()
    const made: string[] = []
    for (let count = 0; count < 5; count++) {
      made.unshift((await post(client, owner)).data.id)
      app.clock.advance({ seconds: 1 })
    }
    const ids = async (query: string) => {
      const { data, body } = await client.get(`${mine}${query}`, { token: owner.token })
      return { ids: data.map(({ id }: { id: string }) => id), ...body.meta.pagination }
    }
    const page = { page: 1, limit: 20, total: 5, totalPages: 1 }
    expect(await ids('')).toMatchObject({ ids: made, ...page })
    expect(await ids('?limit=2&page=1')).toMatchObject({ ids: made.slice(0, 2), ...page, limit: 2, totalPages: 3 })
    expect(await ids('?limit=2&page=3')).toMatchObject({
      ids: made.slice(4),
      ...page,
      page: 3,
      limit: 2,
      totalPages: 3,
    })
    expect(await ids('?limit=2&page=4')).toMatchObject({ ids: [], ...page, page: 4, limit: 2, totalPages: 3 })

    const [gone, ...left] = made as [string, ...string[]]
    await client.delete(`${mine}/${gone}`, { token: owner.token })
    expect((await ids('?status=pending')).ids).toEqual(left)
    expect(await ids('?status=withdrawn')).toMatchObject({ ids: [gone], ...page, total: 1 })
    for (const status of ['accepted', 'expired'])
      expect(await ids(`?status=${status}`)).toMatchObject({ ids: [], ...page, total: 0, totalPages: 0 })

    const wrong = await client.get(`${mine}?status=open&limit=101&page=0&sort=up`, { token: owner.token })
    expectRefusal(wrong, 'request.invalid')
    expect(faultPaths(wrong)).toEqual(['limit', 'page', 'sort', 'status'])
  })
})

describe('differences of the forms', () => {
  test('form B accepts additional permissions that the inviter has', async () => {
    const owner = await app.person()
    const made = await post(app.b, owner, {
      customPermissions: ['invoices:submit', 'invoice.cancel', 'invoice.submit'],
    })
    expect(made.status).toBe(201)
    expect(made.data.customPermissions).toEqual(['invoice.submit', 'invoice.cancel'])

    const refused = await post(app.b, await invitingMember(owner), { customPermissions: ['invoice.submit'] })
    expectRefusal(refused, 'role.above_own')
    expect(faultPaths(refused)).toEqual(['invoice.submit'])
    const unknown = await post(app.b, owner, { customPermissions: ['invoice.read', 'invoice.eat', ''] })
    expectRefusal(unknown, 'request.invalid')
    expect(faultPaths(unknown)).toEqual(['customPermissions[2]'])
    const misnamed = await post(app.b, owner, { customPermissions: ['invoice.read', 'invoice.eat'] })
    expect(faultPaths(misnamed)).toEqual(['customPermissions[1]'])
    expect(faultPaths(await post(app.a, owner, { customPermissions: [] }))).toEqual(['customPermissions'])
  })

  test('form B accepts custom roles, and form A only system roles', async () => {
    const owner = await app.person()
    const body = { name: 'clerk', displayName: 'Clerk', permissions: ['invoice.read'] }
    const roleId = (await app.b.post('/a/v1/organizations/me/roles', { token: owner.token, body })).data.id
    expect((await post(app.b, owner, { roleId })).data.role).toEqual({ id: roleId, name: 'clerk', label: 'Clerk' })
    const reply = await post(app.a, owner, { roleId })
    expectRefusal(reply, 'request.invalid')
    expect(faultPaths(reply)).toEqual(['roleId'])
  })

  test('an empty message is ignored in form B, and a fault in form A', async () => {
    const owner = await app.person()
    expect((await post(app.b, owner, { message: '' })).data).toMatchObject({ message: null })
    expect(new Set(faultPaths(await post(app.a, owner, { message: '' })))).toEqual(new Set(['message']))
  })
})

test('inviting needs the capability, and keys cannot invite', async () => {
  const owner = await app.person()
  const { id } = (await post(app.a, owner)).data
  const viewer = await app.member(owner.organisationId, 'VIEWER')
  expect((await app.a.get(`${mine}/${id}`, viewer)).status).toBe(200)
  expectRefusal(await post(app.a, viewer), 'auth.capability_missing')
  expectRefusal(await app.a.delete(`${mine}/${id}`, viewer), 'auth.capability_missing')
  expectRefusal(await app.a.post(`${mine}/${id}/resend`, viewer), 'auth.capability_missing')
  const member = await app.member(owner.organisationId, 'MEMBER')
  expectRefusal(await app.a.get(mine, member), 'auth.capability_missing')
  const key = { token: await app.key(owner.organisationId) }
  for (const client of [app.a, app.b]) {
    const refused = await client.get(mine, key)
    expectRefusal(refused, 'auth.users_only')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PERM002'])
  }
})
