import type { Queryable } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'

export const insertingAuthChanges = (subjects: readonly string[]): Sql => sql`
  with written as (insert into auth_changes (subject) select unnest(${subjects}::text[]) returning 1)
  select pg_notify('auth_changes', '') from (select count(*) from written) as once`

export interface ChangesSince {
  readonly subjects: string[]
  readonly horizon: string
}

/**
 * The changes since the last poll, and where the next poll begins. A sequence number would miss a transaction that took its number early
 * and committed late. So every transaction at or above the oldest running one is read again.
 */
export function readAuthChanges(db: Queryable, horizon: string | undefined): Promise<ChangesSince> {
  return db.one(sql`
    select coalesce((select array_agg(distinct subject) from auth_changes where xid >= ${horizon ?? null}::text::xid8), '{}') as subjects,
           pg_snapshot_xmin(pg_current_snapshot())::text as horizon`)
}

export function purgeAuthChanges(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from auth_changes where seq in (
      select seq from auth_changes where changed_at < ${before} order by seq limit ${limit})`)
}
