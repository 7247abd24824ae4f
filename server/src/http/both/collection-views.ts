import Type, { type Static } from 'typebox'
import {
  accountStatuses,
  accountStatusOf,
  collectionProviderNames,
  type Difference,
  dayStatuses,
  differenceKinds,
  type listBuyerCredits,
  outstandingOf,
  type ReceivedPayment,
  type Refunded,
  reconciliationStatuses,
  refundStates,
  type SettledSeller,
  type Settlement,
  type SettlementDay,
  settlementStatuses,
  statusOfDay,
  subAccountStates,
  type VirtualAccount,
} from '../../modules/collection/index.ts'
import { Day, Fields, Instant, isoOrNull, List, Maybe, MinorUnits, means, Named, OneOf, Uuid } from '../fields.ts'
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
  providers: means(
    'Each collection provider in use, and whether it pays the seller’s money out to this bank account.',
    List(
      Fields({
        provider: ProviderField,
        status: means(
          '`confirmed`: money goes to this bank account. `pending`: the provider has not answered yet and is asked again. `refused`: `reason` says why. Accounts can be opened only at a provider that has confirmed.',
          OneOf(...subAccountStates),
        ),
        reason: Maybe(
          Type.String({ description: 'Why the provider has not confirmed, and what to do. Null once confirmed.' }),
        ),
        subAccountCode: Maybe(
          Type.String({
            description:
              'The provider’s code of the sub-account that takes all of the money. Null until the first confirmation.',
            examples: ['MFY_SUB_319452883968'],
          }),
        ),
        settlesToEnding: Maybe(
          Type.String({
            description:
              'Last four digits of the bank account that money goes to now. While a change is pending or refused, this is the account before. Null until the first confirmation.',
            examples: ['6785'],
          }),
        ),
        accountsWaiting: Type.Integer({
          minimum: 0,
          description:
            'Number of virtual accounts whose money still goes to the bank account before; 0 once all follow.',
        }),
        updatedAt: Instant,
      }),
    ),
  ),
  createdAt: Instant,
  updatedAt: Instant,
})

export const toSettlement = ({ account, subAccounts }: SettledSeller): Static<typeof SettlementView> => ({
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
  providers: subAccounts.map((one) => ({
    provider: one.provider,
    status: one.state,
    reason: one.reason,
    subAccountCode: one.code,
    settlesToEnding: one.accountNumber?.slice(-4) ?? null,
    accountsWaiting: one.accountsWaiting,
    updatedAt: one.updatedAt.toISOString(),
  })),
  createdAt: account.createdAt.toISOString(),
  updatedAt: account.updatedAt.toISOString(),
})

const Minor = (description: string) => Type.Integer({ description, examples: [1_194_000] })

export const SettlementPaidView = Named('CollectionSettlement', {
  id: Uuid,
  sellerId: Uuid,
  provider: ProviderField,
  providerReference: Type.String({
    description: 'The provider’s own reference of the settlement.',
    examples: ['RTS-000000001'],
  }),
  status: means(
    '`pending`: the provider is paying it out. `settled`: it was paid out. `failed`: it was not.',
    OneOf(...settlementStatuses),
  ),
  currency: Currency,
  amountMinor: Minor('What reaches the seller’s bank account, in minor units (kobo).'),
  feeMinor: Minor(
    'What the provider kept of the seller’s money as its fee, in minor units. 0 if the operator pays fees.',
  ),
  paymentCount: Type.Integer({ minimum: 1, description: 'Number of payments that it pays out.' }),
  settledAt: Maybe(
    Type.String({
      format: 'date-time',
      description: 'When it was paid out. Null while it is pending or after it failed.',
    }),
  ),
  foundAt: Type.String({ format: 'date-time', description: 'When this service first heard of it.' }),
})

export const toSettlementPaid = (settlement: Settlement): Static<typeof SettlementPaidView> => ({
  id: settlement.id,
  sellerId: settlement.sellerId,
  provider: settlement.provider,
  providerReference: settlement.providerReference,
  status: settlement.status,
  currency: settlement.currency,
  amountMinor: Number(settlement.amountMinor),
  feeMinor: Number(settlement.feeMinor),
  paymentCount: settlement.paymentCount,
  settledAt: isoOrNull(settlement.settledAt),
  foundAt: settlement.foundAt.toISOString(),
})

export const SettlementDayView = Named('SettlementDay', {
  date: means('The day on which the payments came, in Nigeria.', Day),
  sellerId: Uuid,
  provider: ProviderField,
  currency: Currency,
  paymentCount: Type.Integer({ minimum: 1, description: 'Number of payments that came on this day.' }),
  receivedMinor: Minor('What came, in minor units.'),
  reversedMinor: Minor('What senders’ banks took back of it, in minor units.'),
  settledMinor: Minor('What was paid out of it to the seller’s bank account since, in minor units.'),
  feeMinor: Minor('What the provider kept of it as its fee, in minor units.'),
  outstandingMinor: Minor(
    'What is still to be paid out: received, less reversed, settled and fee, in minor units. Negative if more was paid out than came.',
  ),
  exceptionCount: Type.Integer({
    minimum: 0,
    description:
      'Number of payments of which another amount was paid out than came, or nothing within four days. `GET /b/v1/collection/exceptions` lists them.',
  }),
  status: means(
    '`settled`: all of it was paid out. `waiting`: some of it was not yet. `exception`: somebody has to look at it.',
    OneOf(...dayStatuses),
  ),
})

export const toSettlementDay = (day: SettlementDay): Static<typeof SettlementDayView> => ({
  date: day.date,
  sellerId: day.sellerId,
  provider: day.provider,
  currency: day.currency,
  paymentCount: day.paymentCount,
  receivedMinor: Number(day.receivedMinor),
  reversedMinor: Number(day.reversedMinor),
  settledMinor: Number(day.settledMinor),
  feeMinor: Number(day.feeMinor),
  outstandingMinor: Number(outstandingOf(day)),
  exceptionCount: day.exceptionCount,
  status: statusOfDay(day),
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
    paidFrom: Type.String({
      description:
        'Which money the refund is paid with, in words: the operator’s balance at the provider, because payments are passed on to the seller.',
      examples: [
        'This payment was paid out to the seller’s bank account on 2026-03-05, so the refund is paid from the operator’s balance at Monnify',
      ],
    }),
  }),
})

export const toRefunded = ({ payment: received, refund, paidFrom }: Refunded): Static<typeof RefundedView> => ({
  ...toPayment(received),
  refund: {
    id: refund.id,
    status: refund.state,
    amountMinor: Number(refund.amountMinor),
    reason: refund.reason,
    paidFrom,
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
