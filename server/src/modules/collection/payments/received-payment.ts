import type { ReceivedPaymentPayload } from '../../../kernel/event-payloads.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { VirtualAccountId } from '../accounts/virtual-account.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import type { PaymentBalances } from './payment-balances.ts'

export type ReceivedPaymentId = Id<'received-payment'>

export const reconciliationStatuses = ['pending', 'applied', 'overpaid', 'unmatched'] as const
export type ReconciliationStatus = (typeof reconciliationStatuses)[number]

/** A transfer that arrived, divided into its four parts. */
export interface ReceivedPayment extends PaymentBalances {
  readonly id: ReceivedPaymentId
  readonly accountId: VirtualAccountId
  readonly provider: CollectionProviderName
  readonly providerReference: string
  readonly buyerId: BuyerId | null
  readonly currency: string
  readonly matchedAt: Date | null
  readonly reconciliationStatus: ReconciliationStatus
  readonly senderName: string | null
  readonly narration: string | null
  readonly receivedAt: Date
  readonly recordedAt: Date
  readonly reversedAt: Date | null
  readonly version: number
}

export const receivedPaymentPayload = (payment: ReceivedPayment): ReceivedPaymentPayload => ({
  paymentId: payment.id,
  accountId: payment.accountId,
  buyerId: payment.buyerId,
  amountMinor: Number(payment.amountMinor),
  appliedMinor: Number(payment.appliedMinor),
  creditedMinor: Number(payment.creditedMinor),
  refundedMinor: Number(payment.refundedMinor),
  unmatchedMinor: Number(payment.unmatchedMinor),
  currency: payment.currency,
  reconciliationStatus: payment.reconciliationStatus,
  receivedAt: payment.receivedAt.toISOString(),
})
