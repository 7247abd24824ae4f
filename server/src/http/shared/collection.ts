import Type from 'typebox'
import type { Decimal } from '../../kernel/decimal.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import {
  accountStatuses,
  providerAccountStatuses,
  type ReceivedPaymentId,
  reconciliationStatuses,
  type VirtualAccountId,
} from '../../modules/collection/index.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import type { FormatName } from '../../modules/webhooks/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  After,
  Country,
  Fields,
  Instant,
  List,
  MinorUnits,
  means,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { collectionRoutes as routes } from '../routes/collection.ts'
import { Amount, decimalFrom, decimalOrNull, faultOfAmount, paidMoney } from './amounts.ts'
import {
  AccountKind,
  AccountNumber,
  accountAsked,
  faultsOfAccount,
  OpenBody,
  ProviderField,
} from './collection-accounts.ts'
import {
  AccountView,
  CreditView,
  ExceptionView,
  PaymentView,
  RefundedView,
  text,
  toAccount,
  toCredit,
  toException,
  toPayment,
  toRefunded,
} from './collection-views.ts'
import { settlements } from './settlements.ts'

const AccountQuery = Fields({
  sellerId: means('Only accounts of this seller (UUIDv7).', Type.Optional(Uuid)),
  buyerId: means('Only accounts of this buyer (UUIDv7).', Type.Optional(Uuid)),
  invoiceId: means('Only accounts for this invoice (UUIDv7).', Type.Optional(Uuid)),
  provider: means('Only accounts at this collection provider.', Type.Optional(ProviderField)),
  mode: means('Only accounts of this kind: `dynamic` or `persistent`.', Type.Optional(AccountKind)),
  jurisdiction: means('Only accounts in this country.', Type.Optional(Country)),
  status: means(
    'Only accounts with this status: `active`, `expired` or `deactivated`.',
    Type.Optional(OneOf(...accountStatuses)),
  ),
  page: means(
    'Number of the page, counted from 1; at most 1,000,000.',
    Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  ),
  pageSize: means(
    'Number of entries on a page, 1 to 100. 20 if left out.',
    Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  ),
  after: After,
})

const AccountParams = Fields({ id: means('Identifier of the virtual account (UUIDv7).', Uuid) })

const amountFault =
  (name: string) =>
  (body: unknown): Fault[] => {
    const value = (body as Record<string, unknown> | null | undefined)?.[name]
    return value === undefined ? [] : faultOfAmount(name, value, paidMoney)
  }

/** A payment is resolved to an invoice or to a buyer, never to both. */
function faultsOfResolution(body: unknown): Fault[] {
  const { invoiceId, buyerId } = (body ?? {}) as { invoiceId?: unknown; buyerId?: unknown }
  if ((invoiceId === undefined) !== (buyerId === undefined)) return []
  return [{ path: '', rule: 'one_of', message: 'must have either invoiceId or buyerId, not both' }]
}

const paymentsLimit = 50

const collection = {
  ...settlements,
  listAccounts: describeRoute(routes.listAccounts, {
    status: 200,
    query: AccountQuery,
    reply: List(AccountView),
    decode: ({ query }) => ({
      filter: {
        sellerId: query.sellerId as SellerId | undefined,
        buyerId: query.buyerId as BuyerId | undefined,
        invoiceId: query.invoiceId as InvoiceId | undefined,
        provider: query.provider,
        kind: query.mode,
        jurisdiction: query.jurisdiction,
        status: query.status,
      },
      page: pageFrom({ page: query.page, limit: query.pageSize, after: query.after }),
    }),
    encode: ({ page, now }) => page.rows.map((account) => toAccount(account, now)),
    pagination: ({ page }) => page,
  }),
  getAccount: describeRoute(routes.getAccount, {
    status: 200,
    params: AccountParams,
    reply: AccountView,
    decode: ({ params }) => ({ id: params.id as VirtualAccountId }),
    encode: ({ account, now }) => toAccount(account, now),
  }),
  getAccountStatus: describeRoute(routes.getAccountStatus, {
    status: 200,
    params: AccountParams,
    reply: Fields({
      id: means('Identifier of the virtual account (UUIDv7).', Uuid),
      status: means(
        'Status in our records. `active`: buyers can pay into it. `expired`: its end has passed. `deactivated`: it was stopped.',
        OneOf(...accountStatuses),
      ),
      provider: means('Collection provider that holds the account.', ProviderField),
      providerStatus: means(
        'Status that the provider answered just now. `active`: buyers can pay into it. `expired`: its end has passed. `closed`: the provider closed it. `unknown`: the provider does not know the account.',
        OneOf(...providerAccountStatuses, 'unknown'),
      ),
      accountNumber: means('Account number that the buyer pays into.', AccountNumber),
      checkedAt: means('When the provider was asked: the time of this request.', Instant),
    }),
    decode: ({ params }) => ({ id: params.id as VirtualAccountId }),
    encode: ({ checkedAt, ...status }) => ({ ...status, checkedAt: checkedAt.toISOString() }),
  }),
  deactivateAccount: describeRoute(routes.deactivateAccount, {
    status: 200,
    params: AccountParams,
    body: Type.Optional(
      Fields({
        reason: means('Why the account is stopped, at most 500 characters.', Type.Optional(Prose(1, 500))),
      }),
    ),
    reply: AccountView,
    decode: ({ params, body }) => ({ id: params.id as VirtualAccountId, reason: body?.reason ?? null }),
    encode: ({ account, now }) => toAccount(account, now),
  }),
  listPayments: describeRoute(routes.listPayments, {
    status: 200,
    query: Fields({
      reconciliationStatus: means(
        'Only payments with this status: `pending`, `applied`, `overpaid` or `unmatched`.',
        Type.Optional(OneOf(...reconciliationStatuses)),
      ),
      buyerId: Type.Optional(means('Only payments of this buyer (UUIDv7).', Uuid)),
      ...PageQuery(paymentsLimit),
    }),
    reply: List(PaymentView),
    decode: ({ query }) => ({
      status: query.reconciliationStatus,
      buyerId: query.buyerId as BuyerId | undefined,
      page: pageFrom(query, paymentsLimit),
    }),
    encode: ({ rows }) => rows.map(toPayment),
    pagination: (page) => page,
  }),
  refundPayment: describeRoute(routes.refundPayment, {
    status: 200,
    params: Fields({ id: means('Identifier of the received payment (UUIDv7).', Uuid) }),
    body: Type.Optional(
      Fields({
        amount: means(
          'Amount to send back, in major units such as dollars. All that is left of the payment if left out.',
          Type.Optional(Amount),
        ),
        reason: means('Why the money goes back, at most 500 characters.', Type.Optional(Prose(1, 500))),
      }),
    ),
    checkBody: amountFault('amount'),
    reply: RefundedView,
    decode: ({ params, body }) => ({
      id: params.id as ReceivedPaymentId,
      amount: decimalOrNull(body?.amount) ?? null,
      reason: body?.reason ?? null,
    }),
    encode: toRefunded,
  }),
  listExceptions: describeRoute(routes.listExceptions, {
    status: 200,
    query: Fields(PageQuery(paymentsLimit)),
    reply: List(ExceptionView),
    decode: ({ query }) => pageFrom(query, paymentsLimit),
    encode: ({ rows }) => rows.map(toException),
    pagination: (page) => page,
  }),
  resolveException: describeRoute(routes.resolveException, {
    status: 200,
    params: Fields({ paymentId: means('Identifier of the received payment (UUIDv7).', Uuid) }),
    body: Fields({
      invoiceId: means('Identifier of the invoice that was paid. Leave out `buyerId` then.', Type.Optional(Uuid)),
      buyerId: means('Identifier of the buyer who paid. Leave out `invoiceId` then.', Type.Optional(Uuid)),
    }),
    checkBody: faultsOfResolution,
    reply: PaymentView,
    decode: ({ params, body }) => ({
      id: params.paymentId as ReceivedPaymentId,
      resolution:
        body.invoiceId === undefined
          ? { buyerId: body.buyerId as BuyerId }
          : { invoiceId: body.invoiceId as InvoiceId },
    }),
    encode: toPayment,
  }),
  listCredits: describeRoute(routes.listCredits, {
    status: 200,
    query: Fields({
      buyerId: Type.Optional(means('Only the credit of this buyer (UUIDv7).', Uuid)),
      ...PageQuery(paymentsLimit),
    }),
    reply: List(CreditView),
    decode: ({ query }) => ({ buyerId: query.buyerId as BuyerId | undefined, page: pageFrom(query, paymentsLimit) }),
    encode: ({ rows }) => rows.map(toCredit),
    pagination: (page) => page,
  }),
  sendTransfer: describeRoute(routes.sendTransfer, {
    status: 201,
    body: Fields({
      accountNumber: means('Number of the virtual account that the money goes to.', AccountNumber),
      amount: means('Amount of the transfer, in major units such as dollars.', Amount),
      senderName: Type.Optional(
        Type.String({
          ...Text(1, 200),
          description: 'Name of the sender, at most 200 characters.',
          examples: ['ADAEZE OKAFOR'],
        }),
      ),
      narration: Type.Optional(
        Type.String({
          ...Text(1, 200),
          description:
            'Text on the transfer, at most 200 characters. `#lost`, `#twice`, `#late` or `#forged` makes the notification misbehave.',
          examples: ['Invoice INV0042'],
        }),
      ),
    }),
    checkBody: amountFault('amount'),
    reply: Fields({
      providerReference: text('Reference of the transfer at the simulated bank.', 'RTB000000000001'),
      accountNumber: means('Number of the virtual account that the money goes to.', AccountNumber),
      amountMinor: means('Amount of the transfer, in minor units such as cents.', MinorUnits),
      status: means('Always `on_its_way`: the payment is recorded a moment later.', OneOf('on_its_way')),
    }),
    decode: ({ body }) => ({
      accountNumber: body.accountNumber,
      amount: decimalFrom(body.amount) as Decimal,
      senderName: body.senderName,
      narration: body.narration,
    }),
    encode: ({ reference, accountNumber, amountMinor }) => ({
      providerReference: reference,
      accountNumber,
      amountMinor: Number(amountMinor),
      status: 'on_its_way' as const,
    }),
    location: () => '/b/v1/collection/payments',
  }),
}

/** Both forms share these routes. Only the webhook format of a callback URL follows the form. */
export const collectionIn = (format: FormatName) => ({
  ...collection,
  openAccount: describeRoute(routes.openAccount, {
    status: 201,
    otherStatuses: [200],
    statusOf: ({ isNew }) => (isNew ? 201 : 200),
    body: OpenBody,
    checkBody: faultsOfAccount,
    reply: AccountView,
    decode: ({ body }) => accountAsked(body, format),
    encode: ({ account, now }) => toAccount(account, now),
    location: ({ account }) => `/b/v1/collection/accounts/${account.id}`,
  }),
})
