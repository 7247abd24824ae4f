import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { OwnTaxReport, TaxReportId } from './tax-report.ts'

const columns = sql`
  id, invoice_id, reference, seller_tax_id, buyer_tax_id, description, currency, report_date, base_minor, tax_minor, other_taxes_minor,
  total_minor, rate, status, created_at, ended_at`

export async function insertTaxReport(tx: Tx, tenant: Tenant, report: OwnTaxReport): Promise<void> {
  const r = report
  await tx.run(sql`
    insert into tax_reports (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${r.id}, ${r.invoiceId}, ${r.reference}, ${r.sellerTaxId}, ${r.buyerTaxId},
            ${r.description}, ${r.currency}, ${r.reportDate}, ${r.baseMinor}, ${r.taxMinor}, ${r.otherTaxesMinor}, ${r.totalMinor},
            ${r.rate}, ${r.status}, ${r.createdAt}, ${r.endedAt})`)
}

export function findTaxReport(db: Queryable, tenant: Tenant, id: TaxReportId): Promise<OwnTaxReport | undefined> {
  return db.maybe(sql`
    select ${columns} from tax_reports
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}

/** `undefined` if it has ended already. An unknown declaration can still get a late answer. */
export function saveTaxReportEnded(
  tx: Tx,
  tenant: Tenant,
  id: TaxReportId,
  status: OwnTaxReport['status'],
  now: Date,
): Promise<OwnTaxReport | undefined> {
  return tx.maybe(sql`
    update tax_reports set status = ${status}, ended_at = ${now}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id} and status in ('asked', 'unknown')
    returning ${columns}`)
}
