import type { DocumentType } from '../../kernel/invoice-document.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { joined, sql } from '../../platform/database/sql.ts'
import type { InvoiceStatus } from './life.ts'

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

/** Straight from the invoices: nothing in it can lag behind. */
export function sumByStatus(
  db: Queryable,
  { organisationId, mode }: Tenant,
  { from, to }: StatisticsFilter,
): Promise<StatisticsRow[]> {
  const conditions = [sql`organisation_id = ${organisationId}`, sql`mode = ${mode}`]
  if (from !== undefined) conditions.push(sql`issue_date >= ${from}`)
  if (to !== undefined) conditions.push(sql`issue_date <= ${to}`)
  return db.rows(sql`
    select status, type, currency, count(*)::int as count, sum(net_minor)::bigint as net_minor, sum(tax_minor)::bigint as tax_minor,
           sum(payable_minor)::bigint as payable_minor, sum(paid_minor)::bigint as paid_minor
      from invoices where ${joined(conditions, ' and ')} group by status, type, currency order by status, type, currency`)
}
