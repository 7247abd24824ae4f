import type { Caller } from '../../../kernel/callers.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { listMembersHolding } from '../../organisations/index.ts'
import { eventData } from '../invoice-events.ts'
import { type DueReport, takeDueReports } from './report-deadlines.store.ts'

const hourMs = 3_600_000
/** So long before its time ends, whoever may submit it is told. */
const warnBeforeMs = 6 * hourMs
/** What could not be told in time, because nothing ran, is told late; but not for ever. */
const tellLateForMs = 24 * hourMs
const batch = 200
/** As many numbers as a mail names. */
const mostNamed = 10

const listed = (reports: readonly DueReport[]): string => {
  const named = reports
    .slice(0, mostNamed)
    .map(({ number, reportDueAt }) => `${number} (by ${reportDueAt.toISOString()})`)
  return named.join(', ') + (reports.length > mostNamed ? ` and ${reports.length - mostNamed} more` : '')
}

/** One mail an hour at most to each who may submit: it says where to see the rest. */
async function mailThem(context: Inside<Caller>, reports: readonly DueReport[]): Promise<void> {
  const [{ organisationId, mode }] = reports as [DueReport]
  const hour = Math.floor(context.now.getTime() / hourMs)
  const people = await listMembersHolding(context.tx, organisationId, 'invoice.submit')
  for (const { userId, email, firstName } of people)
    await queueMessage(context, {
      cause: `report-due:${organisationId}:${mode}:${hour}:${userId}`,
      sentFor: organisationId,
      channel: 'email',
      to: email,
      subject: `${mode === 'sandbox' ? '[Sandbox] ' : ''}Invoices have to be reported soon`,
      ...compose({
        greeting: `Hello ${firstName},`,
        paragraphs: [
          `These invoices of your organisation are not with the tax authority yet, and their time ends soon: ${listed(reports)}.`,
          'Submit them in time; what is reported later is marked as late.',
        ],
        closing: 'The list of invoices shows all of them with the filter reportDueTo.',
      }),
    })
}

/** Tells of documents that have to be reported soon and are not: an event for each, and a mail. Gives how many there were. */
export const tellDueReports = operation(
  { needs: [], refuses: [] },
  async (context: Inside<Caller>, _input: undefined): Promise<number> => {
    const { tx, now, emit } = context
    const [since, until] = [new Date(now.getTime() - tellLateForMs), new Date(now.getTime() + warnBeforeMs)]
    const due = await takeDueReports(tx, since, until, now, batch)
    for (const report of due) {
      const { organisationId, mode, id, version, country, reportDueAt } = report
      const told = { ...eventData(report, country ?? undefined), reportDueAt: reportDueAt.toISOString() }
      emit('invoice.reporting_due', { organisationId, mode, objectId: id, version }, told)
    }
    const byTenant = Map.groupBy(due, ({ organisationId, mode }) => `${organisationId} ${mode}`)
    for (const reports of byTenant.values()) await mailThem(context, reports)
    return due.length
  },
)
