import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { emitChanges, followLists } from '../../../../../test/harness/follow-lists.ts'
import { chance, insertRandomInvoices, makeWorld } from '../../../../../test/harness/random-invoices.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { sql } from '../../../platform/database/sql.ts'
import { listCodes } from './used-codes.store.ts'

let app: TestApp
let tenant: Tenant
let token: string
let ids: readonly [string, string, string]

const follow = () => followLists(app.runtime.db, 100)
const used = async (type: 'goods' | 'service', limit = 10) =>
  (await listCodes(app.runtime.db, tenant, type, limit)).map(({ code, description, uses, lastUsedAt }) => [
    code,
    description,
    Number(uses),
    lastUsedAt.toISOString().slice(0, 10),
  ])

/** Lines as `code:category`; a code that begins with S is one of a service. */
async function setLines(id: string, day: string, ...lines: string[]) {
  const stored = lines.map((line) => {
    const [code, category] = line.split(':') as [string, string | undefined]
    const isService = code.startsWith('S')
    return { hsnCode: isService ? null : code, serviceCode: isService ? code : null, productCategory: category ?? null }
  })
  await app.runtime.db.run(sql`
    update invoices set lines = ${JSON.stringify(stored)}::json, created_at = ${day}, status = 'draft', finalised_at = null, version = version + 1 where id = ${id}`)
  await emitChanges(app.runtime.db, tenant, [id])
}

beforeAll(async () => {
  app = await startTestApp()
  await app.stopWork()
  const { organisationId } = await app.person()
  tenant = { organisationId, mode: 'sandbox' }
  token = await app.key(organisationId)
  const world = await makeWorld(app.runtime.db, tenant)
  ids = (await insertRandomInvoices(app.runtime.db, tenant, world, 3, chance(1))) as unknown as typeof ids
})
afterAll(() => app.close())

test('codes are sorted by use, then by recency, with their latest description, before and after processing', async () => {
  await setLines(ids[0], '2026-01-01', '8471:Old', '8471:Computers', '2203', 'S1:Work')
  await setLines(ids[1], '2026-02-01', '2203:Beer', '0101:Horses', 'S2')
  await setLines(ids[2], '2026-03-01', 'S1:Labour')
  const goods = [
    ['2203', 'Beer', 2, '2026-02-01'],
    ['8471', 'Computers', 2, '2026-01-01'],
    ['0101', 'Horses', 1, '2026-02-01'],
  ]
  const services = [
    ['S1', 'Labour', 2, '2026-03-01'],
    ['S2', null, 1, '2026-02-01'],
  ]
  expect([await used('goods'), await used('service')]).toEqual([goods, services])
  await follow()
  expect([await used('goods'), await used('service'), await used('goods', 1)]).toEqual([
    goods,
    services,
    goods.slice(0, 1),
  ])
})

test('a deleted line no longer counts, before and after processing', async () => {
  await setLines(ids[1], '2026-02-01', '0101:Mares', '0101:Foals')
  const goods = [
    ['0101', 'Foals', 2, '2026-02-01'],
    ['8471', 'Computers', 2, '2026-01-01'],
    ['2203', 'Beer', 1, '2026-02-01'],
  ]
  expect([await used('goods'), await used('service')]).toEqual([goods, [['S1', 'Labour', 2, '2026-03-01']]])
  await follow()
  expect([await used('goods'), await used('service')]).toEqual([goods, [['S1', 'Labour', 2, '2026-03-01']]])
})

test('callers who may write invoices can list codes', async () => {
  const { data } = await app.a.get('/i/v1/invoices/codes/used?type=goods&limit=2', { token })
  expect(data).toMatchObject([{ code: '0101', description: 'Foals' }, { code: '8471' }])
})

test('an earlier version of the software, which counts an entry as one line, cannot change the counts', async () => {
  const { organisationId, mode } = tenant
  const counting = app.runtime.db.run(sql`
    insert into invoice_codes as c (organisation_id, mode, type, code, uses, last_used_at, description)
    values (${organisationId}, ${mode}, 'goods', '0101', -1, now(), null)
    on conflict (organisation_id, mode, type, code) do update set uses = c.uses + excluded.uses`)
  await expect(counting).rejects.toThrow('reads_runs')
  expect(await used('goods')).toContainEqual(['0101', 'Foals', 2, '2026-02-01'])
})
