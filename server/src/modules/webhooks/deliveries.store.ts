import type { EventType } from '../../kernel/events.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { countedFor, offsetOf, type Page, type PageRequest, pageOf } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import { type Delivery, type DeliveryId, type DeliveryStatus, deliveryIdsOf } from './delivery.ts'
import type { EndpointId } from './endpoint.ts'

const columns = sql`
  organisation_id, mode, id, endpoint_id, event_id, type, is_test, status, attempts, begun_at, next_attempt_at, log, reason, created_at, closed_at`

export interface DeliveryFilter {
  readonly endpointId?: EndpointId | undefined
  readonly eventId?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly type?: EventType | undefined
}

/**
 * Those that wait or are on their way: they stand in the queue, or in the batch of a process that sends them. An index on their status would have
 * to be left with every end; and what was ever sent is a thousand times as much.
 */
const openOf = ({ organisationId, mode }: Tenant): Sql => sql`array(
  select q.id from webhook_endpoints e join webhook_queue q on q.endpoint_id = e.id
   where e.organisation_id = ${organisationId} and e.mode = ${mode}
  union all
  select unnest(coalesce(r.ids, array[r.id])) from webhook_batches b
   cross join lateral jsonb_to_recordset(b.deliveries) as r ("organisationId" uuid, mode text, id uuid, ids uuid[])
   where r."organisationId" = ${organisationId} and r.mode = ${mode})`

/** What else is known of those with a status: it leads to an index. */
function foundBy(tenant: Tenant, status: DeliveryStatus): Sql[] {
  switch (status) {
    case 'delivered':
      return []
    // None fails without a reason, and what has not failed has none.
    case 'failed':
      return [sql`reason is not null`]
    default:
      return [sql`id = any (${openOf(tenant)})`]
  }
}

/** Of the types given, those of the newest events first. The total says how many there are, counted a thousand beyond the page. */
export async function listDeliveries(
  db: Queryable,
  tenant: Tenant,
  types: readonly EventType[],
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const { organisationId, mode } = tenant
  const { endpointId, eventId, status, type } = filter
  const conditions: Sql[] = [
    sql`organisation_id = ${organisationId}`,
    sql`mode = ${mode}`,
    sql`type = any (${types}::text[])`,
  ]
  if (endpointId !== undefined) conditions.push(sql`endpoint_id = ${endpointId}`)
  if (eventId !== undefined) {
    const [first, last] = deliveryIdsOf(eventId)
    conditions.push(sql`event_id = ${eventId}`, sql`id between ${first} and ${last}`)
  }
  if (status !== undefined) conditions.push(sql`status = ${status}`, ...foundBy(tenant, status))
  if (type !== undefined) conditions.push(sql`type = ${type}`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (
      select from webhook_deliveries where ${matching} order by id desc limit ${countedFor(page)}) as newest`)
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
