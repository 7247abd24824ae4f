import type { PaymentStanding } from '../port.ts'

export const paymentWords: Readonly<Record<PaymentStanding, string>> = {
  pending: 'PENDING',
  partial: 'PARTIAL',
  paid: 'PAID',
  rejected: 'REJECTED',
}

/** Older answers say CANCELED where newer ones say REJECTED. */
export function paymentStatusIn(word: string | null | undefined): PaymentStanding | undefined {
  const upper = word?.trim().toUpperCase()
  if (upper === 'CANCELED' || upper === 'CANCELLED') return 'rejected'
  return (Object.keys(paymentWords) as PaymentStanding[]).find((status) => paymentWords[status] === upper)
}
