import type { Caller, UserCaller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import type { SubscriptionId } from '../ids.ts'
import { askToLook } from '../payments/ask-to-look.ts'
import type { ProviderName, ProviderView } from '../payments/checkout-provider.ts'
import { moneyCame, type PaymentId } from '../payments/payment.ts'
import { findOpenPaymentOf, findPayment } from '../payments/payments.store.ts'
import { endSubscription } from '../subscriptions/end-subscription.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { emitSubscriptionEvent } from '../subscriptions/subscription-events.ts'
import { findSubscription, saveSubscription } from '../subscriptions/subscriptions.store.ts'
import { giveUp } from './apply-view.ts'

interface CancelIntent {
  readonly organisationId: OrganisationId
  readonly id: SubscriptionId
  /** Checkout to close while the first payment is awaited. Null otherwise. */
  readonly checkout: { paymentId: PaymentId; provider: ProviderName; handle: string } | null
  readonly cancelReason: string | null
}

/**
 * Ends a subscription with its period. An overdue one ends at once. One that awaits its first payment also ends at
 * once, unless the provider reports it as paid.
 */
export const cancelSubscription = exchange(
  {
    time: 'real',
    needs: ['billing.subscription.cancel'],
    refuses: [
      'resource.not_found',
      'subscription.not_cancellable',
      'subscription.already_paid',
      'state.changed',
      'dependency.unavailable',
    ],
  },
  {
    name: 'cancel-subscription',
    deadlineMs: 20_000,
    intend: async (
      context: Inside<UserCaller>,
      { id, reason }: { id: SubscriptionId; reason: string | undefined },
    ): Promise<CancelIntent> => {
      const { tx, caller } = context
      const { organisationId } = caller.tenant
      await lockAccount(tx, organisationId)
      const subscription = await findSubscription(tx, organisationId, id)
      if (!subscription) throw refuse('resource.not_found')
      if (subscription.status === 'expired') throw refuse('subscription.not_cancellable')
      const cancelReason = reason ?? subscription.cancelReason
      const intent = { organisationId, id, checkout: null, cancelReason }
      if (subscription.status === 'pending_payment') {
        const payment = await findOpenPaymentOf(tx, organisationId, id)
        // The checkout is just being started or has just ended. A retry finds it settled.
        if (!payment?.handle) throw refuse('state.changed')
        return { ...intent, checkout: { paymentId: payment.id, provider: payment.provider, handle: payment.handle } }
      }
      if (subscription.cancelAtPeriodEnd) return intent
      const cancelled = await saveSubscription(tx, organisationId, {
        ...subscription,
        cancelReason,
        cancelAtPeriodEnd: subscription.status === 'active',
      })
      emitSubscriptionEvent(context, 'billing.subscription.cancelled', cancelled)
      if (cancelled.status === 'past_due') await endSubscription(context, cancelled, 'cancelled')
      return intent
    },
    call: endCheckoutOf,
    // Closing a checkout is idempotent.
    inquire: endCheckoutOf,
    settle: async (
      context: Inside<Caller>,
      { organisationId, id, checkout, cancelReason }: CancelIntent,
      outcome: CallOutcome<ProviderView | undefined>,
    ): Promise<{ subscription: Subscription; now: Date } | Refusal> => {
      const { tx, now } = context
      if (checkout) {
        if (outcome.kind === 'unknown')
          return refuse('dependency.unavailable', {
            message: 'The payment provider did not say whether the checkout was paid. Nothing was changed; try again.',
            retryAfterSeconds: 5,
            away: 'payment provider',
          })
        if (outcome.answer?.state === 'paid') {
          askToLook(context, { organisationId, paymentId: checkout.paymentId })
          return refuse('subscription.already_paid')
        }
        await lockAccount(tx, organisationId)
        const payment = await findPayment(tx, organisationId, checkout.paymentId)
        if (payment && moneyCame(payment.status)) return refuse('subscription.already_paid')
        const current = await getCancelled(tx, organisationId, id)
        // If a person pays on a page that could not be closed, the money goes back. If the payment has arrived
        // meanwhile, the plan stays.
        if (current.status === 'pending_payment')
          await endSubscription(context, { ...current, cancelReason }, 'cancelled')
        if (payment?.status === 'pending') await giveUp(context, payment)
      }
      return { subscription: await getCancelled(tx, organisationId, id), now }
    },
  },
)

async function endCheckoutOf(
  { ports, signal }: Outside<Caller> & { signal: AbortSignal },
  { checkout }: CancelIntent,
): Promise<ProviderView | undefined> {
  if (!checkout) return undefined
  return await ports.checkoutProviders.named(checkout.provider)?.endCheckout(checkout.handle, signal)
}

async function getCancelled(tx: Tx, organisationId: OrganisationId, id: SubscriptionId): Promise<Subscription> {
  const subscription = await findSubscription(tx, organisationId, id)
  if (!subscription) throw new Error('a subscription vanished while it was cancelled')
  return subscription
}
