import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { onOneShard, sql } from '../../server/src/platform/database/sql.ts'
import { createTestDatabase } from '../harness/database.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).url, poolSize: 1 })
})
afterAll(() => db?.end())

test('a connection that sends no statement to a worker any more is replaced', async () => {
  const organisationId = '01900000-0000-7000-8000-000000000001'
  const backend = async () => (await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid
  const here = sql`select pg_backend_pid() as pid`
  const there = () => db.one<{ pid: number }>(onOneShard([organisationId], here, 'pid integer'))
  const before = await backend()
  expect(await there()).not.toEqual({ pid: before })
  // Citus fails while it plans a part of this statement.
  const refused = sql`
    with entries as (select organisation_id, count(*) as n from credit_moves group by 1),
         sides as (select e.organisation_id, (select m.seq from credit_moves m where m.seq = e.n) as seq from entries e)
    select * from sides limit 1`
  await expect(db.run(refused)).rejects.toThrow('correlated subqueries')
  expect(await backend()).toBe(before)
  await expect(there()).rejects.toThrow('the shard of the organisation was moved')
  expect(await backend()).not.toBe(before)
  expect(await there()).toMatchObject({ pid: expect.any(Number) })
})
