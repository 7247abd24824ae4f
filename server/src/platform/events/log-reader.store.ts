import type { EventNotice } from '../../kernel/event-notice.ts'
import { firstIdAt, type OrganisationId } from '../../kernel/ids.ts'
import type { Queryable } from '../database/database.ts'
import { joined, orOnShards, type Sql, sql } from '../database/sql.ts'

/** An event as consumers get it. */
export interface ReadEvent extends EventNotice {
  /** its place in the log of its organisation: 1, 2, 3 without gaps */
  readonly position: number
  readonly actorId: string | null
  readonly createdAt: Date
  /** the payload; `version` says in which shape */
  readonly data: Readonly<Record<string, unknown>>
}

/** An event with its number in the order of writing, which is a hint: a transaction with a lower number may commit later. */
export interface WrittenEvent extends ReadEvent {
  readonly seq: bigint
}

export const eventColumns = sql`n.id as event_id, n.position::float8 as position, n.type, n.version, n.organisation_id, n.mode, n.object_id,
  n.object_version::float8 as object_version, n.actor_id, n.created_at, n.data`

/**
 * Ids begin with their creation time, a little before their transaction commits. A reader of the newest events skips the months before
 * yesterday. Clocks must not differ by a day or more.
 */
export const clockSlackMs = 24 * 3600_000
const recentIds = (): string => firstIdAt(Date.now() - clockSlackMs)

/** On a Citus cluster each server gives numbers of a range of its own: the upper bits are the number of the server. */
const bitsInRange = 48n
export const rangeOf = (seq: bigint): bigint => seq >> bitsInRange
export const startOf = (range: bigint): bigint => range << bitsInRange

/** The range of each server, in order. */
export async function listRanges(db: Queryable): Promise<bigint[]> {
  const servers = await db.rows<{ range: number }>(
    orOnShards(
      sql`select 0 as range`,
      sql`select groupid as range from pg_dist_node where noderole = 'primary' order by groupid`,
    ),
  )
  return servers.map(({ range }) => BigInt(range))
}

/** The highest number that an event has, in each range. */
export async function findLastSeqs(db: Queryable): Promise<bigint[]> {
  const ranges = await listRanges(db)
  return await Promise.all(
    ranges.map(startOf).map(async (start) => {
      const { seq } = await db.one<{ seq: bigint | null }>(
        sql`select max(seq) as seq from events where seq > ${start} and seq < ${startOf(rangeOf(start) + 1n)}`,
      )
      return seq ?? start
    }),
  )
}

/**
 * Events of all organisations in the order of writing, after a number of each range, and those of the missing numbers that have been
 * committed. With a number of only one range, that of the last server, also events of later servers.
 */
export function listWritten(
  db: Queryable,
  after: readonly bigint[],
  missing: readonly bigint[],
  limit: number,
): Promise<WrittenEvent[]> {
  const fromId = recentIds()
  const [only, another] = after
  const isAfter =
    another === undefined
      ? sql`n.seq > ${only}`
      : sql`(${joined(
          after.map((seq) => sql`n.seq > ${seq} and n.seq < ${startOf(rangeOf(seq) + 1n)}`),
          ' or ',
        )})`
  const next = sql`
    select n.seq, ${eventColumns} from events n where ${isAfter} and n.id >= ${fromId}::uuid order by n.seq limit ${limit}`
  if (missing.length === 0) return db.rows(next)
  const usual = sql`
    select n.* from unnest(${missing}::bigint[]) as m (seq) cross join lateral (
      select n.seq, ${eventColumns} from events n where n.seq = m.seq and n.id >= ${fromId}::uuid offset 0) as n
    union all (${next})`
  const onShards = sql`
    select n.seq, ${eventColumns} from events n where n.seq = any (${missing}::bigint[]) and n.id >= ${fromId}::uuid
    union all (${next})`
  return db.rows(orOnShards(usual, onShards))
}

/** A position in the log of one organisation. */
export interface LogPosition {
  readonly organisationId: OrganisationId
  readonly position: number
}

/** The next events of each of these organisations after a position, in order, up to a limit for each. */
export function listNext(db: Queryable, after: readonly LogPosition[], limitEach: number): Promise<ReadEvent[]> {
  const organisationIds = after.map(({ organisationId }) => organisationId)
  const given = sql`
    unnest(${organisationIds}::uuid[], ${after.map(({ position }) => position)}::bigint[])
      with ordinality as a (organisation_id, position, nth)`
  const usual = sql`
    select n.* from ${given} cross join lateral (
      select ${eventColumns} from events n
       where n.organisation_id = a.organisation_id and n.position > a.position order by n.position limit ${limitEach} offset 0) as n
     order by a.nth, n.position`
  // Positions have no gaps, so they limit the events of each organisation. Where months were dropped, the log begins later. Citus asks only
  // the servers of organisations that are named as a value for each table.
  const onShards = sql`
    select ${eventColumns} from ${given} join (
      select e.organisation_id, min(e.position) as position
        from events e join ${given} on e.organisation_id = a.organisation_id and e.position > a.position
       where e.organisation_id = any (${organisationIds}::uuid[])
       group by e.organisation_id) as first on first.organisation_id = a.organisation_id
      join events n on n.organisation_id = first.organisation_id
       and n.position >= first.position and n.position < first.position + ${limitEach}
     where n.organisation_id = any (${organisationIds}::uuid[])
     order by a.nth, n.position`
  return db.rows(orOnShards(usual, onShards))
}

/** Set-aside events of an organisation, which lie before the consumer's cursor although it has not taken them. Found by id. */
const eventsSetAside = (consumer: string, organisationId: OrganisationId): Sql => sql`
  select e.mode, e.type, e.object_id, e.actor_id, e.id, e.created_at
    from (select event_id from set_aside_events where organisation_id = ${organisationId} and consumer = ${consumer} offset 0) as aside
   cross join lateral (select e.* from events e where e.organisation_id = ${organisationId} and e.id = aside.event_id offset 0) as e`

/** A consumer's cursor in the log of an organisation, as a value. */
export const positionOf = (consumer: string, organisationId: OrganisationId): Sql => sql`
  coalesce((select position from consumer_cursors where organisation_id = ${organisationId} and consumer = ${consumer}), 0)`

/** Above every position. With two bounds the planner expects few events, and uses the index. With one it expects a third of them. */
const aboveAll = sql`9007199254740991`

/**
 * A piece of a query: the payloads of one organisation's events since a consumer's cursor, and of its set-aside events. Further conditions,
 * on ids too, stay outside (`offset 0`). Otherwise the generic plan may start from one of them and read all events of a day (27 ms for
 * 60,000 events). Asking every month's partition costs microseconds.
 */
export const eventsSince = (consumer: string, organisationId: OrganisationId): Sql => sql`
  select e.mode, e.type, e.object_id, e.actor_id, e.id, e.created_at
    from (select ${positionOf(consumer, organisationId)} as position offset 0) as cursor
   cross join lateral (
     select e.* from events e
      where e.organisation_id = ${organisationId} and e.position > cursor.position and e.position < ${aboveAll} order by e.position offset 0) as e
  union all ${eventsSetAside(consumer, organisationId)}`
