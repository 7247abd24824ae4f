import type { InvoiceSummary, PaymentStatus } from './invoice.ts'
import { type InvoiceStatus, invoiceStatuses } from './status-moves.ts'

export type Amounts = Pick<InvoiceSummary, 'payableMinor' | 'paidMinor' | 'creditedMinor'>
const orZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

/** What payments and credits have not settled yet. So much can still be recorded as paid, whatever was declared. */
export const unsettledMinor = ({ payableMinor, paidMinor, creditedMinor }: Amounts): bigint =>
  orZero(payableMinor - creditedMinor - paidMinor)

export type OwedAmounts = Amounts & Pick<InvoiceSummary, 'type' | 'declaredPaymentStatus'>

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
