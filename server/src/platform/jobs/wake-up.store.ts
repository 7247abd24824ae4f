import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Notifies every listening process. */
export async function notifyOthers(db: Queryable, topics: readonly string[]): Promise<void> {
  await db.run(sql`select pg_notify('risiti_work', ${topics.join(' ')})`)
}

export async function listenToOthers(db: Queryable): Promise<void> {
  await db.run(sql`listen risiti_work`)
}
