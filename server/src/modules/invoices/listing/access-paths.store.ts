import type { Cursor } from '../../../kernel/cursors.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import { type DayKind, type FilterPart, listed } from './filter-parts.store.ts'
import type { InvoiceSort } from './invoice-filter.ts'
import { type AfterCursor, createdAtOf, rowsBehind, sortColumns } from './list-order.store.ts'
import { startOfWeek, weekOf } from './listing-columns.store.ts'
import { fits, isCounted, rowsThatFit, type SearchWords, type UnmetParty, weeksNumbered } from './search.store.ts'

const directionOf = ({ descending }: InvoiceSort): Sql => (descending ? sql`desc` : sql`asc`)

/** The given columns and then creation, in the direction of the sort. */
const ordered = (columns: readonly Sql[], sort: InvoiceSort): Sql =>
  joined(
    [...columns, sql`l.created_at`, sql`l.id`].map((column) => sql`${column} ${directionOf(sort)}`),
    ', ',
  )

export interface ListQuery {
  readonly tenant: Tenant
  readonly sort: InvoiceSort
  readonly offset: number
  /** one more than the page size, which shows whether there are more */
  readonly limit: number
  readonly after: Cursor | undefined
  readonly filterParts: readonly FilterPart[]
  readonly search: SearchWords | undefined
  /** collecting and sorting is always cheap up to this many rows */
  readonly few: number
}

/** Counts from a moment ago. They choose an access path and never change the result. */
export interface Estimates {
  readonly all: number
  readonly kept: number
  /** how many of the first rows in the wanted order match, if the sort is unrelated (`isSortedOtherwise`) */
  readonly soon: number
  readonly values: number
  readonly numbered: number
  readonly named: number
  readonly parties: number
  readonly unmet: readonly UnmetParty[] | null
}

/**
 * How rows of the listing are found: in the order of an index, by values of a column, by days, by weeks, or all and
 * then sorted.
 */
export type AccessPath = 'in order' | 'by value' | 'by day' | 'by week' | 'collect and sort'

/** The day that a sort uses. */
const sortedDay: Partial<Record<InvoiceSort['by'], DayKind>> = { issueDate: 'issue', dueDate: 'due' }
/** From this many rows on, reading by each day costs more than it saves. */
const mostByDay = 201

/** From this many rows on, reading by each facet value may cost more than reading all. */
const mostByValue = 201

/**
 * The filter is on one day and the sort on the other. Both days correlate, so the matching rows lie somewhere inside
 * the other order, and all rows before them would be read in vain.
 */
const isAcrossDays = ({ filterParts: [sole, another], search, sort, offset, limit }: ListQuery): boolean =>
  !search &&
  another === undefined &&
  sole?.days !== undefined &&
  sortedDay[sort.by] !== undefined &&
  sortedDay[sort.by] !== sole.days.kind &&
  offset + limit <= mostByDay

/** Rows to read in order until enough matches are found. */
const rowsPassed = ({ offset, limit }: ListQuery, all: number, matching: number): number =>
  ((offset + limit) * all) / Math.max(1, matching)

export function needsEstimates(query: ListQuery): boolean {
  const { filterParts, search, sort, offset, limit } = query
  const [sole] = filterParts
  if (search) return true
  if (sole === undefined || filterParts.length > 1 || isAcrossDays(query)) return false
  if (sort.by !== 'createdAt') return true
  return !sole.isInOrderOfCreation && !(sole.facetValues && offset + limit <= mostByValue)
}

export function chooseAccessPath(query: ListQuery, estimates: Estimates | undefined): AccessPath {
  const { filterParts, search, sort, offset, limit, few } = query
  const isByCreation = sort.by === 'createdAt'
  const [sole] = filterParts
  if (search && estimates) {
    const { all, numbered, named, parties } = estimates
    if (numbered + named <= few) return 'collect and sort'
    if (filterParts.length > 0 || !isByCreation) return numbered + named <= 4 * few ? 'collect and sort' : 'in order'
    const scanned = rowsPassed(query, all, Math.max(numbered, named))
    if (numbered <= few)
      return Math.min(named, parties * (offset + limit)) <= Math.max(few, 4 * scanned) ? 'by value' : 'in order'
    return parties === 0 && isCounted(search) ? 'by week' : 'in order'
  }
  if (isAcrossDays(query)) return 'by day'
  if (sole === undefined || filterParts.length > 1) return 'in order'
  if (!estimates) return sole.facetValues ? 'by value' : 'in order'
  const scanned = rowsPassed(query, estimates.all, estimates.kept)
  if (isByCreation && sole.facetValues)
    return Math.min(estimates.kept, estimates.values * (offset + limit)) <= Math.max(few, 4 * scanned)
      ? 'by value'
      : 'in order'
  if (estimates.kept <= few) return 'collect and sort'
  if (isByCreation && sole.keptByWeek) return 'by week'
  if (isSortedOtherwise(query) && comeLate(query, estimates)) return 'collect and sort'
  return estimates.kept <= scanned ? 'collect and sort' : 'in order'
}

/** The sort is unrelated to creation and to the filter. */
export const isSortedOtherwise = ({ sort, filterParts: [sole], search }: ListQuery): boolean =>
  sole !== undefined && !search && sort.by !== 'createdAt' && sort.by !== sole.narrows

/** How many rows in the wanted order are sampled to see whether the matches are spread evenly. */
const lookedAt = (few: number): number => Math.ceil(few / 5)
/** Collecting and sorting takes too long above this multiple of `few`. */
const mostCollected = 20

/**
 * Whether the matches come late in the wanted order. For example, drafts are the newest and fall due last, and
 * numbers rise with days. Then far fewer of the sample match than an even spread would give, and reading in order
 * could pass any number of rows.
 */
function comeLate({ offset, limit, few }: ListQuery, { all, kept, soon }: Estimates): boolean {
  const expected = Math.min(offset + limit, (lookedAt(few) * kept) / Math.max(1, all))
  return expected >= 4 && soon < expected / 4 && kept <= mostCollected * few
}

/** The first rows in the wanted order without the filter, with all columns of the listing. */
export function firstInOrder({ tenant, sort, few, after }: ListQuery): Sql {
  const { any, dated } = rowsBehind(sort, after)
  // Read backwards, the index would return rows without a due date first.
  const hasDay = sort.by === 'dueDate' && sort.descending ? sql`l.due_date is not null and ${dated}` : any
  return sql`
    select l.* from ${listed(tenant)} and ${hasDay} order by ${ordered(sortColumns(sort.by), sort)} limit ${lookedAt(few)}`
}

export const isNotFresh = sql`l.id not in (select id from fresh)`

interface QueryParts {
  readonly columns: Sql
  readonly order: Sql
  /** the filter's condition on a row */
  readonly condition: Sql
  readonly behind: AfterCursor
  readonly window: Sql
  readonly until: Sql
}

export function partsOf({ sort, offset, limit, after, filterParts, search }: ListQuery): QueryParts {
  const conditions = filterParts.map(({ condition }) => condition)
  if (search) conditions.push(fits(search))
  const [first = sql`null::int`, second = sql`null::int`] = sortColumns(sort.by)
  const [direction, byCreation] = [directionOf(sort), ordered([], sort)]
  return {
    columns: sql`l.id, l.created_at, ${first} as first_key, ${second} as second_key`,
    order:
      sort.by === 'createdAt'
        ? byCreation
        : sql`l.first_key ${direction} nulls last, l.second_key ${direction}, ${byCreation}`,
    condition: conditions.length === 0 ? sql`true` : joined(conditions, ' and '),
    behind: rowsBehind(sort, after),
    // Each fresh row may come before those of the listing, so this many earlier rows are read.
    window: sql`
      offset (select greatest(0, ${offset}::bigint - n) from fresh_count) limit (select ${limit} + least(n, ${offset}::bigint) from fresh_count)`,
    until: sql`limit ${offset + limit}`,
  }
}

/**
 * Reads in the order of an index. The planner must see the limit, else it would sort all matches. Read backwards, the
 * index would return rows without a due date first, so they are read separately, also behind a cursor.
 */
function rowsInOrder(query: ListQuery, parts: QueryParts): Sql {
  const { tenant, sort, after } = query
  const { columns, order, condition, window, until, behind } = parts
  const from = sql`select ${columns} from ${listed(tenant)} and ${condition} and ${isNotFresh}`
  const inOrder = ordered(sortColumns(sort.by), sort)
  if (sort.by !== 'dueDate' || !(sort.descending || after))
    return sql`select l.* from (${from} and ${behind.any} order by ${inOrder} ${until}) as l ${window}`
  return sql`
    select l.* from (
      (${from} and l.due_date is not null and ${behind.dated} order by ${inOrder} ${until})
      union all
      (${from} and l.due_date is null and ${behind.undated} order by ${inOrder} ${until})) as l
    order by ${order} ${window}`
}

function rowsByValue(query: ListQuery, parts: QueryParts, best: Sql): Sql {
  const { tenant, filterParts, search } = query
  const { columns, order, condition, window, behind } = parts
  const [sole] = filterParts
  if (search) {
    const further = joined([...filterParts.map((one) => one.condition), isNotFresh, behind.any], ' and ')
    return sql`select l.* from (${rowsThatFit(tenant, search, columns, further, best)}) as l order by ${order} ${window}`
  }
  if (!sole?.facetValues)
    return sql`
      select l.* from (select ${columns} from ${listed(tenant)} and ${condition} and ${isNotFresh} and ${behind.any} offset 0) as l order by ${order} ${window}`
  return sql`
    select l.* from (${sole.facetValues}) as found cross join lateral (
      select ${columns} from ${listed(tenant)} and l.facets = found.value and ${condition} and ${isNotFresh} and ${behind.any} ${best}) as l
    order by ${order} ${window}`
}

/**
 * Merges the best rows of each due day: an index has the rows of a due day in the order of their issue. A day whose
 * first row comes after the first rows of enough other days contributes nothing, so most days cost one row. The
 * constant day stays in the order because the planner would not infer it.
 */
function rowsByDay(query: ListQuery, parts: QueryParts): Sql {
  const { tenant, sort, offset, limit, filterParts } = query
  const { columns, order, condition, window, behind } = parts
  const { dueDays } = (filterParts[0] as FilterPart).days as NonNullable<FilterPart['days']>
  const best = (due: Sql, most: number, isBehind = behind.dated): Sql => sql`
    select ${columns} from ${listed(tenant)} and l.due_date ${due} and ${condition} and ${isNotFresh} and ${isBehind}
     order by ${ordered(sortColumns('dueDate'), sort)} limit ${most}`
  const ofDays = sql`
    with days as materialized (
      select d.day from (${dueDays}) as d cross join lateral (${best(sql`= d.day`, 1)}) as l order by ${order} limit ${offset + limit})
    select l.* from days cross join lateral (${best(sql`= days.day`, offset + limit)}) as l`
  if (sort.by !== 'dueDate') return sql`${ofDays} order by ${order} ${window}`
  return sql`
    select l.* from ((${ofDays}) union all (${best(sql`is null`, offset + limit, behind.undated)})) as l order by ${order} ${window}`
}

/** Counts by week of creation, without fresh rows. */
export const weeksWithoutFresh = (weeks: Sql): Sql => sql`
  select week, sum(n) as n from (
    select week, n from (${weeks}) as kept union all select ${weekOf(sql`s.created_at`)}, -1 from superseded s) as w
   group by week having sum(n) > 0`

/**
 * Counts by week show in which weeks the page lies: only these are read. Behind a cursor the walk begins with the
 * cursor's week, whose rows before the cursor are unknown and count as zero.
 */
function rowsOfWeeks(
  { tenant, sort, offset, limit, after }: ListQuery,
  { columns, condition, order, behind }: QueryParts,
): Sql {
  const week = after && weekOf(createdAtOf(after))
  const weeks = week
    ? sql`(select week, case when week = ${week} then 0 else n end as n from weeks where week ${sort.descending ? sql`<=` : sql`>=`} ${week}) as weeks`
    : sql`weeks`
  const isReached = week ? sql`true` : sql`before + running.n > greatest(0, ${offset}::bigint - fresh_count.n)`
  return sql`
    with running as (select week, n, sum(n) over (order by week ${directionOf(sort)}) - n as before from ${weeks}),
    span as materialized (
      select min(week) as first, max(week) as last, min(before) as skipped
        from running, fresh_count where before < ${offset + limit} and ${isReached})
    select ${columns} from ${listed(tenant)} and l.created_at >= (select ${startOfWeek(sql`first`)} from span)
       and l.created_at < (select ${startOfWeek(sql`last + 1`)} from span) and ${condition} and ${isNotFresh} and ${behind.any}
     order by ${order}
    offset (select greatest(0, ${offset}::bigint - n) - skipped from fresh_count, span) limit (select ${limit} + least(n, ${offset}::bigint) from fresh_count)`
}

export const weeksFor = ({ tenant, filterParts, search }: ListQuery): Sql =>
  (search ? weeksNumbered(tenant, search) : filterParts[0]?.keptByWeek) as Sql

export function rowsAlong(accessPath: AccessPath, query: ListQuery, parts: QueryParts): Sql {
  if (accessPath === 'in order') return rowsInOrder(query, parts)
  if (accessPath === 'by day') return rowsByDay(query, parts)
  if (accessPath === 'by week') return rowsOfWeeks(query, parts)
  const best = accessPath === 'by value' ? sql`order by ${ordered([], query.sort)} ${parts.until}` : sql`offset 0`
  return rowsByValue(query, parts, best)
}
