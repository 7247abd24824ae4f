import {
  type Instalment,
  type InstalmentStatus,
  instalmentStatus,
  leftOfEach,
  type OpenInstalment,
  openInstalments,
  overduePart,
} from '../../kernel/instalments.ts'
import { type Amounts, dueMinor, type OwedAmounts, paymentStatusOf } from './amounts-due.ts'
import type { InvoiceSummary } from './invoice.ts'
import { type InvoiceStatus, isOwed } from './status-moves.ts'

export * from './amounts-due.ts'
export { countingStatuses, counts, isOwed, owingStatuses } from './status-moves.ts'

type PayableInvoice = OwedAmounts & Pick<InvoiceSummary, 'dueDate' | 'instalments'>

/** What is left to pay, by due date, oldest first. An invoice without instalments has at most one part. */
export const openInstalmentsOf = (invoice: PayableInvoice): OpenInstalment[] =>
  openInstalments(invoice, dueMinor(invoice))

/** The oldest instalment that is not settled: what the buyer has to pay next. `undefined` if nothing is left to pay. */
export const nextInstalmentOf = (invoice: PayableInvoice): OpenInstalment | undefined => openInstalmentsOf(invoice)[0]

/** The part of the amount due whose day has passed. */
export const overdueMinor = (invoice: PayableInvoice & Pick<InvoiceSummary, 'status'>, today: string): bigint =>
  isOwed(invoice) ? (overduePart(openInstalmentsOf(invoice), today)?.minor ?? 0n) : 0n

export const isOverdue = (invoice: PayableInvoice & Pick<InvoiceSummary, 'status'>, today: string): boolean =>
  overdueMinor(invoice, today) > 0n

/** An instalment with what is left of it, computed when it is read. */
export interface InstalmentState extends Instalment {
  readonly dueMinor: bigint
  readonly status: InstalmentStatus
}

/** The state of each instalment; null for an invoice without instalments. */
export function instalmentStatesOf(
  invoice: PayableInvoice & Pick<InvoiceSummary, 'status'>,
  today: string,
): InstalmentState[] | null {
  const { instalments } = invoice
  if (instalments === null) return null
  const left = leftOfEach(instalments, dueMinor(invoice))
  return instalments.map((one, at) => ({
    ...one,
    dueMinor: left[at] as bigint,
    status: instalmentStatus(one, left[at] as bigint, { today, isOwed: isOwed(invoice) }),
  }))
}

/** Whether the reporting deadline has passed, or had passed when the authority got the document. */
export const isReportLate = (
  { reportDueAt, reportedAt }: Pick<InvoiceSummary, 'reportDueAt' | 'reportedAt'>,
  now: Date,
): boolean => reportDueAt !== null && (reportedAt ?? now) > reportDueAt

export const simpleStatuses = ['draft', 'issued', 'reported', 'delivered', 'paid', 'part_paid', 'cancelled'] as const
export type SimpleStatus = (typeof simpleStatuses)[number]

/** One word for people: the first that fits. */
export function simpleStatusOf(
  invoice: Amounts & Pick<InvoiceSummary, 'declaredPaymentStatus' | 'status' | 'delivery'>,
): SimpleStatus {
  const { status, delivery } = invoice
  const payment = paymentStatusOf(invoice)
  if (status === 'cancelled') return 'cancelled'
  if (payment === 'paid') return 'paid'
  if (payment === 'partially_paid') return 'part_paid'
  if (delivery === 'deliver_to_buyer' || delivery === 'sent_email' || delivery === 'shared_link') return 'delivered'
  if (status === 'accepted' || status === 'transmitted') return 'reported'
  return status === 'draft' ? 'draft' : 'issued'
}

export const reportings = ['draft', 'not_reported', 'in_progress', 'reported', 'needs_attention'] as const
export type Reporting = (typeof reportings)[number]

/** The reporting state by status. */
export const reportingOf: Readonly<Record<InvoiceStatus, Reporting>> = {
  draft: 'draft',
  finalised: 'not_reported',
  queued: 'in_progress',
  signed: 'in_progress',
  transmitted: 'in_progress',
  cancellation_pending: 'in_progress',
  accepted: 'reported',
  cancelled: 'reported',
  rejected: 'needs_attention',
  failed: 'needs_attention',
}
