import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import { systemRole } from '../../kernel/roles.ts'

/** A key with a role is authorised by the role in both forms. */
let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
})
afterAll(() => app.close())

const keys = '/a/v1/organizations/me/api-keys'
const roles = '/a/v1/organizations/me/roles'
const create = ({ token }: { token: string }, own: object = {}) =>
  app.b.post(keys, { token, body: { mode: 'sandbox', ...own } })
const changeRole = ({ token }: { token: string }, id: string, roleId: unknown) =>
  app.b.patch(`${keys}/${id}/role`, { token, body: { roleId } })
const customRole = async ({ token }: { token: string }, name: string, permissions: readonly string[]) => {
  const { data, status } = await app.b.post(roles, { token, body: { name, displayName: 'Of our own', permissions } })
  expect(status).toBe(201)
  return data.id as string
}
const heldBy = async (client: Client, token: string) =>
  (await client.get('/a/v1/auth/me', { token })).data.capabilities as string[]
const tokenOf = async (key: string) => (await app.b.post('/a/v1/auth/token', { token: key })).data.accessToken as string
const profile = (client: Client, token: string) => client.get(`/a/v1/organizations/${owner.organisationId}`, { token })

describe('a new key', () => {
  test('is a viewer with a default name, unless the body says otherwise', async () => {
    const made = (await create(owner)).data
    const viewer = systemRole('VIEWER')
    expect(made).toMatchObject({ name: 'sandbox key', role: { id: viewer.id, name: 'VIEWER' }, rateLimit: null })
    expect(made.permissions).toEqual(viewer.capabilities)
    expect(await heldBy(app.b, made.key)).toEqual([...viewer.capabilities].sort())
    const live = (await create(owner, { mode: 'production' })).data
    expect([live.name, live.mode]).toEqual(['production key', 'production'])
  })

  test.each(['OWNER', 'ADMIN', 'ACCOUNTANT', 'MEMBER', 'DEVELOPER', 'VIEWER'] as const)(
    'may have the role %s',
    async (name) => {
      const role = systemRole(name)
      const { data } = await create(owner, { roleId: role.id, name: 'Till' })
      expect(data.role).toEqual({ id: role.id, name })
      expect(await heldBy(app.b, data.key)).toEqual([...role.capabilities].sort())
      expect(await heldBy(app.a, data.key)).toEqual([...role.capabilities].sort())
    },
  )

  test('may have a custom role of the organisation, but no role above its creator', async () => {
    const stranger = await app.person()
    const roleId = await customRole(owner, 'cashier', ['invoice.create', 'collection.manage'])
    const { data } = await create(owner, { roleId })
    expect(data.role).toEqual({ id: roleId, name: 'cashier' })
    expect(await heldBy(app.b, data.key)).toEqual(['collection.manage', 'invoice.create'])
    for (const unknown of [await customRole(stranger, 'cashier', []), randomUUID(), 'cashier']) {
      const reply = await create(owner, { roleId: unknown })
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(['roleId'])
    }
    const developer = await app.member(owner.organisationId, 'DEVELOPER')
    const above = await create(developer, { roleId })
    expectRefusal(above, 'role.above_own')
    expect(faultPaths(above)).toEqual(['collection.manage'])
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const ownersKey = await create(admin, { roleId: systemRole('OWNER').id })
    expectRefusal(ownersKey, 'role.above_own')
    expect(faultPaths(ownersKey)).toEqual(['organization.transfer_ownership'])
  })

  test('may have its own limits, within the bounds', async () => {
    const limits = { requestsPerMinute: 1, dailyQuota: 1_000_000_000 }
    expect((await create(owner, { rateLimit: limits })).data.rateLimit).toEqual(limits)
    expect((await create(owner, { rateLimit: { dailyQuota: 5 } })).data.rateLimit).toEqual({ dailyQuota: 5 })
    expect((await create(owner, { rateLimit: {} })).data.rateLimit).toBe(null)
    const wrong = await create(owner, { rateLimit: { requestsPerMinute: 0, dailyQuota: 1.5, perHour: 3 } })
    expect(faultPaths(wrong)).toEqual(['rateLimit.dailyQuota', 'rateLimit.perHour', 'rateLimit.requestsPerMinute'])
    const huge = await create(owner, { rateLimit: { requestsPerMinute: 1_000_001, dailyQuota: 1_000_000_001 } })
    expect(faultPaths(huge)).toEqual(['rateLimit.dailyQuota', 'rateLimit.requestsPerMinute'])
    expect(faultPaths(await create(owner, { preset: 'read_only', capabilities: [] }))).toEqual([
      'capabilities',
      'preset',
    ])
  })
})

describe('changing the role of a key', () => {
  test('takes effect at once, and earlier tokens of the key stop', async () => {
    const { key, ...before } = (await create(owner, { roleId: systemRole('MEMBER').id })).data
    const token = await tokenOf(key)
    expect(await heldBy(app.b, token)).toContain('invoice.finalise')
    const accountant = systemRole('ACCOUNTANT')
    const changed = await changeRole(owner, before.id, accountant.id)
    expect(changed.data).toEqual({
      ...before,
      role: { id: accountant.id, name: 'ACCOUNTANT' },
      permissions: accountant.capabilities,
    })
    expectRefusal(await app.b.get('/a/v1/auth/me', { token }), 'auth.token_outdated')
    expect(await heldBy(app.b, key)).toEqual([...accountant.capabilities].sort())
    const seen = await app.b.get(`${keys}/${before.id}/permissions`, owner)
    expect(seen.data).toMatchObject({ id: before.id, role: 'ACCOUNTANT', permissions: accountant.capabilities })
  })

  test('needs an existing role that is not above the caller’s', async () => {
    const { id } = (await create(owner)).data
    const stranger = await app.person()
    for (const unknown of [await customRole(stranger, 'clerk', []), randomUUID(), 'viewer', undefined])
      expect(faultPaths(await changeRole(owner, id, unknown))).toEqual(['roleId'])
    const developer = await app.member(owner.organisationId, 'DEVELOPER')
    expectRefusal(await changeRole(developer, id, systemRole('ADMIN').id), 'role.above_own')
    expect((await changeRole(developer, id, systemRole('DEVELOPER').id)).status).toBe(200)
    expectRefusal(await changeRole(stranger, id, systemRole('VIEWER').id), 'resource.not_found')
  })

  test('a change of a role changes its keys', async () => {
    const roleId = await customRole(owner, 'bookkeeper', ['organization.read', 'invoice.read'])
    const { key } = (await create(owner, { roleId })).data
    const token = await tokenOf(key)
    expect((await profile(app.a, token)).status).toBe(200)
    const body = { permissions: ['invoice.read', 'item.read'] }
    expect((await app.b.patch(`${roles}/${roleId}`, { token: owner.token, body })).status).toBe(200)
    expectRefusal(await profile(app.a, token), 'auth.token_outdated')
    expect(await heldBy(app.a, key)).toEqual(['invoice.read', 'item.read'])
    for (const client of [app.a, app.b]) expectRefusal(await profile(client, key), 'auth.capability_missing')
    expect(await heldBy(app.b, await tokenOf(key))).toEqual(['invoice.read', 'item.read'])
  })
})

test.each(['made', 'changed'])('a role that is deleted while a key is %s is not assigned', async (how) => {
  const { id } = (await create(owner)).data
  const roleId = await customRole(owner, `fleeting-${how}`, ['invoice.read'])
  const gate = await app.owner.dedicatedClient()
  await gate.query('begin')
  await gate.query('delete from roles where id = $1', [roleId])
  const giving = how === 'made' ? create(owner, { roleId }) : changeRole(owner, id, roleId)
  await expect.poll(() => listLockWaits(app.owner)).toHaveLength(1)
  await gate.query('commit')
  await gate.end()
  const refused = await giving
  expectRefusal(refused, 'request.invalid')
  expect(faultPaths(refused)).toEqual(['roleId'])
})

describe('between the forms', () => {
  test('each form changes keys in its own way, also keys of the other form', async () => {
    const { id, key } = (await create(owner)).data
    const body = { capabilities: ['item.read'] }
    const path = `${keys}/${id}/capabilities`
    const misplaced = await app.b.put(path, { token: owner.token, body })
    expectRefusal(misplaced, 'route.elsewhere')
    expect(misplaced.body.error.message).toContain(`PUT ${path}`)
    const roleId = systemRole('MEMBER').id
    const toRole = { token: owner.token, body: { roleId } }
    const other = await app.a.patch(`${keys}/${id}/role`, toRole)
    expectRefusal(other, 'route.elsewhere')
    expect(other.body.error.message).toContain(`PATCH ${app.b.form.prefix}${keys}/${id}/role`)

    const replaced = await app.a.put(path, { token: owner.token, body })
    expect(replaced.data).toMatchObject({ role: null, preset: null, capabilities: ['item.read'] })
    expect(await heldBy(app.b, key)).toEqual(['item.read'])
    expect((await app.b.get(`${keys}/${id}`, owner)).data).toMatchObject({ role: null, permissions: ['item.read'] })
    await changeRole(owner, id, roleId)
    expect((await app.a.get(`${keys}/${id}`, owner)).data).toMatchObject({ role: 'MEMBER', preset: null })
    expect(await heldBy(app.a, key)).toEqual([...systemRole('MEMBER').capabilities].sort())
  })

  test.each(['A', 'B'] as const)(
    'routes for people refuse every key in form %s, also one with the owner role',
    async (form) => {
      const client = app.client(form)
      const { key } = (await create(owner, { roleId: systemRole('OWNER').id })).data
      const bearers = [key, await tokenOf(key), await app.key(owner.organisationId)]
      const forPeople = client.form.routes.filter(({ route }) => route.definition.who === 'user')
      expect(forPeople.length).toBeGreaterThan(30)
      for (const { route } of forPeople) {
        const path = route.path.replace('{orgId}', 'me').replace(/\{\w+\}/g, owner.userId)
        const send = client[route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete']
        for (const token of bearers) {
          const reply = await send(path, { token })
          expect([reply.status, reply.headers.get('risiti-reason')], `${route.method} ${path}`).toEqual([
            403,
            'auth.users_only',
          ])
          if (!route.codeless) expect(reply.body.error.code).toBe('PERM002')
        }
      }
    },
  )
})
