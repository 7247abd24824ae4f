import type { Caller } from '../../../kernel/callers.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { listMembersHolding } from '../../organisations/index.ts'
import { dayOf } from '../accounts/ledger-days.ts'
import { currentPeriod, graceEnd, type Subscription } from './subscription.ts'

async function mailPayers(
  context: Inside<Caller>,
  { organisationId }: Subscription,
  mail: { cause: string; subject: string; paragraphs: readonly string[] },
): Promise<void> {
  const { cause, subject, paragraphs } = mail
  for (const { userId, email, firstName } of await listMembersHolding(
    context.tx,
    organisationId,
    'billing.subscription.renew',
  ))
    await queueMessage(context, {
      cause: `${cause}:${userId}`,
      sentFor: organisationId,
      channel: 'email',
      to: email,
      subject,
      ...compose({
        greeting: `Hello ${firstName},`,
        paragraphs,
        link: { words: 'Open the billing page', href: new URL('/billing', context.settings.dashboardUrl).href },
      }),
    })
}

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
