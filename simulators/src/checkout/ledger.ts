import { randomBytes } from 'node:crypto'
import type { Store } from '../shared/json-store.ts'
import {
  type Card,
  type Metadata,
  type Payment,
  type PaymentEvent,
  type PaymentOutcome,
  type Provider,
  type Refund,
  Refusal,
  refundedAmount,
  type TestCard,
} from './payment.ts'
import type { State } from './state.ts'

type OrderField =
  | 'provider'
  | 'reference'
  | 'amount'
  | 'currency'
  | 'email'
  | 'description'
  | 'metadata'
  | 'intentMetadata'
export type CardOrder = Pick<Payment, OrderField>
export type PageOrder = Pick<
  Payment,
  OrderField | 'returnUrl' | 'cancelUrl' | 'keepsCard' | 'makesCustomer' | 'expiresAt'
>
export type RefundOrder = Partial<Pick<Refund, 'merchantNote' | 'customerNote' | 'metadata'>> & {
  readonly amount: number | undefined
}

/** Real ids of Paystack are above 32 bits; clients that cut them short should notice. */
const firstNumber = 4_300_000_000

/** The payments of both providers. */
export class Ledger {
  readonly now: () => Date
  readonly #store: Store<State>
  readonly #tell: (payment: Payment, happening: PaymentEvent) => void

  constructor(store: Store<State>, now: () => Date, tell: (payment: Payment, happening: PaymentEvent) => void) {
    this.now = now
    this.#store = store
    this.#tell = tell
  }

  openPage(order: PageOrder): Payment {
    return this.#add({ ...order, origin: 'page' })
  }

  chargeCard(card: Card, order: CardOrder): Payment {
    const none = { returnUrl: undefined, cancelUrl: undefined, expiresAt: undefined }
    const payment = this.#add({ ...order, ...none, keepsCard: true, makesCustomer: true, origin: 'saved_card' })
    payment.card = card.key
    this.#attempt(payment, card.declines ? 'failed' : 'paid')
    return payment
  }

  /** What the buttons of the page do. */
  settle(payment: Payment, outcome: PaymentOutcome, testCard: TestCard = 'works'): void {
    this.#lookAtClock(payment)
    if (payment.origin !== 'page' || !['open', 'failed'].includes(payment.state))
      throw new Refusal('not_open', `the payment ${payment.reference} is ${payment.state}: nobody can act on its page`)
    if (outcome === 'abandoned') return
    if (outcome === 'paid') payment.card = this.#saveCard(payment, testCard).key
    this.#attempt(payment, outcome)
  }

  expire(payment: Payment): void {
    if (payment.origin !== 'page' || !['open', 'failed'].includes(payment.state))
      throw new Refusal('not_open', `the payment ${payment.reference} is ${payment.state}: it cannot expire`)
    payment.state = 'expired'
    this.#happened(payment, { kind: 'expired' })
  }

  refund(payment: Payment, order: RefundOrder): Refund {
    this.#mustBePaid(payment)
    const left = payment.amount - refundedAmount(payment)
    if (payment.dispute !== undefined && payment.dispute.state !== 'won')
      throw new Refusal('disputed', `the payment ${payment.reference} is disputed`)
    if (left === 0) throw new Refusal('all_refunded', `the payment ${payment.reference} is refunded already`)
    const amount = order.amount ?? left
    if (amount < 1) throw new Refusal('too_little', 'a refund gives something back')
    if (amount > left) throw new Refusal('too_much', `${amount} is more than the ${left} that is left to refund`)
    const refund: Refund = {
      key: newKey(),
      number: this.#nextNumber(),
      amount,
      createdAt: this.now().getTime(),
      merchantNote: order.merchantNote,
      customerNote: order.customerNote,
      metadata: order.metadata ?? {},
    }
    payment.refunds.push(refund)
    this.#happened(payment, { kind: 'refunded', refund })
    return refund
  }

  openDispute(payment: Payment): void {
    this.#mustBePaid(payment)
    if (payment.dispute) throw new Refusal('disputed', `the payment ${payment.reference} was disputed before`)
    payment.dispute = {
      key: newKey(),
      number: this.#nextNumber(),
      createdAt: this.now().getTime(),
      state: 'open',
    }
    this.#happened(payment, { kind: 'dispute_opened' })
  }

  closeDispute(payment: Payment, won: boolean): void {
    if (payment.dispute?.state !== 'open')
      throw new Refusal('no_dispute', `the payment ${payment.reference} has no open dispute`)
    payment.dispute.state = won ? 'won' : 'lost'
    this.#happened(payment, { kind: 'dispute_closed' })
  }

  declineCard(payment: Payment): void {
    const card = this.cards(payment.provider).find(({ key }) => key === payment.card)
    if (card === undefined) throw new Error(`the payment ${payment.reference} saved no card`)
    card.declines = true
    this.#store.save()
  }

  /** Newest first, as both providers list. What time alone changes is changed on the way. */
  payments(provider: Provider): Payment[] {
    const found = this.#store.state.payments.filter((payment) => payment.provider === provider).reverse()
    for (const payment of found) this.#lookAtClock(payment)
    return found
  }

  cards(provider: Provider): Card[] {
    return this.#store.state.cards.filter((card) => card.provider === provider)
  }

  withKey(key: string): Payment | undefined {
    return [...this.payments('paystack'), ...this.payments('stripe')].find((payment) => payment.key === key)
  }

  /** By the merchant's own reference; the newest one where Stripe was given the same twice. */
  withReference(reference: string): Payment {
    const all = [...this.payments('paystack'), ...this.payments('stripe')]
    const found = all.find((payment) => payment.reference === reference)
    if (found === undefined) throw new Error(`no payment has the reference ${reference}`)
    return found
  }

  #add(order: PageOrder & Pick<Payment, 'origin'>): Payment {
    const payment: Payment = {
      ...order,
      key: newKey(),
      number: this.#nextNumber(),
      createdAt: this.now().getTime(),
      state: 'open',
      attempted: false,
      paidAt: undefined,
      card: undefined,
      refunds: [],
      dispute: undefined,
    }
    this.#store.state.payments.push(payment)
    this.#store.save()
    return payment
  }

  #attempt(payment: Payment, outcome: 'paid' | 'failed'): void {
    payment.attempted = true
    payment.state = outcome
    if (outcome === 'paid') payment.paidAt = this.now().getTime()
    this.#happened(payment, { kind: outcome })
  }

  #saveCard({ provider, email, keepsCard }: Payment, testCard: TestCard): Card {
    const card = { key: newKey(), provider, email, reusable: keepsCard, declines: testCard === 'declines_later' }
    this.#store.state.cards.push(card)
    return card
  }

  #lookAtClock(payment: Payment): void {
    const ended = payment.expiresAt !== undefined && payment.expiresAt <= this.now().getTime()
    if (ended && (payment.state === 'open' || payment.state === 'failed')) this.expire(payment)
  }

  #mustBePaid(payment: Payment): void {
    if (payment.state !== 'paid') throw new Refusal('not_paid', `the payment ${payment.reference} is not paid`)
  }

  #happened(payment: Payment, happening: PaymentEvent): void {
    this.#store.save()
    this.#tell(payment, happening)
  }

  #nextNumber(): number {
    this.#store.state.sequence += 1
    return firstNumber + this.#store.state.sequence
  }
}

const newKey = (): string => randomBytes(12).toString('hex')

/** What a JSON or a form said, where it is an object at all. */
export const asMetadata = (value: unknown): Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : {}
