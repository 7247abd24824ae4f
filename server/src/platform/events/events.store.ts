import type { EventPayloads } from '../../kernel/event-payloads.ts'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
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

/** The events of a transaction, as one statement. */
export function insertingEmittedEvents(rows: readonly EventRow[], now: Date): Sql {
  const versioned = rows.map((row) => ({ ...row, version: eventTypes[row.type].version }))
  return sql`
    insert into events (organisation_id, id, mode, type, version, object_id, object_version, data, actor_kind, actor_id, actor_name, address,
                        user_agent, request_id, created_at)
    select r."organisationId", r.id, r.mode, r.type, r.version, r."objectId", r."objectVersion", r.data, r.actor ->> 'kind',
           (r.actor ->> 'id')::uuid, r.actor ->> 'name', r.address, r."userAgent", r."requestId", ${now}
      from jsonb_to_recordset(${JSON.stringify(versioned)}::jsonb)
        as r ("organisationId" uuid, id uuid, mode text, type text, version smallint, "objectId" text, "objectVersion" bigint, data jsonb, actor jsonb,
              address text, "userAgent" text, "requestId" text)`
}

/** A row for a hot statement, with its event. SQL does not know the types of payloads, so TypeScript checks them here. */
export interface EventSourceRow<Type extends EventType> {
  readonly event: EventPayloads[Type]
  readonly [column: string]: unknown
}

/**
 * A piece of a hot statement that inserts events. `values` are those of the columns from `organisation_id` on, in this order, and `from`
 * is their source. The payload among them is the `event` of an `EventSourceRow` of this type.
 */
export const insertingEvents = (type: EventType, values: Sql, from: Sql): Sql => sql`
  insert into events (type, version, organisation_id, mode, id, object_id, object_version, data, actor_kind, actor_id, actor_name, address,
                      user_agent, request_id, created_at)
  select ${type}, ${eventTypes[type].version}, ${values} from ${from}`

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

/** The same for events of several types: `values` is a query that gives these columns, in this order. */
export const insertingMixedEvents = (values: Sql): Sql => sql`
  insert into events (organisation_id, mode, id, type, version, object_id, object_version, data, actor_kind, actor_id, actor_name, address,
                      user_agent, request_id, created_at)
  ${values}`

/** The payloads of a type's events about one object, the newest first. */
export async function listEventData<Type extends EventType>(
  db: Queryable,
  { organisationId, mode }: Tenant,
  objectId: string,
  type: Type,
  limit: number,
): Promise<EventPayloads[Type][]> {
  const rows = await db.rows<{ data: EventPayloads[Type] }>(sql`
    select data from events
     where organisation_id = ${organisationId} and object_id = ${objectId} and mode = ${mode} and type = ${type}
     order by id desc limit ${limit}`)
  return rows.map(({ data }) => data)
}

/** The events of a type about any of these objects, the newest first. */
export async function listEventsAbout<Type extends EventType>(
  db: Queryable,
  { organisationId, mode }: Tenant,
  objectIds: readonly string[],
  type: Type,
  limit: number,
): Promise<{ readonly data: EventPayloads[Type]; readonly createdAt: Date }[]> {
  return await db.rows(sql`
    select data, created_at from events
     where organisation_id = ${organisationId} and object_id = any (${[...objectIds]}::text[]) and mode = ${mode} and type = ${type}
     order by id desc limit ${limit}`)
}

/** The payload of one event of this type. */
export async function findEventData<Type extends EventType>(
  db: Queryable,
  organisationId: OrganisationId,
  id: string,
  type: Type,
): Promise<EventPayloads[Type] | undefined> {
  const row = await db.maybe<{ data: EventPayloads[Type] }>(sql`
    select data from events where organisation_id = ${organisationId} and id = ${id} and type = ${type}`)
  return row?.data
}
