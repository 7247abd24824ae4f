import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../test/harness/invoices.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
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
const made = async ({ token }: Issuer): Promise<string> => (await app.a.post(path, { token, body })).data.id
const linesOf = (ids: readonly string[]) => ids.map((itemId) => ({ itemId, quantity: 1 }))
const use = (own: Issuer, ids: readonly string[]) =>
  app.a.post('/i/v1/invoices', { token: own.token, body: invoiceBody.A(own, { lineItems: linesOf(ids) }) })
const drafted = async (own: Issuer, ids: readonly string[]): Promise<string> => (await use(own, ids)).data.id
const removed = async ({ token }: Issuer, id: string) => (await app.a.delete(`${path}/${id}`, { token })).status
const countOf = async (id: string) =>
  Number((await app.runtime.db.one<{ useCount: bigint }>(sql`select use_count from items where id = ${id}`)).useCount)

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const read = async ({ token }: Issuer, id: string) => (await app.client(form).get(`${path}/${id}`, { token })).data
  const uses = async (own: Issuer, id: string) => {
    const { useCount, lastUsedAt } = await read(own, id)
    return [useCount, lastUsedAt]
  }

  test('every line with an item counts, with the time of the last one', async () => {
    const own = await issuer(app)
    const [one, other] = [await made(own), await made(own)]
    expect(await uses(own, one)).toEqual([0, null])
    const id = await drafted(own, [one, other, one])
    await app.quiet()
    const now = app.clock.now().toISOString()
    expect(await uses(own, one)).toEqual([2, now])
    expect(await uses(own, other)).toEqual([1, now])
    // An edit counts only the lines that it adds.
    const { token } = own
    const third = await made(own)
    const edited = await app.a.patch(`/i/v1/invoices/${id}`, {
      token,
      body: { lineItems: linesOf([one, third, third]) },
    })
    expect(edited.status).toBe(200)
    await app.a.patch(`/i/v1/invoices/${id}`, { token, body: { notes: 'Thanks' } })
    await app.quiet()
    expect([await countOf(one), await countOf(other), await countOf(third)]).toEqual([2, 1, 2])
  })

  test('counting emits no event, and an edit keeps the count', async () => {
    const own = await issuer(app)
    const id = await made(own)
    const before = await read(own, id)
    await use(own, [id])
    await app.quiet()
    const after = await read(own, id)
    expect(after).toEqual({ ...before, useCount: 1, lastUsedAt: expect.any(String) })
    const { data } = await app.client(form).patch(`${path}/${id}`, { token: own.token, body: { name: 'Layer' } })
    expect([data.useCount, data.lastUsedAt]).toEqual([1, after.lastUsedAt])
    const events = await app.runtime.db.rows<{ type: string }>(
      sql`select type from events where object_id = ${id} order by position`,
    )
    expect(events.map(({ type }) => type)).toEqual(['item.created', 'item.updated'])
  })
})

test('a refused request does not count', async () => {
  const own = await issuer(app)
  const id = await made(own)
  const refused = await use(own, [id, '01890000-0000-7000-8000-000000000000'])
  expect(refused.status).toBeGreaterThanOrEqual(400)
  await app.quiet()
  expect(await countOf(id)).toBe(0)
})

test('concurrent uses all count once, also during an edit', async () => {
  const own = await issuer(app)
  const ids = await Promise.all(Array.from({ length: 3 }, () => made(own)))
  const edit = (nth: number) =>
    app.a.patch(`${path}/${ids[nth % 3]}`, { token: own.token, body: { name: `Layer ${nth}` } })
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => (nth % 4 === 3 ? edit(nth) : use(own, nth % 2 ? ids : ids.toReversed()))),
  )
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
  await app.quiet()
  expect(await Promise.all(ids.map(countOf))).toEqual([30, 30, 30])
})

test('an item can be deleted exactly if no line names it, independent of the count', async () => {
  const own = await issuer(app)
  const [gone, stays] = [await made(own), await made(own)]
  const id = await drafted(own, [gone, stays])
  // Known at once, even before it is counted.
  expect(await removed(own, gone)).toBe(409)
  expect((await app.a.delete(`/i/v1/invoices/${id}`, { token: own.token })).status).toBe(200)
  expect(await removed(own, gone)).toBe(200)
  await app.quiet()
  expect(await countOf(stays)).toBe(1)
})

test('the most used items come first', async () => {
  const own = await issuer(app)
  const [one, two, three] = [await made(own), await made(own), await made(own)]
  await use(own, [two, two, three])
  await app.quiet()
  const { data } = await app.a.get(path, { token: own.token })
  expect(data.map(({ id }: { id: string }) => id)).toEqual([two, three, one])
})
