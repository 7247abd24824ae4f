import { type Span, spansOf } from '../../../kernel/day-spans.ts'
import { type DocumentType, documentTypes } from '../../../kernel/invoice-document.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import { type InvoiceStatus, invoiceStatuses } from '../status-moves.ts'
import { currencyIn, currencyMask, facetIn, statisticsMask } from './facets.ts'
import { listedAs, within } from './filter-parts.store.ts'
import { freshInvoices } from './follow.store.ts'
import { never } from './kept-counts.ts'
import { listingColumns } from './listing-columns.store.ts'

export interface StatisticsFilter {
  /** days of issue, both ends included */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface StatisticsRow {
  readonly status: InvoiceStatus
  readonly type: DocumentType
  readonly currency: string
  readonly count: number
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
  readonly paidMinor: bigint
}

const statisticsFacets = sql`l.facets & ${statisticsMask}::int`
const amounts = (sign: -1 | 1): Sql =>
  sql`${sign}::int, ${sign}::int * l.net_minor, ${sign}::int * l.tax_minor, ${sign}::int * l.payable_minor, ${sign}::int * l.paid_minor`

function keptIn(tenant: Tenant, { span, from, until }: Span): Sql {
  const conditions = [within(tenant, sql`s`), sql`s.span = ${span}`]
  if (from !== undefined) conditions.push(sql`s.since >= ${from}::date`)
  if (until !== undefined) conditions.push(sql`s.since < ${until}::date`)
  return sql`
    select s.facets, s.n, s.net_minor, s.tax_minor, s.payable_minor, s.paid_minor from invoice_sums s where ${joined(conditions, ' and ')}`
}

/**
 * Corrections for fresh documents: minus their listed values, plus their current ones. Both have the columns of the
 * listing, as `l`.
 */
const corrections = (tenant: Tenant, columns: (sign: -1 | 1) => Sql, condition: Sql, further = sql``): Sql => sql`
  select ${columns(-1)}
    from fresh cross join lateral (${listedAs(tenant, sql`fresh.id`)}) as l ${further} where ${condition}
  union all
  select ${columns(1)}
    from fresh cross join lateral (
      select ${listingColumns} from invoices i where ${within(tenant, sql`i`)} and i.id = fresh.id offset 0) as l ${further} where ${condition}`

/**
 * The kept sums, minus the listed values of fresh documents, plus their current ones. Always exact, and as fast for a
 * million documents as for a few.
 */
export function summing(tenant: Tenant, filter: StatisticsFilter): Sql {
  const { from, to } = filter
  const days = [sql`true`]
  if (from !== undefined) days.push(sql`l.issue_date >= ${from}::date`)
  if (to !== undefined) days.push(sql`l.issue_date <= ${to}::date`)
  const isInRange = joined(days, ' and ')
  const kept = joined(
    spansOf(filter).map((span) => keptIn(tenant, span)),
    ' union all ',
  )
  return sql`
    with fresh as materialized (${freshInvoices(tenant)}),
    parts as (
      ${kept}
      union all
      ${corrections(tenant, (sign) => sql`${statisticsFacets}, ${amounts(sign)}`, isInRange)})
    select facets, sum(n)::int as n, sum(net_minor)::text as net, sum(tax_minor)::text as tax, sum(payable_minor)::text as payable,
           sum(paid_minor)::text as paid
      from parts group by facets having sum(n) > 0`
}

interface SummedRow {
  readonly facets: number
  readonly n: number
  readonly net: string
  readonly tax: string
  readonly payable: string
  readonly paid: string
}

const named = ({ facets, n, net, tax, payable, paid }: SummedRow): StatisticsRow => ({
  status: invoiceStatuses[facetIn(facets, 'status')] as InvoiceStatus,
  type: documentTypes[facetIn(facets, 'type')] as DocumentType,
  currency: currencyIn(facets),
  count: n,
  netMinor: BigInt(net),
  taxMinor: BigInt(tax),
  payableMinor: BigInt(payable),
  paidMinor: BigInt(paid),
})

export async function sumByStatus(db: Queryable, tenant: Tenant, filter: StatisticsFilter): Promise<StatisticsRow[]> {
  const rows = await db.rows<SummedRow>(summing(tenant, filter))
  const key = ({ status, type, currency }: StatisticsRow) => `${status} ${type} ${currency}`
  return rows.map(named).sort((one, other) => (key(one) < key(other) ? -1 : 1))
}

export interface MonthRow extends StatisticsRow {
  /** first day of the month */
  readonly month: string
}

/** The same by month of issue, from the month that begins with `from`. */
export async function sumByMonth(db: Queryable, tenant: Tenant, from: string): Promise<MonthRow[]> {
  const month = sql`date_trunc('month', l.issue_date::timestamp)::date`
  const rows = await db.rows<SummedRow & { readonly month: string }>(sql`
    with fresh as materialized (${freshInvoices(tenant)}),
    parts as (
      select s.since as month, s.facets, s.n, s.net_minor, s.tax_minor, s.payable_minor, s.paid_minor from invoice_sums s
       where ${within(tenant, sql`s`)} and s.span = 'month' and s.since >= ${from}::date
      union all
      ${corrections(tenant, (sign) => sql`${month}, ${statisticsFacets}, ${amounts(sign)}`, sql`l.issue_date >= ${from}::date`)})
    select month, facets, sum(n)::int as n, sum(net_minor)::text as net, sum(tax_minor)::text as tax, sum(payable_minor)::text as payable,
           sum(paid_minor)::text as paid
      from parts group by month, facets having sum(n) > 0 order by month`)
  return rows.map((row) => ({ month: row.month, ...named(row) }))
}

/** The span of what is due first on a document. That of a later instalment names the due day before: see `SumChange`. */
const dueSpan = 'due'

/** The highest step that a due day has passed, or -1. */
const stepOf = (day: Sql, today: string, steps: readonly number[]): Sql =>
  sql`coalesce((select max(step) from unnest(${steps}::int[]) as step where ${day} <= ${today}::date - step), -1)`

export interface DueRow {
  /** days overdue at least; -1: not due yet */
  readonly step: number
  /** documents with an amount due of this age. One with instalments can be in several rows. */
  readonly currency: string
  readonly count: number
  readonly dueMinor: bigint
}

/**
 * Amounts due on issued documents by age. `steps` are days after the due day, rising; each row has the highest step
 * that it has passed, or -1. A document without a due day is never late, as in the filter `overdue`. Each instalment
 * has its own age. A later one of the same age as the one before adds its amount, but no document.
 */
export async function sumByAge(
  db: Queryable,
  tenant: Tenant,
  today: string,
  steps: readonly number[],
): Promise<DueRow[]> {
  const later = sql`jsonb_to_recordset(l.later_instalments) as p ("dueDate" date, "dueMinor" bigint)`
  const laterSum = sql`coalesce((select sum("dueMinor") from ${later}), 0)`
  const parts = sql`
    (select ${dueSpan} as span, coalesce(l.due_date, ${never}::date) as since, l.due_minor - ${laterSum} as due_minor
     union all
     select ${dueSpan} || ' after ' || lag("dueDate", 1, l.due_date) over (order by "dueDate")::text, "dueDate", "dueMinor" from ${later}) as part`
  const ofPart = (sign: -1 | 1) =>
    sql`part.span, part.since, ${statisticsFacets}, ${sign}::int as n, ${sign}::int * part.due_minor`
  const rows = await db.rows<{ step: number; facets: number; n: number; due: string }>(sql`
    with fresh as materialized (${freshInvoices(tenant)}),
    parts as (
      select s.span, s.since, s.facets, s.n, s.payable_minor as due_minor from invoice_sums s
       where ${within(tenant, sql`s`)} and s.span >= ${dueSpan} and s.span < 'due b'
      union all
      ${corrections(tenant, ofPart, sql`l.due_minor > 0`, sql`cross join lateral ${parts}`)}),
    aged as (
      select ${stepOf(sql`since`, today, steps)} as step,
             ${stepOf(sql`(case when span > ${dueSpan} then right(span, 10)::date end)`, today, steps)} as step_before, span,
             facets & ${currencyMask}::int as facets, n, due_minor from parts)
    select step, facets, coalesce(sum(n) filter (where span = ${dueSpan} or step <> step_before), 0)::int as n, sum(due_minor)::text as due
      from aged group by step, facets having sum(due_minor) <> 0 order by step`)
  return rows.map(({ step, facets, n, due }) => ({
    step,
    currency: currencyIn(facets),
    count: n,
    dueMinor: BigInt(due),
  }))
}
