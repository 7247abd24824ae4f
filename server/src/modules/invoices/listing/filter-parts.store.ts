import { ageSteps, type ReceivableAge } from '../../../kernel/receivable-ages.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import { creatorTypes, type FacetClause, facetClauses, isOpen } from './facets.ts'
import type { InvoiceFilter, InvoiceSort } from './invoice-filter.ts'
import { amountBucket, bucketEnds } from './kept-counts.ts'
import { startOfWeek, weekOf } from './listing-columns.store.ts'

/** One condition of a filter, and the counts that are kept for it. */
export interface FilterPart {
  /** condition on a row `l` with the columns of the listing */
  readonly condition: Sql
  /** number of matching rows from kept counts: a scalar */
  readonly keptCount: Sql
  /** an estimate, if it is cheaper */
  readonly roughCount?: Sql
  /** the same by week of creation: a query of `week` and `n` */
  readonly keptByWeek?: Sql
  /** facet values of matching rows, each of which an index has in the order of creation: a query of `value` */
  readonly facetValues?: Sql
  /** an index has the matching rows in the order of creation */
  readonly isInOrderOfCreation?: true
  /** the sort column that the condition narrows: the matches are adjacent in that order */
  readonly narrows?: InvoiceSort['by']
  /** for a filter by days: the kind, and the due days of rows that may match: a query of `day` */
  readonly days?: { readonly kind: DayKind; readonly dueDays: Sql }
}

/** The two days of an invoice. */
export type DayKind = 'issue' | 'due'

export const within = ({ organisationId, mode }: Tenant, row: Sql): Sql =>
  sql`${row}.organisation_id = ${organisationId} and ${row}.mode = ${mode}`

export const listed = (tenant: Tenant): Sql => sql`invoice_listing l where ${within(tenant, sql`l`)}`

/**
 * The listing row of an invoice, by id: the first row in the order of ids, which only the key has. A planner without
 * statistics takes any index that ends with the id for as good as the key, and reads all rows of the tenant.
 */
export const listedAs = (tenant: Tenant, id: Sql): Sql => sql`
  select l.* from (select l.* from ${listed(tenant)} and l.id >= ${id} order by l.id limit 1) as l where l.id = ${id}`

export const keptCounts = (tenant: Tenant, kind: string): Sql =>
  sql`invoice_counts c where ${within(tenant, sql`c`)} and c.kind = ${kind}`

const sumOf = (kept: Sql): Sql => sql`(select coalesce(sum(c.n), 0) from ${kept})`
const all = (conditions: readonly Sql[]): Sql => joined(conditions, ' and ')
const matches = (column: Sql, { mask, values }: FacetClause): Sql =>
  sql`(${column} & ${mask}::int) = any (${values}::int[])`

export const countOfAll = (tenant: Tenant): Sql => sumOf(keptCounts(tenant, 'all'))

function byFacets(tenant: Tenant, clauses: readonly FacetClause[]): FilterPart {
  // Only these keys are numbers, and the database may evaluate conditions in any order.
  const key = sql`(case when c.kind = 'facets' then c.key::int end)`
  const kept = sql`${keptCounts(tenant, 'facets')} and ${all(clauses.map((clause) => matches(key, clause)))}`
  return {
    condition: all(clauses.map((clause) => matches(sql`l.facets`, clause))),
    keptCount: sumOf(kept),
    facetValues: sql`select c.key::int as value from ${kept}`,
  }
}

/** The first open part of a document: see `openKey`. */
const isFirstPart = sql`length(c.key) = 10`

/** The due days of the instalments that are owed after the next one; no row if there are none. */
const laterDays = sql`jsonb_to_recordset(l.later_instalments) as later ("dueDate" date)`

function byOverdue(tenant: Tenant, today: string): FilterPart {
  const { condition, facetValues } = byFacets(tenant, [isOpen])
  return {
    condition: sql`${condition} and l.due_date < ${today}::date`,
    keptCount: sumOf(sql`${keptCounts(tenant, 'open')} and ${isFirstPart} and c.key < ${today}`),
    ...(facetValues ? { facetValues } : {}),
  }
}

/** Documents without a due day are never late. */
function byAge(tenant: Tenant, age: ReceivableAge, today: string): FilterPart {
  const open = byFacets(tenant, [isOpen])
  const { facetValues } = open
  const values = facetValues ? { facetValues } : {}
  const overdue = byOverdue(tenant, today)
  if (age === 'not_due')
    return {
      condition: sql`${open.condition} and (l.due_date is null or l.due_date >= ${today}::date
        or exists (select from ${laterDays} where later."dueDate" >= ${today}::date))`,
      // All that are open, without those of which everything is overdue.
      keptCount: sql`(${open.keptCount} - ${overdue.keptCount}
        + ${sumOf(sql`${keptCounts(tenant, 'open')} and c.key >= ${today} and not ${isFirstPart} and substr(c.key, 12) < ${today}`)})`,
      ...values,
    }
  const steps = Object.values(ageSteps)
  const next = steps[steps.indexOf(ageSteps[age]) + 1]
  const last = sql`(${today}::date - ${ageSteps[age]}::int)`
  const first = next === undefined ? sql`'0001-01-01'::date` : sql`(${today}::date - ${next - 1}::int)`
  return {
    condition: sql`${open.condition} and (l.due_date between ${first} and ${last}
      or exists (select from ${laterDays} where later."dueDate" between ${first} and ${last}))`,
    // The keys of this kind begin with days, as text. Each document counts with its first part in this time.
    keptCount: sumOf(sql`${keptCounts(tenant, 'open')} and c.key >= ${first}::text and left(c.key, 10) <= ${last}::text
      and substr(c.key, 12) < ${first}::text`),
    ...values,
  }
}

/** Counted each time: the index has only unreported documents, few of which are near their deadline. */
function byReportDue(tenant: Tenant, to: Date): FilterPart {
  const condition = sql`
    l.id in (select d.id from invoices d
              where ${within(tenant, sql`d`)} and d.report_due_at is not null and d.reported_at is null and d.report_due_at <= ${to})`
  return { condition, keptCount: sql`(select count(*) from ${listed(tenant)} and ${condition})` }
}

/** Counted each time: an invoice has few notes, and an index finds them. */
function byOriginal(tenant: Tenant, id: string): FilterPart {
  const condition = sql`l.id in (select d.id from invoices d where ${within(tenant, sql`d`)} and d.original_id = ${id})`
  return { condition, keptCount: sql`(select count(*) from ${listed(tenant)} and ${condition})` }
}

/** A deleted buyer is on no draft, and stays on issued documents. */
const byBuyer = (tenant: Tenant, id: string): FilterPart => {
  const exists = sql`exists (select 1 from buyers b where ${within(tenant, sql`b`)} and b.id = ${id})`
  return {
    condition: sql`l.buyer_id = ${id} and ${exists}`,
    keptCount: sumOf(sql`${keptCounts(tenant, 'buyer')} and c.key = ${id} and ${exists}`),
    isInOrderOfCreation: true,
  }
}

const bySeller = (tenant: Tenant, id: string): FilterPart => ({
  condition: sql`l.seller_id = ${id}`,
  keptCount: sumOf(sql`${keptCounts(tenant, 'seller')} and c.key = ${id}`),
  isInOrderOfCreation: true,
})

function byCreator(tenant: Tenant, id: string, type: string | undefined): FilterPart {
  const clauses = facetClauses({ createdByType: type } as InvoiceFilter)
  const keys = creatorTypes.filter((one) => type === undefined || one === type).map((one) => `${one}:${id}`)
  return {
    condition: all([sql`l.created_by = ${id}`, ...clauses.map((clause) => matches(sql`l.facets`, clause))]),
    keptCount: sumOf(sql`${keptCounts(tenant, 'creator')} and c.key = any (${keys}::text[])`),
    isInOrderOfCreation: true,
  }
}

interface Range<Value> {
  readonly from?: Value | undefined
  readonly to?: Value | undefined
}
const isAsked = ({ from, to }: Range<unknown>): boolean => from !== undefined || to !== undefined

/** Kept for each week of creation, because both correlate: old days belong to old documents. */
function byDay(tenant: Tenant, kind: DayKind, { from, to }: Range<string>): FilterPart {
  const column = kind === 'issue' ? sql`l.issue_date` : sql`l.due_date`
  const conditions: Sql[] = []
  const keys: Sql[] = []
  if (from !== undefined) {
    conditions.push(sql`${column} >= ${from}::date`)
    keys.push(sql`c.key >= ${from}`)
  }
  if (to !== undefined) {
    conditions.push(sql`${column} <= ${to}::date`)
    keys.push(sql`c.key <= ${to}`)
  }
  const kept = sql`${keptCounts(tenant, kind)} and ${all(keys)}`
  return {
    condition: all(conditions),
    keptCount: sumOf(kept),
    narrows: kind === 'issue' ? 'issueDate' : 'dueDate',
    // With many days and weeks there are many rows, or they are so sparse that reading by weeks is as good.
    roughCount: sql`(select case when count(*) < 300 then coalesce(sum(n), 0) else 1e9 end from (select c.n from ${kept} limit 300) as first)`,
    keptByWeek: sql`select c.week, sum(c.n) as n from ${kept} group by c.week`,
    // Only these keys are days, and the database may evaluate conditions in any order.
    days: {
      kind,
      dueDays: sql`
        select distinct (case when c.kind = 'due' then c.key::date end) as day from ${kind === 'due' ? kept : keptCounts(tenant, 'due')} and c.n > 0`,
    },
  }
}

/** Whole weeks have kept counts; the parts of the first and last week are counted. */
function byCreation(tenant: Tenant, { from, to }: Range<Date>): FilterPart {
  const conditions: Sql[] = []
  const weeks: Sql[] = []
  const edges: Sql[] = []
  const created = sql`l.created_at`
  if (from !== undefined) {
    const week = weekOf(sql`${from}::timestamptz`)
    conditions.push(sql`${created} >= ${from}`)
    weeks.push(sql`c.week > ${week}`)
    edges.push(sql`${created} < ${startOfWeek(sql`${week} + 1`)}`)
  }
  if (to !== undefined) {
    const week = weekOf(sql`${to}::timestamptz`)
    conditions.push(sql`${created} < ${to}`)
    weeks.push(sql`c.week < ${week}`)
    edges.push(sql`${created} >= ${startOfWeek(week)}`)
  }
  const condition = all(conditions)
  const counts = [sumOf(sql`${keptCounts(tenant, 'all')} and ${all(weeks)}`)]
  const counted = (edge: Sql) => sql`(select count(*) from ${listed(tenant)} and ${condition} and ${edge})`
  const [first, last] = edges as [Sql, Sql | undefined]
  counts.push(counted(first))
  if (last) counts.push(counted(sql`${last} and not (${first})`))
  return { condition, keptCount: joined(counts, ' + '), isInOrderOfCreation: true }
}

const largestAmount = 2n ** 63n - 1n
const storable = (amount: bigint | undefined) =>
  amount !== undefined && amount > largestAmount ? largestAmount : amount

/** Whole buckets have kept counts; those at the ends are counted. */
function byAmount(tenant: Tenant, range: Range<bigint>): FilterPart {
  const [from, to] = [storable(range.from), storable(range.to)]
  const conditions: Sql[] = []
  const keys: Sql[] = []
  const edges: Sql[] = []
  if (from !== undefined) {
    conditions.push(sql`l.payable_minor >= ${from}`)
    keys.push(sql`c.key > ${amountBucket(from)}`)
    edges.push(sql`l.payable_minor <= ${bucketEnds(from).last}`)
  }
  if (to !== undefined) {
    conditions.push(sql`l.payable_minor <= ${to}`)
    keys.push(sql`c.key < ${amountBucket(to)}`)
    if (from === undefined || amountBucket(from) !== amountBucket(to))
      edges.push(sql`l.payable_minor >= ${bucketEnds(to).first}`)
  }
  const condition = all(conditions)
  const counted = edges.map((edge) => sql`(select count(*) from ${listed(tenant)} and ${condition} and ${edge})`)
  const roughCount = sumOf(sql`${keptCounts(tenant, 'amount')} and ${all(keys)}`)
  return { condition, keptCount: joined([roughCount, ...counted], ' + '), roughCount, narrows: 'payableMinor' }
}

/** The conditions of a filter, one by one. */
export function filterPartsOf(tenant: Tenant, filter: InvoiceFilter, today: string): FilterPart[] {
  const filterParts: FilterPart[] = []
  const { buyerId, sellerId, createdBy, createdByType, ...others } = filter
  const clauses = facetClauses(createdBy === undefined ? filter : others)
  if (clauses.length > 0) filterParts.push(byFacets(tenant, clauses))
  if (filter.overdue || filter.paymentStatus === 'overdue') filterParts.push(byOverdue(tenant, today))
  if (filter.age !== undefined) filterParts.push(byAge(tenant, filter.age, today))
  if (filter.reportDueTo !== undefined) filterParts.push(byReportDue(tenant, filter.reportDueTo))
  if (filter.originalId !== undefined) filterParts.push(byOriginal(tenant, filter.originalId))
  if (buyerId !== undefined) filterParts.push(byBuyer(tenant, buyerId))
  if (sellerId !== undefined) filterParts.push(bySeller(tenant, sellerId))
  if (createdBy !== undefined) filterParts.push(byCreator(tenant, createdBy, createdByType))
  const issued = { from: filter.issueDateFrom, to: filter.issueDateTo }
  const due = { from: filter.dueDateFrom, to: filter.dueDateTo }
  const created = { from: filter.createdAtFrom, to: filter.createdAtTo }
  const amount = { from: filter.amountFromMinor, to: filter.amountToMinor }
  if (isAsked(issued)) filterParts.push(byDay(tenant, 'issue', issued))
  if (isAsked(due)) filterParts.push(byDay(tenant, 'due', due))
  if (isAsked(created)) filterParts.push(byCreation(tenant, created))
  if (isAsked(amount)) filterParts.push(byAmount(tenant, amount))
  return filterParts
}
