import type { ReceivedPaymentStatus, TransmissionStatus } from './received-invoice.ts'

export const receivedSorts = ['-receivedAt', 'receivedAt', 'issueDate', '-issueDate', 'amount', '-amount'] as const
export type ReceivedSort = (typeof receivedSorts)[number]

/** A day in the organisation's country, or an instant. */
export type DayOrInstant = { readonly day: string } | { readonly instant: Date }

export interface ReceivedFilter {
  /** Part of a name, or the beginning of a tax number. */
  readonly seller?: string | undefined
  readonly accessPoint?: string | undefined
  readonly transmissionStatus?: TransmissionStatus | string | undefined
  readonly paymentStatus?: ReceivedPaymentStatus | 'overdue' | undefined
  readonly issueDateFrom?: string | undefined
  readonly issueDateTo?: string | undefined
  readonly receivedFrom?: DayOrInstant | undefined
  /** A day is included as a whole; an instant is not included. */
  readonly receivedTo?: DayOrInstant | undefined
  readonly amountMinMinor?: bigint | undefined
  readonly amountMaxMinor?: bigint | undefined
  readonly currency?: string | undefined
  readonly words?: string | undefined
  /** One of the organisation's own numbers, in its normal form. */
  readonly taxIdNormal?: string | undefined
}

/** Today's date and the time zone of the organisation's country. */
export interface Today {
  readonly today: string
  readonly zone: string
}
