import pg from 'pg'
import { asQueryable, type Database, type Queryable } from '../database/database.ts'
import { lockNumber } from '../database/migrations.store.ts'
import { sql } from '../database/sql.ts'
import { shardFunctions } from './shard-statements.store.ts'
import { distributedTables, localTables, referenceTables, type TablePlace } from './table-places.ts'

/** A reason not to distribute, worded for the operator. */
export class NotDistributable extends Error {
  override readonly name = 'NotDistributable'
}

/** A reason not to start on a cluster, worded for the person who starts the service. */
export class DistributionPending extends Error {
  override readonly name = 'DistributionPending'
}

/** Tables that this run moved to their place, and how many stood there already. */
export interface DistributionResult {
  readonly moved: readonly { readonly table: string; readonly place: TablePlace }[]
  readonly alreadyThere: number
}

/** Tells what is done at the moment; large tables take long. */
export type Progress = (step: string) => void

const quoted = (name: string): string => pg.escapeIdentifier(name)

async function namesOf(client: pg.ClientBase, query: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query, values)
  return rows.map(({ name }) => name)
}

/** What must hold before a table can move. */
async function checkCluster(client: pg.ClientBase): Promise<void> {
  const extension = await client.query(`select 1 from pg_catalog.pg_extension where extname = 'citus'`)
  if (extension.rowCount === 0)
    throw new NotDistributable(
      'This database has no Citus. Install Citus on every server, run "create extension citus" in the database of each, and add the workers with citus_add_node().',
    )
  const { rows } = await client.query<{ workers: number; knowsItself: boolean }>(`
    select count(*) filter (where groupid <> 0 and isactive)::int as workers, coalesce(bool_or(groupid = 0), false) as "knowsItself"
      from pg_catalog.pg_dist_node where noderole = 'primary'`)
  const { workers, knowsItself } = (rows as [{ workers: number; knowsItself: boolean }])[0]
  if (!knowsItself)
    throw new NotDistributable(
      'The coordinator does not know its own address, which the workers need: call citus_set_coordinator_host() on it.',
    )
  if (workers === 0) throw new NotDistributable('The coordinator has no workers: add them with citus_add_node().')
  const { rowCount: missing } = await client.query(`select 1 where to_regclass('public.schema_migrations') is null`)
  if (missing) throw new NotDistributable('The database has no tables yet: run npm run migrate first.')
}

/** Tables with the place that Citus gives them; a table that Citus does not know is local. */
async function readPlaces(db: Pick<Queryable, 'rows'>): Promise<ReadonlyMap<string, TablePlace>> {
  const rows = await db.rows<{ name: string; place: TablePlace }>(sql`
    select c.relname::text as name,
           case when p.partmethod = 'h' then 'distributed' when p.partmethod = 'n' and p.repmodel = 't' then 'reference' else 'local' end as place
      from pg_class c left join pg_catalog.pg_dist_partition p on p.logicalrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
  return new Map(rows.map(({ name, place }) => [name, place]))
}

const alwaysEmpty = 'in_two_phases'

type Places = ReadonlyMap<string, TablePlace>
const elsewhere = (places: Places, tables: readonly string[], place: TablePlace): string[] =>
  tables.filter((name) => places.has(name) && places.get(name) !== place)

/** Local tables that Citus does not know and that lack the trigger by which it notices writes to them. */
async function listWithoutTrigger(db: Pick<Queryable, 'rows'>): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relname = any (${localTables}::text[])
       and not exists (select from pg_catalog.pg_dist_partition p where p.logicalrelid = c.oid)
       and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = ${alwaysEmpty}) order by 1`)
  return rows.map(({ name }) => name)
}

/**
 * Refuses to start on a cluster whose tables are not all in their place, as after a migration. Statements would fail, and a local table
 * without its trigger could lose jobs. One PostgreSQL is asked nothing.
 */
export async function checkPlaces(db: Pick<Database, 'isDistributed' | 'rows'>): Promise<void> {
  if (!(await db.isDistributed())) return
  const places = await readPlaces(db)
  const pending = [
    ...elsewhere(places, referenceTables, 'reference'),
    ...elsewhere(places, distributedTables, 'distributed'),
    ...elsewhere(places, localTables, 'local'),
    ...(await listWithoutTrigger(db)),
  ]
  if (pending.length === 0) return
  const what =
    pending.length === 1 ? `The table ${pending[0]} is` : `${pending.length} tables (such as ${pending[0]}) are`
  throw new DistributionPending(
    `${what} not set up for the Citus cluster.\nStop every node, set MIGRATION_DATABASE_URL to the owner's connection and run: npm run citus:distribute`,
  )
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Foreign keys from or to these tables, except those between reference tables. */
async function listForeignKeys(client: pg.ClientBase, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select t.relname::text as table, conname::text as name, pg_get_constraintdef(k.oid) as definition
       from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where k.contype = 'f' and k.conparentid = 0 and t.relnamespace = 'public'::regnamespace
        and (t.relname = any ($1::text[]) or f.relname = any ($1::text[])) order by 1, 2`,
    [tables],
  )
  return rows
}

interface Trigger {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/**
 * Triggers of these tables that an insert would call. Citus copies rows with inserts, so they would write again what they wrote for these
 * rows before. Triggers of partitions belong to their tables.
 */
async function listInsertTriggers(client: pg.ClientBase, tables: readonly string[]): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `select t.relname::text as table, g.tgname::text as name, pg_get_triggerdef(g.oid) as definition
       from pg_trigger g join pg_class t on t.oid = g.tgrelid
      where not g.tgisinternal and g.tgparentid = 0 and g.tgtype & 4 > 0
        and t.relnamespace = 'public'::regnamespace and t.relname = any ($1::text[]) order by 1, 2`,
    [tables],
  )
  return rows
}

/**
 * Settings of the database on every server. Triggers of a row work on rows of the same organisation, which are on the same server. Several
 * shards are written one after the other, because Citus refuses other orders beside foreign keys to reference tables. So they are written in
 * one order, and need no lock of whole shards, for which consumers would wait for one another.
 */
const settings = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.enable_deadlock_prevention': 'off',
  // As on connections of the service: the coordinator opens those to the workers.
  jit: 'off',
}

/** The statements that save the settings. A copy of a database does not have those of its template. */
export const settingsOf = (database: string): string[] =>
  Object.entries(settings).map(([name, value]) => `alter database ${quoted(database)} set ${name} = '${value}'`)

async function saveSettings(client: pg.ClientBase): Promise<void> {
  const [database] = await namesOf(client, 'select current_database()::text as name')
  for (const statement of settingsOf(database as string)) await client.query(statement)
  for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = '${value}'`)
}

/** Triggers call functions, so every server needs all of ours. */
async function distributeFunctions(client: pg.ClientBase): Promise<void> {
  for (const statement of shardFunctions) await client.query(statement)
  const functions = await namesOf(
    client,
    `select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
        and not exists (select from pg_catalog.pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
      order by 1`,
  )
  for (const name of functions) await client.query('select create_distributed_function($1)', [name])
  await client.query(
    `select create_distributed_function('run_on_shard(uuid, uuid[], text, text, text[])', '$1', colocate_with => 'events')`,
  )
}

/**
 * A transaction that writes on a worker and on the coordinator commits in two phases only if Citus knows the table of the coordinator.
 * Otherwise the worker would commit first, and a coordinator that dies then would lose the rest, such as a job. But Citus refuses some
 * statements on tables that it knows. So it knows an empty table, and each write to a local table also writes nothing there.
 */
async function joinLocalTables(client: pg.ClientBase): Promise<void> {
  const [there] = await namesOf(client, `select relname::text as name from pg_class where oid = to_regclass($1)`, [
    `public.${alwaysEmpty}`,
  ])
  if (!there) {
    await client.query(`
      create table ${alwaysEmpty} (is_row boolean);
      comment on table ${alwaysEmpty} is 'machinery: an empty table by which Citus notices writes on the coordinator'`)
    await client.query('select citus_add_local_table_to_metadata($1)', [`public.${alwaysEmpty}`])
  }
  await client.query(`
    create or replace function commit_in_two_phases() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp
      as $$ begin delete from ${alwaysEmpty} where is_row; return null; end $$`)
  for (const table of await listWithoutTrigger(asQueryable(client)))
    await client.query(`
      create or replace trigger in_two_phases after insert or update or delete on public.${quoted(table)}
        for each statement execute function commit_in_two_phases()`)
}

async function moveTables(client: pg.ClientBase, tell: Progress): Promise<DistributionResult> {
  const places = await readPlaces(asQueryable(client))
  const known = new Set([...distributedTables, ...referenceTables, ...localTables, alwaysEmpty])
  const unknown = [...places.keys()].filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new NotDistributable(
      `This version does not know the place of ${unknown.join(', ')}. Run the version that made the tables.`,
    )
  const references = elsewhere(places, referenceTables, 'reference')
  const distributed = elsewhere(places, distributedTables, 'distributed')
  const taken = [
    ...[...references, ...distributed].filter((name) => places.get(name) !== 'local'),
    ...elsewhere(places, localTables, 'local'),
  ]
  if (taken.length > 0)
    throw new NotDistributable(
      `Citus has ${taken.join(', ')} as the wrong kind of table. Run undistribute_table for it on the coordinator, then try again.`,
    )

  const keys = await listForeignKeys(client, [...references, ...distributed])
  tell(`${keys.length} foreign keys are taken away until the tables have moved`)
  for (const { table, name } of keys)
    await client.query(`alter table public.${quoted(table)} drop constraint ${quoted(name)}`)
  const triggers = await listInsertTriggers(client, [...references, ...distributed])
  for (const { table, name } of triggers) await client.query(`drop trigger ${quoted(name)} on public.${quoted(table)}`)
  for (const [at, table] of references.entries()) {
    tell(`copying ${table} to every server (${at + 1} of ${references.length})`)
    await client.query('select create_reference_table($1)', [`public.${table}`])
  }
  const [first] = distributedTables
  for (const [at, table] of distributed.entries()) {
    tell(`distributing ${table} (${at + 1} of ${distributed.length})`)
    const beside = table === first ? 'none' : `public.${first}`
    await client.query(`select create_distributed_table($1, 'organisation_id', colocate_with => $2)`, [
      `public.${table}`,
      beside,
    ])
  }
  await distributeFunctions(client)
  for (const { definition } of triggers) await client.query(definition)
  for (const [at, { table, name, definition }] of keys.entries()) {
    tell(`checking ${name} (${at + 1} of ${keys.length})`)
    await client.query(`alter table public.${quoted(table)} add constraint ${quoted(name)} ${definition}`)
  }
  await joinLocalTables(client)
  return {
    moved: [
      ...references.map((table) => ({ table, place: 'reference' as const })),
      ...distributed.map((table) => ({ table, place: 'distributed' as const })),
    ],
    alreadyThere: [...places].filter(([name, place]) => place !== 'local' && known.has(name)).length,
  }
}

/**
 * Moves every table to its place, as the owner of the tables. One transaction: if the process ends before, nothing has changed. All writes
 * wait meanwhile. A later run moves only tables that are not yet in their place, such as those of a later version.
 */
export async function distribute(connection: string, tell: Progress): Promise<DistributionResult> {
  const client = new pg.Client({ connectionString: connection, application_name: 'risiti distribute' })
  client.on('error', () => {}) // the running statement fails too
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    await checkCluster(client)
    await client.query('begin')
    try {
      await saveSettings(client)
      const result = await moveTables(client, tell)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  } finally {
    await client.end()
  }
}
