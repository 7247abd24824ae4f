import type { Cursor } from '../../kernel/cursors.ts'
import type { EventType } from '../../kernel/events.ts'
import { firstIdAt, type OrganisationId } from '../../kernel/ids.ts'
import { countedFor, offsetOf, type Page, type PageRequest, pageOfMore, readFor } from '../../kernel/paging.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../database/database.ts'
import { behind, newestIdFirst } from '../database/keyset.store.ts'
import { joined, type Sql, sql } from '../database/sql.ts'
import { clockSlackMs } from './log-reader.store.ts'

/** An event for endpoints and the feed, without its actor. */
export interface OutgoingEvent {
  readonly organisationId: OrganisationId
  readonly id: string
  readonly type: EventType
  readonly version: number
  readonly mode: Mode | null
  readonly objectVersion: number | null
  readonly data: object
  readonly createdAt: Date
}

const columns = sql`e.organisation_id, e.id, e.type, e.version, e.mode, e.object_version::float8 as object_version, e.data, e.created_at`

export interface FeedFilter {
  /** the caller resolves patterns such as `invoice.*` */
  readonly types: readonly EventType[]
  readonly from: Date
  readonly to?: Date | undefined
}

export interface FeedEvent extends OutgoingEvent {
  /** its place in the log of the organisation: 1, 2, 3 without gaps */
  readonly position: number
}

/** The order of the feed. */
export const feedOrder = 'feed'
const cursorInFeed = ({ position }: FeedEvent): Cursor => ({ order: feedOrder, keys: [String(position)] })

const feedColumns = sql`${columns}, e.position::float8 as position`

/** Events of one mode or of the organisation as a whole, of some types. */
function wantedOf({ mode }: Tenant, { types, from, to }: FeedFilter): Sql {
  const conditions = [
    sql`(e.mode = ${mode} or e.mode is null)`,
    sql`e.type = any (${types}::text[])`,
    sql`e.created_at >= ${from}`,
  ]
  if (to !== undefined) conditions.push(sql`e.created_at < ${to}`)
  return joined(conditions, ' and ')
}

/** The time in an event's id differs from the event's own time only by the clocks of the nodes. */
const lately = ({ organisationId }: Tenant, { from }: FeedFilter): Sql => sql`
  e.organisation_id = ${organisationId} and e.id >= ${firstIdAt(from.getTime() - clockSlackMs)}::uuid`

const matching = (tenant: Tenant, filter: FeedFilter): Sql =>
  sql`${lately(tenant, filter)} and ${wantedOf(tenant, filter)}`

/** The columns that decide whether an event is wanted. */
const judgedColumns = sql`e.id, e.mode, e.type, e.created_at`

const order = newestIdFirst(sql`e.id`)

/** Up to this many types are looked up one by one; more types are frequent enough among the newest events. */
const fewTypes = 10

/**
 * The newest events, up to a limit. With types and order in one condition, the planner fetches all events of the types and sorts them (107
 * ms for one page of 100,000 events). So the query walks either the index of each type or all events, and filters outside. `selected` are
 * columns of `e`, including those of the filter.
 */
function newest(tenant: Tenant, filter: FeedFilter, selected: Sql, limit: number, after?: Cursor): Sql {
  const isBehind = behind(order, after)
  if (filter.types.length > fewTypes)
    return sql`
      select e.* from (select ${selected} from events e where ${lately(tenant, filter)} and ${isBehind} order by e.id desc offset 0) as e
       where ${wantedOf(tenant, filter)} limit ${limit}`
  return sql`
    select e.* from unnest(${filter.types}::text[]) as wanted (type) cross join lateral (
      select ${selected} from events e
       where ${matching(tenant, filter)} and ${isBehind} and e.type = wanted.type order by e.id desc limit ${limit}) as e
     order by e.id desc limit ${limit}`
}

/** The newest first. The total is counted up to a thousand beyond the page. */
export async function listFeed(
  db: Queryable,
  tenant: Tenant,
  filter: FeedFilter,
  page: PageRequest,
): Promise<Page<FeedEvent>> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (${newest(tenant, filter, judgedColumns, countedFor(page))}) as e`)
  const rows = await db.rows<FeedEvent>(sql`
    select e.* from (${newest(tenant, filter, feedColumns, offsetOf(page) + readFor(page), page.after)}) as e
     order by e.id desc offset ${offsetOf(page)}`)
  return pageOfMore(rows, total, page, ({ id }) => ({ order: order.name, keys: [id] }))
}

/** A follower reads page after page; counting everything that is left each time would cost more than reading it. */
const mostCountedAhead = 1_000
/** Fewer events of some types than this are cheaper to fetch and sort than to find among all events. */
const rarely = 2_000
/** New events between the count and the read would push out the oldest, so the read has room for twice as many. */
const mostRare = 2 * rarely

/** Counted by an index, up to the limit. */
async function areRare(db: Queryable, tenant: Tenant, filter: FeedFilter): Promise<boolean> {
  if (filter.types.length > fewTypes) return false
  const { found } = await db.one<{ found: number }>(sql`
    select count(*)::int as found from (
      select from unnest(${filter.types}::text[]) as wanted (type) cross join lateral (
        select from events e where ${lately(tenant, filter)} and e.type = wanted.type order by e.id desc limit ${rarely}) as e
       limit ${rarely}) as those`)
  return found < rarely
}

/**
 * Events after a position, in the order of the log. An event is committed only after all events before it, so a caller that continues from
 * the last event misses none. The total counts up to a thousand remaining events. A caller that waits for a rare type keeps its cursor for
 * long; walking all events since then would cost 120 ms for 100,000 events.
 */
export async function listFeedAfter(
  db: Queryable,
  tenant: Tenant,
  filter: FeedFilter,
  position: number,
  page: PageRequest,
): Promise<Page<FeedEvent>> {
  const all = matching(tenant, filter)
  const source = (await areRare(db, tenant, filter))
    ? sql`(
        select e.* from unnest(${filter.types}::text[]) as wanted (type) cross join lateral (
          select e.* from events e where ${all} and e.type = wanted.type order by e.id desc limit ${mostRare}) as e) as e where true`
    : sql`events e where ${all}`
  const ahead = sql`
    ${source} and e.position > ${position}::bigint order by e.position`
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (select from ${ahead} limit ${mostCountedAhead}) as next_ones`)
  const rows = await db.rows<FeedEvent>(sql`
    select ${feedColumns} from ${ahead} limit ${readFor(page)} offset ${offsetOf(page)}`)
  return pageOfMore(rows, total, page, cursorInFeed)
}

/** The last position in the log of the organisation; 0 if it has no event. */
export async function findHead(db: Queryable, { organisationId }: Tenant): Promise<number> {
  const head = await db.maybe<{ position: number }>(sql`
    select position::float8 as position from event_heads where organisation_id = ${organisationId}`)
  return head?.position ?? 0
}

export function findInFeed(
  db: Queryable,
  tenant: Tenant,
  filter: FeedFilter,
  id: string,
): Promise<FeedEvent | undefined> {
  return db.maybe(sql`select ${feedColumns} from events e where ${matching(tenant, filter)} and e.id = ${id}`)
}
