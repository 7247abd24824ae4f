import { expect, test } from 'vitest'
import { file, readTree, type SourceFile } from './source-tree.ts'
import { checkSqlPlaces } from './sql-places.ts'
import { tablesNamedIn } from './sql-text.ts'

const migration = (text: string) => file('db/migrations/0001_things.sql', text)
const store = (module: string, statement: string) =>
  file(`server/src/modules/${module}/${module}.store.ts`, `export const run = (tx) => tx.run(sql\`${statement}\`)`)
const things = migration('create table things (id uuid primary key);')

const planted: readonly [violation: string, files: readonly SourceFile[], complaint: RegExp][] = [
  [
    'a tagged statement in an operation',
    [file('server/src/modules/a/a.ts', 'const one = sql`id, name`')],
    /a\.ts:1 has SQL outside/,
  ],
  ['a plain statement', [file('server/src/jobs/a.ts', `db.query('select id from users')`)], /select id from users/],
  ['shouted SQL', [file('server/src/jobs/a.ts', `db.query('DELETE FROM users')`)], /DELETE FROM users/],
  [
    'a statement with values inside',
    [file('server/src/http/a.ts', `db.query(\`\n update users set name = \${name} where id = \${id}\`)`)],
    /update users set name = \$/,
  ],
  [
    'another statement where one is allowed',
    [file('server/src/bin/api.ts', `db.query('select 1 from users')`)],
    /select 1 from users/,
  ],
  ['a store in http', [file('server/src/http/a.store.ts', '')], /store outside modules\/ and platform\//],
  ['a table nobody mentions', [things], /nobody mentions the table things/],
  ['a table nobody writes', [things, store('a', 'select id from things')], /nobody writes the table things/],
  [
    'a table with two writers',
    [things, store('a', 'insert into things (id) values (1)'), store('b', 'INSERT INTO public.things(id) values (2)')],
    /things is written by modules\/a and modules\/b/,
  ],
  [
    'a third way of writing',
    [things, store('a', 'delete from things'), store('b', 'update "things" as t set id = 2')],
    /things is written by modules\/a and modules\/b/,
  ],
  [
    'a second writer inside a larger statement',
    [
      things,
      store('a', 'insert into things (id) values (1)'),
      store('b', 'with gone as (update only things set id = 2 returning id) select id from gone'),
    ],
    /things is written by modules\/a and modules\/b/,
  ],
]

test.each(planted)('the check finds %s', (_, files, complaint) => {
  const complaints = checkSqlPlaces(files)
  expect(complaints).toHaveLength(1)
  expect(complaints[0]).toMatch(complaint)
})

test('the check distinguishes reads, locks and upserts from writes', () => {
  const { mentioned, written } = tablesNamedIn(`
    insert into a as x (id) select b.id from b join c on c.id = b.id, d -- delete from e
     where b.note <> 'update f set g' and b.id is distinct from $
    on conflict (id) do update set id = excluded.id`)
  expect([...written]).toEqual(['a'])
  expect([...mentioned]).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  expect([...mentioned]).not.toEqual(expect.arrayContaining(['e']))
  expect([...tablesNamedIn('select 1 from a, b as x, c for update skip locked').written]).toEqual([])
  expect([...tablesNamedIn('select 1 from a, b as x, c for update').mentioned]).toEqual(['a', 'b', 'c'])
  expect([...tablesNamedIn('select 1 from pg_catalog.pg_class').mentioned]).toEqual([])
})

test('the check does not take messages for SQL', () => {
  const text = `const words = ['Select a seller from the list.', 'Update your plan', 'with this key', 'deleted from a list']`
  expect(checkSqlPlaces([file('server/src/http/a.ts', text)])).toEqual([])
})

test('SQL is in stores only, and every table has one owner', () => {
  expect(checkSqlPlaces(readTree())).toEqual([])
})
