import type { Id } from '../../../kernel/ids.ts'
import type { Actor } from '../../../platform/operations/actors.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { InvoiceId } from '../../invoices/index.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { EndpointId } from '../../webhooks/index.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'

export type VirtualAccountId = Id<'virtual-account'>

export const accountKinds = ['persistent', 'dynamic'] as const
export type AccountKind = (typeof accountKinds)[number]

export const accountStatuses = ['active', 'expired', 'deactivated'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** Who is to pay. A BVN goes to the provider, and is not kept. */
export interface Customer {
  readonly name: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly phoneNumber: string | null
  readonly email: string | null
}

/** What somebody asks for. */
export interface AccountAsked {
  readonly reference: string
  readonly kind: AccountKind
  readonly jurisdiction: string
  readonly currency: string
  readonly sellerId: SellerId
  readonly buyerId: BuyerId | null
  readonly invoiceId: InvoiceId | null
  readonly customer: Customer
  readonly accountReference: string | null
  readonly method: string | null
  readonly amountMinor: bigint | null
  readonly limitMinor: bigint | null
  readonly expiresAt: Date | null
  /** where what happens to it is told, in place of the organisation's webhook endpoints */
  readonly callbackUrl: string | null
}

/** An account that is to be, while its provider is asked for it. */
export interface OpeningAccount extends AccountAsked {
  readonly id: VirtualAccountId
  readonly fingerprint: string
  readonly state: 'opening' | 'active' | 'deactivated'
  readonly provider: CollectionProviderName
  /** what the provider knows it by */
  readonly handle: string
  readonly accountNumber: string | null
  readonly accountName: string | null
  readonly bankCode: string | null
  readonly bankName: string | null
  /** the sub-account that its provider sends all of its money to; null until it is opened, and for accounts older than sub-accounts */
  readonly subAccountCode: string | null
  /** why the provider did not take another sub-account for it, if it did not */
  readonly splitFailure: string | null
  /** the webhook endpoint that was made for its address */
  readonly callbackEndpointId: EndpointId | null
  readonly createdBy: { readonly type: Actor['kind']; readonly id: string | null }
  readonly createdAt: Date
  readonly deactivatedAt: Date | null
  readonly deactivationReason: string | null
}

/** One that can be paid into, or could be. */
export interface VirtualAccount extends OpeningAccount {
  readonly state: 'active' | 'deactivated'
  readonly accountNumber: string
  readonly accountName: string
  readonly bankCode: string
  readonly bankName: string
}

export const isOpen = (account: OpeningAccount): account is VirtualAccount => account.state !== 'opening'

export const accountStatusOf = ({ state, expiresAt }: VirtualAccount, now: Date): AccountStatus =>
  state === 'deactivated' ? 'deactivated' : expiresAt !== null && expiresAt <= now ? 'expired' : 'active'

export const toldAccount = (account: VirtualAccount) => ({
  accountId: account.id,
  reference: account.reference,
  accountNumber: account.accountNumber,
  bankName: account.bankName,
  sellerId: account.sellerId,
  buyerId: account.buyerId,
  invoiceId: account.invoiceId,
})

/** An account, and what time it is: whether it has expired follows from that. */
export interface AccountNow {
  readonly account: VirtualAccount
  readonly now: Date
}
