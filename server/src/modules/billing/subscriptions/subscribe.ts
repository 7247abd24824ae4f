import type { Caller, UserCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { invalid, Refusal, refuse } from '../../../kernel/refusals.ts'
import { type CallOutcome, exchange, type Inside } from '../../../platform/operations/operation.ts'
import { type Currency, type Interval, plans } from '../../catalogue/index.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import { ensureAccount } from '../accounts/open-account.ts'
import { askToLook } from '../payments/ask-to-look.ts'
import type { Payment } from '../payments/payment.ts'
import { findOpenPaymentOf, findPayment } from '../payments/payments.store.ts'
import {
  askForCheckout,
  type Checkout,
  type CheckoutAnswer,
  type CheckoutIntent,
  checkoutDeadlineMs,
  giveAgain,
  inquireAboutCheckout,
  noteCheckout,
  openPayment,
  providerFor,
} from '../payments/start-checkout.ts'
import { endSubscription } from './end-subscription.ts'
import type { Subscription } from './subscription.ts'
import { emitSubscriptionEvent } from './subscription-events.ts'
import { findCurrentSubscription, findSubscription, insertSubscription } from './subscriptions.store.ts'

export interface SubscriptionOrder {
  readonly planCode: string
  readonly interval: Interval
  readonly currency: Currency
  readonly returnPath: string | undefined
}

export type SubscriptionCheckout = Checkout & { readonly subscription: Subscription; readonly now: Date }

function priceOf({ planCode, interval, currency }: SubscriptionOrder) {
  const plan = plans.find(({ code }) => code === planCode)
  const price = plan?.prices.find((one) => one.currency === currency && one.interval === interval)
  if (plan && price) return { plan, amountMinor: price.amountMinor }
  const message = plan ? 'needs no subscription: every organisation has it' : 'is not a plan'
  throw invalid([{ path: 'planCode', rule: 'plan', message, see: 'plans' }])
}

/** Starts a checkout. The plan begins when the provider confirms the payment. */
export const subscribe = exchange(
  {
    time: 'real',
    needs: ['billing.subscription.subscribe'],
    refuses: ['checkout.currency_not_routed', 'subscription.exists', 'state.changed', 'dependency.unavailable'],
    liveOnly: true,
  },
  {
    name: 'subscribe',
    deadlineMs: checkoutDeadlineMs,
    intend: async (context: Inside<UserCaller>, order: SubscriptionOrder): Promise<CheckoutIntent | Refusal> => {
      const { tx, caller, ports, now } = context
      const { organisationId } = caller.tenant
      const { plan, amountMinor } = priceOf(order)
      const { interval, currency, returnPath } = order
      const provider = providerFor(ports, currency)
      await ensureAccount(context, organisationId)
      await lockAccount(tx, organisationId)
      const current = await findCurrentSubscription(tx, organisationId)
      if (current) return giveOpenAgain(context, await openCheckoutOf(context, current, order), returnPath)
      const subscription: Subscription = {
        organisationId,
        id: newId(),
        planCode: plan.code,
        interval,
        currency,
        amountMinor,
        monthlyCredits: plan.monthlyCredits,
        status: 'pending_payment',
        endReason: null,
        cancelAtPeriodEnd: false,
        cancelReason: null,
        anchorAt: null,
        period: 0,
        nextStepAt: null,
        nextAllocationAt: null,
        attempts: 0,
        provider: null,
        sealedAuthorisation: null,
        createdBy: caller.userId,
        createdAt: now,
        endedAt: null,
      }
      await insertSubscription(tx, organisationId, subscription)
      emitSubscriptionEvent(context, 'billing.subscription.created', subscription)
      const { id } = await openPayment(context, {
        organisationId,
        kind: 'subscription',
        provider: provider.name,
        amountMinor,
        currency,
        description: `Risiti: ${plan.name}, ${interval}`,
        email: caller.email,
        subscriptionId: subscription.id,
        period: 1,
        createdBy: caller.userId,
      })
      return { organisationId, paymentId: id, again: false, returnPath }
    },
    call: askForCheckout,
    inquire: inquireAboutCheckout,
    settle: noteSubscriptionCheckout,
  },
)

/** The checkout that awaits payment, if it has the same plan, interval and currency. */
async function openCheckoutOf({ tx }: Inside<Caller>, current: Subscription, order: SubscriptionOrder) {
  if (current.status !== 'pending_payment') throw refuse('subscription.exists')
  const { planCode, interval, currency } = current
  if (planCode !== order.planCode || interval !== order.interval || currency !== order.currency)
    throw refuse('subscription.exists', {
      message: `A checkout for the plan ${planCode} (${interval}, ${currency}) awaits payment. Pay it or cancel it first.`,
    })
  const payment = await findOpenPaymentOf(tx, current.organisationId, current.id)
  if (!payment) throw refuse('state.changed')
  return payment
}

/** Returns a checkout that can still be paid. For an expired one, a look comes first, because it may have been paid. */
export function giveOpenAgain(
  context: Inside<Caller>,
  payment: Payment,
  returnPath: string | undefined,
): CheckoutIntent | Refusal {
  if (payment.expiresAt > context.now) return giveAgain(payment, returnPath)
  askToLook(context, { organisationId: payment.organisationId, paymentId: payment.id })
  return refuse('state.changed', {
    message: 'The previous checkout has just expired. Repeat the request in a few seconds.',
  })
}

/** If the checkout could not be started, the subscription ends before it begins. */
export async function noteSubscriptionCheckout(
  context: Inside<Caller>,
  intent: CheckoutIntent,
  outcome: CallOutcome<CheckoutAnswer>,
): Promise<SubscriptionCheckout | Refusal> {
  const noted = await noteCheckout(context, intent, outcome)
  const { tx, now } = context
  const { organisationId, paymentId } = intent
  const payment = await findPayment(tx, organisationId, paymentId)
  const subscription = payment?.subscriptionId && (await findSubscription(tx, organisationId, payment.subscriptionId))
  if (!subscription) throw new Error('a checkout of a subscription has none')
  if (!(noted instanceof Refusal)) return { ...noted, subscription, now }
  if (subscription.status === 'pending_payment' && payment.status === 'failed')
    await endSubscription(context, subscription, 'not_paid')
  return noted
}
