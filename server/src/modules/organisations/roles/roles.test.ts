import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantableToKeys } from '../../../../../test/access/oracle.ts'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { makeRole, memberHolding } from '../../../../../test/harness/custom-role.ts'
import { allCapabilities } from '../../../kernel/capabilities.ts'
import { systemRole, systemRoleNames } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
})
afterAll(() => app.close())

const roles = '/a/v1/organizations/me/roles'
const fixedIds = [1, 2, 3, 4, 5, 6].map((last) => `00000000-0000-7000-8000-00000000000${last}`)
const fields = (own: object = {}) => ({ name: `r${randomUUID()}`, displayName: 'Packer', permissions: [], ...own })
const create = ({ token }: Person, body: object): Promise<Reply> => app.b.post(roles, { token, body })

describe.each(['A', 'B'] as const)('roles in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('of the system are six, with fixed ids and permissions', async () => {
    const person = await app.person()
    const { data, body } = await client.get(roles, { token: person.token })
    expect(data.map(({ id }: { id: string }) => id)).toEqual(fixedIds)
    expect(body.meta.pagination).toMatchObject({ page: 1, limit: 6, total: 6, totalPages: 1 })
    for (const [index, name] of systemRoleNames.entries()) {
      const { label, description, capabilities } = systemRole(name)
      const shared = { id: fixedIds[index], name, description }
      expect(data[index]).toEqual(
        form === 'A'
          ? { ...shared, label, system: true, capabilities }
          : { ...shared, displayName: label, isSystem: true, permissions: capabilities },
      )
      const one = await client.get(`${roles}/${fixedIds[index]}`, { token: person.token })
      const counts = form === 'A' ? {} : { userCount: name === 'OWNER' ? 1 : 0, apiKeyCount: 0 }
      expect(one.data).toEqual({ ...data[index], ...counts })
    }
  })

  test('are returned with all permissions, and with those for keys', async () => {
    const { data } = await client.get(`${roles}/permissions/available`, { token: owner.token })
    const names = data.permissions.map(({ name }: { name: string }) => name)
    expect(names).toEqual(allCapabilities)
    expect(data.apiKeyPermissions.toSorted()).toEqual(grantableToKeys.toSorted())
    const marked = data.permissions.filter(({ keyMayHold }: { keyMayHold: boolean }) => keyMayHold)
    expect(marked.map(({ name }: { name: string }) => name)).toEqual(data.apiKeyPermissions)
    expect(data.permissions.find(({ name }: { name: string }) => name === 'invoice.create')).toEqual({
      name: 'invoice.create',
      label: 'Create invoices and notes',
      area: 'invoice',
      readOnly: false,
      keyMayHold: true,
    })
  })

  test('can be read with role.read, which every system role has', async () => {
    const clerk = await memberHolding(app, owner, 'member.read')
    const token = await app.key(owner.organisationId)
    const stranger = await app.person()
    for (const path of ['', `/${fixedIds[0]}`, '/permissions/available']) {
      for (const name of systemRoleNames) {
        const person = await app.member(owner.organisationId, name)
        expect((await client.get(`${roles}${path}`, { token: person.token })).status).toBe(200)
      }
      expectRefusal(await client.get(`${roles}${path}`, { token: clerk.token }), 'auth.capability_missing')
      expectRefusal(await client.get(`${roles}${path}`, { token }), 'auth.users_only')
      const theirs = `/a/v1/organizations/${owner.organisationId}/roles${path}`
      expectRefusal(await client.get(theirs, { token: stranger.token }), 'resource.not_found')
    }
  })

  test('that are unknown or of another organisation are not found', async () => {
    const foreign = await makeRole(app, await app.person(), ['item.read'])
    for (const id of [foreign, randomUUID(), 'owner', '00000000-0000-7000-8000-000000000007'])
      expectRefusal(await client.get(`${roles}/${id}`, { token: owner.token }), 'resource.not_found')
  })

  test(`are refused ${form === 'A' ? 'with' : 'without'} a code`, async () => {
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    const replies = [
      await client.get(roles),
      await client.get(roles, { token: await app.key(owner.organisationId) }),
      await client.get(`${roles}/${randomUUID()}`, { token: viewer.token }),
      await client.get(`${roles}?page=1`, { token: viewer.token }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([401, 403, 404, 400])
    const codes = form === 'A' ? ['AUTH001', 'PERM002', 'RES001', 'VAL001'] : Array(4).fill(undefined)
    expect(replies.map(({ body }) => body.error.code)).toEqual(codes)
    for (const { body, headers } of replies) {
      expect(Object.keys(body.error)).toEqual(expect.arrayContaining(['message']))
      expect(headers.get('risiti-reason')).toMatch(/^[a-z_]+\.[a-z_]+$/)
    }
  })
})

test('form A has system roles only, and creates none', async () => {
  const person = await app.person()
  await makeRole(app, person, ['item.read'])
  expect((await app.a.get(roles, { token: person.token })).data).toHaveLength(6)
  const { token } = person
  expectRefusal(await app.a.post(roles, { token, body: fields() }), 'route.method_not_allowed')
  const one = `${roles}/${fixedIds[0]}`
  expectRefusal(await app.a.patch(one, { token, body: {} }), 'route.method_not_allowed')
  expectRefusal(await app.a.delete(one, { token }), 'route.method_not_allowed')
})

describe('a custom role, only in form B', () => {
  test('has a name and permissions in either spelling, and is listed after the system roles', async () => {
    const person = await app.person()
    const body = {
      name: 'warehouse-lead',
      displayName: 'Warehouse lead',
      description: 'Counts and packs',
      permissions: ['items:create', 'item.read', 'invoice.read', 'item.create'],
    }
    const made = await create(person, body)
    expect(made.status).toBe(201)
    expect(made.data).toEqual({
      ...body,
      id: expect.any(String),
      permissions: ['item.create', 'item.read', 'invoice.read'],
      isSystem: false,
    })
    expect(made.headers.get('location')).toBe(`${app.b.form.prefix}${roles}/${made.data.id}`)
    const read = await app.b.get(`${roles}/${made.data.id}`, { token: person.token })
    expect(read.data).toEqual({ ...made.data, userCount: 0, apiKeyCount: 0 })
    await create(person, fields({ name: 'auditor' }))
    const list = await app.b.get(roles, { token: person.token })
    expect(list.data.slice(6)).toEqual([expect.objectContaining({ name: 'auditor', description: '' }), made.data])
    expect(list.body.meta.pagination).toMatchObject({ total: 8, totalPages: 1 })
    const events = await app.runtime.db.rows<{ objectId: string; data: object }>(
      sql`select object_id, data from events where organisation_id = ${person.organisationId} and type = 'role.created' order by position`,
    )
    expect(events[0]).toEqual({
      objectId: made.data.id,
      data: { name: 'warehouse-lead', capabilities: made.data.permissions },
    })
  })

  test('accepts every field within its limits', async () => {
    const person = await app.person()
    const good = [
      ...['a', 'a1', 'x'.repeat(100), 'north-1-b'].map((name) => ({ name })),
      ...['P', 'é'.repeat(100)].map((displayName) => ({ displayName })),
      ...['', 'x'.repeat(500)].map((description) => ({ description })),
      { permissions: [] },
      { permissions: Array(200).fill('item.read') },
    ]
    for (const own of good) expect((await create(person, fields(own))).status, JSON.stringify(own)).toBe(201)
    const wrong: Record<string, unknown[]> = {
      name: ['', 'A', 'Lead', '-a', 'a-', 'a--b', 'a_b', 'a b', 'a.b', 'é', 'x'.repeat(101), 5, undefined],
      displayName: ['', ' ', 'x'.repeat(101), undefined],
      description: ['x'.repeat(501), null],
      permissions: ['item.read', undefined, Array(201).fill('item.read')],
      isSystem: [true],
      id: [fixedIds[0]],
    }
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const refused = await create(person, fields({ [field]: value }))
        expectRefusal(refused, 'request.invalid')
        expect([...new Set(faultPaths(refused))], JSON.stringify({ [field]: value })).toEqual([field])
      }
    expect(faultPaths(await create(person, {}))).toEqual(['displayName', 'name', 'permissions'])
    const unknown = await create(person, fields({ permissions: ['item.read', 'items:fly', 'item.read', '__proto__'] }))
    expectRefusal(unknown, 'request.invalid')
    expect(faultPaths(unknown)).toEqual(['permissions[1]', 'permissions[3]'])
    expect((await app.b.get(roles, { token: person.token })).data).toHaveLength(6 + good.length)
  })

  test('has a unique name, which is not that of a system role', async () => {
    const person = await app.person()
    for (const name of ['owner', 'admin', 'accountant', 'member', 'developer', 'viewer'])
      expectRefusal(await create(person, fields({ name })), 'role.name_taken')
    expect((await create(person, fields({ name: 'packer' }))).status).toBe(201)
    const taken = await create(person, fields({ name: 'packer', displayName: 'Other' }))
    expectRefusal(taken, 'role.name_taken')
    expect([taken.status, taken.body.error.code]).toEqual([409, undefined])
    expect((await create(owner, fields({ name: 'packer' }))).status).toBe(201)
    const replies = await Promise.all([1, 2, 3].map(() => create(person, fields({ name: 'twice' }))))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test('cannot have more than its creator, who needs role.manage', async () => {
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const refused = await create(admin, fields({ permissions: ['item.read', 'organization.transfer_ownership'] }))
    expectRefusal(refused, 'role.above_own')
    expect([refused.status, faultPaths(refused)]).toEqual([403, ['organization.transfer_ownership']])
    const manager = await memberHolding(app, owner, 'role.manage', 'item.read')
    expect((await create(manager, fields({ permissions: ['item.read', 'role.manage'] }))).status).toBe(201)
    const more = await create(manager, fields({ permissions: ['item.read', 'item.create', 'buyer.read'] }))
    expect(faultPaths(more)).toEqual(['buyer.read', 'item.create'])
    for (const name of ['ACCOUNTANT', 'MEMBER', 'DEVELOPER', 'VIEWER'] as const)
      expectRefusal(await create(await app.member(owner.organisationId, name), fields()), 'auth.capability_missing')
    const key = { ...owner, token: await app.key(owner.organisationId) }
    expectRefusal(await create(key, fields()), 'auth.users_only')
  })
})
