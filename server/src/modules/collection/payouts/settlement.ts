import type { Id } from '../../../kernel/ids.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import type { SettlementStatus } from '../providers/sub-accounts.ts'

export type SettlementId = Id<'collection-settlement'>

/** One payout of a provider to one seller. */
export interface Settlement {
  readonly id: SettlementId
  readonly sellerId: SellerId
  readonly provider: CollectionProviderName
  readonly providerReference: string
  readonly status: SettlementStatus
  readonly currency: string
  /** What reached the bank account. */
  readonly amountMinor: bigint
  /** What the provider kept of the seller's share. */
  readonly feeMinor: bigint
  readonly paymentCount: number
  readonly settledAt: Date | null
  readonly foundAt: Date
  readonly updatedAt: Date
}

export const dayStatuses = ['settled', 'waiting', 'exception'] as const
export type DayStatus = (typeof dayStatuses)[number]

/** What arrived for a seller on one day, and what of it was paid out since. */
export interface SettlementDay {
  readonly date: string
  readonly sellerId: SellerId
  readonly provider: CollectionProviderName
  readonly currency: string
  readonly paymentCount: number
  readonly receivedMinor: bigint
  /** What senders' banks took back. */
  readonly reversedMinor: bigint
  readonly settledMinor: bigint
  readonly feeMinor: bigint
  /** Payments whose payout differs or is late. */
  readonly exceptionCount: number
}

/** What is still to be paid out. Negative if more was paid out than arrived. */
export const outstandingOf = (day: SettlementDay): bigint =>
  day.receivedMinor - day.reversedMinor - day.settledMinor - day.feeMinor

export const statusOfDay = (day: SettlementDay): DayStatus =>
  day.exceptionCount > 0 ? 'exception' : outstandingOf(day) === 0n ? 'settled' : 'waiting'
