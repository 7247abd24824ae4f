import type { ReportedPaymentStatus } from '../port.ts'

export const paymentWords: Readonly<Record<ReportedPaymentStatus, string>> = {
  pending: 'PENDING',
  partial: 'PARTIAL',
  paid: 'PAID',
  rejected: 'REJECTED',
}

/** Older answers say CANCELED where newer ones say REJECTED. */
export function paymentStatusIn(word: string | null | undefined): ReportedPaymentStatus | undefined {
  const upper = word?.trim().toUpperCase()
  if (upper === 'CANCELED' || upper === 'CANCELLED') return 'rejected'
  return (Object.keys(paymentWords) as ReportedPaymentStatus[]).find((status) => paymentWords[status] === upper)
}
