import type { Caller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import {
  type CallOutcome,
  exchange,
  type Inside,
  type Outside,
  reading,
} from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import { askToLook, type PaymentRef } from '../payments/ask-to-look.ts'
import type { ProviderName, ProviderView } from '../payments/checkout-provider.ts'
import { isOwedBack, nextLook } from '../payments/payment.ts'
import { findPayment, listPaymentsToLookAt, type PaymentToLookAt, saveNextLook } from '../payments/payments.store.ts'
import { askToReturn } from '../payments/return-money.ts'
import { applyView, giveUp } from './apply-view.ts'

interface LookIntent extends PaymentRef {
  readonly provider: ProviderName
  /** Handle of the payment. Without one, the name in the notification or our own reference. */
  readonly name: string
  readonly version: number
  /** The time to pay is over. */
  readonly overdue: boolean
}

async function look(
  { ports, signal }: Outside<Caller> & { signal: AbortSignal },
  { provider, name, overdue }: LookIntent,
): Promise<ProviderView | undefined> {
  const asked = ports.checkoutProviders.named(provider)
  if (!asked) throw new Error(`no provider is called ${provider}`)
  return overdue ? await asked.endCheckout(name, signal) : await asked.look(name, signal)
}

/**
 * Asks the provider for its view of a payment and applies it. The trigger (notification, schedule or user) makes no
 * difference.
 */
export const lookAtPayment = exchange(
  { time: 'real', needs: [], refuses: ['resource.not_found'] },
  {
    name: 'look-at-payment',
    deadlineMs: 20_000,
    intend: async (
      { tx, now }: Inside<Caller>,
      { organisationId, paymentId, subject }: PaymentRef,
    ): Promise<LookIntent | Refusal> => {
      const payment = await findPayment(tx, organisationId, paymentId)
      if (!payment) return refuse('resource.not_found')
      const { provider, handle, version, status, expiresAt } = payment
      await saveNextLook(tx, organisationId, paymentId, nextLook(payment, now))
      const overdue = status === 'pending' && expiresAt <= now
      return { organisationId, paymentId, provider, name: handle ?? subject ?? paymentId, version, overdue }
    },
    call: look,
    // Closing a checkout is idempotent.
    inquire: look,
    settle: async (
      context: Inside<Caller>,
      intent: LookIntent,
      outcome: CallOutcome<ProviderView | undefined>,
    ): Promise<{ answered: boolean }> => {
      const { organisationId, paymentId, version, overdue } = intent
      if (outcome.kind === 'unknown') return { answered: false }
      await lockAccount(context.tx, organisationId)
      const payment = await findPayment(context.tx, organisationId, paymentId)
      if (!payment) return { answered: true }
      if (payment.version !== version) {
        // The payment changed during the call, so this view may be older than our record.
        askToLook(context, { organisationId, paymentId })
        return { answered: true }
      }
      const view = outcome.answer
      const after = view ? await applyView(context, payment, view) : payment
      // The provider cannot close the checkout, so we close it. Money that arrives later still counts.
      if (overdue && after.status === 'pending') await giveUp(context, after)
      if (isOwedBack(after, context.now)) askToReturn(context, { organisationId, paymentId })
      return { answered: true }
    },
  },
)

export const findPaymentsToLookAt = reading(
  { time: 'real', needs: [], refuses: [] },
  async ({ db, now }: Outside<Caller>, after: PaymentToLookAt | undefined) =>
    listPaymentsToLookAt(db, { now, after, limit: 50 }),
)
