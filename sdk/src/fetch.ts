import type { Outgoing } from './credentials.ts'

/** As much of `fetch` as is needed. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** The platform's own, where it is known. */
export type NativeSignal = typeof globalThis extends { AbortSignal: { prototype: infer Native } } ? Native : Signal

export interface FetchInit extends Outgoing {
  body?: string
  signal: NativeSignal
  redirect: 'manual'
}

export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** As much of an `AbortSignal` as is needed. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** What a door is told when nobody waits any more: cheaper than a signal, which is made only for those who look at it. */
export interface Ending {
  onEnd: (() => void) | undefined
}

/** By which requests leave for one service. */
export type Door = (path: string, init: FetchInit, ending: Ending) => Promise<FetchResponse>

/**
 * In Node what its `fetch` itself sends by, without all that makes `fetch` cost four times as much; elsewhere, or where one is
 * given, `fetch`.
 */
export function doorTo(base: string, given: Fetch | undefined): Door {
  const over = given ?? ((url, init) => fetch(url, init))
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  const isNode = given === undefined && runsInNode()
  return (path, init, ending) => {
    // Asked for each time: whoever sets another one, for a proxy or for tests, means us too.
    const dispatcher = isNode ? (globalThis as Host)[dispatcherName] : undefined
    if (!dispatcher) return over(base + path, init)
    return new Promise((resolve, reject) => {
      const { method, headers, body } = init
      headers['user-agent'] ??= 'risiti-sdk'
      const exchange = new Exchange(resolve, reject)
      ending.onEnd = () => exchange.stop()
      dispatcher.dispatch({ origin, path: prefix + path, method, headers, body }, exchange)
    })
  }
}

/** The name is part of what Node and its libraries agreed on: another one would mean that the rest has changed, and then `fetch` is asked. */
const dispatcherName = Symbol.for('undici.globalDispatcher.1')

interface Dispatcher {
  dispatch(request: Readonly<Record<string, unknown>>, exchange: Exchange): unknown
}

interface Host {
  readonly [dispatcherName]?: Dispatcher
  readonly navigator?: { readonly userAgent?: string }
  readonly Headers?: unknown
}

function runsInNode(): boolean {
  const host = globalThis as Host
  // What has to do with `fetch` is there once somebody looks at it.
  if (!host.Headers) return false
  return host.navigator === undefined || host.navigator.userAgent?.startsWith('Node.js/') === true
}

/** Nothing that the service says comes near it; twice as much would be more than a program can hold in one text. */
const mostBytes = 2 ** 28
const utf8 = new TextDecoder()

/** One request with its answer, as a dispatcher tells of it. */
class Exchange implements FetchResponse {
  readonly headers = this
  status = 0
  readonly #resolve: (response: FetchResponse) => void
  readonly #reject: (error: unknown) => void
  #raw: readonly unknown[] = []
  #pieces: Uint8Array[] = []
  #bytes = 0
  #abort: ((why?: Error) => void) | undefined
  #isStopped = false

  constructor(resolve: (response: FetchResponse) => void, reject: (error: unknown) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  stop(why?: Error): void {
    this.#isStopped = true
    this.#abort?.(why)
  }

  onConnect(abort: (why?: Error) => void): void {
    this.#abort = abort
    if (this.#isStopped) abort()
  }

  onHeaders(status: number, raw: readonly unknown[]): boolean {
    this.status = status
    this.#raw = raw
    return true
  }

  onData(piece: Uint8Array): boolean {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes > mostBytes) this.stop(new Error('the answer does not end'))
    return true
  }

  onComplete(): void {
    // Nothing is left to be stopped.
    this.#abort = undefined
    this.#resolve(this)
  }

  onError(error: unknown): void {
    this.#reject(error)
  }

  get(name: string): string | null {
    for (let at = 0; at + 1 < this.#raw.length; at += 2)
      if (String(this.#raw[at]).toLowerCase() === name) return String(this.#raw[at + 1])
    return null
  }

  text(): Promise<string> {
    const [first] = this.#pieces
    if (first && this.#pieces.length === 1) return Promise.resolve(utf8.decode(first))
    const whole = new Uint8Array(this.#bytes)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    return Promise.resolve(utf8.decode(whole))
  }
}
