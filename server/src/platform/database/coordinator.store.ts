import type pg from 'pg'

/** Lets a connection to a Citus coordinator plan statements for their values. Returns false for every other server. */
export async function plansForValues(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    `select set_config('plan_cache_mode', 'auto', false) where to_regclass('pg_catalog.pg_dist_partition') is not null`,
  )
  return rows.length > 0
}
