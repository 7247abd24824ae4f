import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Alarms } from './alarms.ts'
import { type FailureName, failureFrom, OutboundFailure } from './failures.ts'
import { type MeasuredOutcome, measuredStatus, type PartyMetrics } from './metrics.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** the bytes as received: the request accepts no compression, so none is decoded */
  readonly body: Buffer
  /** the answer was longer than the part that was kept */
  readonly cut: boolean
}

export interface Deadlines {
  /** for DNS, connection and TLS together */
  readonly connectMs: number
  /** from the first byte of the request to the last header of the answer */
  readonly headersMs: number
  /** from there to the end of the answer, however steadily bytes arrive */
  readonly bodyMs: number
  /** for everything, including the wait for a free connection */
  readonly overallMs: number
}

/** How much of an answer is read. */
export interface ReadLimits {
  /** more than this is not read */
  readonly mostBytes: number
  /**
   * keeps only this much of the beginning; an answer over `mostBytes` then only ends the connection. If absent, all is kept, and an answer
   * over `mostBytes` is a failure.
   */
  readonly keptBytes?: number | undefined
}

export interface RequestToSend {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Buffer | undefined
  readonly signal?: AbortSignal | undefined
  /** uses a new connection: a kept one may be closing at this very moment */
  readonly fresh?: true | undefined
  /** overrides the default deadlines */
  readonly overallMs?: number | undefined
  readonly mostBytes?: number | undefined
}

/** What all requests of one route share. */
export interface Route extends Deadlines, ReadLimits {
  readonly party: string
  readonly alarms: Alarms
  readonly measured: PartyMetrics
}

const nothing = (): void => {}
/** Defers a callback to its own turn; `queueMicrotask` would cost several times as much. */
const soon = Promise.resolve()

/**
 * One request from the call to its answer or failure. The caller's promise settles at the deadline at once. `whenSettled` is called then,
 * and `whenReleased` when the connection is free too.
 */
export class OneRequest implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>
  whenReleased = nothing
  whenSettled = nothing
  /** its deadline, as `Alarms` reads it */
  dueAt: number
  index: number | undefined = undefined
  readonly #way: Route
  readonly #path: string
  readonly #sending: RequestToSend
  readonly #overallMs: number
  readonly #mostBytes: number
  readonly #beganAt: number
  #answered: (answer: Answer) => void = nothing
  #failed: (failure: OutboundFailure) => void = nothing
  #settled = false
  #released = false
  #timed: FailureName = 'deadline_overall'
  #controller: Dispatcher.DispatchController | undefined
  #status: number | undefined
  #headers: IncomingHttpHeaders = {}
  #chunks: Buffer[] = []
  #bytes = 0
  #giveUp: (() => void) | undefined

  constructor(route: Route, path: string, sending: RequestToSend) {
    const { signal, overallMs = route.overallMs, mostBytes = route.mostBytes } = sending
    this.answer = new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
    })
    this.#way = route
    this.#path = path
    this.#sending = sending
    this.#overallMs = overallMs
    this.#mostBytes = mostBytes
    this.#beganAt = performance.now()
    this.dueAt = this.#beganAt + overallMs
    route.measured.began()
    route.alarms.set(this)
    if (!signal) return
    this.#giveUp = () => this.fail('given_up')
    signal.addEventListener('abort', this.#giveUp)
    if (signal.aborted) this.fail('given_up')
  }

  get settled(): boolean {
    return this.#settled
  }

  get fresh(): boolean {
    return this.#sending.fresh ?? false
  }

  /** Hands the request to a connection. */
  start(client: Dispatcher): void {
    const { method, headers, body = null } = this.#sending
    const asked = {
      method,
      path: this.#path,
      headers: { 'user-agent': 'Risiti', ...headers },
      body,
      reset: this.fresh,
      // The library's own timeouts limit silence; ours limit total time.
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    client.dispatch(asked, this)
    // On an existing connection, writing has begun by now. The library has this timeout too, but checks the clock only about once a second.
    if (!this.#controller && !this.#settled) this.#arm('deadline_connect', this.#way.connectMs)
  }

  fail(outcome: FailureName, reason?: string): void {
    if (this.#settled) return
    const facts = { mayHaveArrived: this.#controller !== undefined, status: this.#status, reason }
    const failure = new OutboundFailure(this.#way.party, outcome, facts)
    this.#failed(failure)
    this.#settle(outcome)
    // Closes the connection too: later bytes on it would count as the answer to another request.
    this.#controller?.abort(failure)
  }

  /** The deadline has passed. If the beginning of an answer is enough, the received part is the answer. */
  expire(): void {
    if (this.#way.keptBytes === undefined || this.#status === undefined) {
      this.fail(this.#timed)
      return
    }
    this.#finish(true)
    this.#controller?.abort(new Error('enough'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      controller.abort(new Error('too late'))
      return
    }
    this.#controller = controller
    this.#arm('deadline_headers', this.#way.headersMs)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An informational reply: the final one must still arrive within the same deadline.
    if (status < 200 || this.#settled) return
    this.#status = status
    this.#headers = headers
    if (this.#way.keptBytes === undefined && Number(headers['content-length']) > this.#mostBytes) this.fail('too_large')
    else this.#arm('deadline_body', this.#way.bodyMs)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    const mostBytes = this.#mostBytes
    const { keptBytes = mostBytes } = this.#way
    const room = keptBytes - this.#bytes
    if (room > 0) this.#chunks.push(room < chunk.length ? chunk.subarray(0, room) : chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= mostBytes) return
    if (this.#way.keptBytes === undefined) this.fail('too_large')
    else {
      this.#finish()
      controller.abort(new Error('enough'))
    }
  }

  /** Released first, so that a caller that reacts to the answer finds the connection free. */
  onResponseEnd(): void {
    this.#release()
    this.#finish()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#release()
    if (this.#settled) return
    const { outcome, reason } = failureFrom(error, this.#controller !== undefined)
    this.fail(outcome, reason)
  }

  #finish(isCut = false): void {
    if (this.#settled) return
    const status = this.#status as number
    // Copied, so that a small beginning does not keep a large buffer in memory.
    const [first, second] = this.#chunks
    const body = first && !second ? Buffer.from(first) : Buffer.concat(this.#chunks)
    this.#answered({ status, headers: this.#headers, body, cut: isCut || this.#bytes > body.length })
    this.#settle(measuredStatus(status))
  }

  /** Starts the deadline of the next part, or the rest of the total if that is shorter. */
  #arm(outcome: FailureName, ms: number): void {
    const endsAt = this.#beganAt + this.#overallMs
    // A part with the same limit as the whole needs no look at the clock.
    const partEndsAt = ms >= this.#overallMs ? endsAt : performance.now() + ms
    this.#timed = partEndsAt < endsAt ? outcome : 'deadline_overall'
    const dueAt = Math.min(partEndsAt, endsAt)
    if (dueAt === this.dueAt) return
    this.dueAt = dueAt
    this.#way.alarms.set(this)
  }

  #settle(outcome: MeasuredOutcome): void {
    this.#settled = true
    this.#way.alarms.clear(this)
    this.#way.measured.ended(outcome, (performance.now() - this.#beganAt) / 1000)
    if (this.#giveUp) this.#sending.signal?.removeEventListener('abort', this.#giveUp)
    this.whenSettled()
  }

  /** In a turn of its own: the library is in the middle of a callback and does not expect another request there. */
  #release(): void {
    if (this.#released) return
    this.#released = true
    void soon.then(() => this.whenReleased())
  }
}
