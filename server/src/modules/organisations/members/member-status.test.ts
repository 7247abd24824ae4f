import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding, refreshed } from '../../../../../test/harness/custom-role.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisations = '/a/v1/organizations'
const users = `${organisations}/me/users`
const whoAmI = ({ token }: Person): Promise<Reply> => app.a.get('/a/v1/auth/me', { token })
const viewing = systemRole('VIEWER').capabilities
const statusChangesIn = async ({ organisationId }: Person) =>
  (
    await app.runtime.db.rows<{ data: object }>(
      sql`select data from events where organisation_id = ${organisationId} and type = 'member.status_changed' order by position`,
    )
  ).map(({ data }) => data)

describe.each(['A', 'B'] as const)('the status of a member in form %s', (form) => {
  let client: Client
  let owner: Person
  beforeAll(async () => {
    client = app.client(form)
    owner = await app.person()
  })
  const put = (by: Person, userId: string, body: object): Promise<Reply> =>
    client.patch(`${users}/${userId}/status`, { token: by.token, body })
  const statusOf = async ({ userId }: Person): Promise<string> =>
    (await client.get(`${users}/${userId}`, { token: owner.token })).data.status

  test('can be suspended and restored, and a suspended member has no access', async () => {
    const boss = await app.person()
    const member = await app.member(boss.organisationId, 'MEMBER')
    const suspended = await put(boss, member.userId, { status: 'suspended', reason: 'On leave' })
    expect(suspended.data).toMatchObject({ id: member.userId, status: 'suspended', role: { name: 'MEMBER' } })
    expectRefusal(await whoAmI(member), 'auth.token_outdated')

    // The member has no other organisation, so that the session continues in none.
    const outside = await refreshed(app, member)
    const { data } = await whoAmI(outside)
    expect([data.organizationId, data.capabilities, data.role]).toEqual([null, [], undefined])
    expectRefusal(await client.get(users, { token: outside.token }), 'auth.capability_missing')
    const back = { organizationId: boss.organisationId }
    const goBack = () => client.post(`${organisations}/switch`, { token: outside.token, body: back })
    expectRefusal(await goBack(), 'resource.not_found')

    expect((await put(boss, member.userId, { status: 'active' })).data.status).toBe('active')
    const again = await goBack()
    expect(again.data.organizationId).toBe(boss.organisationId)
    expect((await whoAmI({ ...member, token: again.data.accessToken })).data.role).toBe('MEMBER')
    // The token from before the suspension stays outdated although the member is active again.
    expectRefusal(await whoAmI(member), 'auth.token_outdated')
    const { email } = member
    expect(await statusChangesIn(boss)).toEqual([
      { email, from: 'active', to: 'suspended', reason: 'On leave' },
      { email, from: 'suspended', to: 'active', reason: null },
    ])
  })

  test('suspended moves the sessions to another organisation of the member', async () => {
    const member = await app.member(owner.organisationId, 'MEMBER')
    const body = { businessName: 'Own shop', email: 'own@shop.ng' }
    const own = (await app.b.post(organisations, { token: member.token, body })).data.id as string
    await put(owner, member.userId, { status: 'suspended' })
    const { data } = await client.post('/a/v1/auth/refresh', { body: { refreshToken: member.refreshToken } })
    expect(data.organizationId).toBe(own)
    expect((await whoAmI({ ...member, token: data.accessToken })).data).toMatchObject({
      organizationId: own,
      role: 'OWNER',
    })
    const { email, password } = member
    const signedIn = await client.post('/a/v1/auth/login', { body: { email, password } })
    expect(signedIn.data.organizationId).toBe(own)
  })

  test('that is the same changes nothing', async () => {
    const member = await app.member(owner.organisationId, 'MEMBER')
    const before = await statusChangesIn(owner)
    expect((await put(owner, member.userId, { status: 'active' })).data.status).toBe('active')
    expect((await whoAmI(member)).status).toBe(200)
    await put(owner, member.userId, { status: 'suspended' })
    await put(owner, member.userId, { status: 'suspended', reason: 'twice' })
    expect(await statusChangesIn(owner)).toHaveLength(before.length + 1)
  })

  test('needs one capability to suspend and another to restore', async () => {
    const suspender = await memberHolding(app, owner, ...viewing, 'member.suspend')
    const restorer = await memberHolding(app, owner, ...viewing, 'member.restore')
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    const notToSuspend = await put(restorer, viewer.userId, { status: 'suspended' })
    expectRefusal(notToSuspend, 'auth.capability_missing')
    expect(faultPaths(notToSuspend)).toEqual(['member.suspend'])
    expect((await put(suspender, viewer.userId, { status: 'suspended' })).status).toBe(200)
    const notToRestore = await put(suspender, viewer.userId, { status: 'active' })
    expectRefusal(notToRestore, 'auth.capability_missing')
    expect(faultPaths(notToRestore)).toEqual(['member.restore'])
    expect(await statusOf(viewer)).toBe('suspended')
    expect((await put(restorer, viewer.userId, { status: 'active' })).status).toBe(200)

    const neither = await put(await app.member(owner.organisationId, 'DEVELOPER'), viewer.userId, { status: 'active' })
    expectRefusal(neither, 'auth.capability_missing')
    expect(faultPaths(neither)).toEqual(['member.restore', 'member.suspend'])
  })

  test('cannot be changed for oneself or for a member with more capabilities', async () => {
    const admin = await app.member(owner.organisationId, 'ADMIN')
    for (const status of ['suspended', 'active'])
      for (const ref of ['me', admin.userId]) expectRefusal(await put(admin, ref, { status }), 'member.is_you')
    expectRefusal(await put(admin, owner.userId, { status: 'suspended' }), 'member.above_own')
    const suspender = await memberHolding(app, owner, ...viewing, 'member.suspend')
    expectRefusal(await put(suspender, admin.userId, { status: 'suspended' }), 'member.above_own')
    expect([await statusOf(admin), await statusOf(owner)]).toEqual(['active', 'active'])
  })

  test('needs an existing member and a known status', async () => {
    const member = await app.member(owner.organisationId, 'MEMBER')
    for (const id of [(await app.person()).userId, randomUUID(), 'x'])
      expectRefusal(await put(owner, id, { status: 'suspended' }), 'resource.not_found')
    const token = await app.key(owner.organisationId)
    const path = `${users}/${member.userId}/status`
    expectRefusal(await client.patch(path, { token, body: { status: 'active' } }), 'auth.users_only')
    const wrong: [body: object, path: string][] = [
      [{}, 'status'],
      [{ status: 'gone' }, 'status'],
      ...(form === 'A' ? ([[{ status: 'deactivated' }, 'status']] as [object, string][]) : []),
      [{ status: 'suspended', reason: '' }, 'reason'],
      [{ status: 'suspended', reason: 'x'.repeat(501) }, 'reason'],
      [{ status: 'suspended', until: 'Monday' }, 'until'],
    ]
    for (const [body, at] of wrong) {
      const refused = await put(owner, member.userId, body)
      expectRefusal(refused, 'request.invalid')
      expect([...new Set(faultPaths(refused))]).toEqual([at])
    }
    expect(await statusOf(member)).toBe('active')
    for (const reason of ['x', 'x'.repeat(500)]) {
      expect((await put(owner, member.userId, { status: 'suspended', reason })).status).toBe(200)
      expect((await put(owner, member.userId, { status: 'active' })).status).toBe(200)
    }
  })

  test('can be changed in a live session and in the sandbox', async () => {
    const member = await app.member(owner.organisationId, 'MEMBER', { mode: 'live' })
    expect((await whoAmI(member)).data.mode).toBe('live')
    await put(owner, member.userId, { status: 'suspended' })
    expectRefusal(await whoAmI(member), 'auth.token_outdated')
    const { data } = await whoAmI(await refreshed(app, member))
    expect([data.organizationId, data.mode]).toEqual([null, 'live'])
  })
})

test('form B can also deactivate active and suspended members, and restore them', async () => {
  const owner = await app.person()
  const member = await app.member(owner.organisationId, 'MEMBER')
  const put = (by: Person, status: string) =>
    app.b.patch(`${users}/${member.userId}/status`, { token: by.token, body: { status } })
  expect((await put(owner, 'deactivated')).data.status).toBe('deactivated')
  expectRefusal(await whoAmI(member), 'auth.token_outdated')
  expect((await whoAmI(await refreshed(app, member))).data.organizationId).toBeNull()
  for (const status of ['suspended', 'deactivated', 'active'])
    expect((await put(owner, status)).data.status).toBe(status)
  const suspender = await memberHolding(app, owner, ...systemRole('MEMBER').capabilities, 'member.suspend')
  const restorer = await memberHolding(app, owner, ...systemRole('MEMBER').capabilities, 'member.restore')
  expectRefusal(await put(restorer, 'deactivated'), 'auth.capability_missing')
  expect((await put(suspender, 'deactivated')).status).toBe(200)
  expectRefusal(await put(suspender, 'active'), 'auth.capability_missing')
  expect((await put(restorer, 'active')).status).toBe(200)
})
