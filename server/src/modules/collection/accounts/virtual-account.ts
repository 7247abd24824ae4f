import type { Id } from '../../../kernel/ids.ts'
import type { Actor } from '../../../platform/events/actors.ts'
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

/** The payer. Official numbers of the payer go to the provider and are not stored. */
export interface Customer {
  readonly name: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly phoneNumber: string | null
  readonly email: string | null
}

export interface AccountRequest {
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
  /** Receives the events of the account instead of the organisation's webhook endpoints. */
  readonly callbackUrl: string | null
}

/** An account while the provider is being asked to open it. */
export interface OpeningAccount extends AccountRequest {
  readonly id: VirtualAccountId
  readonly fingerprint: string
  readonly state: 'opening' | 'active' | 'deactivated'
  readonly provider: CollectionProviderName
  /** Identifies the account at the provider. */
  readonly handle: string
  readonly accountNumber: string | null
  readonly accountName: string | null
  readonly bankCode: string | null
  readonly bankName: string | null
  /** Sub-account that receives all of its money. Null until it is open, and for accounts older than sub-accounts. */
  readonly subAccountCode: string | null
  /** Why the provider refused to change the sub-account. Null if it did not. */
  readonly splitFailure: string | null
  /** The webhook endpoint that was created for `callbackUrl`. */
  readonly callbackEndpointId: EndpointId | null
  readonly createdBy: { readonly type: Actor['kind']; readonly id: string | null }
  readonly createdAt: Date
  readonly deactivatedAt: Date | null
  readonly deactivationReason: string | null
}

/** An account that is or was open. */
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

export const accountPayload = (account: VirtualAccount) => ({
  accountId: account.id,
  reference: account.reference,
  accountNumber: account.accountNumber,
  bankName: account.bankName,
  sellerId: account.sellerId,
  buyerId: account.buyerId,
  invoiceId: account.invoiceId,
})

/** The expiry of an account depends on the current time. */
export interface AccountNow {
  readonly account: VirtualAccount
  readonly now: Date
}
