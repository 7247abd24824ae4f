import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLink } from '../../../../test/harness/link.ts'
import { CommitOutcomeUnknown, type Database, isUniqueViolation, openDatabase, type Tx } from './database.ts'
import { sql } from './sql.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  const owner = openDatabase({ connection: database.owner.url, poolSize: 1 })
  await owner.pool.query(`create table names (name text primary key); grant all on names to public`)
  await owner.end()
  db = openDatabase({ connection: database.url, poolSize: 1 })
})
afterAll(() => db.end())

const insert = (name: string) => sql`insert into names values (${name})`
const names = async () =>
  (await db.rows<{ name: string }>(sql`select name from names order by name`)).map((row) => row.name)
const connection = async () => (await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid

test('what is written last is asked for when the body is over, and committed with it', async () => {
  const gathered: string[] = []
  const body = async () => {
    gathered.push('gathered')
    return 'result'
  }
  expect(await db.transaction(body, { last: () => gathered.map(insert) })).toBe('result')
  expect(await names()).toEqual(['gathered'])
})

test('where the last statement fails, its reason is told, nothing is kept and the connection goes on', async () => {
  const before = [await names(), await connection()]
  const twice = db.transaction((tx) => tx.run(insert('once')), { last: () => [insert('more'), insert('once')] })
  expect(isUniqueViolation(await twice.catch((error: unknown) => error))).toBe(true)
  const notMade = db.transaction((tx) => tx.run(insert('once')), {
    last: () => {
      throw new Error('it cannot be written')
    },
  })
  await expect(notMade).rejects.toThrow('it cannot be written')
  expect([await names(), await connection()]).toEqual(before)
})

test('where the connection breaks at the last statement, nobody knows whether it was committed', async () => {
  const before = await names()
  const broken = db.transaction((tx) => tx.run(insert('lost')), {
    last: () => [sql`select pg_terminate_backend(pg_backend_pid())`],
  })
  await expect(broken).rejects.toThrow(CommitOutcomeUnknown)
  expect(await names()).toEqual(before)
})

test('what is sent at the same moment leaves in one packet: BEGIN with the first statement, COMMIT with the last', async () => {
  const link = await openLink(database)
  const linked = openDatabase({ connection: link.url, poolSize: 1 })
  try {
    await linked.run(sql`select 1`)
    const before = link.packets()
    const read = (tx: Tx) => tx.rows(sql`select name from names`)
    await linked.transaction(
      async (tx) => {
        await read(tx)
        await Promise.all([read(tx), read(tx), read(tx)])
      },
      { last: () => [insert('first'), insert('second')] },
    )
    expect(link.packets() - before).toBe(3)
  } finally {
    await linked.end()
  }
})
