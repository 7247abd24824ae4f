import type { OrganisationId, UserId } from '../../../kernel/ids.ts'
import type { SealedPlace } from '../../../platform/secrets/secrets.ts'
import type { Currency, Interval } from '../../catalogue/index.ts'
import type { SubscriptionId } from '../ids.ts'
import type { ProviderName } from '../payments/checkout-provider.ts'
import { periodOf, windowAt } from './periods.ts'

export const subscriptionStatuses = ['pending_payment', 'active', 'past_due', 'expired'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

export const endReasons = ['not_paid', 'cancelled', 'overdue', 'money_returned'] as const
export type EndReason = (typeof endReasons)[number]

export interface Subscription {
  readonly organisationId: OrganisationId
  readonly id: SubscriptionId
  readonly planCode: string
  readonly interval: Interval
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly monthlyCredits: bigint
  readonly status: SubscriptionStatus
  readonly endReason: EndReason | null
  readonly cancelAtPeriodEnd: boolean
  readonly cancelReason: string | null
  /** Start of the first period. Null until the first payment. */
  readonly anchorAt: Date | null
  readonly period: number
  /** When the next step by time alone is due. */
  readonly nextStepAt: Date | null
  readonly nextAllocationAt: Date | null
  /** How often payment of the overdue period was attempted. */
  readonly attempts: number
  readonly provider: ProviderName | null
  readonly sealedAuthorisation: string | null
  readonly createdBy: UserId | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

export const authorisationPlace = (id: string): SealedPlace => ({
  table: 'subscriptions',
  column: 'sealed_authorisation',
  id,
})

const days = 86_400_000
/** Days after the start of an overdue period on which payment is attempted. The subscription ends after `graceDays`. */
const attemptDays = [0, 5, 10] as const
const graceDays = 14
export const mostAttempts = attemptDays.length

/** When the next attempt is due, or the grace time ends. */
export const nextStepAfter = (attempts: number, periodStart: Date): Date =>
  new Date(periodStart.getTime() + (attemptDays[attempts] ?? graceDays) * days)

export const graceEnd = (periodStart: Date): Date => new Date(periodStart.getTime() + graceDays * days)

export type Step = 'end' | 'fall_due' | 'attempt' | 'give_up' | 'nothing'

export function stepAt(
  subscription: Pick<Subscription, 'status' | 'cancelAtPeriodEnd' | 'anchorAt' | 'interval' | 'period' | 'attempts'>,
  now: Date,
): Step {
  const { status, cancelAtPeriodEnd, anchorAt, interval, period, attempts } = subscription
  if (!anchorAt) return 'nothing'
  const { startsAt, endsAt } = periodOf(anchorAt, interval, period)
  if (status === 'active') {
    if (now < endsAt) return 'nothing'
    return cancelAtPeriodEnd ? 'end' : 'fall_due'
  }
  if (status !== 'past_due') return 'nothing'
  if (now >= graceEnd(startsAt)) return 'give_up'
  return attempts < mostAttempts && now >= nextStepAfter(attempts, startsAt) ? 'attempt' : 'nothing'
}

/** The current period, paid or overdue. */
export const currentPeriod = ({
  anchorAt,
  interval,
  period,
}: Pick<Subscription, 'anchorAt' | 'interval' | 'period'>) =>
  anchorAt ? periodOf(anchorAt, interval, period) : undefined

/** The month for which credits were added last. Null unless the subscription is active. */
export function allocationWindow(subscription: Subscription, now: Date) {
  const { status, anchorAt, interval, period, monthlyCredits } = subscription
  if (status !== 'active' || !anchorAt) return null
  const window = windowAt(anchorAt, interval, period, now)
  return window ? { ...window, credits: monthlyCredits } : null
}
