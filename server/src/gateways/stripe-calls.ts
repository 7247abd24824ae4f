import Stripe from 'stripe'
import { checkoutPort } from '../modules/billing/index.ts'
import type { Answer } from '../platform/outbound/one-request.ts'
import type { Party } from '../platform/outbound/outbound-http.ts'
import { parsed, withoutSecrets } from './provider-answers.ts'

export type Ask = <T, R>(
  call: (stripe: Stripe) => Promise<T>,
  read: (answer: unknown) => R,
  signal: AbortSignal,
) => Promise<R>

/**
 * Makes one call of the library. The library takes no abort signal but a custom HTTP client, which gets the signal. So
 * each call creates a client: it holds no connections and costs less than a millisecond.
 */
export function stripeCalls(secretKey: string, party: Party): Ask {
  return async (call, read, signal) => {
    const carrier = carrierUnder(party, signal)
    const stripe = new Stripe(secretKey, {
      // The caller decides about retries.
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: carrier,
    })
    return read(
      await call(stripe).catch((error: unknown) => {
        signal.throwIfAborted()
        // The library hides the error of its HTTP client behind its own.
        throw carrier.failure ?? translated(error, secretKey)
      }),
    )
  }
}

/** Sends the library's requests through our outbound client. The operator configures the host, not the library. */
function carrierUnder(party: Party, signal: AbortSignal): Stripe.HttpClient & { failure?: Error } {
  const carrier: Stripe.HttpClient & { failure?: Error } = {
    getClientName: () => 'risiti',
    async makeRequest(_host, _port, path, method, headers, body) {
      try {
        return responseOf(
          await party.send({
            method: method as 'GET' | 'POST' | 'DELETE',
            path,
            headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
            body,
            signal,
          }),
        )
      } catch (error) {
        carrier.failure = error as Error
        throw error
      }
    },
  }
  return carrier
}

function responseOf({ status, headers, body }: Answer): Stripe.HttpClientResponse {
  const text = body.toString()
  // The library takes any JSON without `error` for a success, whatever its status, and a redirect for a refusal.
  if (status !== 200 && (status < 400 || !isRefusal(parsed(text)))) throw new Error(`Stripe answered ${status}`)
  return {
    getStatusCode: () => status,
    getHeaders: () => headers as Record<string, string>,
    getRawResponse: () => ({}),
    toStream: () => {
      throw new Error('no answer of Stripe is streamed')
    },
    toJSON: async () => JSON.parse(text),
  }
}

const isRefusal = (answer: unknown): boolean =>
  typeof (answer as { error?: unknown } | null | undefined)?.error === 'object' &&
  (answer as { error: unknown }).error !== null

/** Separates the library's errors: only some of them prove that nothing happened. */
function translated(error: unknown, secretKey: string): Error {
  const { StripeError, StripeInvalidRequestError, StripeCardError, StripeIdempotencyError } = Stripe.errors
  if (!(error instanceof StripeError)) return new Error('Stripe could not be asked')
  const judged = [StripeInvalidRequestError, StripeCardError, StripeIdempotencyError].some(
    (kind) => error instanceof kind,
  )
  if (!judged) return new Error(`Stripe gave no answer: ${error.type}${error.statusCode ? ` ${error.statusCode}` : ''}`)
  return new StripeRefusal(withoutSecrets(error.message, secretKey), error.code, error.payment_intent?.id)
}

export class StripeRefusal extends checkoutPort.ProviderRefusal {
  /** Stripe's own reason code. */
  readonly code: string | undefined
  /** The payment intent that exists even though the card was declined. */
  readonly paymentIntent: string | undefined

  constructor(message: string, code: string | undefined, paymentIntent: string | undefined) {
    super(message)
    this.code = code
    this.paymentIntent = paymentIntent
  }
}
