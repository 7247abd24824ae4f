import type { InvoiceSummary, PaymentStatus } from './invoice.ts'
import { type InvoiceStatus, invoiceStatuses } from './status-moves.ts'

type Amounts = Pick<InvoiceSummary, 'payableMinor' | 'paidMinor' | 'creditedMinor'>

/** What payments and credits have not settled yet, whatever its sender declared: so much can still be recorded as paid. */
export function unsettledMinor({ payableMinor, paidMinor, creditedMinor }: Amounts): bigint {
  const left = payableMinor - creditedMinor - paidMinor
  return left > 0n ? left : 0n
}

type Owed = Amounts & Pick<InvoiceSummary, 'type' | 'declaredPaymentStatus'>

/** What is left to pay. Zero on a credit note, which the seller owes, and on what its sender declared as paid. */
export const dueMinor = (invoice: Owed): bigint =>
  invoice.type === 'credit_note' || paymentStatusOf(invoice) === 'paid' ? 0n : unsettledMinor(invoice)

/** What was paid beyond what is owed after credits. */
export function refundOwedMinor({ payableMinor, paidMinor, creditedMinor }: Amounts): bigint {
  const over = paidMinor - (payableMinor - creditedMinor)
  return over > 0n ? over : 0n
}

/** What its sender declared counts until the first payment is recorded. */
export function paymentStatusOf(invoice: Amounts & Pick<InvoiceSummary, 'declaredPaymentStatus'>): PaymentStatus {
  if (invoice.paidMinor === 0n) return invoice.declaredPaymentStatus ?? 'unpaid'
  return unsettledMinor(invoice) === 0n ? 'paid' : 'partially_paid'
}

/**
 * The statuses of documents that count: as turnover and tax, as what a buyer owes, and for a credit note as credit. Drafts and rejected documents
 * do not count. A cancelled invoice does: the credit note that cancels it takes the same amount away again.
 */
export const countingStatuses: readonly InvoiceStatus[] = invoiceStatuses.filter(
  (status) => status !== 'draft' && status !== 'rejected',
)
export const counts = ({ status }: Pick<InvoiceSummary, 'status'>): boolean => countingStatuses.includes(status)

/** A buyer owes what such a document comes to: it counts, and was not cancelled. */
export const owingStatuses: readonly InvoiceStatus[] = countingStatuses.filter((status) => status !== 'cancelled')

export const isOwed = ({ status }: Pick<InvoiceSummary, 'status'>): boolean => owingStatuses.includes(status)

export const isOverdue = (invoice: Owed & Pick<InvoiceSummary, 'dueDate' | 'status'>, today: string): boolean =>
  invoice.dueDate !== null && invoice.dueDate < today && isOwed(invoice) && dueMinor(invoice) > 0n

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

/** Where a document stands on its way to the authority. */
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
