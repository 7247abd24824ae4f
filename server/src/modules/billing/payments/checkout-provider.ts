import type { Currency } from '../../catalogue/index.ts'

export const providerNames = ['paystack', 'stripe'] as const
export type ProviderName = (typeof providerNames)[number]

/** What a person pays on the provider's page. */
export interface CheckoutOrder {
  /** Our own reference, never reused. The provider repeats it in its answers. */
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly email: string
  readonly description: string
  /** Where the provider sends the browser afterwards. The browser's return proves no payment. */
  readonly returnUrl: string
  readonly expiresAt: Date
  /** Asks for permission to charge the card again, as subscriptions need. */
  readonly keepCard: boolean
}

/** A charge of a saved card, without a person present. */
export interface CardOrder {
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly email: string
  readonly description: string
  /** The `authorisation` of an earlier `ProviderView`. */
  readonly authorisation: string
}

export interface StartedCheckout {
  readonly url: string
  /** The provider's own identifier of the checkout. */
  readonly handle: string
}

/** Everything that matters about a payment, as the provider reports it now. Notifications only trigger a look. */
export interface ProviderView {
  readonly reference: string
  /** The provider's own identifier, which `look` takes. */
  readonly handle: string
  /** A `failed` payment may still become `paid`: people try another card on the same page. */
  readonly state: 'open' | 'paid' | 'failed' | 'ended'
  readonly amountMinor: bigint
  readonly currency: string
  /** Whether real money moved. */
  readonly live: boolean
  readonly refundedMinor: bigint
  readonly dispute: 'none' | 'open' | 'won' | 'lost'
  /** Secret that allows another charge of the card. */
  readonly authorisation: string | undefined
}

/** What a notification is about. Amount and state are never taken from it: `look` asks the provider for them. */
export interface Notification {
  /** The provider's own id, or a fingerprint of the bytes if the provider gives none. */
  readonly id: string
  readonly type: string
  /** Argument for `look`. Undefined if the notification is not about one of our payments. */
  readonly subject: string | undefined
}

/** A definite refusal: nothing happened at the provider. Any other failure leaves the result unknown. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
}

export interface CheckoutProvider {
  readonly name: ProviderName
  /** Whether its key moves real money. */
  readonly live: boolean
  startCheckout(order: CheckoutOrder, signal: AbortSignal): Promise<StartedCheckout>
  /**
   * Takes a handle, the subject of a notification or our own reference. Returns undefined if the provider does not know
   * it.
   */
  look(handle: string, signal: AbortSignal): Promise<ProviderView | undefined>
  /** Closes the checkout if the provider can do that, and returns its current view. */
  endCheckout(handle: string, signal: AbortSignal): Promise<ProviderView | undefined>
  /** A declined card is not an error of this call: `look` reports it. */
  chargeCard(order: CardOrder, signal: AbortSignal): Promise<{ handle: string }>
  /** Returns money to the payer. The same key never pays twice. */
  refund(handle: string, refund: { amountMinor: bigint; key: string }, signal: AbortSignal): Promise<void>
  /** Returns undefined if the signature is missing or wrong. */
  readNotification(body: Buffer, headers: Readonly<Record<string, unknown>>): Notification | undefined
}

/** Chooses the provider for each currency. */
export interface CheckoutProviders {
  forCurrency(currency: Currency): CheckoutProvider | undefined
  named(name: ProviderName): CheckoutProvider | undefined
}

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    readonly checkoutProviders: CheckoutProviders
  }
}
