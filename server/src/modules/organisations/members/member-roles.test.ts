import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { makeRole, memberHolding, refreshed } from '../../../../../test/harness/custom-role.ts'
import { type SystemRoleName, systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const users = '/a/v1/organizations/me/users'
const whoAmI = async (person: Person): Promise<Reply> => await app.a.get('/a/v1/auth/me', { token: person.token })
const roleOf = async (owner: Person, { userId }: Person): Promise<string> =>
  (await app.a.get(`${users}/${userId}`, { token: owner.token })).data.role.name
const changesIn = async ({ organisationId }: Person) =>
  (
    await app.runtime.db.rows<{ data: object }>(
      sql`select data from events where organisation_id = ${organisationId} and type = 'member.role_changed' order by position`,
    )
  ).map(({ data }) => data)

describe.each(['A', 'B'] as const)('another role in form %s', (form) => {
  let client: Client
  let owner: Person
  let admin: Person
  beforeAll(async () => {
    client = app.client(form)
    owner = await app.person()
    admin = await app.member(owner.organisationId, 'ADMIN')
  })
  const give = (by: Person, to: string, roleId: unknown): Promise<Reply> =>
    client.patch(`${users}/${to}/role`, { token: by.token, body: { roleId } })
  const system = (name: SystemRoleName) => systemRole(name).id

  test('needs the capability, and invalidates earlier tokens until a refresh', async () => {
    const member = await app.member(owner.organisationId, 'VIEWER')
    expect((await whoAmI(member)).data).toMatchObject({ role: 'VIEWER' })
    const given = await give(admin, member.userId, system('ACCOUNTANT'))
    expect(given.data).toMatchObject({
      id: member.userId,
      email: member.email,
      firstName: 'Ngozi',
      lastName: 'Eze',
      fullName: 'Ngozi Eze',
      role: { id: system('ACCOUNTANT'), name: 'ACCOUNTANT', label: 'Accountant' },
      status: 'active',
      emailVerified: true,
      totpEnabled: false,
      joinedAt: expect.any(String),
      ...{
        A: { phone: null, capabilities: systemRole('ACCOUNTANT').capabilities.toSorted() },
        B: { phoneNumber: null, phoneVerified: false },
      }[form],
    })
    expectRefusal(await whoAmI(member), 'auth.token_outdated')
    const { data } = await whoAmI(await refreshed(app, member))
    expect(data.role).toBe('ACCOUNTANT')
    expect(data.capabilities.toSorted()).toEqual(systemRole('ACCOUNTANT').capabilities.toSorted())
    expect((await changesIn(owner)).at(-1)).toEqual({ email: member.email, from: 'VIEWER', to: 'ACCOUNTANT' })
    expect((await whoAmI(admin)).status).toBe(200)
  })

  test('that the member already has changes nothing', async () => {
    const member = await app.member(owner.organisationId, 'MEMBER')
    const before = await changesIn(owner)
    expect((await give(owner, member.userId, system('MEMBER'))).data.role.name).toBe('MEMBER')
    expect((await whoAmI(member)).status).toBe(200)
    expect(await changesIn(owner)).toEqual(before)
  })

  test('must be a role of this organisation, and not OWNER', async () => {
    const member = await app.member(owner.organisationId, 'VIEWER')
    const foreign = await makeRole(app, await app.person(), ['item.read'])
    const rules: [roleId: unknown, rule: string][] = [
      [system('OWNER'), 'owner'],
      [randomUUID(), 'unknown'],
      [foreign, 'unknown'],
      ['00000000-0000-7000-8000-000000000007', 'unknown'],
      ['ADMIN', 'format'],
      [null, 'type'],
      [undefined, 'required'],
    ]
    for (const [roleId, rule] of rules) {
      const refused = await give(owner, member.userId, roleId)
      expectRefusal(refused, 'request.invalid')
      expect(refused.body.error.details).toEqual([{ path: 'roleId', rule, message: expect.any(String) }])
    }
    expect(await roleOf(owner, member)).toBe('VIEWER')
    expect((await whoAmI(member)).status).toBe(200)
  })

  test('cannot be given to a member with more capabilities than the giver', async () => {
    const refused = await give(admin, owner.userId, system('ADMIN'))
    expectRefusal(refused, 'member.above_own')
    expect([refused.status, faultPaths(refused)]).toEqual([403, ['organization.transfer_ownership']])
    const lead = await memberHolding(app, owner, ...systemRole('VIEWER').capabilities, 'member.change_role')
    expectRefusal(await give(lead, admin.userId, system('VIEWER')), 'member.above_own')
    expect(await roleOf(owner, admin)).toBe('ADMIN')
  })

  test('cannot have more capabilities than the giver', async () => {
    const lead = await memberHolding(app, owner, ...systemRole('VIEWER').capabilities, 'member.change_role')
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    const refused = await give(lead, viewer.userId, system('MEMBER'))
    expectRefusal(refused, 'role.above_own')
    expect(faultPaths(refused)).toContain('invoice.create')
    expect(faultPaths(refused)).not.toContain('invoice.read')
    expectRefusal(await give(lead, lead.userId, system('ADMIN')), 'role.above_own')
    expectRefusal(await give(lead, 'me', system('ADMIN')), 'role.above_own')
    expect(await roleOf(owner, viewer)).toBe('VIEWER')
    expect((await give(lead, lead.userId, system('VIEWER'))).data.role.name).toBe('VIEWER')
  })

  test('needs member.change_role, and a member to give it to', async () => {
    const member = await app.member(owner.organisationId, 'MEMBER')
    for (const role of ['ACCOUNTANT', 'MEMBER', 'DEVELOPER', 'VIEWER'] as const) {
      const by = await app.member(owner.organisationId, role)
      expectRefusal(await give(by, member.userId, system('VIEWER')), 'auth.capability_missing')
    }
    const stranger = await app.person()
    for (const id of [stranger.userId, randomUUID(), 'not-an-id'])
      expectRefusal(await give(owner, id, system('VIEWER')), 'resource.not_found')
    const token = await app.key(owner.organisationId)
    const body = { roleId: system('VIEWER') }
    expectRefusal(await client.patch(`${users}/${member.userId}/role`, { token, body }), 'auth.users_only')
    expect(await roleOf(stranger, stranger)).toBe('OWNER')
  })
})

test('only form B assigns custom roles', async () => {
  const owner = await app.person()
  const roleId = await makeRole(app, owner, ['item.read', 'item.create'])
  const member = await app.member(owner.organisationId, 'VIEWER')
  const path = `${users}/${member.userId}/role`
  const refused = await app.a.patch(path, { token: owner.token, body: { roleId } })
  expectRefusal(refused, 'request.invalid')
  expect(faultPaths(refused)).toEqual(['roleId'])
  const given = await app.b.patch(path, { token: owner.token, body: { roleId } })
  expect(given.data.role).toMatchObject({ id: roleId, label: 'Own' })
  const { data } = await whoAmI(await refreshed(app, member))
  expect([data.role, data.capabilities.toSorted()]).toEqual([given.data.role.name, ['item.create', 'item.read']])
})

describe('the profile of a member, only in form B', () => {
  const edit = ({ token }: Person, userId: string, body: object) => app.b.patch(`${users}/${userId}`, { token, body })
  const updatesIn = async ({ organisationId }: Person) =>
    await app.runtime.db.rows(
      sql`select 1 from events where organisation_id = ${organisationId} and type = 'member.updated'`,
    )

  test('has a first and a last name, which can be changed separately', async () => {
    const owner = await app.person()
    const member = await app.member(owner.organisationId, 'MEMBER')
    expect((await edit(owner, member.userId, { firstName: 'Amina' })).data).toMatchObject({
      id: member.userId,
      firstName: 'Amina',
      lastName: 'Eze',
      fullName: 'Amina Eze',
    })
    expect((await edit(owner, member.userId, { firstName: 'A', lastName: 'y'.repeat(100) })).status).toBe(200)
    // The member's token still works and shows the new name.
    expect((await whoAmI(member)).data.user).toMatchObject({ firstName: 'A', lastName: 'y'.repeat(100) })
    expect((await edit(owner, 'me', { lastName: 'Obi' })).data).toMatchObject({ id: owner.userId, lastName: 'Obi' })
    expect(await updatesIn(owner)).toHaveLength(3)
  })

  test('that is sent unchanged emits no event', async () => {
    const owner = await app.person()
    for (const same of [{}, { firstName: 'Ngozi' }, { firstName: 'Ngozi', lastName: 'Eze' }])
      expect((await edit(owner, 'me', same)).status).toBe(200)
    expect(await updatesIn(owner)).toEqual([])
  })

  test('has limits, and needs an editor with all capabilities of the member', async () => {
    const owner = await app.person()
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const wrong: Record<string, unknown[]> = {
      firstName: ['', ' ', 'x'.repeat(101), null, 5],
      lastName: ['', 'x'.repeat(101)],
      email: ['thief@example.test'],
      role: ['OWNER'],
      phoneNumber: ['+2348012345678'],
    }
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const refused = await edit(admin, 'me', { [field]: value })
        expectRefusal(refused, 'request.invalid')
        expect([...new Set(faultPaths(refused))]).toEqual([field])
      }
    expectRefusal(await edit(admin, owner.userId, { firstName: 'Mine' }), 'member.above_own')
    const member = await app.member(owner.organisationId, 'MEMBER')
    expectRefusal(await edit(member, 'me', { firstName: 'Mine' }), 'auth.capability_missing')
    for (const id of [(await app.person()).userId, randomUUID(), 'x'])
      expectRefusal(await edit(owner, id, { firstName: 'Mine' }), 'resource.not_found')
    expectRefusal(await app.a.patch(`${users}/me`, { token: owner.token, body: {} }), 'route.method_not_allowed')
    expect(await updatesIn(owner)).toEqual([])
  })
})
