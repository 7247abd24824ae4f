import type { CollectionException, ReceivedPayment } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

/** What became of money that came. */
export const paymentWords: Readonly<Record<ReceivedPayment['reconciliationStatus'], readonly [Tone, string]>> = {
  pending: ['info', 'Being matched'],
  applied: ['good', 'On invoices'],
  overpaid: ['warn', 'More than was due'],
  unmatched: ['warn', 'Not matched'],
}

/** Where the provider's statement says something else than our books. */
export const differenceWords: Readonly<Record<CollectionException['differences'][number]['kind'], string>> = {
  missing_here: 'The provider has it, and we were never told.',
  missing_there: 'We have it, and the provider’s statement does not.',
  amount: 'The provider names another amount.',
  currency: 'The provider names another currency.',
  refunded: 'The provider says that it was sent back.',
}

export const accountWords: Readonly<Record<'active' | 'expired' | 'deactivated', readonly [Tone, string]>> = {
  active: ['good', 'Open'],
  expired: ['neutral', 'Over'],
  deactivated: ['neutral', 'Closed'],
}
