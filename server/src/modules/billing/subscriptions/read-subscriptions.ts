import type { TokenCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { SubscriptionId } from './subscription.ts'
import { findCurrentSubscription, findSubscription, listRenewals, listSubscriptions } from './subscriptions.store.ts'

const facts = { needs: ['billing.subscription.read'], refuses: ['resource.not_found'] } as const

export const getSubscription = reading(
  facts,
  async ({ db, caller, now }: Outside<TokenCaller>, { id }: { id: SubscriptionId }) => {
    const subscription = await findSubscription(db, caller.tenant.organisationId, id)
    if (!subscription) throw refuse('resource.not_found')
    return { subscription, now }
  },
)

/** The plan that an organisation is on, paid or overdue; one that awaits its first payment is not yet. */
export const getActiveSubscription = reading(facts, async ({ db, caller, now }: Outside<TokenCaller>) => {
  const subscription = await findCurrentSubscription(db, caller.tenant.organisationId)
  if (!subscription || subscription.status === 'pending_payment')
    throw refuse('resource.not_found', {
      message: 'There is no active subscription; GET /b/v1/plans lists what there is.',
    })
  return { subscription, now }
})

export const listOrganisationSubscriptions = reading(
  { needs: ['billing.subscription.read'], refuses: [] },
  async ({ db, caller, now }: Outside<TokenCaller>, { page }: { page: PageRequest }) => ({
    ...(await listSubscriptions(db, caller.tenant.organisationId, page)),
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
    if (subscriptionId !== undefined && !(await findSubscription(db, organisationId, subscriptionId)))
      throw refuse('resource.not_found')
    return await listRenewals(db, organisationId, subscriptionId, page)
  },
)
