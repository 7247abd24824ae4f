import type { EventType } from '../../kernel/events.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { offsetOf, type Page, type PageRequest, pageOf } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import type { Delivery, DeliveryId, DeliveryStatus } from './delivery.ts'
import type { EndpointId } from './endpoint.ts'

const columns = sql`
  organisation_id, mode, id, endpoint_id, event_id, type, is_test, status, attempts, begun_at, next_attempt_at, log, reason, created_at, closed_at`

export interface DeliveryFilter {
  readonly endpointId?: EndpointId | undefined
  readonly eventId?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly type?: EventType | undefined
}

/** Of the types given, those of the newest events first. */
export async function listDeliveries(
  db: Queryable,
  { organisationId, mode }: Tenant,
  types: readonly EventType[],
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const { endpointId, eventId, status, type } = filter
  const conditions: Sql[] = [
    sql`organisation_id = ${organisationId}`,
    sql`mode = ${mode}`,
    sql`type = any (${types}::text[])`,
  ]
  if (endpointId !== undefined) conditions.push(sql`endpoint_id = ${endpointId}`)
  if (eventId !== undefined) conditions.push(sql`event_id = ${eventId}`)
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (type !== undefined) conditions.push(sql`type = ${type}`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from webhook_deliveries where ${matching}`,
  )
  const rows = await db.rows<Delivery>(sql`
    select ${columns} from webhook_deliveries where ${matching} order by id desc limit ${page.limit} offset ${offsetOf(page)}`)
  return pageOf(rows, total, page)
}

export function findDelivery(
  db: Queryable,
  { organisationId, mode }: Tenant,
  id: DeliveryId,
): Promise<Delivery | undefined> {
  return db.maybe(sql`
    select ${columns} from webhook_deliveries where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
}

export function lockDelivery(tx: Tx, { organisationId, mode }: Tenant, id: DeliveryId): Promise<Delivery | undefined> {
  return tx.maybe(sql`
    select ${columns} from webhook_deliveries
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id} for no key update`)
}

export interface NewDelivery {
  readonly id: DeliveryId
  readonly endpointId: EndpointId
  readonly eventId: string
  readonly type: EventType
  readonly body: string
  readonly isTest: boolean
}

/** One that somebody asked for; it is tried once. Says whether there was none yet. */
export async function insertAskedDelivery(
  tx: Tx,
  { organisationId, mode }: Tenant,
  { id, endpointId, eventId, type, body, isTest }: NewDelivery,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, is_test, body, status, is_manual, next_attempt_at, created_at)
    values (${organisationId}, ${mode}, ${id}, ${endpointId}, ${eventId}, ${type}, ${isTest}, ${body}, 'pending', true, ${now}, ${now})
    on conflict do nothing`)
  return inserted === 1
}

/** One more attempt at a delivery that has ended, whichever way. */
export async function saveAskedAgain(
  tx: Tx,
  { organisationId, mode }: Tenant,
  id: DeliveryId,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update webhook_deliveries
       set status = 'pending', is_manual = true, failed = 0, reason = null, next_attempt_at = ${now}, closed_at = null
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
}

export async function insertQueued(
  tx: Tx,
  { organisationId, mode }: Tenant,
  endpointId: EndpointId,
  id: DeliveryId,
): Promise<void> {
  await tx.run(sql`
    insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
    values (${id}, ${organisationId}, ${mode}, ${endpointId}, now())
    on conflict (id) do update set due_at = excluded.due_at, taken_by = null`)
}

/** Across organisations, for the sweep: ended deliveries of events that can no longer be read of. */
export function purgeDeliveries(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from webhook_deliveries d using (
      select organisation_id, mode, id from webhook_deliveries
       where created_at < ${before} and id < ${firstIdAt(before.getTime())}::uuid and closed_at is not null limit ${limit}) as old
     where d.organisation_id = old.organisation_id and d.mode = old.mode and d.id = old.id`)
}
