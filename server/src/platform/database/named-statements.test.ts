import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { type Database, openDatabase } from './database.ts'
import { identifier, sql } from './sql.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).url, poolSize: 1 })
})
afterAll(() => db.end())

const state = () =>
  db.one<{ pid: number; prepared: number }>(
    sql`select pg_backend_pid() as pid, (select count(*)::int from pg_prepared_statements) as prepared`,
  )

test('a connection with a thousand prepared statements is replaced', async () => {
  const first = await state()
  for (let nth = 0; nth < 990; nth++) await db.run(sql`select 1 as ${identifier(`c${nth}`)}`)
  const before = await state()
  expect(before).toEqual({ pid: first.pid, prepared: 991 })
  for (let nth = 990; nth < 1_010; nth++) await db.run(sql`select 1 as ${identifier(`c${nth}`)}`)
  const after = await state()
  expect(after.pid).not.toBe(first.pid)
  expect(after.prepared).toBeLessThan(30)
})

test('a statement that left the cache gets the same name again', () => {
  const named = (nth: number) => sql`select 2 as ${identifier(`c${nth}`)}`.name
  const name = named(0)
  for (let nth = 1; nth <= 10_000; nth++) named(nth)
  expect(named(0)).toBe(name)
})
