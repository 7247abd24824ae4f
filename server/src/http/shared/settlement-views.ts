import Type, { type Static } from 'typebox'
import {
  dayStatuses,
  outstandingOf,
  type SettledSeller,
  type Settlement,
  type SettlementDay,
  settlementStatuses,
  statusOfDay,
  subAccountStates,
} from '../../modules/collection/index.ts'
import { Day, Fields, Instant, isoOrNull, List, Maybe, means, Named, OneOf, Uuid } from '../definitions/fields.ts'
import { Currency, ProviderField, text, textOrNull } from './collection-views.ts'

export const SettlementView = Named('SettlementAccount', {
  id: means('Unique identifier of the settlement account (UUIDv7).', Uuid),
  sellerId: means('Identifier of the seller who receives the money.', Uuid),
  sellerName: text('Name of the seller when the account was registered.', 'Eze Stores'),
  sellerType: textOrNull('Kind of party that the seller is. Null if it is unknown.', 'company'),
  bankCode: text('Code of the bank at the central bank.', '058'),
  bankNipCode: textOrNull(
    'Code of the bank for instant transfers (NIP). Null if the provider does not know it.',
    '000013',
  ),
  bankName: text('Name of the bank.', 'Guaranty Trust Bank'),
  accountNumber: text('Number of the bank account, 10 digits.', '0123456785'),
  accountName: text('Name of the account holder, as the bank gave it.', 'EZE STORES LIMITED'),
  currency: Currency('Currency of the bank account, as an ISO 4217 code.'),
  jurisdiction: text('Country of the bank, as an ISO 3166-1 alpha-2 code.', 'NG'),
  provider: means('Collection provider that looked up the account holder.', ProviderField),
  providers: means(
    'Each collection provider in use, and whether it pays the seller’s money out to this bank account.',
    List(
      Fields({
        provider: means('Name of the collection provider.', ProviderField),
        status: means(
          '`confirmed`: money goes to this bank account. `pending`: the provider has not answered yet and will be asked again. `refused`: `reason` says why. Virtual accounts can be opened only at a provider that has confirmed.',
          OneOf(...subAccountStates),
        ),
        reason: means('Why the provider has not confirmed, and what to do. Null once confirmed.', Maybe(Type.String())),
        subAccountCode: means(
          'The provider’s code of the sub-account that takes all of the money. Null until the first confirmation.',
          Maybe(
            Type.String({
              examples: ['MFY_SUB_319452883968'],
            }),
          ),
        ),
        settlesToEnding: means(
          'Last four digits of the bank account that money goes to now. While a change is pending or refused, this is the account before. Null until the first confirmation.',
          Maybe(
            Type.String({
              examples: ['6785'],
            }),
          ),
        ),
        accountsWaiting: Type.Integer({
          minimum: 0,
          description:
            'Number of virtual accounts whose money still goes to the bank account before; 0 once all follow.',
        }),
        updatedAt: means('When this provider’s state last changed.', Instant),
      }),
    ),
  ),
  createdAt: means('When the settlement account was registered.', Instant),
  updatedAt: means('When the settlement account was last changed.', Instant),
})

export const toSettlement = ({ account, subAccounts }: SettledSeller): Static<typeof SettlementView> => ({
  id: account.id,
  sellerId: account.sellerId,
  sellerName: account.sellerName,
  sellerType: account.sellerType,
  bankCode: account.bankCode,
  bankNipCode: account.bankNetworkCode,
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
  id: means('Unique identifier of the settlement (UUIDv7).', Uuid),
  sellerId: means('Identifier of the seller who was paid.', Uuid),
  provider: means('Collection provider that paid the money out.', ProviderField),
  providerReference: text('The provider’s own reference of the settlement.', 'RTS-000000001'),
  status: means(
    '`pending`: the provider is paying it out. `settled`: it was paid out. `failed`: it was not.',
    OneOf(...settlementStatuses),
  ),
  currency: Currency('Currency of the settlement, as an ISO 4217 code.'),
  amountMinor: Minor('Amount that reaches the seller’s bank account, in minor units such as cents.'),
  feeMinor: Minor('Fee that the provider took from the seller’s money, in minor units. 0 if the operator pays fees.'),
  paymentCount: Type.Integer({ minimum: 1, description: 'Number of payments that the settlement pays out.' }),
  settledAt: means(
    'When the money was paid out. Null while the settlement is pending or after it failed.',
    Maybe(
      Type.String({
        format: 'date-time',
      }),
    ),
  ),
  foundAt: Type.String({
    format: 'date-time',
    description: 'When this service first learned of the settlement from the provider.',
  }),
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
  date: means('Day on which the payments arrived, in your country’s time zone.', Day),
  sellerId: means('Identifier of the seller whose payments these are.', Uuid),
  provider: means('Collection provider that received the payments.', ProviderField),
  currency: Currency('Currency of the payments, as an ISO 4217 code.'),
  paymentCount: Type.Integer({ minimum: 1, description: 'Number of payments that arrived on this day.' }),
  receivedMinor: Minor('Sum of the payments that arrived, in minor units.'),
  reversedMinor: Minor('Part of it that the senders’ banks took back, in minor units.'),
  settledMinor: Minor('Part of it that was paid out to the seller’s bank account since, in minor units.'),
  feeMinor: Minor('Part of it that the provider kept as its fee, in minor units.'),
  outstandingMinor: Minor(
    'Amount still to be paid out: received, less reversed, settled and fee, in minor units. Negative if more was paid out than arrived.',
  ),
  exceptionCount: Type.Integer({
    minimum: 0,
    description:
      'Number of payments whose payout differs from the amount received, or is missing after four days. `GET /b/v1/collection/exceptions` lists them.',
  }),
  status: means(
    '`settled`: all of it was paid out. `waiting`: some of it is still to be paid out. `exception`: a payment needs your attention.',
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
