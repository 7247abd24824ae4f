import Stripe from 'stripe'
import { ProviderRefusal } from '../modules/billing/index.ts'
import { addressOf, type BaseUrl, fetchOnce, parsed, withoutSecrets } from './provider-answers.ts'

export type Ask = <T, R>(
  call: (stripe: Stripe) => Promise<T>,
  read: (answer: unknown) => R,
  signal: AbortSignal,
) => Promise<R>

/**
 * One call of the library and its answer. The library takes no signal and no limit; it does take a way to fetch, and that
 * has both. A client is therefore made for each call: it holds no connections, and costs less than a millisecond.
 */
export function stripeCalls(secretKey: string, baseUrl: BaseUrl): Ask {
  return async (call, read, signal) => {
    const { protocol, hostname, port } = new URL(addressOf(baseUrl))
    const plain = protocol === 'http:'
    const stripe = new Stripe(secretKey, {
      host: hostname,
      port: port || (plain ? 80 : 443),
      protocol: plain ? 'http' : 'https',
      // Whoever asks decides whether to ask again.
      maxNetworkRetries: 0,
      timeout: 20_000,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(fetchUnder(signal) as typeof fetch),
    })
    return read(await call(stripe).catch((error: unknown) => Promise.reject(translated(error, secretKey, signal))))
  }
}

const fetchUnder = (signal: AbortSignal) => async (url: string, init: RequestInit) => {
  const signals = [signal, init.signal].filter((one) => one != null)
  const { status, headers, text } = await fetchOnce('Stripe', url, { ...init, signal: AbortSignal.any(signals) })
  // The library takes any JSON without `error` for a success, whatever its status.
  if (status !== 200 && !isRefusal(parsed(text))) throw new Error(`Stripe answered ${status}`)
  return new Response(text, { status, headers })
}

const isRefusal = (answer: unknown): boolean =>
  typeof (answer as { error?: unknown } | null | undefined)?.error === 'object' &&
  (answer as { error: unknown }).error !== null

/** The library's kinds of failure, apart: only some of them say that nothing happened. */
function translated(error: unknown, secretKey: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
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
