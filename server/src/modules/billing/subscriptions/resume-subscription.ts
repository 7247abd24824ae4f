import type { UserCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import type { SubscriptionId } from '../ids.ts'
import { emitSubscriptionEvent } from './subscription-events.ts'
import { findSubscription, saveSubscription } from './subscriptions.store.ts'

/** Possible until the period ends. */
export const resumeSubscription = operation(
  {
    time: 'real',
    needs: ['billing.subscription.resume'],
    refuses: ['resource.not_found', 'subscription.not_cancelled'],
  },
  async (context: Inside<UserCaller>, { id }: { id: SubscriptionId }) => {
    const { tx, caller, now } = context
    const { organisationId } = caller.tenant
    await lockAccount(tx, organisationId)
    const subscription = await findSubscription(tx, organisationId, id)
    if (!subscription) throw refuse('resource.not_found')
    if (subscription.status !== 'active' || !subscription.cancelAtPeriodEnd) throw refuse('subscription.not_cancelled')
    const resumed = await saveSubscription(tx, organisationId, {
      ...subscription,
      cancelAtPeriodEnd: false,
      cancelReason: null,
    })
    emitSubscriptionEvent(context, 'billing.subscription.resumed', resumed)
    return { subscription: resumed, now }
  },
)
