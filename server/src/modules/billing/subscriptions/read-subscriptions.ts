import type { TokenCaller } from '../../../kernel/callers.ts'
import { type PageRequest, pageOf } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { seesRealMoney } from '../accounts/own-account.ts'
import type { SubscriptionId } from '../ids.ts'
import type { Subscription } from './subscription.ts'
import {
  findCurrentSubscription,
  findSubscription,
  listRenewals,
  listSubscriptions,
  type Renewal,
} from './subscriptions.store.ts'

const facts = { time: 'real', needs: ['billing.subscription.read'], refuses: ['resource.not_found'] } as const

export const getSubscription = reading(
  facts,
  async ({ db, caller, now }: Outside<TokenCaller>, { id }: { id: SubscriptionId }) => {
    const subscription = seesRealMoney(caller)
      ? await findSubscription(db, caller.tenant.organisationId, id)
      : undefined
    if (!subscription) throw refuse('resource.not_found')
    return { subscription, now }
  },
)

/** A subscription that awaits its first payment is not active yet. */
export const getActiveSubscription = reading(facts, async ({ db, caller, now }: Outside<TokenCaller>) => {
  const subscription = seesRealMoney(caller)
    ? await findCurrentSubscription(db, caller.tenant.organisationId)
    : undefined
  if (!subscription || subscription.status === 'pending_payment')
    throw refuse('resource.not_found', { message: 'There is no active subscription.', see: 'plans' })
  return { subscription, now }
})

export const listOrganisationSubscriptions = reading(
  { time: 'real', needs: ['billing.subscription.read'], refuses: [] },
  async ({ db, caller, now }: Outside<TokenCaller>, { page }: { page: PageRequest }) => ({
    ...(seesRealMoney(caller)
      ? await listSubscriptions(db, caller.tenant.organisationId, page)
      : pageOf<Subscription>([], 0, page, null)),
    now,
  }),
)

export const listOrganisationRenewals = reading(
  facts,
  async (
    { db, caller }: Outside<TokenCaller>,
    { subscriptionId, page }: { subscriptionId: SubscriptionId | undefined; page: PageRequest },
  ) => {
    const { organisationId } = caller.tenant
    const isOwn = seesRealMoney(caller)
    if (subscriptionId !== undefined && !(isOwn && (await findSubscription(db, organisationId, subscriptionId))))
      throw refuse('resource.not_found')
    return isOwn ? await listRenewals(db, organisationId, subscriptionId, page) : pageOf<Renewal>([], 0, page, null)
  },
)
