import type { SellerId } from '../../sellers/index.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'

export const subAccountStates = ['pending', 'confirmed', 'refused'] as const
export type SubAccountState = (typeof subAccountStates)[number]

/** The state of a seller's settlement account at one provider. */
export interface SellerSubAccount {
  readonly sellerId: SellerId
  readonly provider: CollectionProviderName
  readonly state: SubAccountState
  readonly reason: string | null
  /**
   * The provider's code of the bank account that money goes to now. While a change is pending, it is the previous one.
   */
  readonly code: string | null
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly tries: number
  readonly dueAt: Date | null
  readonly confirmedAt: Date | null
  readonly updatedAt: Date
  /** Virtual accounts whose money does not go to `code` yet. */
  readonly accountsWaiting: number
}

/** A provider's answer about a bank account. `pending` if it did not answer. */
export type SubAccountAnswer =
  | { readonly kind: 'confirmed'; readonly code: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'pending'; readonly reason: string }

const firstWaitMs = 30_000
const longestWaitMs = 6 * 3_600_000

/**
 * When to ask a provider again that refused or did not answer, at most six hours later. It may have enabled
 * sub-accounts since.
 */
export const nextQuestion = (now: Date, tries: number): Date =>
  new Date(now.getTime() + Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 16)))
