import type { Caller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import type { SubscriptionId } from '../ids.ts'
import { moneyIsHere, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payments.store.ts'
import { settleCredits } from '../payments/settle-credits.ts'
import { windowsOf } from './periods.ts'
import type { Subscription } from './subscription.ts'
import {
  type DueSubscription,
  findPeriod,
  findSubscription,
  insertAllocation,
  listSubscriptionsToAllocate,
  saveSubscription,
} from './subscriptions.store.ts'

/**
 * Adds the credits of every month of the paid period that has begun. The payment buys them, and the ledger follows the
 * payment.
 */
export async function grantDueMonths(
  context: Inside<Caller>,
  subscription: Subscription,
  payment: Payment,
): Promise<{ subscription: Subscription; payment: Payment }> {
  const { tx, now } = context
  const { organisationId, id, anchorAt, interval, period, monthlyCredits } = subscription
  if (!anchorAt) throw new Error('a subscription without a beginning has no months')
  const windows = windowsOf(anchorAt, interval, period)
  let credits = payment.credits
  for (const window of windows.filter(({ startsAt }) => startsAt <= now)) {
    const allocation = { subscriptionId: id, ...window, credits: monthlyCredits, paymentId: payment.id }
    if (await insertAllocation(tx, organisationId, allocation, now)) credits += monthlyCredits
  }
  const nextAllocationAt = windows.find(({ startsAt }) => startsAt > now)?.startsAt ?? null
  return {
    subscription: await saveSubscription(tx, organisationId, { ...subscription, nextAllocationAt }),
    payment: await settleCredits(context, { ...payment, credits }),
  }
}

/** At the end of a period, adds months that were missed because no worker ran or the payment was disputed. */
export async function grantMissedMonths(context: Inside<Caller>, subscription: Subscription): Promise<Subscription> {
  if (!subscription.nextAllocationAt) return subscription
  return (await grantDueMonths(context, subscription, await getPaymentOf(context.tx, subscription))).subscription
}

/** The payment of the current period. */
async function getPaymentOf(tx: Tx, { organisationId, id, period }: Subscription): Promise<Payment> {
  const paid = await findPeriod(tx, organisationId, id, period)
  const payment = paid?.paymentId ? await findPayment(tx, organisationId, paid.paymentId) : undefined
  if (!payment) throw new Error('an active subscription has a period that nobody paid')
  return payment
}

/** While the payment of the period is disputed, the credits of the month wait. */
export const allocateMonth = operation(
  { time: 'real', needs: [], refuses: [] },
  async (context: Inside<Caller>, { organisationId, id }: { organisationId: OrganisationId; id: SubscriptionId }) => {
    const { tx, now } = context
    await lockAccount(tx, organisationId)
    const subscription = await findSubscription(tx, organisationId, id)
    if (subscription?.status !== 'active' || !subscription.nextAllocationAt || subscription.nextAllocationAt > now)
      return
    const payment = await getPaymentOf(tx, subscription)
    if (moneyIsHere(payment.status)) await grantDueMonths(context, subscription, payment)
    else
      await saveSubscription(tx, organisationId, {
        ...subscription,
        nextAllocationAt: new Date(now.getTime() + 6 * 3_600_000),
      })
  },
)

export const findMonthsToAllocate = reading(
  { time: 'real', needs: [], refuses: [] },
  async ({ db, now }: Outside<Caller>, after: DueSubscription | undefined) =>
    listSubscriptionsToAllocate(db, { now, after, limit: 100 }),
)
