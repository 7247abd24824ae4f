import pg from 'pg'
import { expect } from 'vitest'
import type { Database, Queryable } from '../../server/src/platform/database/database.ts'
import { identifier, joined, sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { type Issuer, issuer } from './invoices.ts'

const mostTries = 60

/** An organisation for whose rows and for those of this one a statement can be shared. */
export async function issuerBeside(app: TestApp, { organisationId }: Issuer): Promise<Issuer> {
  const { db } = app.runtime
  const isDistributed = await db.isDistributed()
  for (let tries = 0; tries < mostTries; tries++) {
    const other = await issuer(app)
    const shards = isDistributed
      ? await app.owner.one<{ areTogether: boolean }>(sql`
          select get_shard_id_for_distribution_column('events', ${organisationId}::uuid)
               = get_shard_id_for_distribution_column('events', ${other.organisationId}::uuid) as are_together`)
      : { areTogether: true }
    if (shards.areTogether) return other
  }
  throw new Error('no organisation got the same shard')
}

/** Lets statements that Citus would refuse read copies of these tables, in one transaction. On one PostgreSQL they read the tables. */
export async function inCopies<Result>(
  db: Database,
  tables: readonly string[],
  ask: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  if (!(await db.isDistributed())) return await ask(db)
  return await db.transaction(async (tx) => {
    for (const table of tables) {
      const name = identifier(table)
      await tx.run(sql`create temporary table ${name} (like public.${name} including indexes) on commit drop`)
      await tx.run(sql`insert into pg_temp.${name} select * from public.${name}`)
    }
    return await ask(tx)
  })
}

/** Makes a table with rows that refer to rows of an organisation. Its columns begin with that of the organisation. */
export async function createReferringTable(
  owner: Database,
  table: string,
  columns: readonly string[],
  referred: string,
): Promise<void> {
  const [name, target] = [identifier(table), identifier(referred)]
  const [own, theirs] = [columns, [...columns.slice(0, -1), 'id']].map((names) => joined(names.map(identifier), ', '))
  const typed = columns.map((column) => sql`${identifier(column)} ${column === 'mode' ? sql`text` : sql`uuid`}`)
  await owner.run(sql`create table ${name} (${joined(typed, ', ')})`)
  if (await owner.isDistributed())
    await owner.run(sql`select create_distributed_table(${table}, 'organisation_id', colocate_with => 'buyers')`)
  await owner.run(sql`alter table ${name} add foreign key (${own}) references ${target} (${theirs})`)
}

/** The Citus cluster below an app. */
export function cluster(app: TestApp) {
  /** the port of the server with the rows of an organisation, as the coordinator sees it */
  const portOf = async (organisationId: string): Promise<number> =>
    (
      await app.owner.one<{ port: number }>(sql`
        select nodeport as port from pg_dist_shard_placement
         where shardid = get_shard_id_for_distribution_column('events', ${organisationId}::uuid)`)
    ).port
  return {
    portOf,
    /** So many organisations on each worker: `near` is the first one. */
    async ownersOnBoth(many: number): Promise<{ near: Issuer[]; far: Issuer[] }> {
      const { first } = await app.owner.one<{ first: number }>(
        sql`select nodeport as first from pg_dist_node where groupid > 0 order by groupid limit 1`,
      )
      const near: Issuer[] = []
      const far: Issuer[] = []
      for (let tries = 0; tries < mostTries && (near.length < many || far.length < many); tries++) {
        const own = await issuer(app)
        const side = (await portOf(own.organisationId)) === first ? near : far
        if (side.length < many) side.push(own)
      }
      return { near, far }
    },
    /** Moves the shard of an organisation to the other worker, with those that belong to it, while the service writes. */
    async moveShardOf(organisationId: string): Promise<void> {
      const client = new pg.Client({ connectionString: app.database.owner.url })
      await client.connect()
      await client.query(
        `select citus_move_shard_placement(here.shardid, here.nodeid, there.nodeid)
           from (select p.shardid, n.nodeid from pg_dist_placement p join pg_dist_node n using (groupid)
                  where p.shardid = get_shard_id_for_distribution_column('events', $1::uuid)) as here
           join pg_dist_node there on there.groupid > 0 and there.nodeid <> here.nodeid`,
        [organisationId],
      )
      await client.end()
    },
    inCopies: <Result>(tables: readonly string[], ask: (db: Queryable) => Promise<Result>): Promise<Result> =>
      inCopies(app.owner, tables, ask),
    /** Ends what a broken connection left prepared, as Citus does once a minute. */
    recovered: () =>
      eventually(async () => {
        await app.owner.run(sql`select recover_prepared_transactions()`)
        const { left } = await app.owner.one<{ left: number }>(sql`
          select coalesce(sum(result::int), 0)::int as left
            from run_command_on_workers('select count(*) from pg_prepared_xacts where database = current_database()')`)
        expect(left).toBe(0)
      }),
  }
}
