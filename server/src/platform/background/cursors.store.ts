import type { OrganisationId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { orOnShards, type Sql, sql } from '../database/sql.ts'
import { onTheirShards } from '../database/their-shards.store.ts'
import type { LogPosition } from '../events/log-reader.store.ts'
import type { Consumer } from './consumer.ts'

/** The name of a consumer and the types that this process follows for it. */
export type ConsumerRef = Pick<Consumer, 'name' | 'on'>

/** Records of workers that no longer run expire after this time, so that an upgrade can be undone. */
const forgottenAfter = sql`interval '10 minutes'`

/**
 * Whether workers that follow these types may move a consumer. During an upgrade, workers of two versions share its cursors. The older ones
 * know fewer types and would skip events that the newer ones want, so they leave the consumer to the newer ones.
 */
const followsEnough = (on: Consumer['on']): Sql =>
  sql`(follows is null or follows <@ ${on}::text[] or follows_seen_at < now() - ${forgottenAfter})`
const mayMove = ({ name, on }: ConsumerRef): Sql =>
  sql`exists (select from consumers where consumer = ${name} and ${followsEnough(on)})`

/** Records which types this worker follows. The worker repeats this every minute. */
export async function saveFollows(db: Queryable, { name, on }: ConsumerRef): Promise<void> {
  await db.run(sql`
    update consumers set follows = ${on}::text[], follows_seen_at = now() where consumer = ${name} and ${followsEnough(on)}`)
}

/**
 * Creates a new consumer. A known consumer keeps its cursors. A consumer without a cursor in a log begins at its start, so one that begins
 * now gets a cursor in each log. Events that are not committed yet have higher positions.
 */
export async function insertConsumer(db: Queryable, { name, startsAt }: Consumer): Promise<void> {
  const inserting = sql`insert into consumers (consumer) values (${name}) on conflict do nothing`
  if (startsAt !== 'now') await db.run(inserting)
  else
    await db.run(sql`
      with new as (${inserting} returning consumer)
      insert into consumer_cursors (consumer, organisation_id, position)
      select new.consumer, h.organisation_id, h.position from new cross join event_heads h`)
}

/** One page of a walk through the heads of all logs. */
export interface HeadPage {
  /** organisations with events that one of the consumers has not passed */
  readonly ahead: readonly OrganisationId[]
  /** where the next page begins; `undefined` at the end */
  readonly next: OrganisationId | undefined
}

/** Finds logs whose head is ahead of a cursor of these consumers. */
export async function listAhead(
  db: Queryable,
  consumers: readonly string[],
  after: OrganisationId | undefined,
  limit: number,
): Promise<HeadPage> {
  const rows = await db.rows<{ organisationId: OrganisationId; isAhead: boolean }>(sql`
    select h.organisation_id, h.position > coalesce((
             select case when count(*) = ${consumers.length}::int then min(c.position) end from consumer_cursors c
              where c.organisation_id = h.organisation_id and c.consumer = any (${consumers}::text[])), 0) as is_ahead
      from event_heads h
     where ${after ?? null}::uuid is null or h.organisation_id > ${after ?? null}::uuid order by h.organisation_id limit ${limit}`)
  return {
    ahead: rows.filter(({ isAhead }) => isAhead).map(({ organisationId }) => organisationId),
    next: rows.length < limit ? undefined : rows.at(-1)?.organisationId,
  }
}

/** Names the cursor of a consumer in the log of one organisation. */
export interface CursorRef {
  readonly consumer: string
  readonly organisationId: OrganisationId
}

export interface StoredCursor extends CursorRef, LogPosition {
  /** null, or how long the consumer waits after a failure */
  readonly waitMs: number | null
}

const keyOf = ({ consumer, organisationId }: CursorRef): string => `${consumer} ${organisationId}`

/** The cursors of consumers in logs. Creates those that are missing. */
export async function findCursors(db: Queryable, wanted: readonly CursorRef[]): Promise<StoredCursor[]> {
  const wantedKeys = new Set(wanted.map(keyOf))
  const consumers = [...new Set(wanted.map(({ consumer }) => consumer))]
  const organisationIds = [...new Set(wanted.map(({ organisationId }) => organisationId))]
  const find = async () => {
    const rows = await db.rows<StoredCursor>(sql`
      select consumer, organisation_id, position::float8 as position,
             case when retry_at > now() then extract(epoch from retry_at - now())::float8 * 1000 end as wait_ms
        from consumer_cursors where organisation_id = any (${organisationIds}::uuid[]) and consumer = any (${consumers}::text[])`)
    return rows.filter((row) => wantedKeys.has(keyOf(row)))
  }
  const found = await find()
  if (found.length === wantedKeys.size) return found
  const foundKeys = new Set(found.map(keyOf))
  const missing = wanted.filter((cursor) => !foundKeys.has(keyOf(cursor)))
  // In the same order in every process, so that two of them cannot deadlock.
  const created = await db.rows<StoredCursor>(sql`
    insert into consumer_cursors (consumer, organisation_id, position)
    select consumer, organisation_id, 0
      from unnest(${missing.map(({ consumer }) => consumer)}::text[], ${missing.map(({ organisationId }) => organisationId)}::uuid[])
        as m (consumer, organisation_id) order by organisation_id, consumer
    on conflict do nothing
    returning consumer, organisation_id, position::float8 as position, null as wait_ms`)
  // Another process may have created some of them at the same moment.
  return created.length === missing.length ? [...found, ...created] : await find()
}

/**
 * The cursors of a consumer in these logs. No other process can move them until the transaction ends. Without those that another process
 * holds, or in which the consumer waits after a failure. Empty while workers of a newer version move the consumer.
 */
export function lockCursors(
  tx: Tx,
  consumer: ConsumerRef,
  organisationIds: readonly OrganisationId[],
): Promise<LogPosition[]> {
  const isWanted = sql`
    c.organisation_id = any (${organisationIds}::uuid[]) and c.consumer = ${consumer.name}
       and (c.retry_at is null or c.retry_at <= now()) and ${mayMove(consumer)}`
  const position = sql`c.organisation_id, c.position::float8 as position`
  const skippingLocked = sql`select ${position} from consumer_cursors c where ${isWanted} for no key update of c skip locked`
  if (organisationIds.length === 1) return tx.rows(skippingLocked)
  // Citus locks rows of several organisations only by writing them. There, the statement waits for the other process.
  return tx.rows(
    orOnShards(
      skippingLocked,
      sql`update consumer_cursors c set position = c.position where ${isWanted} returning ${position}`,
    ),
  )
}

/** Locks the cursor of a consumer in a log until the transaction ends. Returns false if another process holds it. */
export async function lockCursor(tx: Tx, consumer: string, organisationId: OrganisationId): Promise<boolean> {
  const held = await tx.maybe(sql`
    select from consumer_cursors where organisation_id = ${organisationId} and consumer = ${consumer} for no key update skip locked`)
  return held !== undefined
}

/** What is written when a cursor moves. */
export const movedValues = sql`failures = 0, failing_event = null, reason = null, retry_at = null`

const given = (to: readonly LogPosition[]): Sql => sql`
  unnest(${to.map(({ organisationId }) => organisationId)}::uuid[], ${to.map(({ position }) => position)}::bigint[]) as g (organisation_id, position)`

/** Moves cursors that the transaction has locked. */
export async function moveCursors(tx: Tx, { name }: ConsumerRef, to: readonly LogPosition[]): Promise<void> {
  const moving = onTheirShards(
    to.map(({ organisationId }) => organisationId),
    (named) => sql`
    update consumer_cursors c set position = g.position, ${movedValues} from ${given(to)}
     where c.organisation_id = g.organisation_id and c.consumer = ${name} ${named('c')}`,
  )
  await tx.run(moving)
}

/**
 * Moves cursors over events that do not concern the consumer. Leaves cursors that another process has moved
 * further or holds. On Citus it waits for those that are held.
 */
export async function passEvents(db: Queryable, consumer: ConsumerRef, to: readonly LogPosition[]): Promise<void> {
  const isBehind = sql`
    c.organisation_id = g.organisation_id and c.consumer = ${consumer.name} and c.position < g.position and c.failures = 0
    and ${mayMove(consumer)}`
  await db.run(
    orOnShards(
      sql`
        with behind as materialized (
          select c.organisation_id, g.position from consumer_cursors c join ${given(to)} on ${isBehind} for no key update of c skip locked)
        update consumer_cursors c set position = b.position from behind b
         where c.organisation_id = b.organisation_id and c.consumer = ${consumer.name}`,
      sql`
        update consumer_cursors c set position = g.position from ${given(to)}
         where ${isBehind} and c.organisation_id = any (${to.map(({ organisationId }) => organisationId)}::uuid[])`,
    ),
  )
}

const longestWaitMs = 60_000

/** An event and its place. */
export interface EventRef extends LogPosition {
  readonly eventId: string
}

/**
 * Records the event that a consumer fails on and makes the consumer wait in the log of this organisation, longer after each failure.
 * Returns how often the event has failed in all processes; `undefined` if another process has passed it meanwhile.
 */
export async function noteFailure(
  db: Queryable,
  consumer: string,
  { organisationId, position, eventId }: EventRef,
  reason: string,
  firstWaitMs = 1_000,
): Promise<number | undefined> {
  const noted = await db.maybe<{ failures: number }>(sql`
    update consumer_cursors
       set failures = failures + 1, failing_event = ${eventId}, reason = ${reason},
           retry_at = (now() at time zone 'UTC' + least(${longestWaitMs}, ${firstWaitMs} * power(2, least(failures, 16))) * interval '1 millisecond')
                      at time zone 'UTC'
     where organisation_id = ${organisationId} and consumer = ${consumer} and position < ${position}
    returning failures`)
  return noted?.failures
}

/**
 * Lets a consumer continue after the event at which it waits. Returns false if it waits at another event or is already past this one:
 * moving back would repeat the later events.
 */
export async function skipEvent(tx: Tx, consumer: string, eventId: string, reason: string): Promise<boolean> {
  const waiting = await tx.maybe<{ organisationId: OrganisationId }>(sql`
    select organisation_id from consumer_cursors where consumer = ${consumer} and failures > 0 and failing_event = ${eventId}`)
  if (!waiting) return false
  const { organisationId } = waiting
  const failed = await tx.maybe<{ reason: string | null; position: number }>(sql`
    select c.reason, e.position::float8 as position
      from consumer_cursors c join events e on e.organisation_id = c.organisation_id and e.id = c.failing_event
     where c.organisation_id = ${organisationId} and c.consumer = ${consumer} and c.failures > 0 and c.failing_event = ${eventId}
       and c.position < e.position for no key update of c`)
  if (!failed) return false
  await tx.run(sql`
    insert into skipped_events (consumer, event_id, organisation_id, reason, failure)
    values (${consumer}, ${eventId}, ${organisationId}, ${reason}, ${failed.reason})`)
  await tx.run(sql`
    update consumer_cursors set position = ${failed.position}, ${movedValues}
     where organisation_id = ${organisationId} and consumer = ${consumer}`)
  return true
}
