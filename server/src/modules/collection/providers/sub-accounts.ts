import type { Bank } from './bank.ts'

/** Who pays the provider's fee: the seller, out of the collected money, or the operator of this service. */
export const feeBearers = ['seller', 'operator'] as const
export type FeeBearer = (typeof feeBearers)[number]

/** All money of an account goes to one sub-account. */
export interface Split {
  /** The provider's code of the sub-account. */
  readonly subAccount: string
  readonly feeBearer: FeeBearer
}

/** A bank account that a provider should settle to. */
export interface SubAccountOrder {
  /** With this provider's own code of the bank. */
  readonly bank: Bank
  readonly accountNumber: string
  readonly currency: string
  /** Name of the account holder, for display. */
  readonly name: string
  /** Where the provider sends settlement reports. */
  readonly email: string
}

/**
 * A provider's code for the bank account of a seller. It stands for one bank account forever: we never change a
 * sub-account.
 */
export interface SubAccount {
  readonly code: string
}

export const settlementStatuses = ['pending', 'settled', 'failed'] as const
export type SettlementStatus = (typeof settlementStatuses)[number]

/** The part of a settlement that came from one transfer. */
export interface SettledTransfer {
  readonly reference: string
  /** Our handle of the account that received the transfer. */
  readonly handle: string
  /** What reached the bank account, after the fee. */
  readonly amountMinor: bigint
  /** What the provider kept of the seller's share. */
  readonly feeMinor: bigint
}

/** One payout to a sub-account, as the provider's ledger has it. */
export interface ProviderSettlement {
  readonly reference: string
  readonly status: SettlementStatus
  readonly currency: string
  /** Null if the provider does not say. */
  readonly settledAt: Date | null
  readonly transfers: readonly SettledTransfer[]
}
