import type { Jurisdiction } from '../../jurisdictions/port.ts'
import { instantAt } from '../../kernel/days.ts'
import type { InvoiceSummary } from './invoice.ts'

/**
 * Until when a document that is issued now has to be reported. It was issued when it says so: dated earlier than it is finalised, its time
 * has begun to run already, at the end of its day where it names no hour.
 */
export function reportDueAtOf(
  { reporting, zone }: Pick<Jurisdiction, 'reporting' | 'zone'>,
  invoice: Pick<InvoiceSummary, 'kind' | 'issueDate' | 'issueTime'>,
  now: Date,
): Date | undefined {
  const stated = instantAt(invoice.issueDate, invoice.issueTime ?? '23:59:59', zone)
  return reporting.reportBy(invoice, stated < now ? stated : now)
}

/** Whether its time has passed, or had when the authority got it. */
export const isReportLate = (
  { reportDueAt, reportedAt }: Pick<InvoiceSummary, 'reportDueAt' | 'reportedAt'>,
  now: Date,
): boolean => reportDueAt !== null && (reportedAt ?? now) > reportDueAt
