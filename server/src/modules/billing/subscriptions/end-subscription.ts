import type { Caller } from '../../../kernel/callers.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { findPayment } from '../payments/payments.store.ts'
import type { EndReason, Subscription } from './subscription.ts'
import { emitSubscriptionEvent, emitTierChange } from './subscription-events.ts'
import { findPeriod, saveSubscription } from './subscriptions.store.ts'

/**
 * Ends the subscription, unless its period is still paid without the money that went back. The saved card is deleted.
 */
export async function endSubscription(
  context: Inside<Caller>,
  subscription: Subscription,
  endReason: EndReason,
): Promise<Subscription> {
  if (endReason === 'money_returned' && (await isStillPaid(context.tx, subscription))) return subscription
  const wasTaken = subscription.status !== 'pending_payment'
  const ended = await saveSubscription(context.tx, subscription.organisationId, {
    ...subscription,
    status: 'expired',
    endReason,
    endedAt: context.now,
    nextStepAt: null,
    nextAllocationAt: null,
    sealedAuthorisation: null,
  })
  emitSubscriptionEvent(context, 'billing.subscription.expired', ended)
  if (wasTaken) emitTierChange(context, ended, 'free')
  return ended
}

/** A period that was paid twice stays paid if one payment goes back. */
async function isStillPaid(tx: Tx, { organisationId, id, period }: Subscription): Promise<boolean> {
  const paid = await findPeriod(tx, organisationId, id, period)
  const payment = paid?.paymentId && (await findPayment(tx, organisationId, paid.paymentId))
  return payment ? payment.status !== 'refunded' && payment.status !== 'charged_back' : false
}
