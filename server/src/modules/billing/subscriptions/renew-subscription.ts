import type { UserCaller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import { exchange, type Inside } from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import type { SubscriptionId } from '../ids.ts'
import { findOpenPaymentOf } from '../payments/payments.store.ts'
import {
  askForCheckout,
  type CheckoutIntent,
  checkoutDeadlineMs,
  inquireAboutCheckout,
  openPayment,
  providerFor,
} from '../payments/start-checkout.ts'
import { giveOpenAgain, noteSubscriptionCheckout } from './subscribe.ts'
import { findSubscription } from './subscriptions.store.ts'

export const renewSubscription = exchange(
  {
    time: 'real',
    needs: ['billing.subscription.renew'],
    refuses: [
      'resource.not_found',
      'checkout.currency_not_routed',
      'subscription.not_overdue',
      'state.changed',
      'dependency.unavailable',
    ],
    liveOnly: true,
  },
  {
    name: 'renew-subscription',
    deadlineMs: checkoutDeadlineMs,
    intend: async (
      context: Inside<UserCaller>,
      { id, returnPath }: { id: SubscriptionId; returnPath: string | undefined },
    ): Promise<CheckoutIntent | Refusal> => {
      const { tx, caller, ports } = context
      const { organisationId } = caller.tenant
      await lockAccount(tx, organisationId)
      const subscription = await findSubscription(tx, organisationId, id)
      if (!subscription) throw refuse('resource.not_found')
      if (subscription.status !== 'past_due') throw refuse('subscription.not_overdue')
      const { amountMinor, currency, planCode, interval, period } = subscription
      const provider = providerFor(ports, currency)
      const open = await findOpenPaymentOf(tx, organisationId, id)
      if (open) return giveOpenAgain(context, open, returnPath)
      const payment = await openPayment(context, {
        organisationId,
        kind: 'renewal',
        provider: provider.name,
        amountMinor,
        currency,
        description: `Risiti: ${planCode}, ${interval}`,
        email: caller.email,
        subscriptionId: id,
        period,
        createdBy: caller.userId,
      })
      return { organisationId, paymentId: payment.id, again: false, returnPath }
    },
    call: askForCheckout,
    inquire: inquireAboutCheckout,
    settle: noteSubscriptionCheckout,
  },
)
