import Stripe from 'stripe'
import { ProviderRefusal } from '../modules/billing/index.ts'
import type { Answer, Party } from '../platform/outbound/outbound-http.ts'
import { parsed, withoutSecrets } from './provider-answers.ts'

export type Ask = <T, R>(
  call: (stripe: Stripe) => Promise<T>,
  read: (answer: unknown) => R,
  signal: AbortSignal,
) => Promise<R>

/**
 * One call of the library and its answer. The library takes no signal; it does take somebody who carries its requests, and
 * that one has it. A client is therefore made for each call: it holds no connections, and costs less than a millisecond.
 */
export function stripeCalls(secretKey: string, party: Party): Ask {
  return async (call, read, signal) => {
    const carrier = carrierUnder(party, signal)
    const stripe = new Stripe(secretKey, {
      // Whoever asks decides whether to ask again.
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: carrier,
    })
    return read(
      await call(stripe).catch((error: unknown) => {
        signal.throwIfAborted()
        // The library hides what its carrier met in an error of its own.
        throw carrier.failure ?? translated(error, secretKey)
      }),
    )
  }
}

/** Takes the library's requests out by our door. Where they go is the operator's choice, not the library's. */
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

/** The library's kinds of failure, apart: only some of them say that nothing happened. */
function translated(error: unknown, secretKey: string): Error {
  const { StripeError, StripeInvalidRequestError, StripeCardError, StripeIdempotencyError } = Stripe.errors
  if (!(error instanceof StripeError)) return new Error('Stripe could not be asked')
  const judged = [StripeInvalidRequestError, StripeCardError, StripeIdempotencyError].some(
    (kind) => error instanceof kind,
  )
  if (!judged) return new Error(`Stripe gave no answer: ${error.type}${error.statusCode ? ` ${error.statusCode}` : ''}`)
  return new StripeRefusal(withoutSecrets(error.message, secretKey), error.code, error.payment_intent?.id)
}

export class StripeRefusal extends ProviderRefusal {
  /** Stripe's own code for why */
  readonly code: string | undefined
  /** the payment that a card was declined for: it is there all the same */
  readonly paymentIntent: string | undefined

  constructor(message: string, code: string | undefined, paymentIntent: string | undefined) {
    super(message)
    this.code = code
    this.paymentIntent = paymentIntent
  }
}
