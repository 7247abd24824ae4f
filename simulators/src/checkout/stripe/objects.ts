import { type Card, type Payment, type Refund, refundedAmount } from '../payment.ts'

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** Every id of a payment is its key behind another prefix. */
export const idsOf = ({ key, card }: Pick<Payment, 'key' | 'card'>, live: boolean) => ({
  session: `cs_${live ? 'live' : 'test'}_${key}`,
  intent: `pi_${key}`,
  charge: `ch_${key}`,
  paymentMethod: card === undefined ? null : `pm_${card}`,
})

export const customerId = ({ key }: Pick<Card, 'key'>): string => `cus_${key}`
export const keyIn = (id: string): string => id.slice(id.lastIndexOf('_') + 1)

const decline = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
}

interface StripeObject {
  readonly id: string
  readonly object: string
  readonly [field: string]: unknown
}

/** What the objects of Stripe look like; `expand` names what is to stand in place of its id. */
export class StripeObjects {
  readonly #live: boolean
  readonly #pageOf: (payment: Payment) => string

  constructor(live: boolean, pageOf: (payment: Payment) => string) {
    this.#live = live
    this.#pageOf = pageOf
  }

  session(payment: Payment, expand: readonly string[] = []): StripeObject {
    const { amount, email = null } = payment
    const open = payment.state === 'open' || payment.state === 'failed'
    const paid = payment.state === 'paid'
    return {
      id: idsOf(payment, this.#live).session,
      object: 'checkout.session',
      amount_subtotal: amount,
      amount_total: amount,
      cancel_url: payment.cancelUrl ?? null,
      client_reference_id: payment.reference || null,
      created: seconds(payment.createdAt),
      currency: payment.currency,
      customer: this.#customer(payment),
      customer_creation: payment.makesCustomer ? 'always' : 'if_required',
      customer_details: email === null ? null : { email, name: null, phone: null, address: null, tax_exempt: 'none' },
      customer_email: email,
      expires_at: seconds(payment.expiresAt ?? payment.createdAt),
      livemode: this.#live,
      metadata: payment.metadata,
      mode: 'payment',
      payment_intent: payment.attempted ? this.#intentOrId(payment, expand) : null,
      payment_method_types: ['card'],
      payment_status: paid ? 'paid' : 'unpaid',
      status: open ? 'open' : paid ? 'complete' : 'expired',
      success_url: payment.returnUrl ?? null,
      url: open ? this.#pageOf(payment) : null,
    }
  }

  intent(payment: Payment, expand: readonly string[] = []): StripeObject {
    const { charge, intent, paymentMethod } = idsOf(payment, this.#live)
    const paid = payment.state === 'paid'
    return {
      id: intent,
      object: 'payment_intent',
      amount: payment.amount,
      amount_capturable: 0,
      amount_received: paid ? payment.amount : 0,
      cancellation_reason: payment.state === 'expired' ? 'automatic' : null,
      capture_method: 'automatic_async',
      created: seconds(payment.createdAt),
      currency: payment.currency,
      customer: this.#customer(payment),
      description: payment.description || null,
      last_payment_error: payment.state === 'failed' ? { ...decline, charge } : null,
      latest_charge: expand.includes('latest_charge') ? this.charge(payment) : charge,
      livemode: this.#live,
      metadata: payment.intentMetadata,
      payment_method: paid ? paymentMethod : null,
      payment_method_types: ['card'],
      receipt_email: null,
      setup_future_usage: payment.origin === 'page' && payment.keepsCard ? 'off_session' : null,
      status: paid ? 'succeeded' : payment.state === 'expired' ? 'canceled' : 'requires_payment_method',
    }
  }

  charge(payment: Payment): StripeObject {
    const { charge, intent, paymentMethod } = idsOf(payment, this.#live)
    const paid = payment.state === 'paid'
    const refunded = refundedAmount(payment)
    return {
      id: charge,
      object: 'charge',
      amount: payment.amount,
      amount_captured: paid ? payment.amount : 0,
      amount_refunded: refunded,
      captured: paid,
      created: seconds(payment.paidAt ?? payment.createdAt),
      currency: payment.currency,
      customer: this.#customer(payment),
      disputed: payment.dispute !== undefined,
      failure_code: paid ? null : decline.code,
      failure_message: paid ? null : decline.message,
      livemode: this.#live,
      metadata: payment.intentMetadata,
      paid,
      payment_intent: intent,
      payment_method: paymentMethod,
      payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2035 } },
      refunded: refunded === payment.amount,
      status: paid ? 'succeeded' : 'failed',
    }
  }

  refund(payment: Payment, refund: Refund): StripeObject {
    const { charge, intent } = idsOf(payment, this.#live)
    return {
      id: `re_${refund.key}`,
      object: 'refund',
      amount: refund.amount,
      charge,
      created: seconds(refund.createdAt),
      currency: payment.currency,
      metadata: refund.metadata,
      payment_intent: intent,
      reason: null,
      status: 'succeeded',
    }
  }

  dispute(payment: Payment): StripeObject | undefined {
    const { dispute } = payment
    if (dispute === undefined) return undefined
    const { charge, intent } = idsOf(payment, this.#live)
    return {
      id: `dp_${dispute.key}`,
      object: 'dispute',
      amount: payment.amount,
      charge,
      created: seconds(dispute.createdAt),
      currency: payment.currency,
      is_charge_refundable: false,
      livemode: this.#live,
      metadata: {},
      payment_intent: intent,
      reason: 'fraudulent',
      status: dispute.state === 'open' ? 'needs_response' : dispute.state,
    }
  }

  /** The body of the 402 that a declined card gets. */
  declined(payment: Payment): typeof decline & { charge: string; payment_intent: StripeObject } {
    return { ...decline, charge: idsOf(payment, this.#live).charge, payment_intent: this.intent(payment) }
  }

  #customer({ makesCustomer, card }: Payment): string | null {
    return makesCustomer && card !== undefined ? customerId({ key: card }) : null
  }

  #intentOrId(payment: Payment, expand: readonly string[]): unknown {
    if (!expand.some((path) => path.split('.')[0] === 'payment_intent')) return idsOf(payment, this.#live).intent
    return this.intent(payment, inside('payment_intent', expand))
  }
}

/** Of `payment_intent.latest_charge` what concerns the payment intent. */
const inside = (name: string, expand: readonly string[]): string[] =>
  expand.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
