import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { issuer } from './invoices.ts'
import { lifeOf } from './issued.ts'
import { misnamedOnShard } from './shard-texts.ts'

test.each([
  ['select id from public.invoices', 'public.invoices'],
  ['select invoices.id from invoices', 'invoices'],
  ['select id from items i, invoices v', 'invoices'],
  ['with items as (select 1) select 2', 'items'],
  ['with items as (select 1) select * from items', 'items'],
  ['select 1 where id is distinct from items', 'distinct from items'],
  ['insert into buyers (id) values ($1) on conflict do update set n = buyers.n', 'buyers'],
  ['delete from only invoices', 'invoices'],
  ['insert into jobs (id) select id from invoices', 'into jobs'],
])('a text for one shard may not say: %s', (text, name) => {
  expect(misnamedOnShard(text)).toEqual([name])
})

test.each([
  'select i.id from invoices i join invoice_items using (id) where i.items = 1',
  'insert into events (id) select id from numbered',
  'update\n  invoices i set id = 1 from asked',
  'delete from items using buyers',
  'select i.id from json_to_recordset($1) as i (id uuid, items json)',
  `select 'invoices', data as events from asked -- the invoices`,
])('a text for one shard may say: %s', (text) => {
  expect(misnamedOnShard(text)).toEqual([])
})

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('an application notes the texts of a create and of a change', async () => {
  await lifeOf(app, await issuer(app)).issued()
  expect(app.shardTexts().filter((text) => /insert into invoices\b/.test(text))).not.toEqual([])
  expect(app.shardTexts().filter((text) => /update invoices\b/.test(text))).not.toEqual([])
})
