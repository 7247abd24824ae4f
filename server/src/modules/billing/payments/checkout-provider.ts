import type { Currency } from '../../catalogue/index.ts'

export const providerNames = ['paystack', 'stripe'] as const
export type ProviderName = (typeof providerNames)[number]

/** What somebody is asked to pay, on the provider's own page. */
export interface CheckoutOrder {
  /** our own name for it, unique for good; the provider is told it, and repeats it */
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly email: string
  readonly description: string
  /** where the provider sends the browser afterwards; that it comes back there proves nothing */
  readonly returnUrl: string
  readonly expiresAt: Date
  /** ask for leave to charge the card again later, for subscriptions */
  readonly keepCard: boolean
}

/** A charge of a card that its owner let us keep, without anybody present. */
export interface CardOrder {
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly email: string
  readonly description: string
  /** from an earlier `ProviderView` */
  readonly authorisation: string
}

export interface StartedCheckout {
  readonly url: string
  /** what the provider calls it */
  readonly handle: string
}

/** Everything that counts about a payment, as the provider says it now. Notifications only say that it is time to look. */
export interface ProviderView {
  readonly reference: string
  /** what the provider calls it, to ask for it by */
  readonly handle: string
  /** `failed` may still become `paid`: people try another card on the same page */
  readonly state: 'open' | 'paid' | 'failed' | 'ended'
  readonly amountMinor: bigint
  readonly currency: string
  /** whether real money moved */
  readonly live: boolean
  readonly refundedMinor: bigint
  readonly dispute: 'none' | 'open' | 'won' | 'lost'
  /** lets the card be charged again: a secret */
  readonly authorisation: string | undefined
}

/** What a notification is about. It carries no amount and no state: those are asked for. */
export interface Notification {
  /** the provider's own id of it, or a fingerprint of its bytes where it gives none */
  readonly id: string
  readonly type: string
  /** what `look` takes; nothing when it is about something that is not ours to know */
  readonly subject: string | undefined
}

/** The provider said no, and meant it: nothing happened there. Any other failure leaves open whether something did. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
}

/** A payment provider with a hosted checkout page. */
export interface CheckoutProvider {
  readonly name: ProviderName
  /** whether its key moves real money */
  readonly live: boolean
  startCheckout(order: CheckoutOrder, signal: AbortSignal): Promise<StartedCheckout>
  /** by a handle, by the subject of a notification or by our reference; nothing when the provider does not know it */
  look(handle: string, signal: AbortSignal): Promise<ProviderView | undefined>
  /** asks that nobody can pay it any more, where the provider can do that, and looks */
  endCheckout(handle: string, signal: AbortSignal): Promise<ProviderView | undefined>
  /** gives the handle; a declined card is no failure of the call: `look` tells it */
  chargeCard(order: CardOrder, signal: AbortSignal): Promise<{ handle: string }>
  /** gives money back; the same key gives it once */
  refund(handle: string, refund: { amountMinor: bigint; key: string }, signal: AbortSignal): Promise<void>
  /** nothing when its signature does not prove that the provider sent it */
  readNotification(body: Buffer, headers: Readonly<Record<string, unknown>>): Notification | undefined
}

/** Who takes which currency. */
export interface CheckoutProviders {
  forCurrency(currency: Currency): CheckoutProvider | undefined
  named(name: ProviderName): CheckoutProvider | undefined
}

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    readonly checkoutProviders: CheckoutProviders
  }
}
