import type Stripe from 'stripe'
import { checkoutPort } from '../modules/billing/index.ts'
import type { OutboundHttp, PartyOptions } from '../platform/outbound/outbound-http.ts'
import { isLiveKey, parsed, webAddress } from './provider-answers.ts'
import { readCard, readCharged, readEnded, readRefund, readSession, readStarted } from './stripe-answers.ts'
import { StripeRefusal, stripeCalls } from './stripe-calls.ts'
import { readStripeNotification } from './stripe-notifications.ts'
import { stripeViews } from './stripe-views.ts'

export interface StripeOptions {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly outbound: OutboundHttp
  readonly baseUrl?: PartyOptions['baseUrl']
}

/**
 * Stripe, for dollars. The handle of a checkout is its session, and that of a card charge is its payment intent;
 * notifications may name the intent of either. Our references are Stripe's idempotency keys. Stripe forgets them after
 * a day, so an older request must be looked up before it is repeated.
 */
export function stripeProvider(options: StripeOptions): checkoutPort.CheckoutProvider {
  const { secretKey, webhookSecret, outbound, baseUrl = 'https://api.stripe.com' } = options
  const ask = stripeCalls(secretKey, outbound.party('stripe', { baseUrl }))
  const look = stripeViews(ask)

  async function intentOf(handle: string, signal: AbortSignal): Promise<string> {
    if (handle.startsWith('pi_')) return handle
    const expand = ['payment_intent.latest_charge']
    const session = await ask((stripe) => stripe.checkout.sessions.retrieve(handle, { expand }), readSession, signal)
    if (session.payment_intent === null) throw new checkoutPort.ProviderRefusal('nothing was paid with Stripe here')
    return session.payment_intent.id
  }

  return {
    name: 'stripe',
    live: isLiveKey(secretKey),

    async startCheckout(order, signal) {
      const params = sessionOf(order)
      const idempotencyKey = order.reference
      const { id, url, client_reference_id } = await ask(
        (stripe) => stripe.checkout.sessions.create(params, { idempotencyKey }),
        readStarted,
        signal,
      )
      mustBe(order.reference, client_reference_id)
      return { url: webAddress('Stripe', url), handle: id }
    },

    look,

    async endCheckout(name, signal): Promise<checkoutPort.ProviderView | undefined> {
      const view = name.startsWith('cs_') ? undefined : await look(name, signal)
      const handle = view?.handle ?? name
      // A charge of a saved card has no page, so there is nothing to close.
      if (!handle.startsWith('cs_')) return view
      try {
        await ask((stripe) => stripe.checkout.sessions.expire(handle), readEnded, signal)
      } catch (error) {
        // The session is paid, closed or unknown; the following look tells which.
        if (!(error instanceof StripeRefusal)) throw error
      }
      return look(handle, signal)
    },

    async chargeCard({ reference, amountMinor, currency, description, authorisation }, signal) {
      const { customer, paymentMethod } = cardFrom(authorisation)
      const params: Stripe.PaymentIntentCreateParams = {
        amount: numberOf(amountMinor),
        currency: currency.toLowerCase(),
        customer,
        payment_method: paymentMethod,
        description,
        off_session: true,
        confirm: true,
        metadata: { reference },
      }
      try {
        const { id, metadata } = await ask(
          (stripe) => stripe.paymentIntents.create(params, { idempotencyKey: reference }),
          readCharged,
          signal,
        )
        mustBe(reference, metadata.reference)
        return { handle: id }
      } catch (error) {
        if (error instanceof StripeRefusal && error.paymentIntent !== undefined) return { handle: error.paymentIntent }
        throw error
      }
    },

    async refund(handle, { amountMinor, key }, signal) {
      const params = { payment_intent: await intentOf(handle, signal), amount: numberOf(amountMinor) }
      const { status } = await ask(
        (stripe) => stripe.refunds.create(params, { idempotencyKey: key }),
        readRefund,
        signal,
      )
      if (status === 'failed' || status === 'canceled')
        throw new checkoutPort.ProviderRefusal('Stripe could not refund this')
    },

    readNotification: (body, headers) => readStripeNotification(webhookSecret, body, headers),
  }
}

/**
 * Stripe refuses an expiry less than 30 minutes or more than a day away. The time is not adjusted, because a repeated
 * request must be identical.
 */
function sessionOf(order: checkoutPort.CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const { reference, amountMinor, currency, email, description, returnUrl, expiresAt, keepCard } = order
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: numberOf(amountMinor),
          product_data: { name: description },
        },
      },
    ],
    client_reference_id: reference,
    customer_email: email,
    success_url: returnUrl,
    cancel_url: returnUrl,
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    metadata: { reference },
    payment_intent_data: {
      metadata: { reference },
      ...(keepCard ? { setup_future_usage: 'off_session' as const } : {}),
    },
    ...(keepCard ? { customer_creation: 'always' as const } : {}),
  }
}

function numberOf(amountMinor: bigint): number {
  if (amountMinor <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(amountMinor)
  throw new checkoutPort.ProviderRefusal('this is more than Stripe can be asked for')
}

function mustBe(reference: string, answered: string): void {
  if (answered !== reference) throw new Error('Stripe answered about another payment')
}

function cardFrom(authorisation: string): { customer: string; paymentMethod: string } {
  try {
    return readCard(parsed(authorisation))
  } catch {
    throw new checkoutPort.ProviderRefusal('this card was not kept with Stripe')
  }
}
