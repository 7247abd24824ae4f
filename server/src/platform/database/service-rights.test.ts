import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { silentLogger } from '../logger.ts'
import { bringUpToDate, MigrationsPending } from './bring-up-to-date.ts'
import { grantRights } from './service-rights.store.ts'

let database: TestDatabase
let service: pg.Client
let owner: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  service = new pg.Client(database.url)
  owner = new pg.Client(database.owner.url)
  await Promise.all([service.connect(), owner.connect()])
})
afterAll(() => Promise.all([service.end(), owner.end()]))

/** The error that the service's role gets; the attempt is rolled back. */
async function told(statement: string): Promise<string> {
  await service.query('begin')
  try {
    await service.query(statement)
    return 'done'
  } catch (error) {
    return (error as Error).message
  } finally {
    await service.query('rollback')
  }
}

test('the role of the service owns nothing', async () => {
  const { rows } = await service.query(`
    select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, current_user as name,
           (select count(*)::int from pg_class where relowner = pg_roles.oid) as owns,
           (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships
      from pg_roles where rolname = current_user`)
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      name: inject('serviceRole'),
      owns: 0,
      memberships: 0,
    },
  ])
})

const nobody = '00000000-0000-7000-8000-000000000000'

describe('the role cannot', () => {
  test.each([
    ['make a table', 'create table mine (id int)'],
    ['make a function', 'create function mine() returns int language sql as $$ select 1 $$'],
    ['make a schema', 'create schema mine'],
    ['make a role', 'create role mine'],
    ['change a table', 'alter table users add column shoe_size int'],
    ['give itself rights', 'grant delete on users to risiti_app; delete from users'],
    ['switch a trigger off', 'alter table credit_moves disable trigger credit_moves_are_append_only'],
    ['drop a trigger', 'drop trigger credit_moves_are_append_only on credit_moves'],
    ['switch all triggers off', 'set session_replication_role = replica'],
    ['empty a table', 'truncate mailbox'],
    ['drop a table', 'drop table mailbox'],
    ['rewrite the ledger', 'update credit_moves set amount = 1'],
    ['take out of the ledger', 'delete from credit_moves'],
    ['rewrite what happened', `update events set data = '{}'`],
    ['take back what happened', 'delete from events'],
    ['reach a month of it past the table', 'delete from events_elsewhen'],
    ['count numbers back', `select setval('events_seq', 1)`],
    ['forget people', 'delete from users'],
    ['forget numbers that were given', 'delete from invoice_numbers'],
    ['lead a hash to another key', `update api_key_hashes set key_id = '${nobody}'`],
    ['forget which key a hash names', 'delete from api_key_hashes'],
    ['lead a token to another link', `update invoice_share_tokens set share_id = '${nobody}'`],
    ['change a fingerprint of the key file', `update secret_keys set fingerprint = ''`],
    ['say that a migration was made', `insert into schema_migrations values ('x', 'x')`],
    ['read the passwords of roles', 'select rolpassword from pg_authid'],
    ['read files', `select pg_read_file('postgresql.conf')`],
    ['run programs', `copy (select 1) to program 'true'`],
  ])('%s', async (_, statement) => {
    expect(await told(statement)).toMatch(/permission denied|must be owner|must be superuser/)
  })
})

test('the role can do what the service needs', async () => {
  for (const statement of [
    'select count(*) from schema_migrations',
    `insert into mailbox (id, channel, recipient, sealed_body, created_at) values (gen_random_uuid(), 'email', 'x', 'x', now())`,
    'delete from mailbox',
    `insert into schedule (job, due_at) values ('some-job', now())`,
    'delete from schedule',
  ])
    expect([statement, await told(statement)]).toEqual([statement, 'done'])
})

test('the rights on new tables follow their triggers, and partitions are reached only through their table', async () => {
  const role = inject('serviceRole')
  await owner.query(`
    create table plain (id int);
    create view seen as select id from plain;
    create table record (id int, note text) partition by range (id);
    create table record_1 partition of record for values from (1) to (10);
    create trigger stays before delete or update of id on record for each row execute function refuse_to_rewrite_events();
    create function for_us_alone() returns int language sql as $$ select 1 $$;
    revoke execute on function for_us_alone from public;
    grant all on plain, seen, record, record_1 to ${role};
    grant create on schema public to ${role}`)
  await grantRights(owner, role)
  const rights = async (table: string) =>
    (
      await owner.query<{ right: string }>(
        `select lower(privilege_type) as right from information_schema.role_table_grants
          where grantee = $1 and table_name = $2 order by 1`,
        [role, table],
      )
    ).rows.map(({ right }) => right)
  expect(await rights('plain')).toEqual(['delete', 'insert', 'select', 'update'])
  expect(await rights('seen')).toEqual(['select'])
  expect(await told('create table mine (id int)')).toContain('permission denied')
  expect(await rights('record')).toEqual(['insert', 'select'])
  expect(await rights('record_1')).toEqual([])
  expect(await told(`insert into record values (1, 'x'); update record set note = 'y'; select for_us_alone()`)).toBe(
    'done',
  )
  expect(await told('update record set id = 2')).toContain('permission denied')
  expect(await told('delete from record_1')).toContain('permission denied')
  await owner.query('drop view seen; drop table plain, record; drop function for_us_alone')
})

describe('a service without an owner URL', () => {
  test('works with a database that is up to date', async () => {
    await bringUpToDate({ service: database.url }, silentLogger)
  })

  test('reports missing rights, as after a restore without them', async () => {
    const role = inject('serviceRole')
    await owner.query(`revoke all on users, mailbox from ${role}`)
    await expect(bringUpToDate({ service: database.url }, silentLogger)).rejects.toThrow(
      'The role of DATABASE_URL was given no rights to 2 tables, from mailbox on.\nSet MIGRATION_DATABASE_URL',
    )
    await bringUpToDate({ service: database.url, owner: database.owner.url }, silentLogger)
    await bringUpToDate({ service: database.url }, silentLogger)
    expect(await told('select from users')).toBe('done')
  })

  test('reports what is missing, and changes nothing', async () => {
    const { rows } = await owner.query('delete from schema_migrations returning *')
    const lacking = rows.length === 1 ? '0001_schema.sql' : `${rows.length} migrations, from 0001_schema.sql on`
    const starting = bringUpToDate({ service: database.url }, silentLogger)
    await expect(starting).rejects.toThrow(MigrationsPending)
    await expect(starting).rejects.toThrow(
      `The database lacks ${lacking}, and the role of DATABASE_URL may not make them.\nSet MIGRATION_DATABASE_URL`,
    )
    for (const { name, checksum } of rows)
      await owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
  })
})
