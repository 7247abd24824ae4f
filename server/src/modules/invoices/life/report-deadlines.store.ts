import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { isBehindTenant } from '../../../platform/database/fair-turns.store.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { InvoiceFacts } from '../invoice-events.ts'

/** Counts above this number are not exact. */
const mostCounted = 10_000

export interface DueReport extends InvoiceFacts {
  readonly country: string | null
  readonly reportDueAt: Date
}

/** Deadlines before `since` are no longer announced, and deadlines after `until` not yet. */
export interface TimeToTell {
  readonly since: Date
  readonly until: Date
}

/** The deadline is near, and no mail was sent since the document was issued. */
const isDueUntold = ({ since, until }: TimeToTell): Sql => sql`
  report_due_at is not null and reported_at is null and report_due_at > ${since} and report_due_at <= ${until}
    and (report_told_at is null or report_told_at < finalised_at)`

/** Across organisations, for the sweep: tenants with deadlines to announce, after the given one. */
export function listTenantsWithDueReports(
  db: Queryable,
  after: Tenant | undefined,
  time: TimeToTell,
  limit: number,
): Promise<Tenant[]> {
  return db.rows(sql`
    select distinct organisation_id, mode from invoices
     where ${isDueUntold(time)} and ${isBehindTenant(after)}
     order by organisation_id, mode limit ${limit}`)
}

/** Marks a tenant's documents as announced. Rows that are locked now are taken by the next sweep. */
export function takeDueReports(
  tx: Tx,
  { organisationId, mode }: Tenant,
  time: TimeToTell,
  now: Date,
  limit: number,
): Promise<DueReport[]> {
  return tx.rows(sql`
    with due as materialized (
      select id from invoices
       where organisation_id = ${organisationId} and mode = ${mode} and ${isDueUntold(time)}
       order by report_due_at limit ${limit} for no key update skip locked)
    update invoices i set report_told_at = ${now} from due d, organisations o
     where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = d.id and o.id = i.organisation_id
    returning i.id, i.number, i.type, i.kind, i.status, i.buyer_id, i.currency, i.payable_minor, i.tax_minor,
              i.original_id, i.authority_reference, i.submitted_at, i.version, i.report_due_at, o.country`)
}

/** The first deadline of an unreported document after this one. */
export async function findNextReportDueAt(
  db: Queryable,
  { organisationId, mode }: Tenant,
  after: Date,
): Promise<Date | undefined> {
  const { at } = await db.one<{ at: Date | null }>(sql`
    select min(report_due_at) as at from invoices
     where organisation_id = ${organisationId} and mode = ${mode} and report_due_at is not null and reported_at is null and report_due_at > ${after}`)
  return at ?? undefined
}

export interface ReportsDue {
  /** deadline has passed */
  readonly late: number
  /** deadline is near */
  readonly soon: number
  /** the first deadline that has not passed */
  readonly nextAt: Date | null
}

/** Unreported documents with a deadline before `until`. Counting stops at a limit. */
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
