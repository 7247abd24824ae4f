import type {
  CollectionException,
  CollectionSettlement,
  ReceivedPayment,
  SettlementAccount,
  SettlementDay,
} from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

export const paymentWords: Readonly<Record<ReceivedPayment['reconciliationStatus'], readonly [Tone, string]>> = {
  pending: ['info', 'Being matched'],
  applied: ['good', 'On invoices'],
  overpaid: ['warn', 'More than was due'],
  unmatched: ['warn', 'Not matched'],
}

/** The text for a difference between the provider's data and our ledger. */
export const differenceWords: Readonly<Record<CollectionException['differences'][number]['kind'], string>> = {
  missing_here: 'The provider has it, and we were never told.',
  missing_there: 'We have it, and the provider’s statement does not.',
  amount: 'The provider names another amount.',
  currency: 'The provider names another currency.',
  refunded: 'The provider says that it was sent back.',
  not_settled: 'The provider has not paid it out to the seller for more than four days.',
  settled_amount: 'The provider paid another amount out to the seller.',
  settled_reversed: 'The provider paid it out to the seller although the sender’s bank took it back.',
}

export const providerNames: Readonly<Record<SettlementDay['provider'], string>> = {
  sandbox: 'Sandbox bank',
  monnify: 'Monnify',
  paystack: 'Paystack',
}

/** The text for a provider's answer about a settlement account. */
export const confirmationWords: Readonly<
  Record<SettlementAccount['providers'][number]['status'], readonly [Tone, string]>
> = {
  confirmed: ['good', 'Confirmed'],
  pending: ['info', 'Being confirmed'],
  refused: ['bad', 'Refused'],
}

export const payoutDayWords: Readonly<Record<SettlementDay['status'], readonly [Tone, string]>> = {
  settled: ['good', 'All paid out'],
  waiting: ['info', 'Being paid out'],
  exception: ['bad', 'Check this'],
}

export const payoutWords: Readonly<Record<CollectionSettlement['status'], readonly [Tone, string]>> = {
  pending: ['info', 'On its way'],
  settled: ['good', 'Paid out'],
  failed: ['bad', 'Failed'],
}

export const accountWords: Readonly<Record<'active' | 'expired' | 'deactivated', readonly [Tone, string]>> = {
  active: ['good', 'Open'],
  expired: ['neutral', 'Over'],
  deactivated: ['neutral', 'Closed'],
}
