import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { silentLogger } from '../logger.ts'
import { bringUpToDate } from './bring-up-to-date.ts'
import { UnsupportedDatabase } from './migrations.store.ts'

/** A database as versions before 1.0.0 left it, with a table of theirs and a row in it. */
let url: string
let client: pg.Client
beforeAll(async () => {
  url = (await createTestDatabase({ isEmpty: true })).owner.url
  client = new pg.Client(url)
  await client.connect()
  await client.query(`
    create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now());
    insert into schema_migrations (name, checksum) values ('0001_machinery.sql', 'a'), ('0002_messages.sql', 'b');
    create table outbox (job text not null);
    insert into outbox (job) values ('send-message')`)
})
afterAll(() => client.end())

const everything = async () => {
  const { rows: tables } = await client.query(
    `select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`,
  )
  const { rows: outbox } = await client.query('select job from outbox')
  const { rows: applied } = await client.query('select name from schema_migrations order by name')
  return { tables, outbox, applied }
}

test.each([
  ['the owner', () => bringUpToDate({ service: url, owner: url }, silentLogger)],
  ['the service', () => bringUpToDate({ service: url }, silentLogger)],
])('data from before 1.0.0 is refused with a message, and %s changes nothing', async (_, start) => {
  const before = await everything()
  const starting = start()
  await expect(starting).rejects.toThrow(UnsupportedDatabase)
  await expect(starting).rejects.toThrow(/before 1\.0\.0 .*Nothing in it was changed.*set DATABASE_URL/s)
  expect(await everything()).toEqual(before)
})
