import type { Id } from '../../../kernel/ids.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import type { SellerSubAccount } from './sub-account.ts'

export type SettlementAccountId = Id<'settlement-account'>

/** The seller's bank account that collected money goes to. */
export interface SettlementAccount {
  readonly id: SettlementAccountId
  readonly sellerId: SellerId
  readonly provider: CollectionProviderName
  readonly jurisdiction: string
  readonly currency: string
  readonly bankCode: string
  readonly bankNetworkCode: string | null
  readonly bankName: string
  readonly accountNumber: string
  /** As the bank reported it. */
  readonly accountName: string
  readonly sellerName: string
  readonly sellerType: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A settlement account with its state at each provider. */
export interface SettledSeller {
  readonly account: SettlementAccount
  readonly subAccounts: readonly SellerSubAccount[]
}
