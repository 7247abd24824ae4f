import type { Bank } from './bank.ts'

/** Who pays the provider's fee: it is taken out of the seller's share, or the operator of this service pays it. */
export const feeBearers = ['seller', 'operator'] as const
export type FeeBearer = (typeof feeBearers)[number]

/** All of an account's money goes to one sub-account. */
export interface Split {
  /** the provider's code of the sub-account */
  readonly subAccount: string
  readonly feeBearer: FeeBearer
}

/** A bank account at which a provider is to settle. */
export interface SubAccountOrder {
  /** with the code that this provider has for it */
  readonly bank: Bank
  readonly accountNumber: string
  readonly currency: string
  /** whose it is, as people should read it */
  readonly name: string
  /** where the provider sends reports of settlements */
  readonly email: string
}

/** A provider's name for a bank account of somebody else. It stands for that bank account for good: we never change one. */
export interface SubAccount {
  readonly code: string
}

export const settlementStatuses = ['pending', 'settled', 'failed'] as const
export type SettlementStatus = (typeof settlementStatuses)[number]

/** What of a settlement came from one transfer. */
export interface SettledTransfer {
  readonly reference: string
  /** our name of the account that it came into */
  readonly handle: string
  /** what reached the bank account of it, after the fee */
  readonly amountMinor: bigint
  /** what the provider kept of the seller's share */
  readonly feeMinor: bigint
}

/** What a provider paid out to a sub-account at one time, as its own books have it. */
export interface ProviderSettlement {
  readonly reference: string
  readonly status: SettlementStatus
  readonly currency: string
  /** `null` if the provider does not say it */
  readonly settledAt: Date | null
  readonly transfers: readonly SettledTransfer[]
}
