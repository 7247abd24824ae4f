import type { Subscription } from '@risiti/sdk'
import { dayText, type Tone } from '../../ui/index.ts'

export const statusWords: Readonly<Record<Subscription['status'], readonly [Tone, string]>> = {
  pending_payment: ['info', 'Waits for its first payment'],
  active: ['good', 'Active'],
  past_due: ['bad', 'Not paid'],
  expired: ['neutral', 'Ended'],
}

export const endWords: Readonly<Record<NonNullable<Subscription['endReason']>, string>> = {
  not_paid: 'it was never paid',
  cancelled: 'it was ended',
  overdue: 'a payment did not come',
  money_returned: 'its money was taken back',
}

export const dayOf = (instant: string): string => dayText(instant.slice(0, 10))
