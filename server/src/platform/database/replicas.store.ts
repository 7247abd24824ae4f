import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/** A position in PostgreSQL's write-ahead log, in bytes. Every commit has one, and a standby replays the log in this order. */
export type WalPosition = bigint

/** Everything that was ever visible on the primary is before this position: a commit is flushed before anybody sees it. */
export async function readFlushedPosition(primary: Queryable): Promise<WalPosition> {
  const { position } = await primary.one<{ position: WalPosition }>(
    sql`select (pg_current_wal_flush_lsn() - '0/0')::bigint as position`,
  )
  return position
}

/** Everything before this position is visible on the standby. */
export async function readReplayedPosition(standby: Queryable): Promise<WalPosition> {
  const { position } = await standby.one<{ position: WalPosition }>(
    sql`select coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint as position`,
  )
  return position
}

export interface ServerFacts {
  readonly isStandby: boolean
  /** the same for a primary and all its standbys */
  readonly systemId: string
  /** tells two servers apart behind one address, and a server from itself after a restart */
  readonly startedAt: string
}

export function readServerFacts(db: Queryable): Promise<ServerFacts> {
  return db.one(sql`
    select pg_is_in_recovery() as is_standby, system_identifier::text as system_id, pg_postmaster_start_time()::text as started_at
      from pg_control_system()`)
}
