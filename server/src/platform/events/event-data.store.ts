import type { EventPayloads } from '../../kernel/event-payloads.ts'
import type { EventType } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

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

/** The events of these types about any of these objects, the newest first. */
export async function listEventsAbout<Type extends EventType>(
  db: Queryable,
  { organisationId, mode }: Tenant,
  objectIds: readonly string[],
  types: readonly Type[],
  limit: number,
): Promise<{ readonly data: EventPayloads[Type]; readonly createdAt: Date }[]> {
  return await db.rows(sql`
    select data, created_at from events
     where organisation_id = ${organisationId} and object_id = any (${[...objectIds]}::text[]) and mode = ${mode}
       and type = any (${[...types]}::text[])
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
