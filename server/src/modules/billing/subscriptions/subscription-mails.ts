import type { Caller } from '../../../kernel/callers.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { mailMembers } from '../../organisations/index.ts'
import { dayOf } from '../accounts/ledger-days.ts'
import { currentPeriod, graceEnd, type Subscription } from './subscription.ts'

const mailPayers = (
  context: Inside<Caller>,
  { organisationId }: Subscription,
  mail: { readonly cause: string; readonly subject: string; readonly paragraphs: readonly string[] },
): Promise<void> =>
  mailMembers(context, organisationId, 'billing.subscription.renew', {
    ...mail,
    link: { words: 'Open the billing page', page: '/billing' },
  })

/** `attempt` identifies the failed attempt, so that each failure causes one mail. */
export async function mailRenewalFailed(context: Inside<Caller>, subscription: Subscription, attempt: string) {
  const period = currentPeriod(subscription)
  if (!period) return
  await mailPayers(context, subscription, {
    cause: `renewal-failed:${attempt}`,
    subject: 'Your plan could not be renewed',
    paragraphs: [
      `The period of your plan “${subscription.planCode}” that began on ${dayOf(period.startsAt)} is not paid.`,
      `Pay it on the billing page before ${dayOf(graceEnd(period.startsAt))}, or the plan ends on that day. You keep the credits that you have.`,
    ],
  })
}

export async function mailPlanEnded(context: Inside<Caller>, subscription: Subscription) {
  await mailPayers(context, subscription, {
    cause: `plan-ended:${subscription.id}`,
    subject: 'Your plan has ended',
    paragraphs: [
      `Your plan “${subscription.planCode}” was not paid in time and has ended.`,
      'You keep the credits that you have. You can subscribe to a plan again at any time.',
    ],
  })
}
