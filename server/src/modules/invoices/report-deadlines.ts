import type { Jurisdiction } from '../../jurisdictions/port.ts'
import { instantAt } from '../../kernel/days.ts'
import type { InvoiceSummary } from './invoice.ts'

/**
 * The reporting deadline of a document that is issued now. The time runs from its date of issue. If that date is
 * before the finalisation, the time has started already: at its hour, or at the end of its day.
 */
export function reportDueAtOf(
  { reporting, zone }: Pick<Jurisdiction, 'reporting' | 'zone'>,
  invoice: Pick<InvoiceSummary, 'kind' | 'issueDate' | 'issueTime'>,
  now: Date,
): Date | undefined {
  const stated = instantAt(invoice.issueDate, invoice.issueTime ?? '23:59:59', zone)
  return reporting.reportBy(invoice, stated < now ? stated : now)
}
