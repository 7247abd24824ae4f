import type { EventPayloads } from '../../kernel/event-payloads.ts'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { identifier, joined, type Sql, sql } from '../database/sql.ts'
import type { Actor } from './actors.ts'

export interface EventRow {
  readonly organisationId: OrganisationId
  readonly id: string
  readonly mode: Mode | null
  readonly type: EventType
  readonly objectId: string
  readonly objectVersion: number | null
  readonly data: EventPayloads[EventType]
  readonly actor: Actor
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
}

const newColumns = sql`
  organisation_id, mode, id, type, version, object_id, object_version, data, actor_kind, actor_id, actor_name, address, user_agent, request_id, created_at`

/**
 * Pieces of a statement that append events: `appended as (…), heads as (…), emitted as (…)`. The query gives the columns of `newColumns`, in
 * this order. Each organisation's head gives the next positions, in the order of the ids.
 *
 * The row lock on a head lasts until the commit, so it must be the last lock that the statement waits for. `after` names the parts of the
 * statement that may wait for another transaction. They run first. Heads are locked in the order of their organisations.
 */
export const appendingEvents = (query: Sql, after: readonly string[] = []): Sql => sql`
  appended (${newColumns}) as materialized (${query}),
  heads as (
    insert into event_heads as h (organisation_id, position)
    select organisation_id, count(*) from appended where ${isOver(after)} group by organisation_id order by organisation_id
    on conflict (organisation_id) do update set position = h.position + excluded.position
    returning h.organisation_id, h.position),
  emitted as (
    insert into events (${newColumns}, position)
    select a.*, h.position - count(*) over (partition by a.organisation_id) + row_number() over (partition by a.organisation_id order by a.id)
      from appended a join heads h on h.organisation_id = a.organisation_id)`

/**
 * `appendingEvents` for the only event of a statement, without counting and sorting. The first part of `after` has one row if there is an
 * event, and none otherwise. A create with this form ran 1.2 times as often. `exists` reads the head before the event takes its number
 * (`seq`): a statement that fails or waits at the head uses up no number, which would be a gap for everybody who follows the log.
 */
const appendingOnlyEvent = (organisation: Sql, query: Sql, [source, ...after]: Waited): Sql => sql`
  heads as (
    insert into event_heads as h (organisation_id, position) select ${organisation}, 1 from ${identifier(source)} where ${isOver(after)}
    on conflict (organisation_id) do update set position = h.position + 1 returning h.position),
  emitted as (
    insert into events (${newColumns}, position) select a.*, (select position from heads) from (${query}) as a where exists (select from heads))`

/** Always true. PostgreSQL runs a part to its end before it knows how many rows the part has. */
const isOver = (parts: readonly string[]): Sql =>
  joined([sql`true`, ...parts.map((part) => sql`(select count(*) from ${identifier(part)}) >= 0`)], ' and ')

/** The events of a transaction, as one statement. */
export function insertingEmittedEvents(rows: readonly EventRow[], now: Date): Sql {
  const versioned = rows.map((row) => ({ ...row, version: eventTypes[row.type].version }))
  return sql`
    with ${appendingEvents(sql`
      select r."organisationId", r.mode, r.id, r.type, r.version, r."objectId", r."objectVersion", r.data, r.actor ->> 'kind',
             (r.actor ->> 'id')::uuid, r.actor ->> 'name', r.address, r."userAgent", r."requestId", ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(versioned)}::jsonb)
          as r ("organisationId" uuid, id uuid, mode text, type text, version smallint, "objectId" text, "objectVersion" bigint, data jsonb, actor jsonb,
                address text, "userAgent" text, "requestId" text)`)}
    select`
}

/** A row for a hot statement, with its event. SQL does not know the types of payloads, so TypeScript checks them here. */
export interface EventSourceRow<Type extends EventType> {
  readonly event: EventPayloads[Type]
  readonly [column: string]: unknown
}

/** Parts that may wait for another transaction. The first returns a row for each event. */
type Waited = readonly [string, ...string[]]

interface EventSource {
  readonly organisation: Sql
  readonly mode: Sql
  /** the values of the columns behind the version; the payload among them is the `event` of an `EventSourceRow` of this type */
  readonly values: Sql
  readonly from: Sql
  readonly after: Waited
  /** `from` has at most one row */
  readonly isSingle: boolean
}

/** `appendingEvents` for events of one type in a hot statement. */
export function insertingEvents(
  type: EventType,
  { organisation, mode, values, from, after, isSingle }: EventSource,
): Sql {
  const query = sql`
    select ${organisation}, ${mode}, event_id, ${type}::text, ${eventTypes[type].version}::smallint, ${values} from ${from}`
  return isSingle ? appendingOnlyEvent(organisation, query, after) : appendingEvents(query, after)
}

/** An event that a hot statement inserts: its type and payload. */
export type NewEvent<Type extends EventType = EventType> = {
  readonly [One in Type]: {
    readonly type: One
    readonly version: number
    readonly id: string
    readonly data: EventPayloads[One]
  }
}[Type]
export const newEventColumns = sql`type text, version smallint, id uuid, data jsonb`
