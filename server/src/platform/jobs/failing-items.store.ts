import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

export interface FailingItem {
  /** the log name of the failure */
  readonly problem: string
  readonly item: string
  readonly organisationId: string | null
  readonly mode: string | null
  readonly reason: string
}

/** Counts one more failure of an item. */
export async function saveFailing(db: Queryable, failing: FailingItem): Promise<void> {
  const { problem, item, organisationId, mode, reason } = failing
  await db.run(sql`
    insert into failing_items as f (problem, item, organisation_id, mode, reason)
    values (${problem}, ${item}, ${organisationId}, ${mode}, ${reason})
    on conflict (problem, item) do update set failures = f.failures + 1, reason = excluded.reason, last_at = now()`)
}

/** The most rows that are read. The others are deleted after a week without a failure. */
const mostKnown = 10_000

/** The items that failed before. */
export async function listFailing(db: Queryable, problem: string): Promise<Set<string>> {
  const rows = await db.rows<{ item: string }>(
    sql`select item from failing_items where problem = ${problem} order by last_at desc limit ${mostKnown}`,
  )
  return new Set(rows.map(({ item }) => item))
}

/** The item was done at last. */
export async function removeFailing(db: Queryable, problem: string, item: string): Promise<void> {
  await db.run(sql`delete from failing_items where problem = ${problem} and item = ${item}`)
}

export function countFailing(db: Queryable): Promise<{ readonly problem: string; readonly count: number }[]> {
  return db.rows(sql`select problem, count(*)::int as count from failing_items group by problem order by problem`)
}

/** Deletes items that have not failed since: they are no longer due. */
export function purgeFailing(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from failing_items
     where (problem, item) in (select problem, item from failing_items where last_at < ${before} order by last_at limit ${limit})`)
}
