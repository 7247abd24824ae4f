import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding, refreshed } from '../../../../../test/harness/custom-role.ts'
import { allCapabilities } from '../../../kernel/capabilities.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
})
afterAll(() => app.close())

const pathOf = (userId: string) => `/a/v1/organizations/me/users/${userId}/permissions`
const read = (by: Person, userId: string): Promise<Reply> => app.b.get(pathOf(userId), { token: by.token })
const grant = (by: Person, userId: string, permissions: unknown): Promise<Reply> =>
  app.b.post(pathOf(userId), { token: by.token, body: { permissions } })
const withdraw = (by: Person, userId: string, permissions: unknown): Promise<Reply> =>
  app.b.delete(pathOf(userId), { token: by.token, body: { permissions } })
const whoAmI = ({ token }: Person): Promise<Reply> => app.b.get('/a/v1/auth/me', { token })
const viewing = systemRole('VIEWER').capabilities.toSorted()
const changesOf = async ({ userId }: Person) =>
  (
    await app.runtime.db.rows<{ data: object }>(
      sql`select data from events where object_id = ${userId} and type = 'member.role_changed' order by position`,
    )
  ).map(({ data }) => data)

describe('additional permissions of a member, only in form B', () => {
  test('are those of the role by default, and can be added in either spelling', async () => {
    const member = await app.member(owner.organisationId, 'VIEWER')
    const bare = {
      userId: member.userId,
      role: 'VIEWER',
      rolePermissions: viewing,
      customPermissions: [],
      permissions: viewing,
    }
    expect((await read(owner, member.userId)).data).toEqual(bare)
    expect((await read(member, 'me')).data).toEqual(bare)

    const given = await grant(owner, member.userId, ['invoices:create', 'item.update', 'api_keys:create'])
    const customPermissions = ['api_key.create', 'invoice.create', 'item.update']
    const now = { ...bare, customPermissions, permissions: [...viewing, ...customPermissions].sort() }
    expect([given.status, given.data]).toEqual([200, now])
    expect((await read(owner, member.userId)).data).toEqual(now)
    expectRefusal(await whoAmI(member), 'auth.token_outdated')
    const { data } = await whoAmI(await refreshed(app, member))
    expect(data.capabilities.toSorted()).toEqual(now.permissions)
    expect(await changesOf(member)).toEqual([
      {
        email: member.email,
        role: 'VIEWER',
        extraPermissions: ['invoice.create', 'item.update', 'api_key.create'],
      },
    ])
  })

  test('every capability can be written with a colon, and with its noun in the plural', async () => {
    const mighty = await memberHolding(app, owner, 'member.read')
    const spelt = allCapabilities.flatMap((name) => [
      name.replace('.', ':'),
      name.replace(/^([a-z_]+)\./, '$1s:'),
      name.replace(/^([a-z_]+)\./, '$1s.'),
    ])
    const given = await grant(owner, mighty.userId, spelt.slice(0, 200))
    expect([given.status, spelt.length > 200]).toEqual([200, true])
    expect((await grant(owner, mighty.userId, spelt.slice(200))).data.permissions).toEqual(allCapabilities.toSorted())
  })

  test('that the member already has are not added twice, and emit no event', async () => {
    const member = await app.member(owner.organisationId, 'VIEWER')
    await grant(owner, member.userId, ['item.create', 'items:create', 'item.create'])
    const again = await grant(owner, member.userId, ['item.create', 'item.read'])
    expect(again.data.customPermissions).toEqual(['item.create'])
    const current = await refreshed(app, member)
    for (const none of [[], ['item.create'], ['item.read']]) await grant(owner, member.userId, none)
    for (const none of [[], ['item.read'], ['item.update']]) await withdraw(owner, member.userId, none)
    expect((await whoAmI(current)).status).toBe(200)
    expect(await changesOf(member)).toHaveLength(1)
  })

  test('can be withdrawn, and those of the role stay', async () => {
    const member = await app.member(owner.organisationId, 'VIEWER')
    await grant(owner, member.userId, ['item.create', 'item.update', 'buyer.create'])
    const current = await refreshed(app, member)
    const left = await withdraw(owner, member.userId, ['items:create', 'item.read', 'buyer.create', 'buyer.delete'])
    expect(left.data).toMatchObject({ customPermissions: ['item.update'], rolePermissions: viewing })
    expect(left.data.permissions).toEqual([...viewing, 'item.update'].sort())
    expectRefusal(await whoAmI(current), 'auth.token_outdated')
    expect((await withdraw(owner, member.userId, ['item.update'])).data.permissions).toEqual(viewing)
    expect(await changesOf(member)).toHaveLength(3)
  })

  test('that do not exist are all listed', async () => {
    const member = await app.member(owner.organisationId, 'VIEWER')
    const names = [
      'invoice.create',
      'invoices:fly',
      'toString',
      'invoice',
      'INVOICE.CREATE',
      'items:create',
      'invoice:',
    ]
    for (const refused of [await grant(owner, member.userId, names), await withdraw(owner, member.userId, names)]) {
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual([1, 2, 3, 4, 6].map((index) => `permissions[${index}]`))
    }
    const wrong: [permissions: unknown, path: string][] = [
      ['invoice.create', 'permissions'],
      [undefined, 'permissions'],
      [[5], 'permissions[0]'],
      [[''], 'permissions[0]'],
      [['x'.repeat(101)], 'permissions[0]'],
      [Array(201).fill('item.create'), 'permissions'],
    ]
    for (const [permissions, path] of wrong)
      for (const refused of [
        await grant(owner, member.userId, permissions),
        await withdraw(owner, member.userId, permissions),
      ]) {
        expectRefusal(refused, 'request.invalid')
        expect([...new Set(faultPaths(refused))]).toEqual([path])
      }
    expect((await read(owner, member.userId)).data.customPermissions).toEqual([])
    expect((await grant(owner, member.userId, Array(200).fill('item.create'))).status).toBe(200)
  })

  test('must be held by the giver', async () => {
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const member = await app.member(owner.organisationId, 'VIEWER')
    const names = ['item.create', 'organization.transfer_ownership']
    for (const to of [member.userId, 'me']) {
      const refused = await grant(admin, to, names)
      expectRefusal(refused, 'role.above_own')
      expect(faultPaths(refused)).toEqual(['organization.transfer_ownership'])
    }
    expect((await read(owner, member.userId)).data.customPermissions).toEqual([])
  })

  test('can be changed only by a caller with all capabilities of the member', async () => {
    const admin = await app.member(owner.organisationId, 'ADMIN')
    expectRefusal(await grant(admin, owner.userId, ['item.create']), 'member.above_own')
    expectRefusal(await withdraw(admin, owner.userId, ['item.create']), 'member.above_own')
    // This member has more capabilities beside the role than the other member has in total.
    const lead = await memberHolding(app, owner, ...systemRole('VIEWER').capabilities, 'member.change_role')
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    await grant(owner, viewer.userId, ['item.create'])
    expectRefusal(await withdraw(lead, viewer.userId, ['item.create']), 'member.above_own')
    expect((await read(owner, viewer.userId)).data.customPermissions).toEqual(['item.create'])
  })

  test('are seen with member.read and changed with member.change_role, by people, in their organisation', async () => {
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    expect((await read(viewer, owner.userId)).status).toBe(200)
    for (const change of [grant, withdraw])
      expectRefusal(await change(viewer, 'me', ['item.create']), 'auth.capability_missing')
    const clerk = await memberHolding(app, owner, 'item.read')
    expectRefusal(await read(clerk, 'me'), 'auth.capability_missing')
    const key = { ...owner, token: await app.key(owner.organisationId) }
    const stranger = await app.person()
    for (const ask of [read, grant, withdraw]) {
      expectRefusal(await ask(key, viewer.userId, ['item.create']), 'auth.users_only')
      for (const id of [stranger.userId, randomUUID(), 'x'])
        expectRefusal(await ask(owner, id, ['item.create']), 'resource.not_found')
    }
    expectRefusal(await app.a.get(pathOf(viewer.userId), { token: owner.token }), 'route.elsewhere')
  })
})
