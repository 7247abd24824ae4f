import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { createReferringTable } from '../../../../test/harness/cluster.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import { systemRoleNames } from '../../kernel/roles.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const path = '/i/v1/items'
const goods = {
  name: 'Broiler',
  description: 'Day old',
  itemType: 'goods',
  hsnCode: '0105.11',
  productCategory: 'Poultry',
  unitCode: 'EA',
  unitPriceMinor: '350000',
  currency: 'NGN',
  taxCategory: 'STANDARD_VAT',
}
const made = async (token: string, more: object = {}) => {
  const reply = await app.a.post(path, { token, body: { ...goods, ...more } })
  expect(reply.status, reply.text).toBe(201)
  return reply.data
}
const typesAbout = async (id: string) => (await eventsAbout(app, id)).map(({ type }) => type)
const versionOf = async (id: string) =>
  (await app.runtime.db.one<{ version: number }>(sql`select version from items where id = ${id}`)).version

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('an edit changes only the sent fields', async () => {
    const { token } = await app.person()
    const before = await made(token, { sku: 'S1' })
    const edit = (body: object) => app.client(form).patch(`${path}/${before.id}`, { token, body })
    const renamed = await edit({ name: 'Layer', unitPriceMinor: '1.25' })
    expect(renamed.status, renamed.text).toBe(200)
    expect(renamed.data).toEqual({ ...before, name: 'Layer', unitPriceMinor: '1.25', updatedAt: expect.any(String) })
    const cleared = await edit({ description: null, sku: null })
    expect(cleared.data).toEqual({ ...renamed.data, description: null, sku: null, updatedAt: expect.any(String) })
    const recoded = await edit({ hsnCode: '010594', taxCategory: 'zero', unitCode: 'kgm' })
    expect(recoded.data).toMatchObject({ hsnCode: '0105.94', taxCategory: 'ZERO_VAT', unitCode: 'KGM' })
    expect((await app.client(form).get(`${path}/${before.id}`, { token })).data).toEqual(recoded.data)
    expect(await typesAbout(before.id)).toEqual(['item.created', ...Array(3).fill('item.updated')])
    expect(await versionOf(before.id)).toBe(4)
  })

  test('an edit without changes keeps the version and emits no event', async () => {
    const { token } = await app.person()
    const before = await made(token, { unitPriceMinor: '1.5' })
    for (const body of [
      {},
      { name: 'Broiler' },
      { hsnCode: '010511', taxCategory: 'standard' },
      { unitPriceMinor: '1.50' },
    ]) {
      const reply = await app.client(form).patch(`${path}/${before.id}`, { token, body })
      expect([reply.status, reply.data]).toEqual([200, before])
    }
    expect(await versionOf(before.id)).toBe(1)
    expect(await typesAbout(before.id)).toEqual(['item.created'])
  })

  test('the kind of an item cannot change', async () => {
    const { token } = await app.person()
    const { id } = await made(token)
    const edit = (body: object) => app.client(form).patch(`${path}/${id}`, { token, body })
    expect((await edit({ itemType: 'goods' })).status).toBe(200)
    for (const body of [{ itemType: 'service' }, { itemType: 'service', hsnCode: null, serviceCode: '0112' }]) {
      const refused = await edit(body)
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual(['itemType'])
    }
    expect(await versionOf(id)).toBe(1)
  })

  test('an edit obeys the rules for new items', async () => {
    const { token } = await app.person()
    const { id } = await made(token)
    for (const [body, paths] of [
      [{ name: '' }, ['name']],
      [{ name: null }, ['name']],
      [{ name: 'x'.repeat(256) }, ['name']],
      [{ hsnCode: null }, ['hsnCode']],
      [{ serviceCode: '0112' }, ['serviceCode']],
      [{ unitPriceMinor: '1.255' }, ['unitPriceMinor']],
      [{ unitCode: 'NOUNIT', currency: 'QQQ', taxCategory: 'LUCK' }, ['currency', 'taxCategory', 'unitCode']],
      [{ archivedAt: null }, ['archivedAt']],
      [{ useCount: 9 }, ['useCount']],
    ] as const) {
      const refused = await app.client(form).patch(`${path}/${id}`, { token, body })
      expectRefusal(refused, 'request.invalid')
      expect([...new Set(faultPaths(refused))], JSON.stringify(body)).toEqual(paths)
    }
    expect(await versionOf(id)).toBe(1)
  })

  test('a deleted item is gone', async () => {
    const { token } = await app.person()
    const { id } = await made(token)
    const deleted = await app.client(form).delete(`${path}/${id}`, { token })
    expect([deleted.status, deleted.data]).toEqual([200, { id, deleted: true }])
    expectRefusal(await app.client(form).get(`${path}/${id}`, { token }), 'resource.not_found')
    expectRefusal(await app.client(form).delete(`${path}/${id}`, { token }), 'resource.not_found')
    expect(await typesAbout(id)).toEqual(['item.created', 'item.deleted'])
  })

  test('archiving and restoring an item are idempotent', async () => {
    const { token } = await app.person()
    const before = await made(token)
    const ask = (what: string) => app.client(form).post(`${path}/${before.id}/${what}`, { token })
    const archived = await ask('archive')
    const { archivedAt } = archived.data
    expect(archived.data).toEqual({ ...before, archivedAt: expect.any(String), updatedAt: archivedAt })
    expect((await ask('archive')).data).toEqual(archived.data)
    expect((await app.client(form).get(`${path}/${before.id}`, { token })).data).toEqual(archived.data)
    const back = await ask('unarchive')
    expect(back.data).toEqual({ ...before, updatedAt: expect.any(String) })
    expect((await ask('unarchive')).data).toEqual(back.data)
    expect(await typesAbout(before.id)).toEqual(['item.created', 'item.archived', 'item.unarchived'])
  })

  test('items of another organisation and of the other mode are not found', async () => {
    const owner = await app.person()
    const { id } = await made(owner.token)
    const stranger = await app.person()
    const live = await app.member(owner.organisationId, 'OWNER', { mode: 'live' })
    for (const { token } of [stranger, live]) {
      const client = app.client(form)
      const one = `${path}/${id}`
      for (const reply of [
        await client.get(one, { token }),
        await client.patch(one, { token, body: { name: 'Mine' } }),
        await client.delete(one, { token }),
        await client.post(`${one}/archive`, { token }),
        await client.post(`${one}/unarchive`, { token }),
      ])
        expectRefusal(reply, 'resource.not_found')
      expect((await client.get(path, { token })).body.meta.pagination.total).toBe(0)
    }
    expect(await typesAbout(id)).toEqual(['item.created'])
  })

  test('roles that create invoices can change items, and viewers can read them', async () => {
    const { organisationId, token: owner } = await app.person()
    const { id } = await made(owner)
    for (const role of systemRoleNames) {
      const { token } = await app.member(organisationId, role)
      const client = app.client(form)
      expect((await client.get(`${path}/${id}`, { token })).status, role).toBe(200)
      expect((await client.get(path, { token })).status, role).toBe(200)
      const changes = [
        await client.post(path, { token, body: goods }),
        await client.patch(`${path}/${id}`, { token, body: { name: role } }),
        await client.post(`${path}/${id}/archive`, { token }),
        await client.post(`${path}/${id}/unarchive`, { token }),
      ]
      if (role === 'VIEWER') for (const reply of changes) expectRefusal(reply, 'auth.capability_missing')
      else
        expect(
          changes.map(({ status }) => status),
          role,
        ).toEqual([201, 200, 200, 200])
    }
    expect((await app.client(form).get(path)).status).toBe(401)
  })
})

test('an item in use cannot be deleted, only archived', async () => {
  const { token } = await app.person()
  const { id } = await made(token)
  await createReferringTable(app.owner, 'test_lines', ['organisation_id', 'mode', 'item_id'], 'items')
  try {
    await app.runtime.db.run(sql`insert into test_lines select organisation_id, mode, id from items where id = ${id}`)
    for (const client of [app.a, app.b]) {
      const refused = await client.delete(`${path}/${id}`, { token })
      expectRefusal(refused, 'item.in_use')
      expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    }
    expect((await app.a.post(`${path}/${id}/archive`, { token })).status).toBe(200)
    expect(await typesAbout(id)).toEqual(['item.created', 'item.archived'])
  } finally {
    await app.owner.run(sql`drop table test_lines`)
  }
  expect((await app.a.delete(`${path}/${id}`, { token })).status).toBe(200)
})

test('items are free of charge', async () => {
  const { token, organisationId } = await app.person()
  await app.openAccount(organisationId)
  const balance = async () => (await app.a.get('/b/v1/billing-accounts/me', { token })).data.creditBalance
  const before = await balance()
  const { id } = await made(token)
  await app.a.patch(`${path}/${id}`, { token, body: { name: 'Layer' } })
  await app.a.post(`${path}/${id}/archive`, { token })
  await app.a.delete(`${path}/${id}`, { token })
  expect(await balance()).toBe(before)
})

test('each route needs its own capability and no other', async () => {
  const owner = await app.person()
  const { id } = await made(owner.token)
  const statuses = async (token: string) => [
    (await app.a.get(`${path}/${id}`, { token })).status,
    (await app.a.post(path, { token, body: goods })).status,
    (await app.a.patch(`${path}/${id}`, { token, body: { name: randomUUID() } })).status,
    (await app.a.post(`${path}/${id}/archive`, { token })).status,
    (await app.a.post(`${path}/${id}/unarchive`, { token })).status,
  ]
  for (const [capability, expected] of [
    ['item.read', [200, 403, 403, 403, 403]],
    ['item.create', [403, 201, 403, 403, 403]],
    ['item.update', [403, 403, 200, 403, 403]],
    ['item.archive', [403, 403, 403, 200, 200]],
  ] as const) {
    expect(await statuses((await memberHolding(app, owner, capability)).token), capability).toEqual(expected)
    expect(await statuses(await app.key(owner.organisationId, { capabilities: [capability] })), capability).toEqual(
      expected,
    )
  }
})

test('events contain the item and its organisation', async () => {
  const { token, organisationId } = await app.person()
  const { id } = await made(token, { sku: 'E1' })
  const data = { itemId: id, name: 'Broiler', sku: 'E1', itemType: 'goods' }
  expect(await eventsAbout(app, id)).toEqual([{ type: 'item.created', mode: 'sandbox', data, organisationId }])
})

describe('an Idempotency-Key', () => {
  const create = (token: string, key: string, body: object = goods) =>
    app.a.post(path, { token, body, headers: { 'idempotency-key': key } })
  const total = async (token: string) => (await app.a.get(path, { token })).body.meta.pagination.total

  test('makes one item for concurrent requests, with the same reply', async () => {
    const { token } = await app.person()
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(token, key)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect(await total(token)).toBe(1)
  })

  test('is refused with another body', async () => {
    const { token } = await app.person()
    const key = randomUUID()
    expect((await create(token, key)).status).toBe(201)
    expectRefusal(await create(token, key, { ...goods, name: 'Layer' }), 'idempotency.body_differs')
    expect(await total(token)).toBe(1)
  })
})
