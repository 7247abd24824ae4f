import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { neverDeleted } from '../../server/src/platform/database/service-rights.store.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { createTestDatabase } from '../harness/database.ts'
import { readCatalogue } from './catalogue.ts'
import { checkDeletions } from './rights.ts'
import { file, readTree } from './source-tree.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).owner })
})
afterAll(() => db.end())

test('the check finds planted violations', () => {
  const store = file(
    'server/src/modules/a/a.store.ts',
    'export const f = (tx) => tx.run(sql`delete from gone where id = 1`)',
  )
  expect(checkDeletions([store], ['gone', 'kept'], new Set(['kept']))).toEqual([])
  expect(checkDeletions([store], ['gone', 'kept'], new Set(['gone', 'kept']))).toEqual([
    'rows of gone are deleted: take it off the list in service-rights.store.ts',
  ])
  expect(checkDeletions([store], ['gone', 'kept'], new Set())).toEqual([
    'nothing deletes rows of kept: put it on the list in service-rights.store.ts',
  ])
})

test('the service has no right to delete that it does not use', async () => {
  const tables = (await readCatalogue(db)).filter(({ name }) => !/^events_/.test(name))
  expect(
    checkDeletions(
      readTree(),
      tables.map(({ name }) => name),
      neverDeleted,
    ),
  ).toEqual([])
})

test('the service can neither change nor delete append-only rows', async () => {
  const kept = await db.rows<{ name: string }>(sql`
    select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and not has_any_column_privilege(${inject('serviceRole')}, oid, 'update')
       and not has_table_privilege(${inject('serviceRole')}, oid, 'delete') order by relname`)
  expect(kept.map(({ name }) => name)).toEqual([
    'api_key_hashes',
    'credit_moves',
    'event_era',
    'events',
    'received_payment_moves',
    'schema_migrations',
    'secret_keys',
    'tax_returns',
  ])
})

test('the service can read every table', async () => {
  const closed = await db.rows(sql`
    select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
       and not has_table_privilege(${inject('serviceRole')}, oid, 'select')`)
  expect(closed).toEqual([])
})
