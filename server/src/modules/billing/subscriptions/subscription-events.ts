import type { Caller } from '../../../kernel/callers.ts'
import type { EventType } from '../../../kernel/events.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { Subscription } from './subscription.ts'

type Emitting = Pick<Inside<Caller>, 'emit'>

/** Subscriptions are paid with real money, so their events belong to live mode. */
export function tellOfSubscription({ emit }: Emitting, type: EventType, subscription: Subscription, more = {}): void {
  const { organisationId, id, planCode, interval, currency, status, cancelAtPeriodEnd, endReason } = subscription
  emit(
    type,
    { organisationId, mode: 'live', objectId: id },
    { subscriptionId: id, planCode, interval, currency, status, cancelAtPeriodEnd, endReason, ...more },
  )
}

/** Which plan an organisation is on, whenever that changes. */
export function tellTier({ emit }: Emitting, { organisationId }: Subscription, planCode: string): void {
  emit('organization.subscription_tier_changed', { organisationId, objectId: organisationId }, { planCode })
}
