import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { sql } from '../../platform/database/sql.ts'
import { noteUses } from './count-uses.ts'
import type { ItemId } from './item.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const path = '/i/v1/items'
const body = {
  name: 'Broiler',
  itemType: 'goods',
  hsnCode: '0105.11',
  productCategory: 'Poultry',
  unitCode: 'EA',
  unitPriceMinor: '350000',
  currency: 'NGN',
  taxCategory: 'STANDARD_VAT',
}
const made = async ({ token }: Person): Promise<ItemId> => (await app.a.post(path, { token, body })).data.id
const sandboxOf = ({ organisationId }: Person): Tenant => ({ organisationId, mode: 'sandbox' })
const use = (person: Person, ids: readonly ItemId[], now = app.clock.now()) =>
  app.machine.db.transaction((tx) => noteUses({ tx, now }, sandboxOf(person), ids))
const rollUp = () => app.runJob('count-item-uses')
const usesLeft = async ({ organisationId }: Person) =>
  (
    await app.machine.db.one<{ n: number }>(
      sql`select count(*)::int as n from item_uses where organisation_id = ${organisationId}`,
    )
  ).n

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const uses = async ({ token }: Person, id: ItemId) => {
    const { data } = await app.client(form).get(`${path}/${id}`, { token })
    return [data.useCount, data.lastUsedAt]
  }

  test('uses are counted by the job, with the time of the last one', async () => {
    const person = await app.person()
    const [one, other] = [await made(person), await made(person)]
    const early = new Date('2026-01-02T03:04:05.678Z')
    const late = new Date('2026-02-03T04:05:06.789Z')
    await use(person, [one, other, one], late)
    await use(person, [one], early)
    await use(person, [])
    expect(await uses(person, one), 'not yet').toEqual([0, null])
    await rollUp()
    expect(await uses(person, one)).toEqual([3, late.toISOString()])
    expect(await uses(person, other)).toEqual([1, late.toISOString()])
    await use(person, [one], early)
    await rollUp()
    await rollUp()
    expect(await uses(person, one), 'a late count of an early use turns no time back').toEqual([4, late.toISOString()])
    expect(await usesLeft(person)).toBe(0)
  })

  test('uses of a transaction that is rolled back do not count', async () => {
    const person = await app.person()
    const id = await made(person)
    const failing = app.machine.db.transaction(async (tx) => {
      await noteUses({ tx, now: app.clock.now() }, sandboxOf(person), [id, id])
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await rollUp()
    expect(await uses(person, id)).toEqual([0, null])
  })

  test('counting is no edit: nobody is told, and an edit keeps the count', async () => {
    const person = await app.person()
    const id = await made(person)
    const { token } = person
    const before = (await app.client(form).get(`${path}/${id}`, { token })).data
    await use(person, [id])
    await rollUp()
    const after = (await app.client(form).get(`${path}/${id}`, { token })).data
    expect(after).toEqual({ ...before, useCount: 1, lastUsedAt: expect.any(String) })
    const edited = await app.client(form).patch(`${path}/${id}`, { token, body: { name: 'Layer' } })
    expect([edited.data.useCount, edited.data.lastUsedAt]).toEqual([1, after.lastUsedAt])
    const events = await app.machine.db.rows<{ type: string }>(
      sql`select type from events where object_id = ${id} order by seq`,
    )
    expect(events.map(({ type }) => type)).toEqual(['item.created', 'item.updated'])
  })
})

const countOf = async (id: ItemId) =>
  Number((await app.machine.db.one<{ useCount: bigint }>(sql`select use_count from items where id = ${id}`)).useCount)

test('fifty uses of one item at once all count, once', async () => {
  const person = await app.person()
  const id = await made(person)
  await Promise.all(Array.from({ length: 50 }, () => use(person, [id])))
  await Promise.all([rollUp(), rollUp()])
  await rollUp()
  expect([await countOf(id), await usesLeft(person)]).toEqual([50, 0])
})

test('roll-ups that meet each other and new uses count everything once', async () => {
  const person = await app.person()
  const ids = await Promise.all(Array.from({ length: 5 }, () => made(person)))
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 6 === 5 ? rollUp() : use(person, n % 2 ? ids : ids.toReversed()))),
  )
  await rollUp()
  expect(await Promise.all(ids.map(countOf))).toEqual([50, 50, 50, 50, 50])
  expect(await usesLeft(person)).toBe(0)
})

test('more uses than one batch takes are counted in one run', async () => {
  const person = await app.person()
  const id = await made(person)
  await app.machine.db.run(sql`
    insert into item_uses (organisation_id, mode, item_id, id, uses, used_at)
    select ${person.organisationId}, 'sandbox', ${id}, gen_random_uuid(), 2, now() from generate_series(1, 5001)`)
  await rollUp()
  expect([await countOf(id), await usesLeft(person)]).toEqual([10_002, 0])
})

test('the uses of a deleted item vanish with it', async () => {
  const person = await app.person()
  const [gone, stays] = [await made(person), await made(person)]
  await use(person, [gone, stays])
  expect((await app.a.delete(`${path}/${gone}`, { token: person.token })).status).toBe(200)
  expect(await usesLeft(person)).toBe(1)
  await rollUp()
  expect(await countOf(stays)).toBe(1)
})

test('an item of another tenant cannot be used', async () => {
  const [owner, stranger] = [await app.person(), await app.person()]
  const id = await made(owner)
  await expect(use(stranger, [id])).rejects.toThrow(/foreign key/)
  await rollUp()
  expect(await countOf(id)).toBe(0)
})

test('the most used come first after counting', async () => {
  const person = await app.person()
  const [one, two, three] = [await made(person), await made(person), await made(person)]
  await use(person, [two, two, three])
  await rollUp()
  const { data } = await app.a.get(path, { token: person.token })
  expect(data.map(({ id }: { id: string }) => id)).toEqual([two, three, one])
})
