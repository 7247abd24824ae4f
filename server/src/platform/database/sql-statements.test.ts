import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrationsDir } from './migrations.store.ts'
import { statementsIn } from './sql-statements.ts'

test.each<[string, string[]]>([
  ['', []],
  ['-- nothing; at all\n', []],
  ['select 1', ['select 1']],
  ['select 1;\nselect 2;\n', ['select 1', 'select 2']],
  ['-- why; not\nselect 1; /* a; b */ select 2', ['-- why; not\nselect 1', '/* a; b */ select 2']],
  [`select 'a;''b'; select "c;d"`, [`select 'a;''b'`, 'select "c;d"']],
  [`select e'a\\';b'; select 2`, [`select e'a\\';b'`, 'select 2']],
  [
    'do $$ begin; end $$; do $body$ a; $$ b; $body$; select $1',
    ['do $$ begin; end $$', 'do $body$ a; $$ b; $body$', 'select $1'],
  ],
  ['do $Body2$ a; $Body2$; select 2', ['do $Body2$ a; $Body2$', 'select 2']],
  [
    `select 'it''s -- no comment;'; select 2 -- a comment with a ' in it\n; select 3`,
    [`select 'it''s -- no comment;'`, "select 2 -- a comment with a ' in it", 'select 3'],
  ],
])('the statements of %j', (text, statements) => {
  expect(statementsIn(text)).toEqual(statements)
})

test('what only PostgreSQL can end is refused', () => {
  expect(() => statementsIn('/* a /* b */ ; */ select 1')).toThrow('no comment inside another')
  expect(() => statementsIn('create function f() returns int begin atomic select 1; end')).toThrow('dollar-quote')
})

test('every statement of a migration begins with a verb, and nothing is left out', async () => {
  const files = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql'))
  for (const name of files) {
    const text = await readFile(join(migrationsDir, name), 'utf8')
    const statements = statementsIn(text)
    const verbs = statements.map((each) => each.replace(/^(?:\s|--.*\n|\/\*[\s\S]*?\*\/)+/, '').split(/\W/, 1)[0])
    const known = 'alter comment create delete do drop insert lock revoke select set update with'.split(' ')
    expect([name, verbs.filter((verb) => !known.includes(verb?.toLowerCase() ?? ''))]).toEqual([name, []])
    const bare = (given: string) => given.replace(/--.*$/gm, '').replace(/[\s;]/g, '')
    expect(statements.map(bare).join('')).toBe(bare(text))
  }
})
