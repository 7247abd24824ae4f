import type { InvoiceAmountsPayload } from '../../kernel/event-payloads.ts'
import { openInstalments } from '../../kernel/instalments.ts'
import type { InvoiceSummary, PaymentStatus } from './invoice.ts'

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

/** How far an invoice is paid, for event payloads. */
export function amountsPayload(invoice: InvoiceSummary): InvoiceAmountsPayload {
  const due = dueMinor(invoice)
  return {
    paidMinor: Number(invoice.paidMinor),
    dueMinor: Number(due),
    nextDueDate: openInstalments(invoice, due)[0]?.dueDate ?? null,
  }
}
