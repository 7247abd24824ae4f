import type { Caller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import { askToLook, type PaymentRef } from '../payments/ask-to-look.ts'
import { ProviderRefusal, type ProviderView } from '../payments/checkout-provider.ts'
import { findPayment } from '../payments/payments.store.ts'
import { authorisationPlace } from '../subscriptions/subscription.ts'
import { findSubscription } from '../subscriptions/subscriptions.store.ts'
import { applyView, giveUp } from './apply-view.ts'

/** The provider's view after the charge, or a definite refusal to charge this card. */
type ChargeAnswer = ProviderView | 'refused' | undefined

/**
 * Charges the saved card of a subscription for one payment. The payment's id is the provider's idempotency key, so
 * retries charge the card once.
 */
export const chargeCard = exchange(
  { time: 'real', needs: [], refuses: ['resource.not_found'] },
  {
    name: 'charge-card',
    deadlineMs: 40_000,
    intend: async (
      { tx, now }: Inside<Caller>,
      { organisationId, paymentId }: PaymentRef,
    ): Promise<PaymentRef | Refusal> => {
      const payment = await findPayment(tx, organisationId, paymentId)
      const subscription =
        payment?.subscriptionId && (await findSubscription(tx, organisationId, payment.subscriptionId))
      // No charge if the payment is no longer awaited, or if the provider may have forgotten the idempotency key.
      const wanted =
        payment?.status === 'pending' && payment.expiresAt > now && subscription && subscription.status === 'past_due'
      return wanted ? { organisationId, paymentId } : refuse('resource.not_found')
    },
    call: async (
      { db, vault, ports, signal }: Outside<Caller> & { signal: AbortSignal },
      { organisationId, paymentId }: PaymentRef,
    ): Promise<ChargeAnswer> => {
      const payment = await findPayment(db, organisationId, paymentId)
      const subscription =
        payment?.subscriptionId && (await findSubscription(db, organisationId, payment.subscriptionId))
      if (!payment || !subscription?.sealedAuthorisation) throw new Error('there is no card to charge')
      const provider = ports.checkoutProviders.named(payment.provider)
      if (!provider) throw new Error(`no provider is called ${payment.provider}`)
      const { amountMinor, currency, email, description } = payment
      const authorisation = vault.open(subscription.sealedAuthorisation, authorisationPlace(subscription.id))
      const order = { reference: payment.id, amountMinor, currency, email, description, authorisation }
      let handle: string
      try {
        handle = (await provider.chargeCard(order, signal)).handle
      } catch (error) {
        if (error instanceof ProviderRefusal) return 'refused'
        throw error
      }
      // From here on money may have moved, so any failure leaves the result unknown.
      return await provider.look(handle, signal)
    },
    inquire: async (
      { db, ports, signal }: Outside<Caller> & { signal: AbortSignal },
      { organisationId, paymentId }: PaymentRef,
    ): Promise<ChargeAnswer> => {
      const payment = await findPayment(db, organisationId, paymentId)
      return payment && (await ports.checkoutProviders.named(payment.provider)?.look(paymentId, signal))
    },
    settle: async (
      context: Inside<Caller>,
      { organisationId, paymentId }: PaymentRef,
      outcome: CallOutcome<ChargeAnswer>,
    ): Promise<{ answered: boolean }> => {
      if (outcome.kind === 'unknown' || outcome.answer === undefined) return { answered: false }
      if (outcome.late && outcome.answer !== 'refused') {
        // Money may have moved, and more may have happened since: only a new look tells.
        askToLook(context, { organisationId, paymentId })
        return { answered: true }
      }
      await lockAccount(context.tx, organisationId)
      const payment = await findPayment(context.tx, organisationId, paymentId)
      if (!payment) return { answered: true }
      if (outcome.answer !== 'refused') await applyView(context, payment, outcome.answer)
      else if (payment.status === 'pending') await giveUp(context, payment, 'failed')
      return { answered: true }
    },
  },
)
