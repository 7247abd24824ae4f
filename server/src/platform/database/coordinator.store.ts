import type pg from 'pg'

/** Lets a connection to distributed tables plan statements for their values. Returns false for every other database. */
export async function plansForValues(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    `select set_config('plan_cache_mode', 'auto', false) where to_regproc('public.run_on_shard') is not null`,
  )
  return rows.length > 0
}
