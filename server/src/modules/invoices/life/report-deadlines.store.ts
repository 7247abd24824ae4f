import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { ToldInvoice } from '../invoice-events.ts'

/** As many as anybody wants to know exactly. */
const mostCounted = 10_000

export interface DueReport extends ToldInvoice {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly country: string | null
  readonly reportDueAt: Date
}

/**
 * Documents whose time to be reported ends before `until`, and of which nobody was told since they were issued: noted as told. Those whose
 * time ended before `since` are left alone. Whatever somebody holds at this moment is taken the next time.
 */
export function takeDueReports(tx: Tx, since: Date, until: Date, now: Date, limit: number): Promise<DueReport[]> {
  return tx.rows(sql`
    with due as materialized (
      select i.organisation_id, i.mode, i.id from invoices i
       where i.report_due_at is not null and i.reported_at is null and i.report_due_at > ${since} and i.report_due_at <= ${until}
         and (i.report_told_at is null or i.report_told_at < i.finalised_at)
       order by i.report_due_at limit ${limit} for no key update skip locked)
    update invoices i set report_told_at = ${now} from due d join organisations o on o.id = d.organisation_id
     where i.organisation_id = d.organisation_id and i.mode = d.mode and i.id = d.id
    returning i.organisation_id, i.mode, i.id, i.number, i.type, i.kind, i.status, i.buyer_id, i.currency, i.payable_minor, i.tax_minor,
              i.original_id, i.irn, i.submitted_at, i.version, i.report_due_at, o.country`)
}

export interface ReportsDue {
  /** their time has passed */
  readonly late: number
  /** their time ends before long */
  readonly soon: number
  /** when the first of those that are not late has to be there */
  readonly nextAt: Date | null
}

/** Documents that have to be reported until `until`, and are not yet. More of them than can be read in a moment are not counted. */
export function countReportsDue(db: Queryable, tenant: Tenant, now: Date, until: Date): Promise<ReportsDue> {
  return db.one(sql`
    with due as (
      select i.report_due_at from invoices i
       where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode}
         and i.report_due_at is not null and i.reported_at is null and i.report_due_at <= ${until}
       order by i.report_due_at limit ${mostCounted})
    select count(*) filter (where report_due_at < ${now})::int as late, count(*) filter (where report_due_at >= ${now})::int as soon,
           min(report_due_at) filter (where report_due_at >= ${now}) as next_at
      from due`)
}
