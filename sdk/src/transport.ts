import type { CallOptions, RetrySettings } from './calls.ts'
import { apiKey, bearer, type Credential, type Mode } from './credentials.ts'
import { pause, within } from './deadline.ts'
import { NoAnswer, Refused, RisitiError, TimedOut } from './errors.ts'
import { type Fetch, type FetchInit, globalFetch, type NativeSignal } from './fetch.ts'

export interface ClientOptions {
  /** address of the service, such as `https://api.example.com`; in a browser the page's own origin by default */
  readonly baseUrl?: string
  /** an API key; its prefix decides between sandbox and live data */
  readonly apiKey?: string
  /** an access token, or a function that returns the current one */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** any other credential, such as `cookies()` */
  readonly credential?: Credential
  /** the expected mode: a key of the other mode is refused before anything is sent */
  readonly mode?: Mode
  /**
   * time limit of a call with all retries and waits, in milliseconds; 90,000 by default, which is longer than a rate
   * limit's minute
   */
  readonly timeoutMs?: number
  /** time limit of one attempt, in milliseconds; 30,000 by default */
  readonly tryTimeoutMs?: number
  /** how failed calls are retried */
  readonly retry?: Partial<RetrySettings>
  /** sent with every request */
  readonly headers?: Readonly<Record<string, string>>
  /** the `fetch` to use; the platform's by default */
  readonly fetch?: Fetch
}

export interface Call {
  readonly method: string
  /** including its query */
  readonly path: string
  readonly body: unknown
  /** the service takes effect once per Idempotency-Key */
  readonly keyed: boolean
  readonly accept?: string | undefined
  readonly options: CallOptions
}

/** A reply that is not a refusal. */
export interface Answer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** parsed JSON, or the text of another media type */
  readonly body: unknown
  readonly idempotencyKey: string | undefined
}

const standardRetry: RetrySettings = { most: 2, firstMs: 250, longestMs: 8_000 }
const expired = ['auth.token_missing', 'auth.token_invalid', 'auth.token_outdated', 'session.ended'] as const

/** Sends requests, and retries them if a retry is safe and may help. */
export class Transport {
  readonly mode: Mode | undefined
  readonly #options: ClientOptions
  readonly #credential: Credential | undefined
  readonly #base: string
  readonly #fetch: Fetch
  readonly #retry: RetrySettings
  #renewing: Promise<boolean> | undefined
  #renewals = 0

  constructor(options: ClientOptions, prefix: string) {
    this.#options = options
    this.#retry = { ...standardRetry, ...options.retry }
    this.#credential = credentialOf(options)
    this.#base = baseOf(options) + prefix
    this.#fetch = options.fetch ?? globalFetch
    this.mode = this.#credential?.mode ?? options.mode
    if (options.mode && this.mode !== options.mode)
      throw new TypeError(`this is a key for ${this.mode} data, and ${options.mode} data are meant`)
  }

  async send(call: Call): Promise<Answer> {
    const { options } = call
    const idempotencyKey = call.keyed ? (options.idempotencyKey ?? newKey()) : undefined
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 90_000
    const tryMs = options.tryTimeoutMs ?? this.#options.tryTimeoutMs ?? 30_000
    const endsAt = performance.now() + timeoutMs
    try {
      for (let tries = 0, renewed = false; ; ) {
        const renewals = this.#renewals
        const leftMs = tries === 0 && !renewed ? timeoutMs : endsAt - performance.now()
        const outcome = await this.#try(call, idempotencyKey, Math.min(tryMs, leftMs))
        if (!(outcome instanceof Error)) return outcome
        if (!renewed && outcome instanceof Refused && outcome.is(...expired) && (await this.#renew(renewals))) {
          renewed = true
          continue
        }
        const { most, firstMs, longestMs } = options.retry ? { ...this.#retry, ...options.retry } : this.#retry
        if (tries >= most || !mayHelp(outcome, call)) throw outcome
        const asked = outcome instanceof Refused ? (outcome.retryAfterSeconds ?? 0) * 1000 : 0
        // Half of the wait is random, so that callers that failed together do not retry together.
        const waitMs = asked + Math.min(longestMs, firstMs * 2 ** tries++) * (0.5 + Math.random() / 2)
        if (waitMs > endsAt - performance.now()) throw outcome
        await pause(waitMs, options.signal)
      }
    } catch (error) {
      if (error instanceof RisitiError) error.idempotencyKey = idempotencyKey
      throw error
    }
  }

  /** The bytes behind a download link, which needs no credential. */
  async bytesAt(url: string, { timeoutMs, signal: stop }: CallOptions = {}): Promise<Uint8Array> {
    return await within(timeoutMs ?? this.#options.timeoutMs ?? 90_000, stop, async (signal) => {
      const send = this.#fetch
      const response = await send(url, { method: 'GET', headers: {}, signal, redirect: 'manual' }).catch((cause) => {
        throw new NoAnswer('the download got no answer', { cause })
      })
      if (response.status !== 200) throw new Refused(response.status, response.headers, jsonIn(await response.text()))
      if (!response.arrayBuffer) throw new TypeError('downloads need a fetch whose replies have arrayBuffer()')
      return new Uint8Array(await response.arrayBuffer())
    })
  }

  /** One try. Throws only what must not be tried again, such as the caller's reason to stop. */
  async #try(call: Call, idempotencyKey: string | undefined, ms: number): Promise<Answer | RisitiError> {
    try {
      return await within(ms, call.options.signal, (signal) => this.#once(call, idempotencyKey, signal))
    } catch (error) {
      if (error instanceof RisitiError) return error
      throw error
    }
  }

  async #once(call: Call, idempotencyKey: string | undefined, signal: NativeSignal): Promise<Answer> {
    const { method, path, body, options } = call
    const headers: Record<string, string> = { accept: call.accept ?? 'application/json' }
    const init: FetchInit = { method, headers, signal, redirect: 'manual' }
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = JSON.stringify(body)
    }
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    if (options.ifMatch) headers['if-match'] = options.ifMatch
    addTo(headers, this.#options.headers)
    addTo(headers, options.headers)
    const applying = this.#credential?.apply(init)
    if (applying) await applying
    try {
      // Called without `this`: browsers refuse `fetch` as a method of another object.
      const send = this.#fetch
      const response = await send(this.#base + path, init)
      const { status } = response
      const text = await response.text()
      const type = response.headers.get('content-type')
      const read = type?.startsWith('application/json') ? jsonIn(text) : undefined
      if (status < 200 || status > 299) throw new Refused(status, response.headers, read)
      // A proxy's page in place of JSON is no reply of the service.
      if (call.accept === undefined && !read) throw noAnswer(call, 'was answered with what cannot be read')
      return { status, headers: response.headers, body: read ?? text, idempotencyKey }
    } catch (cause) {
      throw cause instanceof RisitiError ? cause : noAnswer(call, 'got no answer', cause)
    }
  }

  /** Concurrent calls share a renewal. A renewal after this call was sent counts as its own. */
  async #renew(before: number): Promise<boolean> {
    if (!this.#credential?.renew) return false
    if (this.#renewals > before) return true
    this.#renewing ??= this.#credential.renew().finally(() => {
      this.#renewing = undefined
      this.#renewals += 1
    })
    return await this.#renewing
  }
}

/** Whether a retry may succeed and cannot take effect twice. */
function mayHelp(error: Error, { method, keyed }: Call): boolean {
  const repeatable = keyed || method === 'GET' || method === 'DELETE'
  if (error instanceof NoAnswer || error instanceof TimedOut) return repeatable
  if (!(error instanceof Refused)) return false
  // The service refused the request before it did anything.
  if (error.status === 429 || error.status === 408) return true
  if (error.status === 503) return repeatable
  // Retry only the failure of a proxy. The service's own reply with this status would stay the same.
  return repeatable && error.reason === undefined && [500, 502, 504].includes(error.status)
}

const noAnswer = ({ method, path }: Call, how: string, cause?: unknown) =>
  new NoAnswer(`${method} ${path.split('?')[0]} ${how}`, { cause })

/** Returns the parsed object or list, or `undefined`. */
function jsonIn(text: string): object | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : undefined
  } catch {
    return undefined
  }
}

/** Header names are case-insensitive, so an added header replaces one in another case. */
function addTo(headers: Record<string, string>, more: Readonly<Record<string, string>> | undefined): void {
  for (const name in more) headers[name.toLowerCase()] = more[name] as string
}

function credentialOf({ apiKey: key, token, credential }: ClientOptions): Credential | undefined {
  if ([key, token, credential].filter((one) => one !== undefined).length > 1)
    throw new TypeError('give one of apiKey, token and credential')
  return key !== undefined ? apiKey(key) : token !== undefined ? bearer(token) : credential
}

function baseOf({ baseUrl, apiKey: key }: ClientOptions): string {
  const own = (globalThis as { location?: { origin?: string } }).location?.origin
  if (baseUrl === undefined && own === undefined) throw new TypeError('say under baseUrl where the service lives')
  const url = new URL(baseUrl ?? '', own)
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (key !== undefined && url.protocol !== 'https:' && !isHere)
    throw new TypeError('an API key is sent over https only, or to this machine')
  return url.href.replace(/\/$/, '')
}

/** A unique key. Pages without https lack `randomUUID`, so they use the slower way. */
function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
