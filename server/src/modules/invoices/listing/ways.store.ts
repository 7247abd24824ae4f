import type { Tenant } from '../../../kernel/tenant.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import { startOfWeek, weekOf } from './facts.store.ts'
import type { InvoiceSort } from './invoice-filter.ts'
import { listed, type Narrowing } from './narrowing.store.ts'
import { fits, isCounted, rowsThatFit, type SearchWords, type UnmetParty, weeksNumbered } from './search.store.ts'

const sortColumns: Readonly<Record<InvoiceSort['by'], Sql>> = {
  createdAt: sql`null::int`,
  issueDate: sql`l.issue_date`,
  number: sql`l.number_key`,
  payableMinor: sql`l.payable_minor`,
  dueDate: sql`l.due_date`,
  taxMinor: sql`l.tax_minor`,
}

export interface Question {
  readonly tenant: Tenant
  readonly sort: InvoiceSort
  readonly offset: number
  readonly limit: number
  readonly narrowings: readonly Narrowing[]
  readonly search: SearchWords | undefined
  /** so many rows are always worth collecting and sorting */
  readonly few: number
}

/** What was known a moment ago: good for choosing a way, and of no weight for what the answer is. */
export interface Hints {
  readonly all: number
  readonly kept: number
  readonly values: number
  readonly numbered: number
  readonly named: number
  readonly parties: number
  readonly unmet: readonly UnmetParty[] | null
}

/** How rows of the listing are found: in an order that an index has, by values of a column, by weeks, or all and then sorted. */
export type Way = 'plain' | 'found' | 'weeks' | 'collect'

/** Rows to look at when going through all in order, until so many were met. */
const passed = ({ offset, limit }: Question, all: number, matching: number): number =>
  ((offset + limit) * all) / Math.max(1, matching)

export function needsHints({ narrowings, search, sort, offset, limit }: Question): boolean {
  const [sole] = narrowings
  if (search) return true
  if (sole === undefined || narrowings.length > 1) return false
  if (sort.by !== 'createdAt') return true
  return !sole.isOrdered && !(sole.found && offset + limit <= 200)
}

export function wayTo(question: Question, hints: Hints | undefined): Way {
  const { narrowings, search, sort, offset, limit, few } = question
  const isByCreation = sort.by === 'createdAt'
  const [sole] = narrowings
  if (search && hints) {
    const { all, numbered, named, parties } = hints
    if (numbered + named <= few) return 'collect'
    if (narrowings.length > 0 || !isByCreation) return numbered + named <= 4 * few ? 'collect' : 'plain'
    const scanned = passed(question, all, Math.max(numbered, named))
    if (numbered <= few)
      return Math.min(named, parties * (offset + limit)) <= Math.max(few, 4 * scanned) ? 'found' : 'plain'
    return parties === 0 && isCounted(search) ? 'weeks' : 'plain'
  }
  if (sole === undefined || narrowings.length > 1) return 'plain'
  if (!hints) return sole.found ? 'found' : 'plain'
  const scanned = passed(question, hints.all, hints.kept)
  if (isByCreation && sole.found)
    return Math.min(hints.kept, hints.values * (offset + limit)) <= Math.max(few, 4 * scanned) ? 'found' : 'plain'
  if (hints.kept <= few) return 'collect'
  if (isByCreation && sole.weeks) return 'weeks'
  return hints.kept <= scanned ? 'collect' : 'plain'
}

export const isNotFresh = sql`l.id not in (select id from fresh)`

interface Pieces {
  readonly columns: Sql
  readonly order: Sql
  readonly condition: Sql
  readonly window: Sql
  readonly until: Sql
}

export function piecesOf({ sort, offset, limit, narrowings, search }: Question): Pieces {
  const direction = sort.descending ? sql`desc` : sql`asc`
  const byCreation = sql`l.created_at ${direction}, l.id ${direction}`
  const conditions = narrowings.map(({ condition }) => condition)
  if (search) conditions.push(fits(search))
  return {
    columns: sql`l.id, l.created_at, ${sortColumns[sort.by]} as k`,
    order: sort.by === 'createdAt' ? byCreation : sql`l.k ${direction} nulls last, ${byCreation}`,
    condition: conditions.length === 0 ? sql`true` : joined(conditions, ' and '),
    // Each fresh row may stand before those of the listing: so many earlier ones are looked at.
    window: sql`
      offset (select greatest(0, ${offset}::bigint - n) from fresh_count) limit (select ${limit} + least(n, ${offset}::bigint) from fresh_count)`,
    until: sql`limit ${offset + limit}`,
  }
}

/**
 * In the order of an index. The planner has to see how many rows are wanted at most, else it would rather sort all that match.
 * Backwards an index would give those without a due date first, so they are asked for by themselves.
 */
function plainRows({ tenant, sort }: Question, { columns, order, condition, window, until }: Pieces): Sql {
  const from = sql`select ${columns} from ${listed(tenant)} and ${condition} and ${isNotFresh}`
  const direction = sort.descending ? sql`desc` : sql`asc`
  const byCreation = sql`l.created_at ${direction}, l.id ${direction}`
  const column = sortColumns[sort.by]
  if (sort.by === 'createdAt') return sql`select l.* from (${from} order by ${byCreation} ${until}) as l ${window}`
  if (sort.by !== 'dueDate' || !sort.descending)
    return sql`select l.* from (${from} order by ${column} ${direction}, ${byCreation} ${until}) as l ${window}`
  return sql`
    select l.* from (
      (${from} and l.due_date is not null order by l.due_date desc, ${byCreation} ${until})
      union all
      (${from} and l.due_date is null order by ${byCreation} ${until})) as l
    order by ${order} ${window}`
}

function foundRows(question: Question, pieces: Pieces, best: Sql): Sql {
  const { tenant, narrowings, search } = question
  const { columns, order, condition, window } = pieces
  const [sole] = narrowings
  if (search) {
    const further =
      narrowings.length === 0
        ? isNotFresh
        : sql`${joined(
            narrowings.map((one) => one.condition),
            ' and ',
          )} and ${isNotFresh}`
    return sql`select l.* from (${rowsThatFit(tenant, search, columns, further, best)}) as l order by ${order} ${window}`
  }
  if (!sole?.found)
    return sql`
      select l.* from (select ${columns} from ${listed(tenant)} and ${condition} and ${isNotFresh} offset 0) as l order by ${order} ${window}`
  return sql`
    select l.* from (${sole.found}) as found cross join lateral (
      select ${columns} from ${listed(tenant)} and l.facets = found.value and ${condition} and ${isNotFresh} ${best}) as l
    order by ${order} ${window}`
}

/** How many rows each week of creation has, without those that are fresh. */
export const weeksLeft = (weeks: Sql): Sql => sql`
  select week, sum(n) as n from (
    select week, n from (${weeks}) as kept union all select ${weekOf(sql`s.created_at`)}, -1 from superseded s) as w
   group by week having sum(n) > 0`

/** Counts by week say in which weeks the page lies: only these are gone through. */
function rowsOfWeeks({ tenant, sort, offset, limit }: Question, { columns, condition, order }: Pieces): Sql {
  const direction = sort.descending ? sql`desc` : sql`asc`
  return sql`
    with running as (select week, n, sum(n) over (order by week ${direction}) - n as before from weeks),
    span as materialized (
      select min(week) as first, max(week) as last, min(before) as skipped
        from running, fresh_count where before < ${offset + limit} and before + running.n > greatest(0, ${offset}::bigint - fresh_count.n))
    select ${columns} from ${listed(tenant)} and l.created_at >= (select ${startOfWeek(sql`first`)} from span)
       and l.created_at < (select ${startOfWeek(sql`last + 1`)} from span) and ${condition} and ${isNotFresh}
     order by ${order}
    offset (select greatest(0, ${offset}::bigint - n) - skipped from fresh_count, span) limit (select ${limit} + least(n, ${offset}::bigint) from fresh_count)`
}

export const weeksOf = ({ tenant, narrowings, search }: Question): Sql =>
  (search ? weeksNumbered(tenant, search) : narrowings[0]?.weeks) as Sql

export function rowsBy(way: Way, question: Question, pieces: Pieces): Sql {
  if (way === 'plain') return plainRows(question, pieces)
  if (way === 'weeks') return rowsOfWeeks(question, pieces)
  const direction = question.sort.descending ? sql`desc` : sql`asc`
  const best =
    way === 'found' ? sql`order by l.created_at ${direction}, l.id ${direction} ${pieces.until}` : sql`offset 0`
  return foundRows(question, pieces, best)
}
