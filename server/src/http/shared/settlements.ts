import Type from 'typebox'
import type { SellerId } from '../../modules/sellers/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Country, Day, Fields, List, means, OneOf, PageQuery, pageFrom, Text, Uuid } from '../definitions/fields.ts'
import { collectionRoutes as routes } from '../routes/collection.ts'
import { AccountNumber, BankCode, Currency, ProviderField } from './collection-accounts.ts'
import { text, textOrNull } from './collection-views.ts'
import {
  SettlementDayView,
  SettlementPaidView,
  SettlementView,
  toSettlement,
  toSettlementDay,
  toSettlementPaid,
} from './settlement-views.ts'

const partyTypes = ['individual', 'company', 'partnership', 'non_profit', 'government'] as const

const settlementsLimit = 50

/** Routes of settlement accounts and of payouts to them. */
export const settlements = {
  registerSettlement: describeRoute(routes.registerSettlement, {
    status: 201,
    body: Fields({
      sellerId: means('Identifier of the seller who receives the money.', Uuid),
      bankCode: means('Code of the bank at the central bank, or for instant transfers (NIP).', BankCode),
      accountNumber: means('Number of the bank account.', AccountNumber),
      currency: means('Currency of the bank account, as an ISO 4217 code. `NGN` if left out.', Currency),
      jurisdiction: means('Country of the bank. `NG` if left out.', Type.Optional(Country)),
      sellerName: means(
        'Name of the seller, at most 255 characters. The seller’s own name if left out.',
        Type.Optional(Text(1, 255)),
      ),
      sellerType: means(
        'Kind of party that the seller is. `PartyType` explains the values. The seller’s own kind if left out.',
        Type.Optional(OneOf(...partyTypes)),
      ),
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
  resolveSettlement: describeRoute(routes.resolveSettlement, {
    status: 200,
    body: Fields({
      bankCode: means('Code of the bank at the central bank, or for instant transfers (NIP).', BankCode),
      accountNumber: means('Number of the bank account.', AccountNumber),
      jurisdiction: means('Country of the bank. `NG` if left out.', Type.Optional(Country)),
    }),
    reply: Fields({
      accountNumber: means('Number of the bank account.', AccountNumber),
      accountName: text('Name of the account holder, as the bank gave it.', 'ADAEZE OKAFOR'),
      bankCode: text('Code of the bank at the central bank.', '058'),
      bankNipCode: textOrNull(
        'Code of the bank for instant transfers (NIP). Null if the provider does not know it.',
        '000013',
      ),
      bankName: text('Name of the bank.', 'Guaranty Trust Bank'),
    }),
    decode: ({ body }) => ({ ...body, jurisdiction: body.jurisdiction ?? 'NG' }),
    encode: ({ accountName, accountNumber, bank }) => ({
      accountNumber,
      accountName,
      bankCode: bank.code,
      bankNipCode: bank.networkCode,
      bankName: bank.name,
    }),
  }),
  listSettlements: describeRoute(routes.listSettlements, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(SettlementView),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) => rows.map(toSettlement),
    pagination: (page) => page,
  }),
  getSettlement: describeRoute(routes.getSettlement, {
    status: 200,
    params: Fields({ sellerId: means('Identifier of the seller (UUIDv7).', Uuid) }),
    reply: SettlementView,
    decode: ({ params }) => ({ sellerId: params.sellerId as SellerId }),
    encode: toSettlement,
  }),
  listBanks: describeRoute(routes.listBanks, {
    status: 200,
    query: Fields({
      jurisdiction: means('Country of the banks.', Country),
      provider: means(
        'Only banks that this provider settles to. This service chooses a provider if left out.',
        Type.Optional(ProviderField),
      ),
      ...PageQuery(100),
    }),
    reply: List(
      Fields({
        name: text('Name of the bank.', 'Guaranty Trust Bank'),
        code: text('Code of the bank at the central bank.', '058'),
        nipCode: textOrNull(
          'Code of the bank for instant transfers (NIP). Null if the provider does not know it.',
          '000013',
        ),
        provider: means('Collection provider that settles to this bank.', ProviderField),
      }),
    ),
    decode: ({ query }) => ({
      jurisdiction: query.jurisdiction,
      provider: query.provider,
      page: pageFrom(query, 100),
    }),
    encode: ({ rows }) =>
      rows.map(({ name, code, networkCode, provider }) => ({ name, code, nipCode: networkCode, provider })),
    pagination: (page) => page,
  }),
  listSettlementsPaid: describeRoute(routes.listSettlementsPaid, {
    status: 200,
    query: Fields({
      sellerId: means('Only settlements of this seller (UUIDv7).', Type.Optional(Uuid)),
      ...PageQuery(settlementsLimit),
    }),
    reply: List(SettlementPaidView),
    decode: ({ query }) => ({
      sellerId: query.sellerId as SellerId | undefined,
      page: pageFrom(query, settlementsLimit),
    }),
    encode: ({ rows }) => rows.map(toSettlementPaid),
    pagination: (page) => page,
  }),
  listSettlementDays: describeRoute(routes.listSettlementDays, {
    status: 200,
    query: Fields({
      from: means(
        'First day, in your country’s time zone. The 30 days that end with `to` if left out, 93 days at most.',
        Type.Optional(Day),
      ),
      to: means('Last day, in your country’s time zone, which counts too. Today if left out.', Type.Optional(Day)),
      sellerId: means('Only days of this seller (UUIDv7).', Type.Optional(Uuid)),
      ...PageQuery(settlementsLimit),
    }),
    reply: List(SettlementDayView),
    decode: ({ query }) => ({
      from: query.from,
      to: query.to,
      sellerId: query.sellerId as SellerId | undefined,
      page: pageFrom(query, settlementsLimit),
    }),
    encode: ({ rows }) => rows.map(toSettlementDay),
    pagination: (page) => page,
  }),
}
