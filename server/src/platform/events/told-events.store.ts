import type { EventType } from '../../kernel/events.ts'
import { firstIdAt, type OrganisationId } from '../../kernel/ids.ts'
import { offsetOf, type Page, type PageRequest, pageOf } from '../../kernel/paging.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../database/database.ts'
import { joined, type Sql, sql } from '../database/sql.ts'
import { clockSlackMs } from './places.store.ts'

/** An event as it is told to those who listen, without who did it. */
export interface EventToTell {
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

/** Of several organisations, by their ids; in no order. */
export function listEventsById(
  db: Queryable,
  refs: readonly { readonly organisationId: OrganisationId; readonly id: string }[],
): Promise<EventToTell[]> {
  const ids = refs.map(({ id }) => id).sort()
  // The bounds keep the months that none of them is of out of the plan.
  return db.rows(sql`
    select ${columns}
      from unnest(${refs.map(({ organisationId }) => organisationId)}::uuid[], ${refs.map(({ id }) => id)}::uuid[]) as r (organisation_id, id)
      join events e on e.organisation_id = r.organisation_id and e.id = r.id and e.id >= ${ids[0]}::uuid and e.id <= ${ids.at(-1)}::uuid`)
}

export interface FeedFilter {
  /** patterns such as `invoice.*` are for the caller to resolve */
  readonly types: readonly EventType[]
  readonly from: Date
  readonly to?: Date | undefined
}

/** Where a reader of the feed stands: what comes after it, it has not seen. */
export interface FeedPlace {
  readonly era: number
  readonly xid: string
  readonly seq: string
}

export interface FedEvent extends EventToTell, FeedPlace {}

const feedColumns = sql`${columns}, e.era, e.xid::text as xid, e.seq::text as seq`

/** What happened in one mode or to the organisation as a whole; the id of an event is as old as the event, give or take clocks. */
function matching({ organisationId, mode }: Tenant, { types, from, to }: FeedFilter): Sql {
  const conditions = [
    sql`e.organisation_id = ${organisationId}`,
    sql`(e.mode = ${mode} or e.mode is null)`,
    sql`e.type = any (${types}::text[])`,
    sql`e.created_at >= ${from}`,
    sql`e.id >= ${firstIdAt(from.getTime() - clockSlackMs)}::uuid`,
  ]
  if (to !== undefined) conditions.push(sql`e.created_at < ${to}`)
  return joined(conditions, ' and ')
}

/** The newest first. */
export async function listFeed(
  db: Queryable,
  tenant: Tenant,
  filter: FeedFilter,
  page: PageRequest,
): Promise<Page<FedEvent>> {
  const all = matching(tenant, filter)
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from events e where ${all}`)
  const rows = await db.rows<FedEvent>(sql`
    select ${feedColumns} from events e where ${all} order by e.id desc limit ${page.limit} offset ${offsetOf(page)}`)
  return pageOf(rows, total, page)
}

/** Whoever follows reads page after page: counting all that is left each time would cost more than reading it. */
const mostCountedAhead = 1_000

/**
 * What comes after a place, in the order that never changes: what transactions at or above the oldest running one wrote is left for the
 * next time, since that one may yet commit something that comes before. So whoever goes on from the last event misses none. The total
 * says how many are left, up to a thousand.
 */
export async function listFeedAfter(
  db: Queryable,
  tenant: Tenant,
  filter: FeedFilter,
  { era, xid, seq }: FeedPlace,
  page: PageRequest,
): Promise<Page<FedEvent>> {
  const all = sql`${matching(tenant, filter)}
    and (e.era, e.xid, e.seq) > (${era}::smallint, ${xid}::text::xid8, ${seq}::text::bigint)
    and (e.era, e.xid) < (select era, settled_before() from event_era)`
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (
      select from events e where ${all} order by e.era, e.xid, e.seq limit ${mostCountedAhead}) as next_ones`)
  const rows = await db.rows<FedEvent>(sql`
    select ${feedColumns} from events e where ${all} order by e.era, e.xid, e.seq limit ${page.limit} offset ${offsetOf(page)}`)
  return pageOf(rows, total, page)
}

export function findInFeed(
  db: Queryable,
  tenant: Tenant,
  filter: FeedFilter,
  id: string,
): Promise<FedEvent | undefined> {
  return db.maybe(sql`select ${feedColumns} from events e where ${matching(tenant, filter)} and e.id = ${id}`)
}
