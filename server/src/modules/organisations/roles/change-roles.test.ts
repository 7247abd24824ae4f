import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { makeRole, memberHolding, refreshed } from '../../../../../test/harness/custom-role.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { systemRole, systemRoles } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
})
afterAll(() => app.close())

const organisation = '/a/v1/organizations/me'
const roles = `${organisation}/roles`
const read = (id: string, by: Person = owner): Promise<Reply> => app.b.get(`${roles}/${id}`, { token: by.token })
const change = (id: string, body: object, by: Person = owner): Promise<Reply> =>
  app.b.patch(`${roles}/${id}`, { token: by.token, body })
const remove = (id: string, by: Person = owner): Promise<Reply> => app.b.delete(`${roles}/${id}`, { token: by.token })
const give = (userId: string, roleId: string, by: Person = owner): Promise<Reply> =>
  app.b.patch(`${organisation}/users/${userId}/role`, { token: by.token, body: { roleId } })
const newKey = (roleId: string): Promise<Reply> =>
  app.b.post(`${organisation}/api-keys`, { token: owner.token, body: { mode: 'sandbox', roleId } })
const whoAmI = (token: string): Promise<Reply> => app.b.get('/a/v1/auth/me', { token })
const { id: viewerId } = systemRole('VIEWER')
const eventsAbout = async (id: string, type: string) =>
  (
    await app.runtime.db.rows<{ data: object }>(
      sql`select data from events where object_id = ${id} and type = ${type} order by position`,
    )
  ).map(({ data }) => data)

async function holderOf(roleId: string): Promise<Person> {
  const member = await app.member(owner.organisationId, 'VIEWER')
  expect((await give(member.userId, roleId)).status).toBe(200)
  return await refreshed(app, member)
}

describe('changing a role', () => {
  test('changes the sent fields only', async () => {
    const id = await makeRole(app, owner, ['item.read'])
    const before = (await read(id)).data
    const { userCount: _, apiKeyCount: __, ...role } = before
    const name = `n${randomUUID()}`
    const steps: [body: object, now: object][] = [
      [{ name }, { name }],
      [{ displayName: 'Porter' }, { displayName: 'Porter' }],
      [{ description: 'Carries' }, { description: 'Carries' }],
      [{ permissions: ['items:update', 'item.update'] }, { permissions: ['item.update'] }],
      [
        { description: '', permissions: [] },
        { description: '', permissions: [] },
      ],
    ]
    let expected = role
    for (const [body, now] of steps) {
      expected = { ...expected, ...now }
      const changed = await change(id, body)
      expect([changed.status, changed.data]).toEqual([200, expected])
      expect((await read(id)).data).toEqual({ ...expected, userCount: 0, apiKeyCount: 0 })
    }
    expect(await eventsAbout(id, 'role.updated')).toHaveLength(steps.length)
    expect((await eventsAbout(id, 'role.updated'))[3]).toEqual({ name, capabilities: ['item.update'] })
  })

  test('invalidates the tokens of its holders at once if its permissions change', async () => {
    const id = await makeRole(app, owner, ['member.read'])
    const [holder, bystander] = [await holderOf(id), await holderOf(await makeRole(app, owner, ['member.read']))]
    expect((await change(id, { displayName: 'Other', name: `n${randomUUID()}` })).status).toBe(200)
    expect((await whoAmI(holder.token)).status).toBe(200)
    expect((await change(id, { permissions: ['item.read', 'item.create'] })).status).toBe(200)
    expectRefusal(await whoAmI(holder.token), 'auth.token_outdated')
    expect((await whoAmI(bystander.token)).status).toBe(200)
    const current = await refreshed(app, holder)
    expect((await whoAmI(current.token)).data.capabilities.toSorted()).toEqual(['item.create', 'item.read'])
    expectRefusal(await app.b.get(`${organisation}/users`, { token: current.token }), 'auth.capability_missing')
  })

  test('changes its API keys at once', async () => {
    const id = await makeRole(app, owner, ['organization.read'])
    const key = (await newKey(id)).data.key as string
    const token = (await app.b.post('/a/v1/auth/token', { token: key })).data.accessToken as string
    for (const bearer of [key, token]) expect((await app.b.get(organisation, { token: bearer })).status).toBe(200)
    await change(id, { permissions: ['item.read'] })
    expectRefusal(await app.b.get(organisation, { token: key }), 'auth.capability_missing')
    expectRefusal(await app.b.get(organisation, { token }), 'auth.token_outdated')
    expect((await whoAmI(key)).data.capabilities).toEqual(['item.read'])
    await change(id, { permissions: ['organization.read', 'item.read'] })
    expect((await app.b.get(organisation, { token: key })).status).toBe(200)
  })

  test('without a difference emits no event', async () => {
    const id = await makeRole(app, owner, ['item.read', 'buyer.read'])
    const holder = await holderOf(id)
    const { name, displayName, description, permissions } = (await read(id)).data
    for (const same of [{}, { name }, { permissions }, { name, displayName, description, permissions }])
      expect((await change(id, same)).status).toBe(200)
    expect((await whoAmI(holder.token)).status).toBe(200)
    expect(await eventsAbout(id, 'role.updated')).toEqual([])
  })

  test('keeps names unique, also for concurrent changes', async () => {
    const [first, second] = [await makeRole(app, owner, []), await makeRole(app, owner, [])]
    const { name } = (await read(first)).data
    expectRefusal(await change(second, { name }), 'role.name_taken')
    for (const reserved of ['owner', 'viewer'])
      expectRefusal(await change(second, { name: reserved }), 'role.name_taken')
    for (let round = 0; round < casesToTry(6, 20); round++) {
      const wanted = `n${randomUUID()}`
      const body = { name: wanted, displayName: 'New', permissions: [] }
      const replies = await Promise.all([
        change(first, { name: wanted }),
        change(second, { name: wanted }),
        app.b.post(roles, { token: owner.token, body }),
      ])
      expect(replies.map(({ status }) => (status < 300 ? 'done' : status)).sort()).toEqual([409, 409, 'done'])
    }
  })

  test('needs the same capability as creating one', async () => {
    const id = await makeRole(app, owner, ['item.read'])
    const wrong: [body: object, path: string][] = [
      [{ name: 'Upper' }, 'name'],
      [{ displayName: '' }, 'displayName'],
      [{ description: 'x'.repeat(501) }, 'description'],
      [{ permissions: ['item.read', 'fly'] }, 'permissions[1]'],
      [{ isSystem: true }, 'isSystem'],
    ]
    for (const [body, path] of wrong) {
      const refused = await change(id, body)
      expectRefusal(refused, 'request.invalid')
      expect([...new Set(faultPaths(refused))]).toEqual([path])
    }
  })

  test('cannot grant more than the caller has', async () => {
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const [low, high] = [
      await makeRole(app, owner, ['item.read']),
      await makeRole(app, owner, ['item.read', 'organization.transfer_ownership']),
    ]
    const raised = await change(low, { permissions: ['organization.transfer_ownership'] }, admin)
    expectRefusal(raised, 'role.above_own')
    expect(faultPaths(raised)).toEqual(['organization.transfer_ownership'])
    // An admin can neither take away capabilities that the admin lacks, nor rename the role.
    for (const body of [{ permissions: [] }, { displayName: 'Mine' }])
      expectRefusal(await change(high, body, admin), 'role.above_own')
    expectRefusal(await remove(high, admin), 'role.above_own')
    const manager = await memberHolding(app, owner, 'role.manage', 'item.read')
    const own = (await whoAmI(manager.token)).data.role as string
    const list = (await app.b.get(roles, { token: owner.token })).data as { id: string; name: string }[]
    const ownId = list.find(({ name }) => name === own)?.id as string
    expectRefusal(
      await change(ownId, { permissions: ['role.manage', 'member.change_role'] }, manager),
      'role.above_own',
    )
    expect((await read(high)).data.permissions).toEqual(['item.read', 'organization.transfer_ownership'])
    expect((await whoAmI(manager.token)).status).toBe(200)
  })
})

describe('fixed roles', () => {
  test('system roles cannot be changed or deleted', async () => {
    for (const { id } of systemRoles) {
      for (const refused of [await change(id, { displayName: 'Mine' }), await remove(id)]) {
        expectRefusal(refused, 'role.is_system')
        expect([refused.status, refused.body.error.code]).toEqual([403, undefined])
      }
    }
  })

  test('unknown roles are not found, and changes need role.manage', async () => {
    const id = await makeRole(app, owner, ['item.read'])
    const stranger = await app.person()
    for (const gone of [await makeRole(app, stranger, []), randomUUID(), 'packer'])
      for (const refused of [await change(gone, { displayName: 'Mine' }), await remove(gone)])
        expectRefusal(refused, 'resource.not_found')
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    const key = { ...owner, token: await app.key(owner.organisationId) }
    for (const act of [(by: Person) => change(id, { displayName: 'Mine' }, by), (by: Person) => remove(id, by)]) {
      expectRefusal(await act(viewer), 'auth.capability_missing')
      expectRefusal(await act(key), 'auth.users_only')
      expectRefusal(await act(stranger), 'resource.not_found')
    }
    expect((await read(id)).data.displayName).toBe('Own')
  })
})

describe('deleting a role', () => {
  test('is possible if nobody has the role, and frees its name', async () => {
    const id = await makeRole(app, owner, ['item.read'])
    const { name } = (await read(id)).data
    const holders = [await holderOf(id), await holderOf(id)]
    const key = (await newKey(id)).data.id as string
    expect((await read(id)).data).toMatchObject({ userCount: 2, apiKeyCount: 1 })
    const refused = await remove(id)
    expectRefusal(refused, 'role.in_use')
    expect([refused.status, refused.body.error.code]).toEqual([409, undefined])
    for (const { userId } of holders) await give(userId, viewerId)
    expectRefusal(await remove(id), 'role.in_use')
    const body = { roleId: viewerId }
    await app.b.patch(`${organisation}/api-keys/${key}/role`, { token: owner.token, body })
    expect((await read(id)).data).toMatchObject({ userCount: 0, apiKeyCount: 0 })
    const removed = await remove(id)
    expect([removed.status, removed.data]).toEqual([200, { id, deleted: true }])
    expectRefusal(await read(id), 'resource.not_found')
    expectRefusal(await remove(id), 'resource.not_found')
    expect(await eventsAbout(id, 'role.deleted')).toEqual([{ name }])
    const again = { name, displayName: 'Again', permissions: [] }
    expect((await app.b.post(roles, { token: owner.token, body: again })).status).toBe(201)
  })

  test('is blocked by suspended and invited members, not by ended keys and invitations', async () => {
    const id = await makeRole(app, owner, ['item.read'])
    const { userId } = await holderOf(id)
    const path = `${organisation}/users/${userId}/status`
    await app.b.patch(path, { token: owner.token, body: { status: 'suspended' } })
    expectRefusal(await remove(id), 'role.in_use')
    const invited = await makeRole(app, owner, ['item.read'])
    const body = { email: 'guest@example.test', fullName: 'A Guest', roleId: invited }
    const { token } = owner
    const invitation = (await app.b.post(`${organisation}/invitations`, { token, body })).data.id as string
    const key = (await newKey(invited)).data.id as string
    expectRefusal(await remove(invited), 'role.in_use')
    expect((await app.b.delete(`${organisation}/invitations/${invitation}`, { token })).status).toBe(200)
    expectRefusal(await remove(invited), 'role.in_use')
    expect((await app.b.patch(`${organisation}/api-keys/${key}/revoke`, { token })).status).toBe(200)
    expect((await read(invited)).data).toMatchObject({ userCount: 0, apiKeyCount: 0 })
    const { name } = (await read(invited)).data
    expect((await remove(invited)).status).toBe(200)
    expectRefusal(await read(invited), 'resource.not_found')
    expectRefusal(await change(invited, { displayName: 'Back' }), 'resource.not_found')
    expect(faultPaths(await give(userId, invited))).toEqual(['roleId'])
    // An ended key still shows its role.
    expect((await app.b.get(`${organisation}/api-keys/${key}`, { token })).data.role.name).toBe(name)
    expect((await app.b.get(`${organisation}/invitations/${invitation}`, { token })).data.role.name).toBe(name)
  })

  test('counts per organisation, also for system roles', async () => {
    const boss = await app.person()
    await app.member(boss.organisationId, 'VIEWER')
    await app.member(boss.organisationId, 'VIEWER')
    const made = await app.b.post(`${organisation}/api-keys`, { token: boss.token, body: { mode: 'sandbox' } })
    expect(made.data.role.name).toBe('VIEWER')
    expect((await read(viewerId, boss)).data).toMatchObject({ userCount: 2, apiKeyCount: 1 })
    expect((await read(systemRole('OWNER').id, boss)).data).toMatchObject({ userCount: 1, apiKeyCount: 0 })
  })

  test('during its assignment leaves no member without a role', async () => {
    const { userId } = await app.member(owner.organisationId, 'VIEWER')
    for (let round = 0; round < casesToTry(6, 20); round++) {
      const id = await makeRole(app, owner, ['item.read'])
      const [given, removed] = await Promise.all([give(userId, id), remove(id)])
      const member = await app.b.get(`${organisation}/users/${userId}`, { token: owner.token })
      if (removed.status === 200) {
        expectRefusal(given, 'request.invalid')
        expect(faultPaths(given)).toEqual(['roleId'])
        expect(member.data.role.id).toBe(viewerId)
      } else {
        expectRefusal(removed, 'role.in_use')
        expect([given.status, member.data.role.id]).toEqual([200, id])
        await give(userId, viewerId)
      }
    }
  })

  test('during an invitation leaves no invitation without a role', async () => {
    for (let round = 0; round < casesToTry(6, 20); round++) {
      const id = await makeRole(app, owner, ['item.read'])
      const body = { email: `guest-${randomUUID()}@example.test`, fullName: 'A Guest', roleId: id }
      const [invited, removed] = await Promise.all([
        app.b.post(`${organisation}/invitations`, { token: owner.token, body }),
        // A moment later, while the code is being made.
        new Promise<void>((go) => setTimeout(go, round * 3)).then(() => remove(id)),
      ])
      if (removed.status === 200) expectRefusal(invited, 'request.invalid')
      else expectRefusal(removed, 'role.in_use')
      expect([201, 400]).toContain(invited.status)
    }
  })
})
