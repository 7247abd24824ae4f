import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type FailureName, failureFrom, OutboundFailure } from './failures.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** as it came: nothing is unpacked, for nothing packed was asked for */
  readonly body: Buffer
  /** there was more of it than was to be kept */
  readonly cut: boolean
}

export interface Deadlines {
  /** for the name, the connection and TLS together */
  readonly connectMs: number
  /** from the first byte of the request to the last header of the answer */
  readonly headersMs: number
  /** from there to the end of the answer, however steadily it drips */
  readonly bodyMs: number
  /** for all of it, waiting for a free connection included */
  readonly overallMs: number
}

/** How much of an answer is read. */
export interface Appetite {
  /** more than this is not read */
  readonly mostBytes: number
  /**
   * so much of the beginning is kept, and what goes beyond `mostBytes` only ends the connection. Where it is not said, all is
   * kept, and more than `mostBytes` is no answer.
   */
  readonly keptBytes?: number | undefined
}

export interface Sending {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
  readonly signal: AbortSignal | undefined
  /** over a connection that nothing else has used: one that is kept may be closing at this very moment */
  readonly fresh: boolean
}

/**
 * One request from the moment it is asked for to its answer or failure. Whoever asked is told at once when time is up;
 * `whenSettled` tells that this has happened, and `whenReleased` that the connection is done with it too.
 */
export class OneRequest implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>
  whenReleased: () => void = () => {}
  whenSettled: () => void = () => {}
  readonly #party: string
  readonly #sending: Sending
  readonly #deadlines: Deadlines
  readonly #appetite: Appetite
  readonly #endsAt: number
  readonly #answered: (answer: Answer) => void
  readonly #failed: (failure: OutboundFailure) => void
  #settled = false
  #released = false
  #timer: NodeJS.Timeout | undefined
  #timed: FailureName | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status: number | undefined
  #headers: IncomingHttpHeaders = {}
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(party: string, sending: Sending, deadlines: Deadlines, appetite: Appetite) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.answer = promise
    this.#answered = resolve
    this.#failed = reject
    this.#party = party
    this.#sending = sending
    this.#deadlines = deadlines
    this.#appetite = appetite
    this.#endsAt = performance.now() + deadlines.overallMs
    this.#arm('deadline_overall', deadlines.overallMs)
    sending.signal?.addEventListener('abort', this.#giveUp)
    if (sending.signal?.aborted) this.fail('given_up')
  }

  get settled(): boolean {
    return this.#settled
  }

  get fresh(): boolean {
    return this.#sending.fresh
  }

  /** Hands it to a connection. */
  start(client: Dispatcher): void {
    const { method, path, headers, body = null, fresh: reset } = this.#sending
    // The library's own deadlines watch over silence; ours watch over time.
    client.dispatch({ method, path, headers, body, reset, headersTimeout: 0, bodyTimeout: 0 }, this)
    // On a connection that is there it has begun by now. The library has this deadline too, but looks at the clock about once a second.
    if (!this.#controller && !this.#settled) this.#arm('deadline_connect', this.#deadlines.connectMs)
  }

  fail(outcome: FailureName, reason?: string): void {
    if (this.#settled) return
    const facts = { mayHaveArrived: this.#controller !== undefined, status: this.#status, reason }
    const failure = new OutboundFailure(this.#party, outcome, facts)
    this.#failed(failure)
    this.#settle()
    // Ends the connection too: what comes on it now would be taken for the answer to something else.
    this.#controller?.abort(failure)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      controller.abort(new Error('too late'))
      return
    }
    this.#controller = controller
    this.#arm('deadline_headers', this.#deadlines.headersMs)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // The real one is still to come, and has no more time for it.
    if (status < 200 || this.#settled) return
    this.#status = status
    this.#headers = headers
    const { keptBytes, mostBytes } = this.#appetite
    if (keptBytes === undefined && Number(headers['content-length']) > mostBytes) this.fail('too_large')
    else this.#arm('deadline_body', this.#deadlines.bodyMs)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    const { mostBytes, keptBytes = mostBytes } = this.#appetite
    const room = keptBytes - this.#bytes
    if (room > 0) this.#chunks.push(room < chunk.length ? chunk.subarray(0, room) : chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= mostBytes) return
    if (this.#appetite.keptBytes === undefined) this.fail('too_large')
    else {
      this.#finish()
      controller.abort(new Error('enough'))
    }
  }

  /** Released first: whoever is told of the answer and asks again finds the connection free. */
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

  readonly #giveUp = (): void => this.fail('given_up')

  #finish(): void {
    if (this.#settled) return
    // Copied together, so that a small beginning does not keep a large piece of memory alive.
    const body = Buffer.concat(this.#chunks)
    this.#answered({
      status: this.#status as number,
      headers: this.#headers,
      body,
      cut: this.#bytes > body.length,
    })
    this.#settle()
  }

  /** Starts the time of the next part, or what is left of the whole if that is shorter. */
  #arm(outcome: FailureName, ms: number): void {
    const left = this.#endsAt - performance.now()
    const [name, time]: [FailureName, number] = left < ms ? ['deadline_overall', left] : [outcome, ms]
    // The timer of the whole runs on: most requests need no other.
    if (name === 'deadline_overall' && this.#timed === name) return
    clearTimeout(this.#timer)
    this.#timed = name
    this.#timer = setTimeout(() => this.fail(name), Math.max(0, time))
  }

  #settle(): void {
    this.#settled = true
    clearTimeout(this.#timer)
    this.#sending.signal?.removeEventListener('abort', this.#giveUp)
    this.whenSettled()
  }

  /** In a moment of its own: the library is in the middle of something, and does not expect another request there. */
  #release(): void {
    if (this.#released) return
    this.#released = true
    queueMicrotask(() => this.whenReleased())
  }
}
