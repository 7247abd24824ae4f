import type { TraceSettings } from '../platform/config.ts'
import type { Logger } from '../platform/logger.ts'
import { createOutbound } from '../platform/outbound/outbound-http.ts'
import { startExport } from '../platform/tracing/export.ts'
import { type Attributes, Tracer } from '../platform/tracing/tracer.ts'

export interface Tracing {
  readonly tracer: Tracer
  close(): Promise<void>
}

/** A collector that does not reply must not use up the time that the process has for its end. */
const closeWithinMs = 2_000

/** Traces of this process, sent to the collector of the operator. */
export function startTracing(
  { endpoint, headers, share }: TraceSettings,
  resource: Attributes,
  { log, extraCa }: { readonly log: Logger; readonly extraCa: readonly string[] },
): Tracing {
  // An outbound client without a tracer, because sending spans must not make new spans.
  const outbound = createOutbound({ extraCa })
  const collector = outbound.party('traces', { baseUrl: endpoint, overallMs: 10_000 })
  const exported = startExport(
    resource,
    async (body) => {
      const asked = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body } as const
      const { status } = await collector.send({ ...asked, path: '/v1/traces' })
      if (status >= 300) throw new Error(`the collector replied ${status}`)
    },
    log,
  )
  return {
    tracer: new Tracer(share, (span) => exported.add(span)),
    async close() {
      // Without its connections, the sending ends at once.
      const cut = setTimeout(() => void outbound.close(), closeWithinMs)
      await exported.close()
      clearTimeout(cut)
      await outbound.close()
    },
  }
}
