import type pg from 'pg'
import { type Sql, sql } from './sql.ts'

/** On a connection to a Citus coordinator, statements are planned for their values from now on. Returns whether it is one. */
export async function planForValuesOnCoordinator(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    `select set_config('plan_cache_mode', 'auto', false) where to_regproc('public.run_on_shard') is not null`,
  )
  return rows.length > 0
}

/** Finds the shard with the rows of an organisation. The coordinator knows it without asking a worker. */
export const shardOf = (organisationId: string): Sql =>
  sql`select get_shard_id_for_distribution_column('events', ${organisationId}::uuid) as shard`
