import type { OrganisationId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { eventColumns, type ReadEvent } from '../events/log-reader.store.ts'
import { movedValues } from './cursors.store.ts'

/** A consumer that fails on more events than this fails on everything. The consumer stops and waits for a repair. */
const mostSetAside = 1_000

/**
 * Sets aside an event that a consumer keeps failing on, and moves the consumer past it. Returns false if another process has passed it
 * meanwhile, or the consumer has set aside too many events.
 */
export async function setEventAside(
  db: Queryable,
  consumer: string,
  { event, reason, tries, waitMs }: { event: ReadEvent; reason: string; tries: number; waitMs: number },
): Promise<boolean> {
  const saved = await db.run(sql`
    with moved as (
      update consumer_cursors set position = ${event.position}, ${movedValues}
       where organisation_id = ${event.organisationId} and consumer = ${consumer} and position < ${event.position}
         and (select count(*) from (select from set_aside_events where consumer = ${consumer} limit ${mostSetAside}) as counted) < ${mostSetAside}
      returning consumer)
    insert into set_aside_events (consumer, event_id, organisation_id, reason, tries, retry_at)
    select consumer, ${event.eventId}::uuid, ${event.organisationId}::uuid, ${reason}::text, ${tries}::int, now() + ${waitMs} * interval '1 millisecond' from moved
    on conflict (consumer, event_id) do update set reason = excluded.reason, tries = excluded.tries, retry_at = excluded.retry_at`)
  return saved === 1
}

export interface SetAsideEvent {
  readonly eventId: string
  readonly organisationId: OrganisationId
  readonly tries: number
}

/** Events that are due for a retry, the longest waiting first. */
export function listSetAsideDue(db: Queryable, consumer: string, limit: number): Promise<SetAsideEvent[]> {
  return db.rows(sql`
    select event_id, organisation_id, tries from set_aside_events where consumer = ${consumer} and retry_at <= now() order by retry_at limit ${limit}`)
}

/**
 * Removes the event from the list, in the transaction that takes the event. Returns `undefined` if another process does so at the moment,
 * or the event's month was dropped.
 */
export async function takeSetAside(tx: Tx, consumer: string, eventId: string): Promise<ReadEvent | undefined> {
  const taken = await tx.maybe<{ organisationId: OrganisationId }>(sql`
    delete from set_aside_events where (consumer, event_id) in (
      select consumer, event_id from set_aside_events where consumer = ${consumer} and event_id = ${eventId} for no key update skip locked)
    returning organisation_id`)
  if (!taken) return undefined
  return await tx.maybe<ReadEvent>(sql`
    select ${eventColumns} from events n where n.organisation_id = ${taken.organisationId} and n.id = ${eventId}`)
}

export async function saveSetAsideLater(
  db: Queryable,
  consumer: string,
  eventId: string,
  { reason, waitMs }: { reason: string; waitMs: number },
): Promise<void> {
  await db.run(sql`
    update set_aside_events set tries = tries + 1, reason = ${reason}, retry_at = now() + ${waitMs} * interval '1 millisecond'
     where consumer = ${consumer} and event_id = ${eventId}`)
}

/** Removes the event from the list because an operator decided to skip it. */
export async function skipSetAside(tx: Tx, consumer: string, eventId: string, why: string): Promise<boolean> {
  const gone = await tx.maybe<{ organisationId: OrganisationId; reason: string }>(sql`
    delete from set_aside_events where consumer = ${consumer} and event_id = ${eventId} returning organisation_id, reason`)
  if (!gone) return false
  await tx.run(sql`
    insert into skipped_events (consumer, event_id, organisation_id, reason, failure)
    values (${consumer}, ${eventId}, ${gone.organisationId}, ${why}, ${gone.reason})`)
  return true
}
