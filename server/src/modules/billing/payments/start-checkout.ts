import type { Caller } from '../../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../../kernel/ids.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { CallOutcome, Inside, Outside } from '../../../platform/operations/operation.ts'
import type { Currency } from '../../catalogue/index.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import { askToLook } from './ask-to-look.ts'
import type { CheckoutProvider, ProviderView, StartedCheckout } from './checkout-provider.ts'
import { nextLook, type Payment, type PaymentId } from './payment.ts'
import { emitPaymentEvent } from './payment-events.ts'
import { findPayment, insertPayment, savePayment } from './payments.store.ts'

/** How long a person can pay on the provider's page: one hour. */
const checkoutMs = 60 * 60_000
export const checkoutDeadlineMs = 20_000

/** State between the steps of a checkout exchange. It is stored as JSON. */
export interface CheckoutIntent {
  readonly organisationId: OrganisationId
  readonly paymentId: PaymentId
  /** An earlier checkout can still be paid, so the provider is not called. */
  readonly again: boolean
  readonly returnPath: string | undefined
}

/** The started checkout. After a crash, it is the provider's current view. */
export type CheckoutAnswer = StartedCheckout | ProviderView | undefined

export interface Checkout {
  readonly payment: Payment
  /** False if an open checkout is returned again. */
  readonly isNew: boolean
}

export function providerFor(ports: Outside<Caller>['ports'], currency: Currency): CheckoutProvider {
  const provider = ports.checkoutProviders.forCurrency(currency)
  if (!provider) throw refuse('checkout.currency_not_routed')
  return provider
}

type NewPayment = Pick<
  Payment,
  'organisationId' | 'kind' | 'provider' | 'amountMinor' | 'currency' | 'description' | 'email' | 'createdBy'
> &
  Partial<Pick<Payment, 'packageId' | 'subscriptionId' | 'period' | 'credits'>>

/** Stores the payment before the provider is called. */
export async function openPayment(context: Inside<Caller>, wanted: NewPayment): Promise<Payment> {
  const { tx, now } = context
  const payment: Payment = {
    packageId: null,
    subscriptionId: null,
    period: null,
    credits: 0n,
    ...wanted,
    id: newId(),
    status: 'pending',
    handle: null,
    refundedMinor: 0n,
    grantedCredits: 0n,
    checkoutUrl: null,
    expiresAt: new Date(now.getTime() + checkoutMs),
    lookAt: new Date(now.getTime() + checkoutMs),
    looks: 0,
    version: 1,
    createdAt: now,
    paidAt: null,
    endedAt: null,
  }
  await insertPayment(tx, payment.organisationId, payment)
  emitPaymentEvent(context, 'billing.payment.created', payment)
  return payment
}

/** Returns an open checkout again. One that is still being started has no URL yet. */
export function giveAgain(payment: Payment, returnPath: string | undefined): CheckoutIntent {
  if (payment.checkoutUrl === null)
    throw refuse('state.changed', {
      message: 'The same checkout is being started. Repeat the request in a few seconds.',
    })
  return { organisationId: payment.organisationId, paymentId: payment.id, again: true, returnPath }
}

export async function askForCheckout(
  { db, ports, settings, signal }: Outside<Caller> & { signal: AbortSignal },
  { organisationId, paymentId, again, returnPath }: CheckoutIntent,
): Promise<StartedCheckout | undefined> {
  if (again) return undefined
  const payment = await findPayment(db, organisationId, paymentId)
  if (!payment) throw new Error('the payment of a checkout is gone')
  const { amountMinor, currency, email, description, expiresAt, kind } = payment
  const returnUrl = new URL(returnPath ?? '/billing', settings.dashboardUrl)
  returnUrl.searchParams.set('payment', payment.id)
  return await providerFor(ports, currency).startCheckout(
    {
      reference: payment.id,
      amountMinor,
      currency,
      email,
      description,
      expiresAt,
      returnUrl: returnUrl.href,
      keepCard: kind !== 'credit_purchase',
    },
    signal,
  )
}

/** Asks the provider for a checkout whose URL we never received. */
export async function inquireAboutCheckout(
  { db, ports, signal }: Outside<Caller> & { signal: AbortSignal },
  { organisationId, paymentId, again }: CheckoutIntent,
): Promise<ProviderView | undefined> {
  const payment = again ? undefined : await findPayment(db, organisationId, paymentId)
  return payment && (await ports.checkoutProviders.named(payment.provider)?.look(payment.handle ?? payment.id, signal))
}

/**
 * Saves the URL of the checkout. Without an answer nobody has the URL and nobody can pay, so the payment fails and the
 * caller may try again. A late answer also fails the payment, but a look is scheduled, so that money that arrived
 * anyway is found.
 */
export async function noteCheckout(
  context: Inside<Caller>,
  { organisationId, paymentId, again }: CheckoutIntent,
  outcome: CallOutcome<CheckoutAnswer>,
): Promise<Checkout | Refusal> {
  const { tx, now, log } = context
  await lockAccount(tx, organisationId)
  const payment = await findPayment(tx, organisationId, paymentId)
  if (!payment) throw new Error('the payment of a checkout is gone')
  if (again) return { payment, isNew: false }
  const answer = outcome.kind === 'answered' ? outcome.answer : undefined
  if (answer && 'url' in answer && payment.status === 'pending') {
    const open = { ...payment, checkoutUrl: answer.url, handle: answer.handle }
    return { payment: await savePayment(tx, organisationId, { ...open, lookAt: nextLook(open, now) }), isNew: true }
  }
  const known = answer ? { ...payment, handle: answer.handle } : payment
  if (answer) askToLook(context, { organisationId, paymentId })
  log.warn('checkout.not_started', {
    provider: payment.provider,
    reference: payment.id,
    reason: outcome.kind === 'unknown' ? outcome.reason : answer ? 'too late' : 'no answer',
  })
  // A sweep may settle this much later: the payment may have ended or been paid meanwhile.
  const isPaid = answer !== undefined && 'state' in answer && answer.state === 'paid'
  if (payment.status === 'pending' && !isPaid) {
    const failed = await savePayment(tx, organisationId, { ...known, status: 'failed', lookAt: null, endedAt: now })
    emitPaymentEvent(context, 'billing.payment.failed', failed)
  } else if (known.handle !== payment.handle) await savePayment(tx, organisationId, known)
  return refuse('dependency.unavailable', {
    message: 'The payment provider did not answer. Nothing was charged; try again.',
    retryAfterSeconds: 5,
    away: payment.provider,
  })
}
