import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Adds to the granted amount of a window and returns the new total. */
export async function addToWindow(db: Queryable, subject: string, windowEnd: Date, amount: number): Promise<number> {
  const { used } = await db.one<{ used: number }>(sql`
    insert into rate_windows as w (subject, window_end, used) values (${subject}, ${windowEnd}, ${amount})
    on conflict (subject, window_end) do update set used = w.used + excluded.used
    returning used`)
  return used
}

/** Deletes about this many of the oldest ended windows. Windows that ended at the same moment are deleted together. */
export function purgeRateWindows(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from rate_windows
     where window_end < ${before}
       and window_end <= coalesce((select window_end from rate_windows order by window_end offset ${limit - 1} limit 1), 'infinity')`)
}
