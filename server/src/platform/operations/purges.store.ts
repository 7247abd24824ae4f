import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Deletes about this many of the oldest expired keys. Keys that expired at the same moment are deleted together. */
export async function purgeIdempotencyKeys(db: Queryable, now: Date, limit: number): Promise<number> {
  // As a text, because a date would lose the microseconds.
  const nth = sql`select expires_at::text from idempotency_keys order by expires_at offset ${limit - 1} limit 1`
  const until = (await db.maybe<{ expiresAt: string }>(nth))?.expiresAt ?? 'infinity'
  return await db.run(
    sql`delete from idempotency_keys where expires_at <= ${now} and expires_at <= ${until}::timestamptz`,
  )
}

/** Deletes about this many of the oldest settled exchanges. Rows that were settled at the same moment are deleted together. */
export function purgeExchanges(db: Queryable, settledBefore: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from exchanges
     where settled_at < ${settledBefore}
       and settled_at <= coalesce((select settled_at from exchanges where settled_at is not null order by settled_at offset ${limit - 1} limit 1), 'infinity')`)
}
