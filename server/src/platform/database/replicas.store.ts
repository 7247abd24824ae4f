import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/** A position in PostgreSQL's write-ahead log, in bytes. Every commit has one, and a standby replays the log in this order. */
export type WalPosition = bigint

/** How far a server is. Positions can only be compared on one timeline: after a failover, a new one branches off. */
export interface LogState {
  readonly position: WalPosition
  readonly timeline: number
}

/** Everything that was ever visible on the primary is before this position: a commit is flushed before anybody sees it. */
export function readFlushed(primary: Queryable): Promise<LogState> {
  // A segment is named after its timeline. The control file has a new timeline only after the next checkpoint.
  return primary.one<LogState>(sql`
    select (position - '0/0')::bigint as position, ('x' || left(pg_walfile_name(position), 8))::bit(32)::int as timeline
      from pg_current_wal_flush_lsn() as position`)
}

/** Tells two servers apart behind one address, a server from itself after a restart, and a standby from the primary that it became. */
export interface ServerIdentity {
  readonly isStandby: boolean
  readonly startedAt: string
}
const identity = sql`pg_is_in_recovery() as is_standby, pg_postmaster_start_time()::text as started_at`

export interface ReplayState extends ServerIdentity {
  /** everything before this position is visible on the standby */
  readonly position: WalPosition
}

export function readReplayed(standby: Queryable): Promise<ReplayState> {
  return standby.one<ReplayState>(
    sql`select coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint as position, ${identity}`,
  )
}

export interface ServerFacts extends ServerIdentity {
  /** the same for a primary and all its standbys */
  readonly systemId: string
  /** a timeline that the server has certainly reached; it may know of a new one only some minutes later */
  readonly timeline: number
}

export function readServerFacts(db: Queryable): Promise<ServerFacts> {
  return db.one(sql`
    select ${identity}, system.system_identifier::text as system_id,
           greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline) as timeline
      from pg_control_system() as system, pg_control_checkpoint() as checkpoint, pg_control_recovery() as recovery`)
}
