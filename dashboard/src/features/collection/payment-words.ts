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
  applied: ['good', 'Applied'],
  overpaid: ['warn', 'Overpaid'],
  unmatched: ['warn', 'Unmatched'],
}

/** The text for a difference between the provider's data and our ledger. */
export const differenceWords: Readonly<Record<CollectionException['differences'][number]['kind'], string>> = {
  missing_here: 'The provider reports a payment that Risiti does not have.',
  missing_there: 'Risiti has this payment, but the provider’s statement does not.',
  amount: 'The provider reports another amount.',
  currency: 'The provider reports another currency.',
  refunded: 'The provider reports that the payment was refunded.',
  not_settled: 'The provider has not paid out this payment for more than four days.',
  settled_amount: 'The provider paid out another amount.',
  settled_reversed: 'The provider paid out this payment, although the sender’s bank reversed it.',
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
  expired: ['neutral', 'Expired'],
  deactivated: ['neutral', 'Closed'],
}
