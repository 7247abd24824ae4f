import type { SystemCaller } from '../../../kernel/callers.ts'
import { momentInWords } from '../../../kernel/document-words.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { mailMembers } from '../../organisations/index.ts'
import { invoicePayload } from '../invoice-events.ts'
import {
  type DueReport,
  findNextReportDueAt,
  listTenantsWithDueReports,
  type TimeToTell,
  takeDueReports,
} from './report-deadlines.store.ts'

const ours = { needs: [], refuses: [] } as const

const hourMs = 3_600_000
/** Time before the deadline at which members who may submit are warned. */
const warnBeforeMs = 6 * hourMs
/** After an outage of the workers, deadlines are still announced this long after they passed. */
const reminderWindowMs = 24 * hourMs
const reportsAtOnce = 200
const tenantsAtOnce = 1_000
/** The most document numbers in one mail. */
const mostNamed = 10

const listed = ({ ports }: Inside<SystemCaller>, reports: readonly DueReport[]): string => {
  const named = reports.slice(0, mostNamed).map(({ number, reportDueAt, country }) => {
    const zone = ports.jurisdictions.of(country ?? undefined)?.zone
    return `${number} (by ${momentInWords(reportDueAt, zone)})`
  })
  return named.join(', ') + (reports.length > mostNamed ? ` and ${reports.length - mostNamed} more` : '')
}

/** The list of documents that are due by the latest of these deadlines. */
function listOf({ settings }: Inside<SystemCaller>, reports: readonly DueReport[]): string {
  const latest = Math.max(...reports.map(({ reportDueAt }) => reportDueAt.getTime()))
  const page = new URL('/invoices', settings.dashboardUrl)
  page.searchParams.set('reportDueTo', new Date(latest).toISOString())
  return page.href
}

/** At most one mail an hour to each member who may submit: the mail leads to the list of all. */
const mailThem = (
  context: Inside<SystemCaller>,
  { organisationId, mode }: Tenant,
  reports: readonly DueReport[],
): Promise<void> =>
  mailMembers(context, organisationId, 'invoice.submit', {
    cause: `report-due:${organisationId}:${mode}:${Math.floor(context.now.getTime() / hourMs)}`,
    subject: `${mode === 'sandbox' ? '[Sandbox] ' : ''}Invoices have to be reported soon`,
    paragraphs: [
      `These invoices of your organisation must be reported to the tax authority soon: ${listed(context, reports)}.`,
      'Submit them in time. Invoices that are reported after their deadline are marked as late.',
    ],
    link: { words: 'See all of them', page: listOf(context, reports) },
    mode,
  })

/** The range of deadlines to announce now. */
const timeToTell = (now: Date): TimeToTell => ({
  since: new Date(now.getTime() - reminderWindowMs),
  until: new Date(now.getTime() + warnBeforeMs),
})

/** The next moment after this one at which a deadline is to be announced. */
export async function findNextWarningAt(db: Queryable, tenant: Tenant, after: Date): Promise<Date | undefined> {
  const dueAt = await findNextReportDueAt(db, tenant, new Date(after.getTime() + warnBeforeMs))
  return dueAt && new Date(dueAt.getTime() - warnBeforeMs)
}

/** A batch of tenants with deadlines to announce, ordered by id, after the given one. */
export const findTenantsWithDueReports = reading(
  ours,
  ({ db, realNow: now }: Outside<SystemCaller>, after: Tenant | undefined): Promise<readonly Tenant[]> =>
    listTenantsWithDueReports(db, after, timeToTell(now), tenantsAtOnce),
)

/**
 * Announces a tenant's unreported documents whose deadline is near: an event for each, and a mail. Returns whether
 * there may be more.
 */
export const emitDueReports = operation(
  ours,
  async (context: Inside<SystemCaller>, { organisationId, mode }: Tenant): Promise<boolean> => {
    const { tx, now, emit } = context
    const due = await takeDueReports(tx, { organisationId, mode }, timeToTell(now), now, reportsAtOnce)
    for (const report of due) {
      const { id, version, country, reportDueAt } = report
      const payload = { ...invoicePayload(report, country ?? undefined), reportDueAt: reportDueAt.toISOString() }
      emit('invoice.reporting_due', { organisationId, mode, objectId: id, version }, payload)
    }
    if (due.length > 0) await mailThem(context, { organisationId, mode }, due)
    return due.length === reportsAtOnce
  },
)
