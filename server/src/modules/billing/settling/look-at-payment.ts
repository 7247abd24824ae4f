import type { Caller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import { exchange, type Inside, type Outcome, type Outside, reading } from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import { askToLook, type PaymentRef } from '../payments/ask-to-look.ts'
import type { ProviderName, ProviderView } from '../payments/checkout-provider.ts'
import { isOwedBack, nextLook } from '../payments/payment.ts'
import { findPayment, listPaymentsToLookAt, type PaymentToLookAt, saveNextLook } from '../payments/payments.store.ts'
import { askToReturn } from '../payments/return-money.ts'
import { applyView, giveUp } from './apply-view.ts'

interface LookIntent extends PaymentRef {
  readonly provider: ProviderName
  /** a payment whose handle we never heard is asked for by what the provider called it, or by our own reference */
  readonly name: string
  readonly version: number
  /** nobody may pay it any more */
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
 * Asks the provider what has become of a payment, and brings everything to that. Whatever makes us look (a notification,
 * the passing of time, a person), the answer is the same.
 */
export const lookAtPayment = exchange(
  { needs: [], refuses: ['resource.not_found'] },
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
    // What was to be ended is ended once, however often it is asked for.
    inquire: look,
    settle: async (
      context: Inside<Caller>,
      intent: LookIntent,
      outcome: Outcome<ProviderView | undefined>,
    ): Promise<{ answered: boolean }> => {
      const { organisationId, paymentId, version, overdue } = intent
      if (outcome.kind === 'unknown') return { answered: false }
      await lockAccount(context.tx, organisationId)
      const payment = await findPayment(context.tx, organisationId, paymentId)
      if (!payment) return { answered: true }
      if (payment.version !== version) {
        // Somebody changed it while we asked: what we heard may be older than that.
        askToLook(context, { organisationId, paymentId })
        return { answered: true }
      }
      const view = outcome.answer
      const after = view ? await applyView(context, payment, view) : payment
      // What the provider cannot end, or contradicts, is ended with us; money that comes later still counts.
      if (overdue && after.status === 'pending') await giveUp(context, after)
      if (isOwedBack(after, context.now)) askToReturn(context, { organisationId, paymentId })
      return { answered: true }
    },
  },
)

export const findPaymentsToLookAt = reading(
  { needs: [], refuses: [] },
  async ({ db, now }: Outside<Caller>, after: PaymentToLookAt | undefined) =>
    listPaymentsToLookAt(db, { now, after, limit: 50 }),
)
