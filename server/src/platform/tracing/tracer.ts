import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export type Attributes = Readonly<Record<string, string | number | undefined>>
export type SpanKind = 'server' | 'client' | 'consumer'

/** A span that has ended. Times are in microseconds since 1970. */
export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  readonly beganAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  /** why it failed; `undefined` if it did not */
  readonly failure: string | undefined
}

/** What a span inherits: from a span of ours, or from the caller's header. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** One request, statement, outgoing call or job. */
export interface Span extends SpanContext {
  /** the header for requests that belong to this span */
  readonly traceparent: string
  end(attributes?: Attributes, failure?: string): void
}

const header = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** The `traceparent` of W3C Trace Context; `undefined` if there is none, or it is invalid. */
export function readTraceparent(text: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = (typeof text === 'string' && header.exec(text)) || []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags as string, 16) & 1) === 1 }
}

const nowMicros = (): number => Math.round((performance.timeOrigin + performance.now()) * 1_000)
const newHex = (bytes: number): string => randomBytes(bytes).toString('hex')

export class Tracer {
  readonly #current = new AsyncLocalStorage<Span>()
  readonly #share: number
  readonly #ended: (span: EndedSpan) => void

  /** `share` is the part of traces that is sent, from 0 to 1. */
  constructor(share: number, ended: (span: EndedSpan) => void) {
    this.#share = share
    this.#ended = ended
  }

  /** A span below the current one, or below a caller's; otherwise the first of a new trace. */
  start(name: string, kind: SpanKind, attributes: Attributes = {}, caller?: SpanContext): Span {
    const parent = this.#current.getStore() ?? caller
    const traceId = parent?.traceId ?? newHex(16)
    const spanId = newHex(8)
    // A caller outside may be anybody, so the share applies to its traces too. It can choose an id that is in the share.
    const isSampled = (parent?.isSampled ?? true) && this.#isInShare(traceId)
    const beganAt = nowMicros()
    return {
      traceId,
      spanId,
      isSampled,
      traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
      end: (more, failure) => {
        if (!isSampled) return
        const facts = { traceId, spanId, parentId: parent?.spanId, name, kind, beganAt, endedAt: nowMicros(), failure }
        this.#ended({ ...facts, attributes: { ...attributes, ...more } })
      },
    }
  }

  /** Everything that the body starts belongs to the span. */
  within<Result>(span: Span, body: () => Result): Result {
    return this.#current.run(span, body)
  }

  /** Runs the body as a span that ends with it. */
  async trace<Result>(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    body: () => Promise<Result>,
  ): Promise<Result> {
    const span = this.start(name, kind, attributes)
    try {
      const result = await this.within(span, body)
      span.end()
      return result
    } catch (error) {
      span.end({}, error instanceof Error ? error.name : 'error')
      throw error
    }
  }

  /** Like `trace`, but only below a span that is sent. */
  traceInside<Result>(
    name: string,
    kind: SpanKind,
    attributes: () => Attributes,
    body: () => Promise<Result>,
  ): Promise<Result> {
    return this.#current.getStore()?.isSampled ? this.trace(name, kind, attributes(), body) : body()
  }

  /** The last bytes of a trace id are random, as the specification of OpenTelemetry has it. */
  #isInShare(traceId: string): boolean {
    return this.#share >= 1 || Number.parseInt(traceId.slice(-8), 16) < this.#share * 2 ** 32
  }
}
