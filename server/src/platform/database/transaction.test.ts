import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLink } from '../../../../test/harness/link.ts'
import {
  CommitOutcomeUnknown,
  type Database,
  isForeignKeyViolation,
  isPassingFailure,
  isSerializationFailure,
  isUniqueViolation,
  openDatabase,
  type Tx,
  tookTooLong,
} from './database.ts'
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

test('the last statement is sent at the end of the body, together with the commit', async () => {
  const gathered: string[] = []
  const body = async () => {
    gathered.push('gathered')
    return 'result'
  }
  expect(await db.transaction(body, { lastStatements: () => gathered.map(insert) })).toBe('result')
  expect(await names()).toEqual(['gathered'])
})

test('if the last statement fails, its error is returned, nothing is kept and the connection stays usable', async () => {
  const before = [await names(), await connection()]
  const twice = db.transaction((tx) => tx.run(insert('once')), {
    lastStatements: () => [insert('more'), insert('once')],
  })
  expect(isUniqueViolation(await twice.catch((error: unknown) => error))).toBe(true)
  const notMade = db.transaction((tx) => tx.run(insert('once')), {
    lastStatements: () => {
      throw new Error('it cannot be written')
    },
  })
  await expect(notMade).rejects.toThrow('it cannot be written')
  expect([await names(), await connection()]).toEqual(before)
})

test.each([
  ['duplicate key value violates unique constraint "names_pkey_102134"', isUniqueViolation],
  ['insert or update on table "invoices_102150" violates foreign key constraint "to_buyers"', isForeignKeyViolation],
  ['deadlock detected', isSerializationFailure],
  ['canceling statement due to lock timeout', isPassingFailure],
  ['canceling statement due to statement timeout', tookTooLong],
])('an internal error with the words of a worker is what the worker refused: %s', async (words, isKnown) => {
  const raised = (code: string) =>
    db.pool.query(`do $$ begin raise exception '${words}' using errcode = '${code}'; end $$`).catch((error) => error)
  expect(isKnown(await raised('XX000'))).toBe(true)
  expect(isKnown(await raised('22023'))).toBe(false)
})

test('if the connection breaks at the last statement, the outcome is unknown', async () => {
  const before = await names()
  const broken = db.transaction((tx) => tx.run(insert('lost')), {
    lastStatements: () => [sql`select pg_terminate_backend(pg_backend_pid())`],
  })
  await expect(broken).rejects.toThrow(CommitOutcomeUnknown)
  expect(await names()).toEqual(before)
})

test('a last statement that the client cannot send leaves the outcome unknown, and the rest is committed', async () => {
  const value = {
    toPostgres: () => {
      throw new Error('it cannot be sent')
    },
  }
  const unsendable = sql`select ${value as unknown as string}`
  const cut = db.transaction((tx) => tx.run(insert('without the last')), { lastStatements: () => [unsendable] })
  await expect(cut).rejects.toThrow(CommitOutcomeUnknown)
  expect(await names()).toContain('without the last')
})

test('a part of the body that continues after a failure writes nothing', async () => {
  let body: Tx | undefined
  const failing = db.transaction(async (tx) => {
    body = tx
    throw new Error('the other part failed')
  })
  await expect(failing).rejects.toThrow('the other part failed')
  await expect(body?.run(insert('late'))).rejects.toEqual(new Error('the transaction is over'))
  expect(await names()).not.toContain('late')
})

test('BEGIN is sent in one packet with the first statement, and COMMIT with the last', async () => {
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
      { lastStatements: () => [insert('first'), insert('second')] },
    )
    expect(link.packets() - before).toBe(3)
  } finally {
    await linked.end()
  }
})
