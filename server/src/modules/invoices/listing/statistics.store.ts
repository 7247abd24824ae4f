import { type Span, spansOf } from '../../../kernel/day-spans.ts'
import { type DocumentType, documentTypes } from '../../../kernel/invoice-document.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import { type InvoiceStatus, invoiceStatuses } from '../status-moves.ts'
import { currencyIn, facetIn, statisticsMask } from './facets.ts'
import { listed, within } from './filter-parts.store.ts'
import { freshInvoices } from './follow.store.ts'
import { listingColumns } from './listing-columns.store.ts'

export interface StatisticsFilter {
  /** issue days, both included */
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

function keptIn(tenant: Tenant, { span, from, until }: Span): Sql {
  const conditions = [within(tenant, sql`s`), sql`s.span = ${span}`]
  if (from !== undefined) conditions.push(sql`s.since >= ${from}::date`)
  if (until !== undefined) conditions.push(sql`s.since < ${until}::date`)
  return sql`
    select s.facets, s.n, s.net_minor, s.tax_minor, s.payable_minor, s.paid_minor from invoice_sums s where ${joined(conditions, ' and ')}`
}

/**
 * The kept sums, less what is listed of documents that changed since, and more what these say now: exact at any moment, and it takes
 * as long for a million documents as for a few.
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
      select l.facets & ${statisticsMask}::int, -1, -l.net_minor, -l.tax_minor, -l.payable_minor, -l.paid_minor
        from fresh cross join lateral (select l.* from ${listed(tenant)} and l.id = fresh.id offset 0) as l where ${isInRange}
      union all
      select l.facets & ${statisticsMask}::int, 1, l.net_minor, l.tax_minor, l.payable_minor, l.paid_minor
        from fresh cross join lateral (
          select ${listingColumns} from invoices i where ${within(tenant, sql`i`)} and i.id = fresh.id offset 0) as l where ${isInRange})
    select facets, sum(n)::int as n, sum(net_minor)::text as net, sum(tax_minor)::text as tax, sum(payable_minor)::text as payable,
           sum(paid_minor)::text as paid
      from parts group by facets having sum(n) > 0`
}

export async function sumByStatus(db: Queryable, tenant: Tenant, filter: StatisticsFilter): Promise<StatisticsRow[]> {
  const rows = await db.rows<{ facets: number; n: number; net: string; tax: string; payable: string; paid: string }>(
    summing(tenant, filter),
  )
  const named = rows.map(({ facets, n, net, tax, payable, paid }) => ({
    status: invoiceStatuses[facetIn(facets, 'status')] as InvoiceStatus,
    type: documentTypes[facetIn(facets, 'type')] as DocumentType,
    currency: currencyIn(facets),
    count: n,
    netMinor: BigInt(net),
    taxMinor: BigInt(tax),
    payableMinor: BigInt(payable),
    paidMinor: BigInt(paid),
  }))
  const key = ({ status, type, currency }: StatisticsRow) => `${status} ${type} ${currency}`
  return named.sort((one, other) => (key(one) < key(other) ? -1 : 1))
}
