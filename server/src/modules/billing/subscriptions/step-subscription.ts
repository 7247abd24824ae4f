import type { Caller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import type { SubscriptionId } from '../ids.ts'
import type { PaymentRef } from '../payments/ask-to-look.ts'
import { findOpenPaymentOf, findPayment } from '../payments/payments.store.ts'
import { openPayment } from '../payments/start-checkout.ts'
import { grantMissedMonths } from './allocate.ts'
import { endSubscription } from './end-subscription.ts'
import { periodOf } from './periods.ts'
import { currentPeriod, nextStepAfter, type Subscription, stepAt } from './subscription.ts'
import { emitSubscriptionEvent } from './subscription-events.ts'
import { mailPlanEnded, mailRenewalFailed } from './subscription-mails.ts'
import {
  type DueSubscription,
  findPeriod,
  findSubscription,
  insertPeriod,
  listSubscriptionsToStep,
  saveSubscription,
} from './subscriptions.store.ts'

export const chargeCardJob = job<PaymentRef>('charge-card', 'money')

/** While a user pays on the provider's page, the saved card is not charged for one hour. */
const patienceMs = 3_600_000

/** Does what is due by time alone: a period ends, an attempt is due, or the grace time is over. */
export const stepSubscription = operation(
  { time: 'real', needs: [], refuses: [] },
  async (context: Inside<Caller>, { organisationId, id }: { organisationId: OrganisationId; id: SubscriptionId }) => {
    const { tx, now } = context
    await lockAccount(tx, organisationId)
    const subscription = await findSubscription(tx, organisationId, id)
    if (!subscription) return
    switch (stepAt(subscription, now)) {
      case 'end':
        await endSubscription(context, await grantMissedMonths(context, subscription), 'cancelled')
        return
      case 'fall_due':
        await attempt(context, await fallDue(context, await grantMissedMonths(context, subscription)))
        return
      case 'attempt':
        await attempt(context, subscription)
        return
      case 'give_up': {
        emitSubscriptionEvent(context, 'billing.subscription.payment_failed_final', subscription)
        await mailPlanEnded(context, await endSubscription(context, subscription, 'overdue'))
      }
    }
  },
)

/** The next period has begun and is not paid yet. */
async function fallDue(context: Inside<Caller>, subscription: Subscription): Promise<Subscription> {
  const { tx } = context
  const { organisationId, anchorAt, interval, period } = subscription
  if (!anchorAt) throw new Error('a subscription without a beginning has no next period')
  const due = await saveSubscription(tx, organisationId, {
    ...subscription,
    status: 'past_due',
    period: period + 1,
    attempts: 0,
    nextAllocationAt: null,
  })
  await insertPeriod(tx, organisationId, due, periodOf(anchorAt, interval, due.period))
  emitSubscriptionEvent(context, 'billing.subscription.past_due', due)
  return due
}

/** Charges the saved card, or asks for payment by mail if there is none. */
async function attempt(context: Inside<Caller>, subscription: Subscription): Promise<void> {
  const { tx, now, enqueue } = context
  const { organisationId, id, amountMinor, currency, planCode, interval, period, provider } = subscription
  const span = currentPeriod(subscription)
  if (!span) throw new Error('a subscription without a beginning has no period')
  if (await findOpenPaymentOf(tx, organisationId, id)) {
    await saveSubscription(tx, organisationId, { ...subscription, nextStepAt: new Date(now.getTime() + patienceMs) })
    return
  }
  const attempts = subscription.attempts + 1
  await saveSubscription(tx, organisationId, {
    ...subscription,
    attempts,
    nextStepAt: nextStepAfter(attempts, span.startsAt),
  })
  if (subscription.sealedAuthorisation === null || provider === null) {
    const cause = `${id}:${period}:${attempts}`
    emitSubscriptionEvent(context, 'billing.subscription.payment_failed', subscription, { reason: 'no_card' })
    await mailRenewalFailed(context, subscription, cause)
    return
  }
  const payment = await openPayment(context, {
    organisationId,
    kind: 'renewal',
    provider,
    amountMinor,
    currency,
    description: `Risiti: ${planCode}, ${interval}`,
    email: await emailOfPayer(context, subscription),
    subscriptionId: id,
    period,
    createdBy: null,
  })
  enqueue(chargeCardJob, { organisationId, paymentId: payment.id }, { key: `charge-card:${payment.id}` })
}

/** Email address of the last payer. */
async function emailOfPayer({ tx }: Inside<Caller>, { organisationId, id, period }: Subscription): Promise<string> {
  const paid = await findPeriod(tx, organisationId, id, period - 1)
  const payment = paid?.paymentId ? await findPayment(tx, organisationId, paid.paymentId) : undefined
  if (!payment) throw new Error('a subscription that is to be renewed was never paid')
  return payment.email
}

export const findSubscriptionsToStep = reading(
  { time: 'real', needs: [], refuses: [] },
  async ({ db, now }: Outside<Caller>, after: DueSubscription | undefined) =>
    listSubscriptionsToStep(db, { now, after, limit: 100 }),
)
