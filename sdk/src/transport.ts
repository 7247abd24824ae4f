import { apiKey, bearer, type Credential, type Mode } from './credentials.ts'
import { NoAnswer, Refused, RisitiError, TimedOut } from './errors.ts'
import { type Door, doorTo, type Ending, type Fetch, type FetchInit, type NativeSignal, type Signal } from './fetch.ts'

export interface ClientOptions {
  /** where the service lives, such as `https://api.example.com`; in a browser the page's own address unless given */
  readonly baseUrl?: string
  /** an API key; its prefix says whether it is for the sandbox or for live data */
  readonly apiKey?: string
  /** an access token, or a function that gives the current one */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** any other way to say who is calling, such as `cookies()` */
  readonly credential?: Credential
  /** which data are meant: a key of the other mode is refused before anything is sent */
  readonly mode?: Mode
  /** how long a call may take with all its tries and waits, in milliseconds: 90,000 unless given, which outlasts a rate limit's minute */
  readonly timeoutMs?: number
  /** how long one try may take, in milliseconds: 30,000 unless given */
  readonly tryTimeoutMs?: number
  /** how calls that may succeed later are tried again */
  readonly retry?: Partial<RetrySettings>
  /** sent with every request */
  readonly headers?: Readonly<Record<string, string>>
  /** by which requests leave; unless given, what the platform has */
  readonly fetch?: Fetch
}

export interface RetrySettings {
  /** how many further tries there are at most: 2 unless given */
  readonly most: number
  /** before the first of them, in milliseconds; each later one waits twice as long */
  readonly firstMs: number
  readonly longestMs: number
}

export interface CallOptions {
  /** names the attempt; made for you unless given, before the first try */
  readonly idempotencyKey?: string | undefined
  /** the ETag that you read: the change is refused when somebody else was faster */
  readonly ifMatch?: string | undefined
  readonly signal?: Signal | undefined
  readonly timeoutMs?: number | undefined
  readonly tryTimeoutMs?: number | undefined
  readonly retry?: Partial<RetrySettings> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Call {
  readonly method: string
  /** with its query */
  readonly path: string
  readonly body: unknown
  /** the service does it once, however often it is sent under one key */
  readonly keyed: boolean
  readonly accept?: string | undefined
  readonly options: CallOptions
}

/** An answer that is not a refusal. */
export interface Answer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** what JSON says, or the text of another media type */
  readonly body: unknown
  readonly idempotencyKey: string | undefined
}

const standardRetry: RetrySettings = { most: 2, firstMs: 250, longestMs: 8_000 }
const expired = ['auth.token_missing', 'auth.token_invalid', 'auth.token_outdated', 'session.ended'] as const

/** Sends requests, and sends them again where that is safe and may help. */
export class Transport {
  readonly mode: Mode | undefined
  readonly #options: ClientOptions
  readonly #credential: Credential | undefined
  readonly #door: Door
  readonly #retry: RetrySettings
  #renewing: Promise<boolean> | undefined
  #renewals = 0

  constructor(options: ClientOptions, prefix: string) {
    this.#options = options
    this.#retry = { ...standardRetry, ...options.retry }
    this.#credential = credentialOf(options)
    this.#door = doorTo(baseOf(options) + prefix, options.fetch)
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
        const outcome = await this.#tried(call, idempotencyKey, Math.min(tryMs, leftMs))
        if (!(outcome instanceof Error)) return outcome
        if (!renewed && outcome instanceof Refused && outcome.is(...expired) && (await this.#renew(renewals))) {
          renewed = true
          continue
        }
        const { most, firstMs, longestMs } = options.retry ? { ...this.#retry, ...options.retry } : this.#retry
        if (tries >= most || !mayHelp(outcome, call)) throw outcome
        const asked = outcome instanceof Refused ? (outcome.retryAfterSeconds ?? 0) * 1000 : 0
        // Half of the wait is left to chance, so that callers who failed together do not come back together.
        const waitMs = asked + Math.min(longestMs, firstMs * 2 ** tries++) * (0.5 + Math.random() / 2)
        const left = endsAt - performance.now()
        if (waitMs > left) throw outcome
        const rest = new Deadline(left, options.signal)
        await rest.wait(waitMs).finally(() => rest.end())
      }
    } catch (error) {
      if (error instanceof RisitiError) error.idempotencyKey = idempotencyKey
      throw error
    }
  }

  /** One try: its answer, or why there was none. Throws what the caller ended it with. */
  async #tried(call: Call, idempotencyKey: string | undefined, ms: number): Promise<Answer | Error> {
    const deadline = new Deadline(ms, call.options.signal)
    try {
      deadline.check()
      const outcome = await deadline.first(this.#once(call, idempotencyKey, deadline))
      deadline.check()
      return outcome
    } catch (error) {
      if (error instanceof TimedOut && error === deadline.timedOut) return error
      throw error
    } finally {
      deadline.end()
    }
  }

  async #once(call: Call, idempotencyKey: string | undefined, deadline: Deadline): Promise<Answer> {
    const { method, path, body, options } = call
    const headers: Record<string, string> = { accept: call.accept ?? 'application/json' }
    const init: FetchInit = new Init(method, headers, deadline)
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
      const response = await this.#door(path, init, deadline)
      const { status } = response
      const text = await response.text()
      const type = response.headers.get('content-type')
      const read = type?.startsWith('application/json') ? jsonIn(text) : undefined
      if (status < 200 || status > 299) throw new Refused(status, response.headers, read)
      // A page that something on the way put in the place of the answer is none.
      if (call.accept === undefined && !read) throw noAnswer(call, 'was answered with what cannot be read')
      return { status, headers: response.headers, body: read ?? text, idempotencyKey }
    } catch (cause) {
      throw cause instanceof RisitiError ? cause : noAnswer(call, 'got no answer', cause)
    }
  }

  /** Calls that fail together renew together: it was done already, where it was done since this one was sent. */
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

/** Whether the same request may do better in a while, and cannot do anything twice. */
function mayHelp(error: Error, { method, keyed }: Call): boolean {
  const repeatable = keyed || method === 'GET' || method === 'DELETE'
  if (error instanceof NoAnswer || error instanceof TimedOut) return repeatable
  if (!(error instanceof Refused)) return false
  // Turned away at the door: nothing was done.
  if (error.status === 429 || error.status === 408) return true
  if (error.status === 503) return repeatable
  // Something between us and the service failed; what the service itself says with these will not change by asking again.
  return repeatable && error.reason === undefined && [500, 502, 504].includes(error.status)
}

const noAnswer = ({ method, path }: Call, how: string, cause?: unknown) =>
  new NoAnswer(`${method} ${path.split('?')[0]} ${how}`, { cause })

/** An object or a list, if the text is one. */
function jsonIn(text: string): object | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : undefined
  } catch {
    return undefined
  }
}

/** However a name is written, there is one header of it. */
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

/** A name that nobody had before. Pages that did not come over https have the slower way alone. */
function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * What `fetch` is given. All have one getter: an object that is written with a getter of its own gets a shape of its own, which
 * keeps whatever belongs to its call until the next great collection.
 */
class Init implements FetchInit {
  static readonly #signal: PropertyDescriptor & ThisType<Init> = {
    enumerable: true,
    get() {
      return this.#deadline.signal
    },
  }
  readonly #deadline: Deadline
  readonly method: string
  readonly headers: Record<string, string>
  readonly redirect = 'manual'
  declare readonly signal: NativeSignal
  declare body?: string

  constructor(method: string, headers: Record<string, string>, deadline: Deadline) {
    this.#deadline = deadline
    this.method = method
    this.headers = headers
    Object.defineProperty(this, 'signal', Init.#signal)
  }
}

/**
 * Looks after the time of all calls with one timer: to set one for each and to clear it costs more than all else that we do
 * for a call. It is left as it is when a call ends, and looks again when it goes off.
 */
class Watch {
  readonly #open = new Set<Deadline>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #goesOffAt = Number.POSITIVE_INFINITY

  add(deadline: Deadline): void {
    this.#open.add(deadline)
    if (deadline.endsAt < this.#goesOffAt) this.#set(deadline.endsAt)
  }

  delete(deadline: Deadline): void {
    this.#open.delete(deadline)
    // Where a timer cannot be left alone, it would keep the program from ending.
    if (this.#open.size === 0 && !(this.#timer as Partial<Unref>)?.unref) this.#clear()
  }

  #set(at: number): void {
    this.#clear()
    this.#goesOffAt = at
    this.#timer = setTimeout(() => this.#look(), Math.min(at - performance.now(), 2 ** 31 - 1))
    ;(this.#timer as Partial<Unref>).unref?.()
  }

  #clear(): void {
    clearTimeout(this.#timer)
    this.#goesOffAt = Number.POSITIVE_INFINITY
  }

  #look(): void {
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    this.#clear()
    for (const deadline of this.#open)
      if (deadline.endsAt <= now) deadline.timeIsUp()
      else next = Math.min(next, deadline.endsAt)
    // Those that end close together are looked at together.
    if (next < Number.POSITIVE_INFINITY) this.#set(Math.max(next, now + 10))
  }
}
interface Unref {
  unref(): void
}
const watch = new Watch()

/** One end for a whole call: its time is up, or whoever made it does not want it any more. */
class Deadline implements Ending {
  onEnd: (() => void) | undefined
  readonly endsAt: number
  readonly #timeoutMs: number
  readonly #outer: Signal | undefined
  readonly #stop: (() => void) | undefined
  #controller: AbortController | undefined
  #ended: { readonly why: unknown } | undefined
  #wake: ((over: Error) => void) | undefined

  constructor(timeoutMs: number, outer: Signal | undefined) {
    this.#timeoutMs = timeoutMs
    this.endsAt = performance.now() + timeoutMs
    watch.add(this)
    this.#outer = outer
    if (outer) {
      this.#stop = () => this.#endWith(outer.reason)
      if (outer.aborted) this.#stop()
      else outer.addEventListener('abort', this.#stop)
    }
  }

  /** what it ended with, if its time was up */
  timedOut: TimedOut | undefined

  timeIsUp(): void {
    this.timedOut = new TimedOut(`there was no answer within ${Math.round(this.#timeoutMs)} ms`)
    this.#endWith(this.timedOut)
  }

  #endWith(why: unknown): void {
    this.#ended ??= { why }
    this.#controller?.abort(why)
    this.onEnd?.()
    this.#wake?.(new TimedOut(`it was over after ${this.#timeoutMs} ms`))
  }

  /** Made when somebody asks for it: that costs more than all else that we do for a call. */
  get signal(): NativeSignal {
    this.#controller ??= new AbortController()
    if (this.#ended) this.#controller.abort(this.#ended.why)
    return this.#controller.signal
  }

  /** Throws what ended it, once it is over. */
  check(): void {
    if (this.#ended) throw this.#ended.why
  }

  /** What comes of a try, or that it failed; or nothing that counts, once it is over. */
  first<Outcome>(trying: Promise<Outcome>): Promise<Outcome | Error> {
    return new Promise((resolve) => {
      this.#wake = resolve
      trying.then(resolve, (error: unknown) => resolve(error instanceof Error ? error : new Error(String(error))))
    })
  }

  async wait(ms: number): Promise<void> {
    let waiting: ReturnType<typeof setTimeout> | undefined
    await new Promise<unknown>((resolve) => {
      this.#wake = resolve
      waiting = setTimeout(resolve, ms)
    })
    clearTimeout(waiting)
    this.check()
  }

  end(): void {
    watch.delete(this)
    if (this.#stop) this.#outer?.removeEventListener('abort', this.#stop)
  }
}
