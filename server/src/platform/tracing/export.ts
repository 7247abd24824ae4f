import type { Logger } from '../logger.ts'
import type { Attributes, EndedSpan, SpanKind } from './tracer.ts'

const sendEveryMs = 2_000
const mostPerRequest = 512
/** More waiting spans than this are dropped. */
const mostWaiting = 4_096
const warnEveryMs = 60_000

const kinds: Readonly<Record<SpanKind, number>> = { server: 2, client: 3, consumer: 5 }

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }]
  })

/** Nanoseconds as text, as OTLP writes 64-bit numbers. */
const nanosOf = (micros: number): string => `${micros}000`

const errorStatus = 2

function spanOf({ traceId, spanId, parentId, name, kind, beganAt, endedAt, attributes, failure }: EndedSpan) {
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanosOf(beganAt),
    endTimeUnixNano: nanosOf(endedAt),
    attributes: attributesOf(attributes),
    status: failure === undefined ? {} : { code: errorStatus, message: failure },
  }
}

/** The body of a request of OTLP/HTTP as JSON. */
export const otlpText = (resource: Attributes, spans: readonly EndedSpan[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'risiti' }, spans: spans.map(spanOf) }],
      },
    ],
  })

export interface TraceExport {
  add(span: EndedSpan): void
  /** sends what is left */
  close(): Promise<void>
}

/** Sends ended spans every two seconds. Spans that the collector does not take are dropped: they must never fill the memory. */
export function startExport(resource: Attributes, send: (body: string) => Promise<void>, log: Logger): TraceExport {
  const waiting: EndedSpan[] = []
  let dropped = 0
  let warnedAt = Number.NEGATIVE_INFINITY
  let sending: Promise<void> | undefined

  async function sendAll(): Promise<void> {
    for (let round = 0; round < mostWaiting / mostPerRequest && waiting.length > 0; round++) {
      const some = waiting.splice(0, mostPerRequest)
      try {
        await send(otlpText(resource, some))
      } catch (error) {
        dropped += some.length
        warn(error)
        return
      }
    }
  }

  function warn(error: unknown): void {
    if (performance.now() - warnedAt < warnEveryMs) return
    warnedAt = performance.now()
    log.warn('traces.not_sent', { count: dropped, error })
    dropped = 0
  }

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(flush, sendEveryMs)
  timer.unref()
  return {
    add(span) {
      if (waiting.length < mostWaiting) waiting.push(span)
      else dropped++
    },
    async close() {
      clearInterval(timer)
      await sending
      await flush()
    },
  }
}
