import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderSchema } from '../../scripts/schema-text.ts'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { createTestDatabase } from '../harness/database.ts'
import { checkMigrationHashes, checkMigrations, checkSchemaText, hashFile, withNewHashes } from './migrations.ts'
import { file, readCommitted, readTree } from './source-tree.ts'
import { whatIf } from './what-if.ts'

const migration = (name: string, text = '') => file(`db/migrations/${name}`, text)
const first = migration('0001_first.sql')

const planted = [
  ['a gap', [first, migration('0003_third.sql')], /after migration 1 comes 3/],
  ['a late beginning', [migration('0002_second.sql')], /after migration 0 comes 2/],
  ['a number given twice', [first, migration('0001_other.sql')], /two migrations have the number 1/],
  ['a name without a number', [first, migration('second.sql')], /second\.sql is not named like/],
  ['a file of another kind', [first, migration('notes.txt')], /notes\.txt is not named like/],
  ['a dropped table', [migration('0001_a.sql', 'drop table if exists a;')], /loses data .* drop table if exists a/],
  [
    'a dropped column after an explained one',
    [migration('0001_a.sql', '-- why: never read\ndrop table a;\nalter table b\n  DROP COLUMN c;')],
    /loses data .*: alter table b DROP COLUMN c/,
  ],
] as const

test.each(planted)('the check finds %s', (_, files, complaint) => {
  const complaints = checkMigrations(files)
  expect(complaints).toHaveLength(1)
  expect(complaints[0]).toMatch(complaint)
})

test('the check allows an explained loss of data', () => {
  const text = '-- why: moved to users in 0007\nalter table a drop column b;\n-- never drop table lightly\nselect 1;'
  expect(checkMigrations([migration('0001_a.sql', text)])).toEqual([])
})

test('migrations are numbered without gaps and lose no data without an explanation', () => {
  expect(checkMigrations(readTree())).toEqual([])
})

const second = migration('0002_second.sql', 'select 2;')
const recorded = withNewHashes([first, second], '')

test.each([
  ['an edited migration', [first, { ...second, text: 'select 3;' }], recorded, /^0002_second\.sql has changed/],
  ['a removed migration', [first], recorded, /^0002_second\.sql was recorded, and its file is gone$/],
  ['a new migration without a line', [first, second], withNewHashes([first], ''), /^0002_second\.sql has no line/],
  [
    'a second line for an edited one',
    [first],
    withNewHashes([first], '') + withNewHashes([{ ...first, text: '--' }], ''),
    /twice/,
  ],
])('the check of hashes finds %s', (_, files, lines, complaint) => {
  expect(checkMigrationHashes(files, lines)).toEqual([expect.stringMatching(complaint)])
})

test('writing the hashes adds lines and changes none', () => {
  expect(checkMigrationHashes([first, second], recorded)).toEqual([])
  const edited = [first, { ...second, text: 'select 3;' }, migration('0003_third.sql')]
  const written = withNewHashes(edited, recorded)
  expect(written.startsWith(recorded)).toBe(true)
  expect(checkMigrationHashes(edited, written)).toEqual([expect.stringContaining('0002_second.sql has changed')])
})

test('no migration was edited after it was committed', () => {
  expect(checkMigrationHashes(readTree(), readCommitted(hashFile))).toEqual([])
})

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).owner })
})
afterAll(() => db.end())

const renderedWith = (change: string) => whatIf(db, change, renderSchema)

test.each([
  [
    'column',
    'alter table users add column shoe_size integer not null default 42',
    '+   shoe_size integer not null default 42,',
  ],
  [
    'index',
    'create index users_by_name on users (last_name)',
    '+ CREATE INDEX users_by_name ON users USING btree (last_name);',
  ],
  ['comment', `comment on column users.email is 'it''s theirs'`, `+ comment on column users.email is 'it''s theirs';`],
  [
    'function',
    `create function one() returns integer language sql return 1`,
    '+ CREATE OR REPLACE FUNCTION public.one()',
  ],
])('an extra %s shows in the schema', async (_, change, line) => {
  const complaints = checkSchemaText(await renderSchema(db), await renderedWith(change))
  expect(complaints).toContain(line)
  expect(complaints.at(-1)).toContain('npm run schema:write')
})

test('objects that the schema text cannot show are refused', async () => {
  await expect(renderedWith('create view everyone as select id from users')).rejects.toThrow('draw everyone')
})

test('db/schema.sql is what the migrations make', async () => {
  const complaints = checkSchemaText(readCommitted('db/schema.sql'), await renderSchema(db))
  expect(complaints, complaints.join('\n')).toEqual([])
})

/** PostgreSQL prepares checks again for every statement (ADR 15). */
const checksOfCreating = async (queryable: Pick<Database, 'rows'>): Promise<string[]> => {
  const rows = await queryable.rows<{ name: string }>(sql`
    select conname as name from pg_constraint
     where contype = 'c' and conrelid::regclass::text in ('credit_balances', 'credit_moves', 'event_heads', 'events', 'invoice_numbers', 'invoices', 'number_series')
     order by 1`)
  return rows.map(({ name }) => name)
}

test('of the tables that every new invoice writes, only the balance has a check', async () => {
  const withCheck = await whatIf(
    db,
    'alter table invoices add constraint costly check (paid_minor >= 0)',
    checksOfCreating,
  )
  expect(withCheck).toEqual(['costly', 'credit_books_balance'])
  expect(await checksOfCreating(db)).toEqual(['credit_books_balance'])
})
