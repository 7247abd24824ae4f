export type Provider = 'paystack' | 'stripe'
export type PaymentOutcome = 'paid' | 'failed' | 'abandoned'
/** what the tester says of the card on the page */
export type TestCard = 'works' | 'declines_later'
export type Metadata = Readonly<Record<string, unknown>>

/** One thing that somebody is asked to pay, or that a saved card is charged with. Plain data: it is kept as JSON. */
export interface Payment {
  /** the providers' ids are made of it, and the address of the page */
  readonly key: string
  /** what Paystack calls its id */
  readonly number: number
  readonly provider: Provider
  readonly origin: 'page' | 'saved_card'
  readonly reference: string
  /** in the smallest unit, as both providers count */
  readonly amount: number
  readonly currency: string
  readonly email: string | undefined
  readonly description: string
  readonly returnUrl: string | undefined
  readonly cancelUrl: string | undefined
  readonly metadata: Metadata
  /** Stripe keeps a second set, on the payment intent */
  readonly intentMetadata: Metadata
  /** whether the card may be charged again, with nobody present */
  readonly keepsCard: boolean
  /** whether Stripe creates a customer for the payer */
  readonly makesCustomer: boolean
  readonly createdAt: number
  readonly expiresAt: number | undefined
  /** `failed` can still be paid with another card, on the same page */
  state: 'open' | 'failed' | 'paid' | 'expired'
  /** whether a card was ever tried: Stripe makes a payment intent only then */
  attempted: boolean
  paidAt: number | undefined
  card: string | undefined
  refunds: Refund[]
  dispute: Dispute | undefined
}

export interface Refund {
  readonly key: string
  readonly number: number
  readonly amount: number
  readonly createdAt: number
  /** what the merchant wrote on it */
  readonly merchantNote: string | undefined
  readonly customerNote: string | undefined
  readonly metadata: Metadata
}

export interface Dispute {
  readonly key: string
  readonly number: number
  readonly createdAt: number
  state: 'open' | 'won' | 'lost'
}

export interface Card {
  readonly key: string
  readonly provider: Provider
  readonly email: string | undefined
  /** whether the merchant may charge it again */
  readonly reusable: boolean
  declines: boolean
}

export const refundedAmount = ({ refunds }: Payment): number => refunds.reduce((sum, { amount }) => sum + amount, 0)

/** What the providers tell merchants about. */
export type PaymentEvent =
  | { readonly kind: 'paid' | 'failed' | 'expired' | 'dispute_opened' | 'dispute_closed' }
  | { readonly kind: 'refunded'; readonly refund: Refund }

/** The same act can be refused by either provider, each in its own words. */
export type RefusalReason =
  | 'not_open'
  | 'not_paid'
  | 'too_little'
  | 'too_much'
  | 'all_refunded'
  | 'disputed'
  | 'no_dispute'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}
