import type { Caller } from '../../../kernel/callers.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { ProviderView } from '../payments/checkout-provider.ts'
import { contradictions, moneyCame, nextLook, type Payment, refundedFrom, statusFrom } from '../payments/payment.ts'
import { emitPaymentChange, emitPaymentEvent } from '../payments/payment-events.ts'
import { askToReturn } from '../payments/return-money.ts'
import { settleCredits } from '../payments/settle-credits.ts'
import { endSubscription } from '../subscriptions/end-subscription.ts'
import { authorisationPlace } from '../subscriptions/subscription.ts'
import { emitSubscriptionEvent } from '../subscriptions/subscription-events.ts'
import { mailRenewalFailed } from '../subscriptions/subscription-mails.ts'
import { findSubscription } from '../subscriptions/subscriptions.store.ts'
import { takePayment } from '../subscriptions/take-payment.ts'

/**
 * Brings a payment and its subscription to the provider's current view. The caller holds the lock of the account. The
 * result depends on that view alone, not on the number or order of notifications.
 */
export async function applyView(context: Inside<Caller>, before: Payment, view: ProviderView): Promise<Payment> {
  const { now, log, ports } = context
  const live = ports.checkoutProviders.named(before.provider)?.live ?? false
  const wrong = contradictions(before, view, live)
  if (wrong.length > 0) {
    log.error('payment.contradicted', {
      provider: before.provider,
      reference: before.id,
      organisationId: before.organisationId,
      reason: wrong.join(', '),
    })
    return before
  }
  const status = statusFrom(before, view)
  const cameNow = moneyCame(status) && !moneyCame(before.status)
  const ended = status === 'failed' || status === 'expired'
  let after: Payment = {
    ...before,
    status,
    handle: view.handle,
    refundedMinor: refundedFrom(before, view),
    paidAt: cameNow ? now : before.paidAt,
    endedAt: ended ? (before.endedAt ?? now) : null,
  }
  after = { ...after, lookAt: nextLook(after, now) }
  const isNews = status !== before.status || after.refundedMinor !== before.refundedMinor
  if (!isNews && after.handle === before.handle) return before

  if (cameNow) after = await acceptMoney(context, after, view)
  after = await settleCredits(context, after)
  emitPaymentChange(context, before, after)
  if (cameNow && after.kind === 'credit_purchase') emitPaymentEvent(context, 'billing.credits.purchased', after)
  await emitSubscriptionChange(context, before, after)
  return after
}

/** The payment was not made in time, or the provider refused it. Money that arrives later still counts. */
export async function giveUp(
  context: Inside<Caller>,
  before: Payment,
  status: 'expired' | 'failed' = 'expired',
): Promise<Payment> {
  const { now } = context
  const ended: Payment = { ...before, status, endedAt: now }
  const after = await settleCredits(context, { ...ended, lookAt: nextLook(ended, now) })
  emitPaymentChange(context, before, after)
  await emitSubscriptionChange(context, before, after)
  return after
}

async function acceptMoney(context: Inside<Caller>, payment: Payment, view: ProviderView): Promise<Payment> {
  const { vault, log } = context
  const { authorisation } = view
  const taken = await takePayment(context, payment, ({ id }) =>
    authorisation === undefined ? null : vault.seal(authorisation, authorisationPlace(id)),
  )
  if (!taken.wanted) {
    log.warn('payment.unwanted', {
      provider: payment.provider,
      reference: payment.id,
      organisationId: payment.organisationId,
      reason: 'the period was already paid or the subscription has ended; the money is returned',
    })
    askToReturn(context, { organisationId: payment.organisationId, paymentId: payment.id })
  }
  return taken.payment
}

/** Updates the subscription after refunds, disputes and failures of its payment. */
async function emitSubscriptionChange(context: Inside<Caller>, before: Payment, after: Payment): Promise<void> {
  if (after.subscriptionId === null || after.status === before.status) return
  const subscription = await findSubscription(context.tx, after.organisationId, after.subscriptionId)
  if (!subscription || subscription.status === 'expired') return
  if (after.status === 'failed' || after.status === 'expired') {
    if (subscription.status === 'pending_payment') await endSubscription(context, subscription, 'not_paid')
    else if (after.status === 'failed' && subscription.status === 'past_due') {
      emitSubscriptionEvent(context, 'billing.subscription.payment_failed', subscription, { paymentId: after.id })
      await mailRenewalFailed(context, subscription, after.id)
    }
  }
  const gone = after.status === 'refunded' || after.status === 'charged_back'
  if (gone && subscription.period === after.period && subscription.status === 'active')
    await endSubscription(context, subscription, 'money_returned')
}
