import type { Caller } from '../../../kernel/callers.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { Payment } from '../payments/payment.ts'
import { grantDueMonths } from './allocate.ts'
import { currentPeriod, type Subscription } from './subscription.ts'
import { emitSubscriptionEvent, emitTierChange } from './subscription-events.ts'
import {
  findCurrentSubscription,
  findSubscription,
  insertPeriod,
  savePeriodPaid,
  saveSubscription,
} from './subscriptions.store.ts'

/** `wanted` is false if the money has to go back. */
export type TakenPayment = { readonly payment: Payment; readonly wanted: boolean }

/**
 * Applies a payment to its subscription. The money is not wanted, and goes back, if the period is already paid or the
 * subscription has ended.
 */
export async function takePayment(
  context: Inside<Caller>,
  payment: Payment,
  sealedAuthorisation: (subscription: Subscription) => string | null,
): Promise<TakenPayment> {
  const { tx } = context
  const { organisationId, subscriptionId } = payment
  if (subscriptionId === null) return { payment, wanted: true }
  const subscription = await findSubscription(tx, organisationId, subscriptionId)
  if (!subscription) throw new Error('a payment belongs to a subscription that does not exist')
  const card = { provider: payment.provider, sealedAuthorisation: sealedAuthorisation(subscription) }
  const renewed =
    payment.kind === 'subscription'
      ? await begin(context, { ...subscription, ...card }, payment)
      : await renew(context, { ...subscription, ...card }, payment)
  return renewed ? { payment: renewed, wanted: true } : { payment, wanted: false }
}

/**
 * Handles the first payment. A payment after the checkout expired still counts, unless a user cancelled the
 * subscription or chose another plan.
 */
async function begin(
  context: Inside<Caller>,
  subscription: Subscription,
  payment: Payment,
): Promise<Payment | undefined> {
  const { tx, now } = context
  const { organisationId } = subscription
  if (subscription.anchorAt || subscription.endReason === 'cancelled') return undefined
  const current = await findCurrentSubscription(tx, organisationId)
  if (current && current.id !== subscription.id) return undefined
  const begun: Subscription = {
    ...subscription,
    status: 'active',
    endReason: null,
    endedAt: null,
    anchorAt: now,
    period: 1,
    attempts: 0,
  }
  const taken = await paidPeriod(context, begun, payment)
  if (!taken) return undefined
  emitSubscriptionEvent(context, 'billing.subscription.activated', taken.subscription)
  emitTierChange(context, taken.subscription, taken.subscription.planCode)
  return taken.payment
}

async function renew(
  context: Inside<Caller>,
  subscription: Subscription,
  payment: Payment,
): Promise<Payment | undefined> {
  if (subscription.status !== 'past_due' || subscription.period !== payment.period) return undefined
  const taken = await paidPeriod(context, { ...subscription, status: 'active', attempts: 0 }, payment)
  if (taken)
    emitSubscriptionEvent(context, 'billing.subscription.renewed', taken.subscription, { period: payment.period })
  return taken?.payment
}

async function paidPeriod(context: Inside<Caller>, subscription: Subscription, payment: Payment) {
  const { tx, now } = context
  const { organisationId, id, period } = subscription
  const span = currentPeriod(subscription)
  if (!span) throw new Error('a subscription without a beginning cannot be paid')
  const saved = await saveSubscription(tx, organisationId, { ...subscription, nextStepAt: span.endsAt })
  await insertPeriod(tx, organisationId, saved, span)
  const paid = { subscriptionId: id, number: period, paymentId: payment.id }
  if (!(await savePeriodPaid(tx, organisationId, paid, now))) return undefined
  return await grantDueMonths(context, saved, payment)
}
