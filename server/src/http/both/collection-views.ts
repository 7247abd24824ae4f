import Type, { type Static } from 'typebox'
import {
  accountStatuses,
  accountStatusOf,
  collectionProviderNames,
  type Difference,
  differenceKinds,
  type listBuyerCredits,
  type ReceivedPayment,
  type Refunded,
  reconciliationStatuses,
  refundStates,
  type SettlementAccount,
  type VirtualAccount,
} from '../../modules/collection/index.ts'
import { Fields, Instant, isoOrNull, List, Maybe, MinorUnits, Named, OneOf, Uuid } from '../fields.ts'
import { AccountKind } from './collection-accounts.ts'

const said = (example: string) => Type.String({ examples: [example] })
const ProviderField = OneOf(...collectionProviderNames)
const Currency = said('NGN')

export const SettlementView = Named('SettlementAccount', {
  id: Uuid,
  sellerId: Uuid,
  sellerName: said('Eze Stores'),
  sellerType: Maybe(said('company')),
  bankCode: said('058'),
  bankNipCode: Maybe(said('000013')),
  bankName: said('Guaranty Trust Bank'),
  accountNumber: said('0123456785'),
  accountName: Type.String({ description: 'as the bank says it', examples: ['EZE STORES LIMITED'] }),
  currency: Currency,
  jurisdiction: said('NG'),
  provider: ProviderField,
  createdAt: Instant,
  updatedAt: Instant,
})

export const toSettlement = (account: SettlementAccount): Static<typeof SettlementView> => ({
  id: account.id,
  sellerId: account.sellerId,
  sellerName: account.sellerName,
  sellerType: account.sellerType,
  bankCode: account.bankCode,
  bankNipCode: account.bankNipCode,
  bankName: account.bankName,
  accountNumber: account.accountNumber,
  accountName: account.accountName,
  currency: account.currency,
  jurisdiction: account.jurisdiction,
  provider: account.provider,
  createdAt: account.createdAt.toISOString(),
  updatedAt: account.updatedAt.toISOString(),
})

export const AccountView = Named('VirtualAccount', {
  id: Uuid,
  reference: said('adebayo-trading'),
  mode: AccountKind,
  status: OneOf(...accountStatuses),
  accountNumber: said('0000000017'),
  accountName: said('Eze Stores'),
  bankCode: said('999'),
  bankName: said('Risiti Test Bank'),
  jurisdiction: said('NG'),
  currency: Currency,
  sellerId: Uuid,
  buyerId: Maybe(Uuid),
  invoiceId: Maybe(Uuid),
  customer: Fields({
    name: said('Adebayo Trading Ltd'),
    firstName: Maybe(said('Bola')),
    lastName: Maybe(said('Adebayo')),
    phoneNumber: Maybe(said('+2348012345678')),
    email: Maybe(said('accounts@adebayo.example')),
  }),
  accountReference: Maybe(said('ADEBAYO-2026-01')),
  method: Maybe(said('BANK_TRANSFER')),
  amountMinor: Maybe(MinorUnits),
  fundingTransactionLimitMinor: Maybe(MinorUnits),
  expiresAt: Maybe(Instant),
  callbackUrl: Maybe(said('https://shop.example.com/payments')),
  callbackEndpointId: Maybe(
    Type.String({
      format: 'uuid',
      description: 'the webhook endpoint that was made for it: have its secret changed to see one',
    }),
  ),
  provider: ProviderField,
  createdAt: Instant,
  deactivatedAt: Maybe(Instant),
  deactivationReason: Maybe(Type.String()),
})

const numberOrNull = (minor: bigint | null): number | null => (minor === null ? null : Number(minor))

export const toAccount = (account: VirtualAccount, now: Date): Static<typeof AccountView> => ({
  id: account.id,
  reference: account.reference,
  mode: account.kind,
  status: accountStatusOf(account, now),
  accountNumber: account.accountNumber,
  accountName: account.accountName,
  bankCode: account.bankCode,
  bankName: account.bankName,
  jurisdiction: account.jurisdiction,
  currency: account.currency,
  sellerId: account.sellerId,
  buyerId: account.buyerId,
  invoiceId: account.invoiceId,
  customer: { ...account.customer },
  accountReference: account.accountReference,
  method: account.method,
  amountMinor: numberOrNull(account.amountMinor),
  fundingTransactionLimitMinor: numberOrNull(account.limitMinor),
  expiresAt: isoOrNull(account.expiresAt),
  callbackUrl: account.callbackUrl,
  callbackEndpointId: account.callbackEndpointId,
  provider: account.provider,
  createdAt: account.createdAt.toISOString(),
  deactivatedAt: isoOrNull(account.deactivatedAt),
  deactivationReason: account.deactivationReason,
})

const payment = {
  id: Uuid,
  accountId: Uuid,
  buyerId: Maybe(Uuid),
  amountMinor: MinorUnits,
  appliedMinor: MinorUnits,
  creditedMinor: MinorUnits,
  refundedMinor: MinorUnits,
  unmatchedMinor: MinorUnits,
  currency: Currency,
  reconciliationStatus: OneOf(...reconciliationStatuses),
  senderName: Maybe(said('ADAEZE OKAFOR')),
  narration: Maybe(said('Invoice INV0042')),
  provider: ProviderField,
  providerReference: said('RTB000000000001'),
  receivedAt: Instant,
  reversedAt: Maybe(Type.String({ format: 'date-time', description: 'the sender’s bank took it back' })),
}
export const PaymentView = Named('ReceivedPayment', payment)

export const toPayment = (received: ReceivedPayment): Static<typeof PaymentView> => ({
  id: received.id,
  accountId: received.accountId,
  buyerId: received.buyerId,
  amountMinor: Number(received.amountMinor),
  appliedMinor: Number(received.appliedMinor),
  creditedMinor: Number(received.creditedMinor),
  refundedMinor: Number(received.refundedMinor),
  unmatchedMinor: Number(received.unmatchedMinor),
  currency: received.currency,
  reconciliationStatus: received.reconciliationStatus,
  senderName: received.senderName,
  narration: received.narration,
  provider: received.provider,
  providerReference: received.providerReference,
  receivedAt: received.receivedAt.toISOString(),
  reversedAt: isoOrNull(received.reversedAt),
})

export const RefundedView = Named('RefundedPayment', {
  ...payment,
  refund: Fields({
    id: Uuid,
    status: OneOf(...refundStates),
    amountMinor: MinorUnits,
    reason: Maybe(Type.String()),
  }),
})

export const toRefunded = ({ payment: received, refund }: Refunded): Static<typeof RefundedView> => ({
  ...toPayment(received),
  refund: {
    id: refund.id,
    status: refund.state,
    amountMinor: Number(refund.amountMinor),
    reason: refund.reason,
  },
})

export const ExceptionView = Named('CollectionException', {
  ...payment,
  differences: List(
    Fields({
      kind: OneOf(...differenceKinds),
      oursMinor: Maybe(MinorUnits),
      theirsMinor: Maybe(MinorUnits),
      foundAt: Instant,
    }),
  ),
})

export const toException = (exception: {
  readonly payment: ReceivedPayment
  readonly differences: readonly Difference[]
}): Static<typeof ExceptionView> => ({
  ...toPayment(exception.payment),
  differences: exception.differences.map(({ kind, oursMinor, theirsMinor, foundAt }) => ({
    kind,
    oursMinor: numberOrNull(oursMinor),
    theirsMinor: numberOrNull(theirsMinor),
    foundAt: foundAt.toISOString(),
  })),
})

export const CreditView = Named('BuyerCredit', { buyerId: Uuid, currency: Currency, balanceMinor: MinorUnits })

type Credit = Awaited<ReturnType<typeof listBuyerCredits.body>>['rows'][number]
export const toCredit = ({ buyerId, currency, balanceMinor }: Credit): Static<typeof CreditView> => ({
  buyerId,
  currency,
  balanceMinor: Number(balanceMinor),
})
