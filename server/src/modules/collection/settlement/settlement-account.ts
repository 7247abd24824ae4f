import type { Id } from '../../../kernel/ids.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import type { SellerSubAccount } from './sub-account.ts'

export type SettlementAccountId = Id<'settlement-account'>

/** Where a seller's money goes: an account of its own at a bank. */
export interface SettlementAccount {
  readonly id: SettlementAccountId
  readonly sellerId: SellerId
  readonly provider: CollectionProviderName
  readonly jurisdiction: string
  readonly currency: string
  readonly bankCode: string
  readonly bankNipCode: string | null
  readonly bankName: string
  readonly accountNumber: string
  /** as the bank says it */
  readonly accountName: string
  readonly sellerName: string
  readonly sellerType: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A settlement account, and what each provider makes of it. */
export interface SettledSeller {
  readonly account: SettlementAccount
  readonly subAccounts: readonly SellerSubAccount[]
}
