import type { Cursor } from '../../kernel/cursors.ts'
import type { EventType } from '../../kernel/events.ts'
import { firstIdAt, type OrganisationId } from '../../kernel/ids.ts'
import { countedFor, offsetOf, type Page, type PageRequest, pageOfMore, readFor } from '../../kernel/paging.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { behind, newestIdFirst } from '../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import { type Delivery, type DeliveryId, type DeliveryStatus, deliveryIdsOf } from './delivery.ts'
import type { EndpointId } from './endpoint.ts'

const columns = sql`
  organisation_id, mode, id, endpoint_id, event_id, type, is_test, status, attempts, begun_at, next_attempt_at, log, reason, created_at, closed_at`

export interface DeliveryFilter {
  readonly endpointId?: EndpointId | undefined
  readonly eventId?: string | undefined
  readonly status?: DeliveryStatus | undefined
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
      return [sql`d.reason is not null`]
    default:
      return [sql`d.id = any (${openOf(tenant)})`]
  }
}

/** So few types are looked up one by one; of more there is enough among the newest of all. */
const fewTypes = 10
/** Of some types there are so few that they are sooner fetched than found among all that went to an endpoint, or failed. */
const rarely = 2_000
/** More may come between the counting and the reading: there is room for as many again. */
const mostRare = 2 * rarely

const ofTenant = ({ organisationId, mode }: Tenant): Sql =>
  sql`d.organisation_id = ${organisationId} and d.mode = ${mode}`

/** Counted by an index, and no further than that. */
async function areRare(db: Queryable, tenant: Tenant, types: readonly EventType[]): Promise<boolean> {
  const { found } = await db.one<{ found: number }>(sql`
    select count(*)::int as found from (
      select from unnest(${types}::text[]) as wanted (type) cross join lateral (
        select from webhook_deliveries d where ${ofTenant(tenant)} and d.type = wanted.type order by d.id desc limit ${rarely}) as d
       limit ${rarely}) as those`)
  return found < rarely
}

/** The newest, so many at most: columns of `d`, of which its id and its type are two. */
type Source = (limit: number, selected: Sql, after?: Cursor) => Sql

const order = newestIdFirst(sql`d.id`)

/**
 * How those that a filter asks for are best come by. Few types are walked each in the order of its index, since among all that was sent a rare one
 * would be searched for in all of it (413 ms for a page among 200,000). Where an index of something else that is asked for leads there too, it is
 * taken, unless there are few of the types.
 */
async function sourceOf(
  db: Queryable,
  tenant: Tenant,
  types: readonly EventType[],
  filter: DeliveryFilter,
): Promise<Source> {
  const { endpointId, eventId, status } = filter
  const conditions: Sql[] = [ofTenant(tenant)]
  if (endpointId !== undefined) conditions.push(sql`d.endpoint_id = ${endpointId}`)
  if (eventId !== undefined) {
    const [first, last] = deliveryIdsOf(eventId)
    conditions.push(sql`d.event_id = ${eventId}`, sql`d.id between ${first} and ${last}`)
  }
  if (status !== undefined) conditions.push(sql`d.status = ${status}`, ...foundBy(tenant, status))
  const matching = joined(conditions, ' and ')
  // Which types are wanted stands outside: asked for types and order at once, the planner fetches all that there is of the types and sorts it.
  const inOrder: Source = (limit, selected, after) => sql`
    select d.* from (select ${selected} from webhook_deliveries d where ${matching} and ${behind(order, after)} order by d.id desc offset 0) as d
     where d.type = any (${types}::text[]) limit ${limit}`
  if (types.length > fewTypes || eventId !== undefined) return inOrder
  const eachType = (wanted: Sql, limit: number, selected: Sql): Sql => sql`
    unnest(${types}::text[]) as wanted (type) cross join lateral (
      select ${selected} from webhook_deliveries d where ${wanted} and d.type = wanted.type order by d.id desc limit ${limit}) as d`
  if (endpointId === undefined && (status === undefined || status === 'delivered'))
    return (limit, selected, after) => sql`
      select d.* from ${eachType(sql`${matching} and ${behind(order, after)}`, limit, selected)} order by d.id desc limit ${limit}`
  if (!(await areRare(db, tenant, types))) return inOrder
  return (limit, selected, after) => sql`
    select ${selected} from (select d.* from ${eachType(ofTenant(tenant), mostRare, sql`d.*`)} offset 0) as d
     where ${matching} and ${behind(order, after)} order by d.id desc limit ${limit}`
}

/** Of the types given, those of the newest events first. The total says how many there are, counted a thousand beyond the page. */
export async function listDeliveries(
  db: Queryable,
  tenant: Tenant,
  types: readonly EventType[],
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const newest = await sourceOf(db, tenant, types, filter)
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (${newest(countedFor(page), sql`d.id, d.type`)}) as d`)
  const rows = await db.rows<Delivery>(sql`
    select ${columns} from (${newest(offsetOf(page) + readFor(page), sql`d.*`, page.after)}) as d order by id desc offset ${offsetOf(page)}`)
  return pageOfMore(rows, total, page, ({ id }) => ({ order: order.name, keys: [id] }))
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

/** What was sent, or is to be. */
export async function findBody(db: Queryable, { organisationId, mode }: Tenant, id: DeliveryId): Promise<string> {
  const { body } = await db.one<{ body: string }>(sql`
    select body from webhook_deliveries where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
  return body
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

export interface Purged {
  readonly count: number
  /** the last tenant that was looked at */
  readonly organisationId: OrganisationId
  readonly mode: Mode
}

/**
 * Across organisations, for the sweep: ended deliveries of events that can no longer be read of, so many at most, of some tenants that come after
 * the given one; nothing where none does. The index begins with the tenant: the next one is a step in it, and what is old stands first in each.
 * Asked for what is old alone, all that was ever sent would be read.
 */
export function deleteOldDeliveries(
  db: Queryable,
  before: Date,
  after: { readonly organisationId: string; readonly mode: string },
  { most, mostTenants }: { readonly most: number; readonly mostTenants: number },
): Promise<Purged | undefined> {
  return db.maybe(sql`
    with recursive tenants as (
      (select organisation_id, mode, 1 as nth from webhook_deliveries
        where (organisation_id, mode) > (${after.organisationId}::uuid, ${after.mode}) order by organisation_id, mode limit 1)
      union all
      select next.organisation_id, next.mode, tenants.nth + 1
        from tenants cross join lateral (
          select d.organisation_id, d.mode from webhook_deliveries d
           where (d.organisation_id, d.mode) > (tenants.organisation_id, tenants.mode) order by d.organisation_id, d.mode limit 1) as next
       where tenants.nth < ${mostTenants}::int),
    old as (
      select d.* from tenants cross join lateral (
        select d.organisation_id, d.mode, d.id from webhook_deliveries d
         where d.organisation_id = tenants.organisation_id and d.mode = tenants.mode and d.id < ${firstIdAt(before.getTime())}::uuid
           and d.created_at < ${before} and d.closed_at is not null
         order by d.id limit ${most}) as d
       limit ${most}),
    gone as (
      delete from webhook_deliveries d using old
       where d.organisation_id = old.organisation_id and d.mode = old.mode and d.id = old.id returning d.id)
    select (select count(*)::int from gone) as count, organisation_id, mode from tenants order by nth desc limit 1`)
}
