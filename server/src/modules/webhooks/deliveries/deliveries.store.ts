import type { Cursor } from '../../../kernel/cursors.ts'
import type { EventType } from '../../../kernel/events.ts'
import { firstIdAt, type OrganisationId } from '../../../kernel/ids.ts'
import { countedFor, offsetOf, type Page, type PageRequest, pageOfMore, readFor } from '../../../kernel/paging.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { tenantsOnShards, walkingTenants } from '../../../platform/database/fair-turns.store.ts'
import { behind, newestIdFirst } from '../../../platform/database/keyset.store.ts'
import { joined, orOnShards, type Sql, sql } from '../../../platform/database/sql.ts'
import type { EndpointId } from '../endpoints/endpoint.ts'
import { type Delivery, type DeliveryId, type DeliveryStatus, deliveryIdsOf } from './delivery.ts'

const columns = sql`
  organisation_id, mode, id, endpoint_id, event_id, type, is_test, status, attempts, begun_at, next_attempt_at, log, reason, created_at, closed_at`

export interface DeliveryFilter {
  readonly endpointId?: EndpointId | undefined
  readonly eventId?: string | undefined
  readonly status?: DeliveryStatus | undefined
}

/**
 * Open deliveries are found through the queue and the batches. An index on the status would change with every finished
 * delivery, and finished ones are a thousand times as many.
 */
const openOf = ({ organisationId, mode }: Tenant): Sql => sql`array(
  select q.id from webhook_endpoints e join webhook_queue q on q.endpoint_id = e.id
   where e.organisation_id = ${organisationId} and e.mode = ${mode}
  union all
  select unnest(coalesce(r.ids, array[r.id])) from webhook_batches b
   cross join lateral jsonb_to_recordset(b.deliveries) as r ("organisationId" uuid, mode text, id uuid, ids uuid[])
   where r."organisationId" = ${organisationId} and r.mode = ${mode})`

/** Further conditions for a status, which lead to an index. */
function foundBy(tenant: Tenant, status: DeliveryStatus): Sql[] {
  switch (status) {
    case 'delivered':
      return []
    // A delivery has a reason if and only if it failed.
    case 'failed':
      return [sql`d.reason is not null`]
    default:
      return [sql`d.id = any (${openOf(tenant)})`]
  }
}

/** Up to this number, types are looked up one by one. With more types, the newest deliveries of all contain enough. */
const fewTypes = 10
/** A type with fewer deliveries is read whole instead of being searched among all deliveries. */
const rarely = 2_000
/** Twice the number, because more may come between counting and reading. */
const mostRare = 2 * rarely

const ofTenant = ({ organisationId, mode }: Tenant): Sql =>
  sql`d.organisation_id = ${organisationId} and d.mode = ${mode}`

/** Counted by an index, up to the limit. */
async function areRare(db: Queryable, tenant: Tenant, types: readonly EventType[]): Promise<boolean> {
  const { found } = await db.one<{ found: number }>(sql`
    select count(*)::int as found from (
      select from unnest(${types}::text[]) as wanted (type) cross join lateral (
        select from webhook_deliveries d where ${ofTenant(tenant)} and d.type = wanted.type order by d.id desc limit ${rarely}) as d
       limit ${rarely}) as those`)
  return found < rarely
}

/** The newest rows up to a limit: columns of `d`, with at least its id and type. */
type Source = (limit: number, selected: Sql, after?: Cursor) => Sql

const order = newestIdFirst(sql`d.id`)

/**
 * Chooses how to find deliveries for a filter. A few types are each read in the order of their index, because a rare
 * type would otherwise be searched for among all deliveries (413 ms for a page among 200,000). Another index for the
 * filter is used unless the types are rare.
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
  // The condition on types stands outside. Inside, the planner would read all rows of the types and sort them.
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

/** Deliveries of the newest events first. The total counts at most 1,000 beyond the page. */
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

/** The stored payload, which every attempt sends. */
export async function bodyOfDelivery(db: Queryable, { organisationId, mode }: Tenant, id: DeliveryId): Promise<string> {
  const { body } = await db.one<{ body: string }>(sql`
    select body from webhook_deliveries where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
  return body
}

export function lockDelivery(tx: Tx, { organisationId, mode }: Tenant, id: DeliveryId): Promise<Delivery | undefined> {
  return tx.maybe(sql`
    select ${columns} from webhook_deliveries
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id} for no key update`)
}

/** The stored body. */
export async function findBody(db: Queryable, { organisationId, mode }: Tenant, id: DeliveryId): Promise<string> {
  const { body } = await db.one<{ body: string }>(sql`
    select body from webhook_deliveries where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
  return body
}

export interface ManualDelivery {
  readonly id: DeliveryId
  readonly endpointId: EndpointId
  readonly eventId: string
  readonly type: EventType
  readonly body: string
  readonly isTest: boolean
}

/** A manual delivery, attempted once. Returns whether it is new. */
export async function insertManualDelivery(
  tx: Tx,
  { organisationId, mode }: Tenant,
  { id, endpointId, eventId, type, body, isTest }: ManualDelivery,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, is_test, body, status, is_manual, next_attempt_at, created_at)
    values (${organisationId}, ${mode}, ${id}, ${endpointId}, ${eventId}, ${type}, ${isTest}, ${body}, 'pending', true, ${now}, ${now})
    on conflict do nothing`)
  return inserted === 1
}

/** Adds one manual attempt to a finished delivery. */
export async function saveRequeued(tx: Tx, { organisationId, mode }: Tenant, id: DeliveryId, now: Date): Promise<void> {
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

export interface PurgeResult {
  readonly count: number
  /** The last tenant that was handled. */
  readonly organisationId: OrganisationId
  readonly mode: Mode
}

/**
 * For the sweep, across organisations: deletes finished deliveries of events that can no longer be read, up to a limit,
 * for some tenants after a given one. `undefined` if no tenant is left. The index begins with the tenant and has old
 * rows first, so that only old rows are read.
 */
export function deleteOldDeliveries(
  db: Queryable,
  before: Date,
  after: Tenant | undefined,
  { most, mostTenants }: { readonly most: number; readonly mostTenants: number },
): Promise<PurgeResult | undefined> {
  const isOld = sql`d.id < ${firstIdAt(before.getTime())}::uuid and d.created_at < ${before} and d.closed_at is not null`
  const delivered = { rows: sql`from webhook_deliveries`, after, most: mostTenants }
  const gone = sql`
    gone as (
      delete from webhook_deliveries d using old
       where d.organisation_id = old.organisation_id and d.mode = old.mode and d.id = old.id returning d.id)
    select (select count(*)::int from gone) as count, organisation_id, mode from tenants order by nth desc limit 1`
  const usual = sql`
    with recursive ${walkingTenants(delivered)},
    old as (
      select d.* from tenants cross join lateral (
        select d.organisation_id, d.mode, d.id from webhook_deliveries d
         where d.organisation_id = tenants.organisation_id and d.mode = tenants.mode and ${isOld}
         order by d.id limit ${most}) as d
       limit ${most}), ${gone}`
  const onShards = sql`
    with tenants as materialized (
      select organisation_id, mode, row_number() over (order by organisation_id, mode) as nth from (${tenantsOnShards(delivered)}) as next),
    old as materialized (
      select d.organisation_id, d.mode, d.id
        from tenants join webhook_deliveries d on d.organisation_id = tenants.organisation_id and d.mode = tenants.mode
       where ${isOld} limit ${most}), ${gone}`
  return db.maybe(orOnShards(usual, onShards))
}
