import Type, { type Static } from 'typebox'
import {
  accountStatuses,
  accountStatusOf,
  type collectionOperations,
  collectionProviderNames,
  type Difference,
  differenceKinds,
  type ReceivedPayment,
  type RefundResult,
  reconciliationStatuses,
  refundStates,
  type VirtualAccount,
} from '../../modules/collection/index.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  MinorUnits,
  means,
  Named,
  OneOf,
  Uuid,
} from '../definitions/fields.ts'
import { AccountKind } from './collection-accounts.ts'
import { meaningOf } from './value-meanings.ts'

export const text = (description: string, example: string) => Type.String({ description, examples: [example] })
/** Null is described together with the text, because both stand in one published schema. */
export const textOrNull = (description: string, example: string) =>
  means(description, Maybe(Type.String({ examples: [example] })))
export const ProviderField = OneOf(...collectionProviderNames)
export const Currency = (description: string) => text(description, 'NGN')

export const AccountView = Named('VirtualAccount', {
  id: means('Unique identifier of the virtual account (UUIDv7).', Uuid),
  reference: text('Your own name for the account.', 'adebayo-trading'),
  mode: AccountKind,
  status: means(
    '`active`: buyers can pay into it. `expired`: `expiresAt` has passed. `deactivated`: it was stopped.',
    OneOf(...accountStatuses),
  ),
  accountNumber: text('Account number that the buyer pays into.', '0000000017'),
  accountName: text('Name of the account, as the buyer’s bank shows it.', 'Eze Stores'),
  bankCode: text('Code of the bank that holds the account.', '999'),
  bankName: text('Name of the bank that holds the account.', 'Risiti Test Bank'),
  jurisdiction: text('Country of the account, as an ISO 3166-1 alpha-2 code.', 'NG'),
  currency: Currency('Currency of the account, as an ISO 4217 code.'),
  sellerId: means('Identifier of the seller who receives the money.', Uuid),
  buyerId: means('Identifier of the buyer who pays. Null if you named none.', Maybe(Uuid)),
  invoiceId: means('Identifier of the invoice that is paid. Null if you named none.', Maybe(Uuid)),
  customer: means(
    'Person or business that pays into the account, as you sent it.',
    Fields({
      name: text('Full name of the payer.', 'Adebayo Trading Ltd'),
      firstName: textOrNull('Given name of the payer. Null if you sent none.', 'Bola'),
      lastName: textOrNull('Family name of the payer. Null if you sent none.', 'Adebayo'),
      phoneNumber: textOrNull('Telephone number in E.164 format. Null if you sent none.', '+12025550143'),
      email: textOrNull('Email address of the payer. Null if you sent none.', 'accounts@adebayo.example'),
    }),
  ),
  accountReference: textOrNull(
    'Reference of the account at the provider, as you sent it. Null if you sent none.',
    'ADEBAYO-2026-01',
  ),
  method: textOrNull('How the buyer pays into the account, as you sent it. Null if you sent none.', 'BANK_TRANSFER'),
  amountMinor: means(
    'Amount to be paid, in minor units such as cents. Null for persistent accounts.',
    Maybe(MinorUnits),
  ),
  fundingTransactionLimitMinor: means(
    'Largest amount of one transfer, in minor units such as cents. Null without a limit.',
    Maybe(MinorUnits),
  ),
  expiresAt: means('When the account stops taking payments. Null for accounts without an end.', Maybe(Instant)),
  callbackUrl: textOrNull(
    'URL that receives the events of this account. Null if your webhook endpoints do.',
    'https://shop.example.com/payments',
  ),
  callbackEndpointId: means(
    'Identifier of the webhook endpoint created for `callbackUrl`. Rotate its secret to see one. Null without `callbackUrl`.',
    Maybe(
      Type.String({
        format: 'uuid',
      }),
    ),
  ),
  provider: means('Collection provider that holds the account.', ProviderField),
  createdAt: means('When the account was opened.', Instant),
  deactivatedAt: means('When the account was stopped. Null while it is in use.', Maybe(Instant)),
  deactivationReason: means(
    'Reason that the caller gave for stopping it. Null if none was given.',
    Maybe(Type.String()),
  ),
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
  id: means('Unique identifier of the payment (UUIDv7).', Uuid),
  accountId: means('Identifier of the virtual account that the money came into.', Uuid),
  buyerId: means('Identifier of the buyer who paid. Null while it is unknown.', Maybe(Uuid)),
  amountMinor: means(
    'Amount that arrived, in minor units such as cents. It is the sum of the applied, credited, refunded and unmatched parts.',
    MinorUnits,
  ),
  appliedMinor: means('Part applied to invoices, in minor units.', MinorUnits),
  creditedMinor: means('Part kept as the buyer’s credit, in minor units.', MinorUnits),
  refundedMinor: means('Part sent back, or taken back by the sender’s bank, in minor units.', MinorUnits),
  unmatchedMinor: means('Part that matches no invoice or buyer yet, in minor units.', MinorUnits),
  currency: Currency('Currency of the payment, as an ISO 4217 code.'),
  reconciliationStatus: means(meaningOf.reconciliation, OneOf(...reconciliationStatuses)),
  senderName: textOrNull('Name of the sender, as the bank gave it. Null if the bank gave none.', 'ADAEZE OKAFOR'),
  narration: textOrNull('Text that the sender wrote on the transfer. Null if there is none.', 'Invoice INV0042'),
  provider: means('Collection provider that received the money.', ProviderField),
  providerReference: text('The provider’s own reference of the transfer.', 'RTB000000000001'),
  receivedAt: means('When the money arrived, as the provider says.', Instant),
  reversedAt: means(
    'When the sender’s bank took the money back. Null unless it did.',
    Maybe(
      Type.String({
        format: 'date-time',
      }),
    ),
  ),
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
  refund: means(
    'The refund that this request started.',
    Fields({
      id: means('Unique identifier of the refund (UUIDv7).', Uuid),
      status: means(
        '`pending`: the provider has not confirmed it yet and will be asked again. `sent`: the provider paid it. `failed`: the provider refused it, and the money is back in its place.',
        OneOf(...refundStates),
      ),
      amountMinor: means('Amount that goes back to the sender, in minor units such as cents.', MinorUnits),
      reason: means('Reason that the caller gave for the refund. Null if none was given.', Maybe(Type.String())),
      paidFrom: text(
        'Which money pays the refund, in words. It is the operator’s balance at the provider, because payments are passed on to the seller.',
        'This payment was paid out to the seller’s bank account on 2026-03-05, so the refund is paid from the operator’s balance at Monnify',
      ),
    }),
  ),
})

export const toRefunded = ({ payment: received, refund, paidFrom }: RefundResult): Static<typeof RefundedView> => ({
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
  differences: means(
    'Open differences between our records and the provider’s. Empty if the payment is only unmatched or overpaid.',
    List(
      Fields({
        kind: means(meaningOf.differences, OneOf(...differenceKinds)),
        oursMinor: means('Amount in our records, in minor units. Null if we have none.', Maybe(MinorUnits)),
        theirsMinor: means('Amount in the provider’s records, in minor units. Null if it has none.', Maybe(MinorUnits)),
        foundAt: means('When the difference was found.', Instant),
      }),
    ),
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

export const CreditView = Named('BuyerCredit', {
  buyerId: means('Identifier of the buyer who has the credit.', Uuid),
  currency: Currency('Currency of the credit, as an ISO 4217 code.'),
  balanceMinor: means('Credit that is left to use, in minor units such as cents.', MinorUnits),
})

type Credit = Awaited<ReturnType<typeof collectionOperations.listBuyerCredits.body>>['rows'][number]
export const toCredit = ({ buyerId, currency, balanceMinor }: Credit): Static<typeof CreditView> => ({
  buyerId,
  currency,
  balanceMinor: Number(balanceMinor),
})
