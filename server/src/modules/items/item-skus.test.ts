import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const path = '/i/v1/items'
const goods = {
  name: 'Broiler',
  itemType: 'goods',
  hsnCode: '0105.11',
  productCategory: 'Poultry',
  unitCode: 'EA',
  unitPriceMinor: '350000',
  currency: 'NGN',
  taxCategory: 'STANDARD_VAT',
}
const create = (token: string, sku: string | null, form: 'A' | 'B' = 'A') =>
  app.client(form).post(path, { token, body: { ...goods, sku } })
const made = async (token: string, sku: string | null): Promise<string> => {
  const reply = await create(token, sku)
  expect(reply.status, reply.text).toBe(201)
  return reply.data.id
}
const expectTaken = (reply: Reply) => {
  expectRefusal(reply, 'item.sku_taken')
  expect([reply.status, reply.body.error.code]).toEqual([409, 'RES002'])
}
const atWork = ({ organisationId }: { organisationId: string }, sku: string): Promise<{ id: string }[]> =>
  app.runtime.db.rows(
    sql`select id from items where organisation_id = ${organisationId} and sku = ${sku} and archived_at is null`,
  )
/** One request succeeded, and every other was refused because the sku is taken. */
const expectOneWinner = (replies: readonly Reply[], status: number) => {
  expect(replies.filter((reply) => reply.status === status)).toHaveLength(1)
  for (const reply of replies.filter((reply) => reply.status !== status)) expectTaken(reply)
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('a SKU is unique, and free again after its item is archived', async () => {
    const { token } = await app.person()
    const client = app.client(form)
    const first = await made(token, 'ONE')
    expectTaken(await create(token, 'ONE', form))
    expect((await create(token, 'one', form)).status, 'capitals make another one').toBe(201)
    expect((await client.post(`${path}/${first}/archive`, { token })).status).toBe(200)
    const second = await made(token, 'ONE')
    expectTaken(await client.post(`${path}/${first}/unarchive`, { token }))
    expect((await client.get(`${path}/${first}`, { token })).data.archivedAt).not.toBeNull()
    expect((await client.delete(`${path}/${second}`, { token })).status).toBe(200)
    const back = await client.post(`${path}/${first}/unarchive`, { token })
    expect([back.status, back.data.sku, back.data.archivedAt]).toEqual([200, 'ONE', null])
  })

  test('an edit accepts only a free SKU', async () => {
    const { token } = await app.person()
    const client = app.client(form)
    await made(token, 'TAKEN')
    const other = await made(token, 'OTHER')
    const edit = (body: object) => client.patch(`${path}/${other}`, { token, body })
    expectTaken(await edit({ sku: 'TAKEN', name: 'Renamed' }))
    expect((await client.get(`${path}/${other}`, { token })).data).toMatchObject({ sku: 'OTHER', name: 'Broiler' })
    expect((await edit({ sku: 'FREE' })).data.sku).toBe('FREE')
    expect((await edit({ sku: 'FREE', name: 'Same sku' })).status).toBe(200)
    await made(token, 'OTHER')
  })

  test('an archived item may have a taken SKU, and cannot be restored with it', async () => {
    const { token } = await app.person()
    const client = app.client(form)
    await made(token, 'TAKEN')
    const archived = await made(token, null)
    await client.post(`${path}/${archived}/archive`, { token })
    expect((await client.patch(`${path}/${archived}`, { token, body: { sku: 'TAKEN' } })).status).toBe(200)
    expectTaken(await client.post(`${path}/${archived}/unarchive`, { token }))
  })
})

test('several items may have no SKU', async () => {
  const { token } = await app.person()
  for (let made = 0; made < 3; made++) expect((await create(token, null)).status).toBe(201)
})

test('each organisation and mode has separate SKUs', async () => {
  const one = await app.person()
  const other = await app.person()
  const live = await app.member(one.organisationId, 'OWNER', { mode: 'live' })
  for (const { token } of [one, other, live]) await made(token, 'SHARED')
  for (const { token } of [one, other, live]) expectTaken(await create(token, 'SHARED'))
})

test('of twenty concurrent creations with one SKU, one succeeds', async () => {
  const person = await app.person()
  const forms = ['A', 'B'] as const
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => create(person.token, 'RACE', forms[n % 2] as 'A' | 'B')),
  )
  expectOneWinner(replies, 201)
  expect(await atWork(person, 'RACE')).toHaveLength(1)
})

test('of ten concurrent restores with one SKU, one succeeds', async () => {
  const person = await app.person()
  const { token } = person
  const ids: string[] = []
  for (let n = 0; n < 10; n++) {
    const id = await made(token, 'BACK')
    await app.a.post(`${path}/${id}/archive`, { token })
    ids.push(id)
  }
  expectOneWinner(await Promise.all(ids.map((id) => app.a.post(`${path}/${id}/unarchive`, { token }))), 200)
  expect(await atWork(person, 'BACK')).toHaveLength(1)
})

test('of concurrent edits and creations with one SKU, one succeeds', async () => {
  const person = await app.person()
  const { token } = person
  const ids = await Promise.all(Array.from({ length: 10 }, () => made(token, null)))
  const replies = await Promise.all(
    ids.flatMap((id) => [app.a.patch(`${path}/${id}`, { token, body: { sku: 'MIXED' } }), create(token, 'MIXED')]),
  )
  expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
  for (const reply of replies.filter(({ status }) => status >= 300)) expectTaken(reply)
  expect(await atWork(person, 'MIXED')).toHaveLength(1)
})
