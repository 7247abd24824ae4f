import Type from 'typebox'
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
import type { DialectName } from '../../modules/webhooks/index.ts'
import { collectionEndpoints as endpoints } from '../endpoints/collection.ts'
import {
  After,
  Country,
  Day,
  Fields,
  Instant,
  List,
  Maybe,
  MinorUnits,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { speak } from '../speak.ts'
import { Amount, faultOfAmount, minorFrom, paidMoney } from './amounts.ts'
import {
  AccountKind,
  AccountNumber,
  accountAsked,
  BankCode,
  Currency,
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
  SettlementDayView,
  SettlementPaidView,
  SettlementView,
  toAccount,
  toCredit,
  toException,
  toPayment,
  toRefunded,
  toSettlement,
  toSettlementDay,
  toSettlementPaid,
} from './collection-views.ts'

const partyTypes = ['individual', 'company', 'partnership', 'non_profit', 'government'] as const

const AccountQuery = Fields({
  sellerId: Type.Optional(Uuid),
  buyerId: Type.Optional(Uuid),
  invoiceId: Type.Optional(Uuid),
  provider: Type.Optional(ProviderField),
  mode: Type.Optional(AccountKind),
  jurisdiction: Type.Optional(Country),
  status: Type.Optional(OneOf(...accountStatuses)),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  after: After,
})

const amountFault =
  (name: string) =>
  (body: unknown): Fault[] => {
    const value = (body as Record<string, unknown> | null | undefined)?.[name]
    return value === undefined ? [] : faultOfAmount(name, value, paidMoney)
  }

/** One of the two, and not both: what a payment was for. */
function faultsOfResolution(body: unknown): Fault[] {
  const { invoiceId, buyerId } = (body ?? {}) as { invoiceId?: unknown; buyerId?: unknown }
  if ((invoiceId === undefined) !== (buyerId === undefined)) return []
  return [{ path: '', rule: 'one_of', message: 'needs either invoiceId or buyerId, and not both' }]
}

const paymentsLimit = 50

const collection = {
  registerSettlement: speak(endpoints.registerSettlement, {
    status: 201,
    body: Fields({
      sellerId: Uuid,
      bankCode: BankCode,
      accountNumber: AccountNumber,
      currency: Currency,
      jurisdiction: Type.Optional(Country),
      sellerName: Type.Optional(Text(1, 255)),
      sellerType: Type.Optional(OneOf(...partyTypes)),
    }),
    reply: SettlementView,
    decode: ({ body }) => ({
      ...body,
      sellerId: body.sellerId as SellerId,
      currency: body.currency ?? 'NGN',
      jurisdiction: body.jurisdiction ?? 'NG',
    }),
    encode: toSettlement,
    location: ({ account }) => `/b/v1/collection/settlement-accounts/${account.sellerId}`,
  }),
  resolveSettlement: speak(endpoints.resolveSettlement, {
    status: 200,
    body: Fields({
      bankCode: BankCode,
      accountNumber: AccountNumber,
      jurisdiction: Type.Optional(Country),
    }),
    reply: Fields({
      accountNumber: AccountNumber,
      accountName: Type.String({ examples: ['ADAEZE OKAFOR'] }),
      bankCode: Type.String({ examples: ['058'] }),
      bankNipCode: Maybe(Type.String({ examples: ['000013'] })),
      bankName: Type.String({ examples: ['Guaranty Trust Bank'] }),
    }),
    decode: ({ body }) => ({ ...body, jurisdiction: body.jurisdiction ?? 'NG' }),
    encode: ({ accountName, accountNumber, bank }) => ({
      accountNumber,
      accountName,
      bankCode: bank.code,
      bankNipCode: bank.nipCode,
      bankName: bank.name,
    }),
  }),
  listSettlements: speak(endpoints.listSettlements, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(SettlementView),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) => rows.map(toSettlement),
    pagination: (page) => page,
  }),
  getSettlement: speak(endpoints.getSettlement, {
    status: 200,
    params: Fields({ sellerId: Uuid }),
    reply: SettlementView,
    decode: ({ params }) => ({ sellerId: params.sellerId as SellerId }),
    encode: toSettlement,
  }),
  listBanks: speak(endpoints.listBanks, {
    status: 200,
    query: Fields({ jurisdiction: Country, provider: Type.Optional(ProviderField), ...PageQuery(100) }),
    reply: List(
      Fields({
        name: Type.String({ examples: ['Guaranty Trust Bank'] }),
        code: Type.String({ description: 'of the central bank', examples: ['058'] }),
        nipCode: Maybe(Type.String({ description: 'in the instant payment network', examples: ['000013'] })),
        provider: ProviderField,
      }),
    ),
    decode: ({ query }) => ({
      jurisdiction: query.jurisdiction,
      provider: query.provider,
      page: pageFrom(query, 100),
    }),
    encode: ({ rows }) => rows.map(({ name, code, nipCode, provider }) => ({ name, code, nipCode, provider })),
    pagination: (page) => page,
  }),
  listAccounts: speak(endpoints.listAccounts, {
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
  getAccount: speak(endpoints.getAccount, {
    status: 200,
    params: Fields({ id: Uuid }),
    reply: AccountView,
    decode: ({ params }) => ({ id: params.id as VirtualAccountId }),
    encode: ({ account, now }) => toAccount(account, now),
  }),
  getAccountStatus: speak(endpoints.getAccountStatus, {
    status: 200,
    params: Fields({ id: Uuid }),
    reply: Fields({
      id: Uuid,
      status: OneOf(...accountStatuses),
      provider: ProviderField,
      providerStatus: OneOf(...providerAccountStatuses, 'unknown'),
      accountNumber: AccountNumber,
      checkedAt: Instant,
    }),
    decode: ({ params }) => ({ id: params.id as VirtualAccountId }),
    encode: ({ checkedAt, ...status }) => ({ ...status, checkedAt: checkedAt.toISOString() }),
  }),
  deactivateAccount: speak(endpoints.deactivateAccount, {
    status: 200,
    params: Fields({ id: Uuid }),
    body: Type.Optional(Fields({ reason: Type.Optional(Prose(1, 500)) })),
    reply: AccountView,
    decode: ({ params, body }) => ({ id: params.id as VirtualAccountId, reason: body?.reason ?? null }),
    encode: ({ account, now }) => toAccount(account, now),
  }),
  listPayments: speak(endpoints.listPayments, {
    status: 200,
    query: Fields({
      reconciliationStatus: Type.Optional(OneOf(...reconciliationStatuses)),
      ...PageQuery(paymentsLimit),
    }),
    reply: List(PaymentView),
    decode: ({ query }) => ({ status: query.reconciliationStatus, page: pageFrom(query, paymentsLimit) }),
    encode: ({ rows }) => rows.map(toPayment),
    pagination: (page) => page,
  }),
  refundPayment: speak(endpoints.refundPayment, {
    status: 200,
    params: Fields({ id: Uuid }),
    body: Type.Optional(
      Fields({
        amount: Type.Optional(Amount),
        reason: Type.Optional(Prose(1, 500)),
      }),
    ),
    checkBody: amountFault('amount'),
    reply: RefundedView,
    decode: ({ params, body }) => ({
      id: params.id as ReceivedPaymentId,
      amountMinor: body?.amount === undefined ? null : minorFrom(body.amount),
      reason: body?.reason ?? null,
    }),
    encode: toRefunded,
  }),
  listSettlementsPaid: speak(endpoints.listSettlementsPaid, {
    status: 200,
    query: Fields({ sellerId: Type.Optional(Uuid), ...PageQuery(paymentsLimit) }),
    reply: List(SettlementPaidView),
    decode: ({ query }) => ({
      sellerId: query.sellerId as SellerId | undefined,
      page: pageFrom(query, paymentsLimit),
    }),
    encode: ({ rows }) => rows.map(toSettlementPaid),
    pagination: (page) => page,
  }),
  listSettlementDays: speak(endpoints.listSettlementDays, {
    status: 200,
    query: Fields({
      from: Type.Optional(Day),
      to: Type.Optional(Day),
      sellerId: Type.Optional(Uuid),
      ...PageQuery(paymentsLimit),
    }),
    reply: List(SettlementDayView),
    decode: ({ query }) => ({
      from: query.from,
      to: query.to,
      sellerId: query.sellerId as SellerId | undefined,
      page: pageFrom(query, paymentsLimit),
    }),
    encode: ({ rows }) => rows.map(toSettlementDay),
    pagination: (page) => page,
  }),
  listExceptions: speak(endpoints.listExceptions, {
    status: 200,
    query: Fields(PageQuery(paymentsLimit)),
    reply: List(ExceptionView),
    decode: ({ query }) => pageFrom(query, paymentsLimit),
    encode: ({ rows }) => rows.map(toException),
    pagination: (page) => page,
  }),
  resolveException: speak(endpoints.resolveException, {
    status: 200,
    params: Fields({ paymentId: Uuid }),
    body: Fields({ invoiceId: Type.Optional(Uuid), buyerId: Type.Optional(Uuid) }),
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
  listCredits: speak(endpoints.listCredits, {
    status: 200,
    query: Fields(PageQuery(paymentsLimit)),
    reply: List(CreditView),
    decode: ({ query }) => pageFrom(query, paymentsLimit),
    encode: ({ rows }) => rows.map(toCredit),
    pagination: (page) => page,
  }),
  sendTransfer: speak(endpoints.sendTransfer, {
    status: 201,
    body: Fields({
      accountNumber: AccountNumber,
      amount: Amount,
      senderName: Type.Optional(Type.String({ ...Text(1, 200), examples: ['ADAEZE OKAFOR'] })),
      narration: Type.Optional(Type.String({ ...Text(1, 200), examples: ['Invoice INV0042'] })),
    }),
    checkBody: amountFault('amount'),
    reply: Fields({
      providerReference: Type.String({ examples: ['RTB000000000001'] }),
      accountNumber: AccountNumber,
      amountMinor: MinorUnits,
      status: OneOf('on_its_way'),
    }),
    decode: ({ body }) => ({
      accountNumber: body.accountNumber,
      amountMinor: minorFrom(body.amount),
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

/** In both forms alike, but for whose words an account's own address is spoken to in. */
export const collectionIn = (dialect: DialectName) => ({
  ...collection,
  openAccount: speak(endpoints.openAccount, {
    status: 201,
    otherStatuses: [200],
    statusOf: ({ isNew }) => (isNew ? 201 : 200),
    body: OpenBody,
    checkBody: faultsOfAccount,
    reply: AccountView,
    decode: ({ body }) => accountAsked(body, dialect),
    encode: ({ account, now }) => toAccount(account, now),
    location: ({ account }) => `/b/v1/collection/accounts/${account.id}`,
  }),
})
