import { type Span, spansOf } from '../../kernel/day-spans.ts'
import { businessDay } from '../../kernel/days.ts'
import type { EventType } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { offsetOf, type Page, type PageRequest, pageOfMore, readFor } from '../../kernel/paging.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Queryable } from '../database/database.ts'
import { behind, newestIdFirst } from '../database/keyset.store.ts'
import { joined, type Sql, sql } from '../database/sql.ts'
import type { Actor } from './actors.ts'
import { eventCountsName } from './event-counts.store.ts'
import { eventsSince, positionOf } from './log-reader.store.ts'

export interface LoggedEvent {
  readonly id: string
  readonly mode: Mode | null
  readonly type: EventType
  /** the version of the payload's shape */
  readonly version: number
  readonly objectId: string
  /** the version of the object that the event describes; null if objects of its kind have no versions */
  readonly objectVersion: number | null
  readonly data: object
  readonly actorKind: Actor['kind']
  readonly actorId: string | null
  readonly actorName: string
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
  readonly createdAt: Date
}

export interface EventFilter {
  readonly type?: string | undefined
  readonly actorId?: string | undefined
  readonly objectId?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

interface EventQuery {
  readonly organisationId: OrganisationId
  readonly types: readonly EventType[]
  readonly filter: EventFilter
}

const all = (conditions: readonly Sql[]): Sql => joined(conditions, ' and ')

/** The conditions on a row `e` of `events`. */
const conditionsOf = (query: EventQuery): Sql[] => [
  sql`e.organisation_id = ${query.organisationId}`,
  ...wantedOf(query),
]

function wantedOf({ types, filter: { actorId, objectId, from, to } }: EventQuery): Sql[] {
  const conditions = [sql`e.type = any (${types}::text[])`]
  if (actorId !== undefined) conditions.push(sql`e.actor_id = ${actorId}`)
  if (objectId !== undefined) conditions.push(sql`e.object_id = ${objectId}`)
  if (from !== undefined) conditions.push(sql`e.created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`e.created_at < ${to}`)
  return conditions
}

interface EventCount {
  readonly total: number
  /** roughly how many events the organisation has */
  readonly all: number
  /** the lowest and highest id of the events; months outside are not read */
  readonly firstId: string | null
  readonly lastId: string | null
}

const dayMs = 24 * 3600_000
const dayOf = (instant: Date): string => businessDay(instant, 'UTC')
const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)

interface DaySpans {
  readonly spans: readonly Span[]
  /** parts of days, at the ends of a range */
  readonly edges: readonly { readonly day: string; readonly from: Date; readonly until: Date }[]
}

/** Splits a range of instants into whole months, whole days, and parts of at most two days. */
export function cut({ from, to }: Pick<EventFilter, 'from' | 'to'>): DaySpans {
  const [first, last] = [from && dayOf(from), to && dayOf(to)]
  const beginsInside = from !== undefined && first !== undefined && startOf(first).getTime() !== from.getTime()
  const endsInside = to !== undefined && last !== undefined && startOf(last).getTime() !== to.getTime()
  const isWithinADay = from !== undefined && to !== undefined && first === last
  if (isWithinADay) return { spans: [], edges: from < to ? [{ day: first as string, from, until: to }] : [] }
  const nextDay = (day: string) => new Date(startOf(day).getTime() + dayMs)
  const edges: DaySpans['edges'][number][] = []
  if (from && first && beginsInside) edges.push({ day: first, from, until: nextDay(first) })
  if (to && last && endsInside) edges.push({ day: last, from: startOf(last), until: to })
  const whole = {
    from: first && beginsInside ? dayOf(nextDay(first)) : first,
    to: last === undefined ? undefined : dayOf(new Date(startOf(last).getTime() - dayMs)),
  }
  const isEmpty = whole.from !== undefined && whole.to !== undefined && whole.from > whole.to
  return { spans: isEmpty ? [] : spansOf(whole), edges }
}

/** Counts of the given types in spans of time: a query that gives `n`, `first_id` and `last_id`. */
function countsWithin({ organisationId, types, filter: { actorId } }: EventQuery, { span, from, until }: Span): Sql {
  const conditions = [
    sql`c.organisation_id = ${organisationId}`,
    sql`c.span = ${span}`,
    sql`c.type = any (${types}::text[])`,
  ]
  if (actorId !== undefined) conditions.push(sql`c.actor_id = ${actorId}`)
  if (from !== undefined) conditions.push(sql`c.since >= ${from}::date`)
  if (until !== undefined) conditions.push(sql`c.since < ${until}::date`)
  return sql`select c.n, c.first_id, c.last_id from event_counts c where ${all(conditions)}`
}

const lowest = (column: Sql): Sql => sql`min(${column}::text collate "C")::uuid`
const highest = (column: Sql): Sql => sql`max(${column}::text collate "C")::uuid`
const none = sql`select 0::bigint as n, null::uuid as first_id, null::uuid as last_id where false`

/**
 * The total: stored counts of whole months and days, plus the parts of days at the ends, plus the events after the cursor of the counts.
 * Only few events are read, however many there are.
 */
export function counting(query: EventQuery): Sql {
  const { organisationId, filter } = query
  const { spans, edges } = cut(filter)
  const matching = all(conditionsOf(query))
  const kept =
    spans.length === 0
      ? none
      : joined(
          spans.map((span) => countsWithin(query, span)),
          ' union all ',
        )
  const partly = edges.map(({ day, from, until }) => {
    const ofDay = countsWithin(query, {
      span: 'day',
      from: day,
      until: dayOf(new Date(startOf(day).getTime() + dayMs)),
    })
    return sql`
      select count(*) as n, ${lowest(sql`e.id`)} as first_id, ${highest(sql`e.id`)} as last_id
        from (select ${lowest(sql`d.first_id`)} as first_id, ${highest(sql`d.last_id`)} as last_id from (${ofDay}) as d) as bounds
       cross join lateral (
         select e.id from events e
          where ${matching} and e.id between bounds.first_id and bounds.last_id and e.created_at >= ${from} and e.created_at < ${until}
            and e.position <= (select position from cursor)
            and not exists (select from set_aside_events s where s.consumer = ${eventCountsName} and s.event_id = e.id) offset 0) as e`
  })
  return sql`
    with cursor as materialized (select ${positionOf(eventCountsName, organisationId)} as position),
    parts as (
      ${joined([kept, ...partly], ' union all ')}
      union all
      select count(*), ${lowest(sql`e.id`)}, ${highest(sql`e.id`)} from (${eventsSince(eventCountsName, organisationId)}) as e
       where ${all(wantedOf(query))})
    select coalesce(sum(n), 0)::float8 as total, ${lowest(sql`first_id`)} as first_id, ${highest(sql`last_id`)} as last_id,
           (select coalesce(sum(n), 0)::float8 from event_counts where organisation_id = ${organisationId} and span = 'month') as all
      from parts`
}

/** One object has few events, and an index finds them. */
const countingAbout = (query: EventQuery): Sql => sql`
  select count(*)::float8 as total, ${lowest(sql`e.id`)} as first_id, ${highest(sql`e.id`)} as last_id, 0::float8 as all
    from events e where ${all(conditionsOf(query))}`

const columns = sql`
  e.id, e.mode, e.type, e.version, e.object_id, e.object_version::float8 as object_version, e.data, e.actor_kind, e.actor_id, e.actor_name, e.address,
  e.user_agent, e.request_id, e.created_at`

/** If the walk would pass more rows than this for each match, each type is looked up by itself. */
const worthPassing = 10
/** A lookup by type fetches everything before the page once for each type, so deeper pages do not use it. */
const deepestByType = 1_000

const order = newestIdFirst(sql`e.id`)

/** The page, newest first, between the lowest and the highest id. */
export function paging(
  query: EventQuery,
  { total, all: everything, firstId, lastId }: EventCount,
  page: PageRequest,
): Sql {
  const { types, filter } = query
  const conditions = [
    ...conditionsOf(query),
    sql`e.id between ${firstId} and ${lastId}`,
    ...(page.after ? [behind(order, page.after)] : []),
  ]
  const [offset, limit] = [offsetOf(page), readFor(page)]
  const isRare =
    filter.actorId === undefined &&
    filter.objectId === undefined &&
    total * worthPassing < everything &&
    offset < deepestByType
  if (!isRare)
    return sql`select ${columns} from events e where ${all(conditions)} order by e.id desc limit ${limit} offset ${offset}`
  // The newest of each type in index order, and the newest among these.
  return sql`
    select e.* from unnest(${types}::text[]) as wanted (type) cross join lateral (
      select ${columns} from events e where ${all(conditions)} and e.type = wanted.type order by e.id desc limit ${offset + limit}) as e
     order by e.id desc limit ${limit} offset ${offset}`
}

/** Events of the given types, newest first, with their exact total. `type` may end in `.*` for a whole family. */
export async function listEvents(
  db: Queryable,
  organisationId: OrganisationId,
  readable: readonly EventType[],
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<LoggedEvent>> {
  const { type } = filter
  const types = readable.filter(
    (one) => type === undefined || (type.endsWith('.*') ? one.startsWith(type.slice(0, -1)) : one === type),
  )
  const query: EventQuery = { organisationId, types, filter }
  const found = await db.one<EventCount>(filter.objectId === undefined ? counting(query) : countingAbout(query))
  const rows = found.total === 0 ? [] : await db.rows<LoggedEvent>(paging(query, found, page))
  return pageOfMore(rows, found.total, page, ({ id }) => ({ order: order.name, keys: [id] }))
}
