import type { Id } from '../../../kernel/ids.ts'
import type { ReceivedPaymentId } from '../payments/received-payment.ts'

export type RefundId = Id<'collection-refund'>

export const refundStates = ['pending', 'sent', 'failed'] as const

/** Money that goes back to its sender. */
export interface Refund {
  readonly id: RefundId
  readonly paymentId: ReceivedPaymentId
  readonly state: (typeof refundStates)[number]
  readonly amountMinor: bigint
  /** The part that came from the buyer's credit. */
  readonly creditedMinor: bigint
  readonly reason: string | null
  readonly failure: string | null
  readonly tries: number
  readonly dueAt: Date | null
  readonly askedAt: Date
  readonly settledAt: Date | null
}

const firstWaitMs = 30_000
const longestWaitMs = 6 * 3600_000

/** When the provider is asked again. */
export const nextTry = (now: Date, tries: number): Date =>
  new Date(now.getTime() + Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 16)))
