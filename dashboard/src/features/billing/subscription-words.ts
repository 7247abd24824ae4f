import type { Subscription } from '@risiti/sdk'
import { dayText, type Tone } from '../../ui/index.ts'

export const statusWords: Readonly<Record<Subscription['status'], readonly [Tone, string]>> = {
  pending_payment: ['info', 'Waiting for the first payment'],
  active: ['good', 'Active'],
  past_due: ['bad', 'Not paid'],
  expired: ['neutral', 'Ended'],
}

export const endWords: Readonly<Record<NonNullable<Subscription['endReason']>, string>> = {
  not_paid: 'never paid',
  cancelled: 'cancelled',
  overdue: 'payment overdue',
  money_returned: 'payment reversed',
}

export const dayOf = (instant: string): string => dayText(instant.slice(0, 10))
