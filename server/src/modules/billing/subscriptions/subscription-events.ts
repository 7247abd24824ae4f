import type { Caller } from '../../../kernel/callers.ts'
import type { SubscriptionPayload } from '../../../kernel/event-payloads.ts'
import { type EventOf, type MorePayload, payloadOf } from '../../../kernel/events.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { Subscription } from './subscription.ts'

type EmitContext = Pick<Inside<Caller>, 'emit'>

/** Subscriptions are real money, so their events belong to live mode. */
export function emitSubscriptionEvent<Type extends EventOf<'subscription'>>(
  { emit }: EmitContext,
  type: Type,
  subscription: Subscription,
  ...further: MorePayload<Type, SubscriptionPayload>
): void {
  const { organisationId, id, planCode, interval, currency, status, cancelAtPeriodEnd, endReason } = subscription
  const payload: SubscriptionPayload = {
    subscriptionId: id,
    planCode,
    interval,
    currency,
    status,
    cancelAtPeriodEnd,
    endReason,
  }
  emit<EventOf<'subscription'>>(
    type,
    { organisationId, mode: 'live', objectId: id },
    payloadOf<Type, SubscriptionPayload>(payload, further),
  )
}

/** Emits the plan of an organisation whenever it changes. */
export function emitTierChange({ emit }: EmitContext, { organisationId }: Subscription, planCode: string): void {
  emit('organization.subscription_tier_changed', { organisationId, objectId: organisationId }, { planCode })
}
