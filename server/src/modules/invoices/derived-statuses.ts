import type { InvoiceSummary, PaymentStatus } from './invoice.ts'
import { type InvoiceStatus, invoiceStatuses } from './status-moves.ts'

type Amounts = Pick<InvoiceSummary, 'payableMinor' | 'paidMinor' | 'creditedMinor'>
const orZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

/** What payments and credits have not settled yet. So much can still be recorded as paid, whatever was declared. */
export const unsettledMinor = ({ payableMinor, paidMinor, creditedMinor }: Amounts): bigint =>
  orZero(payableMinor - creditedMinor - paidMinor)

type OwedAmounts = Amounts & Pick<InvoiceSummary, 'type' | 'declaredPaymentStatus'>

/** The amount left to pay: zero for a credit note, which the seller owes, and if the invoice was declared as paid. */
export const dueMinor = (invoice: OwedAmounts): bigint =>
  invoice.type === 'credit_note' || paymentStatusOf(invoice) === 'paid' ? 0n : unsettledMinor(invoice)

/** Payments beyond what is owed after credits. */
export const refundOwedMinor = ({ payableMinor, paidMinor, creditedMinor }: Amounts): bigint =>
  orZero(paidMinor - (payableMinor - creditedMinor))

/** The declared status counts until the first payment is recorded. */
export function paymentStatusOf(invoice: Amounts & Pick<InvoiceSummary, 'declaredPaymentStatus'>): PaymentStatus {
  if (invoice.paidMinor === 0n) return invoice.declaredPaymentStatus ?? 'unpaid'
  return unsettledMinor(invoice) === 0n ? 'paid' : 'partially_paid'
}

/**
 * The statuses of documents that count: as turnover and tax, as the buyer's debt, and for a credit note as credit.
 * Drafts and rejected documents do not count. A cancelled invoice counts, because its credit note subtracts the same
 * amount.
 */
export const countingStatuses: readonly InvoiceStatus[] = invoiceStatuses.filter(
  (status) => status !== 'draft' && status !== 'rejected',
)
export const counts = ({ status }: Pick<InvoiceSummary, 'status'>): boolean => countingStatuses.includes(status)

/** The buyer owes such a document: it counts and is not cancelled. */
export const owingStatuses: readonly InvoiceStatus[] = countingStatuses.filter((status) => status !== 'cancelled')

export const isOwed = ({ status }: Pick<InvoiceSummary, 'status'>): boolean => owingStatuses.includes(status)

export const isOverdue = (invoice: OwedAmounts & Pick<InvoiceSummary, 'dueDate' | 'status'>, today: string): boolean =>
  invoice.dueDate !== null && invoice.dueDate < today && isOwed(invoice) && dueMinor(invoice) > 0n

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
