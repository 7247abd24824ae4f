import { firstIdAt } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import {
  clockSlackMs,
  compareCursors,
  type EventCursor,
  type EventRowAtCursor,
  eventColumns,
  eventFields,
  eventIn,
  type ReadEvent,
} from '../events/log-reader.store.ts'
import type { Consumer } from './consumer.ts'

const isSame = (one: EventCursor, other: EventCursor): boolean => compareCursors(one, other) === 0

/** Records of workers that no longer run expire after this time, so that an upgrade can be undone. */
const forgottenAfter = sql`interval '10 minutes'`

/**
 * Whether workers that follow these types may move a consumer. During an upgrade, workers of two versions share its cursor. The older ones
 * know fewer types and would skip events that the newer ones want, so they leave the consumer to the newer ones.
 */
const followsEnough = (on: Consumer['on']): Sql =>
  sql`(follows is null or follows <@ ${on}::text[] or follows_seen_at < now() - ${forgottenAfter})`

/** Records which types this worker follows. The worker repeats this every minute. */
export async function saveFollows(db: Queryable, { name, on }: Pick<Consumer, 'name' | 'on'>): Promise<void> {
  await db.run(sql`
    update event_cursors set follows = ${on}::text[], follows_seen_at = now() where consumer = ${name} and ${followsEnough(on)}`)
}

/** Creates the cursor of a new consumer. A known consumer keeps its cursor. */
export async function insertCursor(db: Queryable, { name, startsAt }: Consumer): Promise<void> {
  if (startsAt === 'oldest')
    await db.run(sql`
      insert into event_cursors (consumer, era, xid, seq, from_id) values (${name}, 0, '0', 0, ${firstIdAt(0)}) on conflict do nothing`)
  // Every later commit has a transaction id at or above the oldest transaction that is still running.
  else
    await db.run(sql`
      insert into event_cursors (consumer, era, xid, seq, from_id)
      select ${name}, era, settled_before(), 0, ${firstIdAt(Date.now() - clockSlackMs)} from event_era
      on conflict do nothing`)
}

export interface Scan {
  readonly from: EventCursor
  readonly to: EventCursor
  /** the examined events that the consumer wants */
  readonly events: readonly ReadEvent[]
  /** no event is left after these */
  readonly isEnd: boolean
}

interface ReachedRow {
  readonly fromEra: number
  readonly fromXid: string
  readonly fromSeq: bigint
  /** null if there was no event to examine */
  readonly toEra: number | null
  readonly toXid: string
  readonly toSeq: bigint
  readonly lookedThrough: bigint
}

/** The range that was read, with each wanted event, or with none. */
type ScannedRow = ReachedRow & (EventRowAtCursor | { readonly [Field in keyof EventRowAtCursor]: null })

/**
 * Events after a consumer's cursor whose order is final. Events of transactions at or above the oldest running one are left for later: that
 * transaction may still commit earlier events. Empty while the consumer waits after a failure, or while workers of a newer version move it.
 */
export async function scanFromCursor(
  db: Queryable,
  { name, on }: Pick<Consumer, 'name' | 'on'>,
  limit: number,
): Promise<Scan | undefined> {
  const rows = await db.rows<ScannedRow>(sql`
    with place as materialized (
      select era, xid, seq, from_id from event_cursors
       where consumer = ${name} and (retry_at is null or retry_at <= now()) and ${followsEnough(on)}),
    scanned as materialized (
      select ${eventFields} from events e
       where (e.era, e.xid, e.seq) > (select era, xid, seq from place)
         and (e.era, e.xid) < (select era, settled_before() from event_era)
         and e.id >= (select from_id from place)
       order by e.era, e.xid, e.seq limit ${limit}),
    reached as materialized (
      select era, xid, seq, (select count(*) from scanned) as looked_through from scanned order by era desc, xid desc, seq desc limit 1)
    select p.era as from_era, p.xid::text as from_xid, p.seq as from_seq, r.era as to_era, r.xid::text as to_xid, r.seq as to_seq, r.looked_through,
           ${eventColumns}
      from place p left join reached r on true left join scanned n on n.type = any (${on}::text[])
     order by n.era, n.xid, n.seq`)
  const [first] = rows
  if (!first) return undefined
  const from = { era: first.fromEra, xid: first.fromXid, seq: first.fromSeq }
  if (first.toEra === null) return { from, to: from, events: [], isEnd: true }
  return {
    from,
    to: { era: first.toEra, xid: first.toXid, seq: first.toSeq },
    // A single row without an event only says how far the query read.
    events: rows.filter((row): row is ReachedRow & EventRowAtCursor => row.eventId !== null).map(eventIn),
    isEnd: Number(first.lookedThrough) < limit,
  }
}

/** The same, but `undefined` if there is no event to examine. */
export async function scanEvents(
  db: Queryable,
  consumer: Pick<Consumer, 'name' | 'on'>,
  limit: number,
): Promise<Scan | undefined> {
  const scan = await scanFromCursor(db, consumer, limit)
  return scan && !isSame(scan.from, scan.to) ? scan : undefined
}

/** The name of a consumer and the types that this process follows for it. */
type ConsumerRef = Pick<Consumer, 'name' | 'on'>

/** The consumer's cursor; `undefined` while it waits after a failure. */
export function findCursor(db: Queryable, { name, on }: ConsumerRef): Promise<EventCursor | undefined> {
  return db.maybe(sql`
    select era, xid::text as xid, seq from event_cursors
     where consumer = ${name} and (retry_at is null or retry_at <= now()) and ${followsEnough(on)}`)
}

/** Whether the consumer is still at the cursor that was read. If so, no other process can move it until the transaction ends. */
export async function lockCursor(tx: Tx, { name, on }: ConsumerRef, from: EventCursor): Promise<boolean> {
  const held = await tx.maybe<EventCursor>(sql`
    select era, xid::text as xid, seq from event_cursors
     where consumer = ${name} and (retry_at is null or retry_at <= now()) and ${followsEnough(on)}
       for no key update skip locked`)
  return held !== undefined && isSame(held, from)
}

/** Whether no other process works for the consumer. If so, none can until the transaction ends. */
export async function lockConsumer(tx: Tx, consumer: string): Promise<boolean> {
  const held = await tx.maybe(sql`select from event_cursors where consumer = ${consumer} for no key update skip locked`)
  return held !== undefined
}

/** What is written when a consumer moves. */
export const cursorValues = (to: EventCursor, isEnd: boolean): Sql => sql`
  era = ${to.era}, xid = ${to.xid}::text::xid8, seq = ${to.seq}, failures = 0, failing_event = null, reason = null, retry_at = null, moved_at = now(),
  from_id = case when ${isEnd} then ${firstIdAt(Date.now() - clockSlackMs)}::uuid else from_id end`

/** Moves a consumer forward from the cursor that was read; returns false if it has moved meanwhile. */
export async function moveCursor(
  db: Queryable,
  { name, on }: ConsumerRef,
  { from, to, isEnd }: Pick<Scan, 'from' | 'to' | 'isEnd'>,
): Promise<boolean> {
  const moved = await db.run(sql`
    update event_cursors set ${cursorValues(to, isEnd)}
     where consumer = ${name} and era = ${from.era} and xid = ${from.xid}::text::xid8 and seq = ${from.seq} and ${followsEnough(on)}`)
  return moved === 1
}

const longestWaitMs = 60_000

/**
 * Records the event that a consumer fails on and makes the consumer wait, longer after each failure. Returns how often the event has
 * failed in all processes; `undefined` if another process has passed it meanwhile.
 */
export async function noteFailure(
  db: Queryable,
  consumer: string,
  from: EventCursor,
  eventId: string,
  reason: string,
  firstWaitMs = 1_000,
): Promise<number | undefined> {
  const noted = await db.maybe<{ failures: number }>(sql`
    update event_cursors
       set failures = failures + 1, failing_event = ${eventId}, reason = ${reason},
           retry_at = now() + least(${longestWaitMs}, ${firstWaitMs} * power(2, least(failures, 16))) * interval '1 millisecond'
     where consumer = ${consumer} and era = ${from.era} and xid = ${from.xid}::text::xid8 and seq = ${from.seq}
    returning failures`)
  return noted?.failures
}

/**
 * Lets a consumer continue after the event at which it waits. Returns false if it waits at another event or is already past this one:
 * moving back would repeat the later events.
 */
export async function skipEvent(tx: Tx, consumer: string, eventId: string, reason: string): Promise<boolean> {
  const skipped = await tx.run(sql`
    with failed as (
      select p.consumer, p.reason, e.organisation_id, e.id, e.era, e.xid, e.seq
        from event_cursors p join events e on e.id = p.failing_event
       where p.consumer = ${consumer} and p.failing_event = ${eventId} and (p.era, p.xid, p.seq) < (e.era, e.xid, e.seq) for no key update of p),
    noted as (
      insert into skipped_events (consumer, event_id, organisation_id, reason, failure)
      select consumer, id, organisation_id, ${reason}, reason from failed)
    update event_cursors p
       set era = f.era, xid = f.xid, seq = f.seq, failures = 0, failing_event = null, reason = null, retry_at = null, moved_at = now()
      from failed f where p.consumer = f.consumer`)
  return skipped === 1
}

export interface ConsumerState {
  readonly consumer: string
  readonly failures: number
  readonly failingEvent: string | null
  readonly reason: string | null
  /** the age of the oldest event that it has not read */
  readonly behindSeconds: number
  /** events that it failed on and set aside */
  readonly setAside: number
}

export function listConsumers(db: Queryable): Promise<ConsumerState[]> {
  return db.rows(sql`
    select p.consumer, p.failures, p.failing_event, p.reason, coalesce(extract(epoch from now() - e.created_at), 0)::float8 as behind_seconds,
           (select count(*)::int from set_aside_events s where s.consumer = p.consumer) as set_aside
      from event_cursors p left join lateral (
        select created_at from events e
         where (e.era, e.xid, e.seq) > (p.era, p.xid, p.seq) and e.id >= p.from_id order by e.era, e.xid, e.seq limit 1) as e on true
     order by p.consumer`)
}

/** Counting stops here: a larger number would not help an operator. */
const mostCounted = 10_000

/** How many events each consumer has not read, including events that it will not want. */
export function countUnread(db: Queryable): Promise<{ readonly consumer: string; readonly unread: number }[]> {
  return db.rows(sql`
    select p.consumer, e.unread from event_cursors p cross join lateral (
      select count(*)::int as unread from (
        select from events e
         where (e.era, e.xid, e.seq) > (p.era, p.xid, p.seq) and e.id >= p.from_id order by e.era, e.xid, e.seq limit ${mostCounted}) as first_ones) as e
     order by p.consumer`)
}
