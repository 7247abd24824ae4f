import type { ReceivedPaymentStatus, TransmissionStatus } from './received-invoice.ts'

export const receivedSorts = ['-receivedAt', 'receivedAt', 'issueDate', '-issueDate', 'amount', '-amount'] as const
export type ReceivedSort = (typeof receivedSorts)[number]

/** A day of the organisation's country, or an instant. */
export type DayOrInstant = { readonly day: string } | { readonly instant: Date }

export interface ReceivedFilter {
  /** part of a name, or the beginning of a tax number */
  readonly seller?: string | undefined
  readonly accessPoint?: string | undefined
  readonly transmissionStatus?: TransmissionStatus | string | undefined
  readonly paymentStatus?: ReceivedPaymentStatus | 'overdue' | undefined
  readonly issueDateFrom?: string | undefined
  readonly issueDateTo?: string | undefined
  readonly receivedFrom?: DayOrInstant | undefined
  /** a whole day, or up to an instant */
  readonly receivedTo?: DayOrInstant | undefined
  readonly amountMinMinor?: bigint | undefined
  readonly amountMaxMinor?: bigint | undefined
  readonly currency?: string | undefined
  readonly words?: string | undefined
  /** one of our own, in the spelling by which they are compared */
  readonly taxIdNormal?: string | undefined
}

/** What a day means where the organisation is. */
export interface Today {
  readonly today: string
  readonly zone: string
}
