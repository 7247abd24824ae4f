import type { Database } from '../../server/src/platform/database/database.ts'
import { orOnShards, sql } from '../../server/src/platform/database/sql.ts'

const waitingHere = sql`
  select pid, query as statement from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const waitingOnShards = sql`
  ${waitingHere} union select (waiting_gpid % 10000000000)::int, blocked_statement from citus_lock_waits`

/** The connections that wait for a lock in such a statement. Needs the owner's rights on Citus, where the lock is on the server with the rows. */
export async function listLockWaits(owner: Database, statement = /^/): Promise<{ pid: number }[]> {
  const all = await owner.rows<{ pid: number; statement: string }>(orOnShards(waitingHere, waitingOnShards))
  return all.filter((wait) => statement.test(wait.statement)).map(({ pid }) => ({ pid }))
}
