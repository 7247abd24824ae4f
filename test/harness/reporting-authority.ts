import { setTimeout as wait } from 'node:timers/promises'
import type { Authority, ReportingAuthority, SignAnswer, UnclearAnswer } from '../../server/src/jurisdictions/port.ts'

/** How one request ends: normally, or with one of these failures. */
export type RequestBehaviour =
  | 'well'
  /** carried out, and the reply is lost */
  | 'reply_lost'
  /** carried out, but answered with a server error */
  | 'applied_then_500'
  /** not carried out, and answered with a server error */
  | 'error'
  /** not a byte arrives */
  | 'refused_connection'
  | 'nonsense'
  /** never answered, never carried out */
  | 'silent'

export interface RegisteredDocument {
  readonly bytes: Buffer
  readonly at: number
  transmitted: boolean
  delivered: boolean
}

export interface ReportingDouble {
  /** replaces the submission calls of an authority's client */
  through(authority: Authority): Authority
  readonly registered: ReadonlyMap<string, RegisteredDocument>
  /** registrations per document, which must never exceed one */
  readonly registrations: ReadonlyMap<string, number>
  /** all requests */
  readonly asked: { readonly what: string; readonly reference: string }[]
  behaviourOf: (what: 'sign' | 'lookup' | 'transmit' | 'download', reference: string) => RequestBehaviour
  /** the authority's reason to reject a document, if any */
  refuses: (reference: string) => string | undefined
  /** lookups do not find documents that are newer than this */
  staleMs: number
  latencyMs: number
  /** extra wait of a request about a document */
  latencyOf: ((reference: string) => Promise<void>) | undefined
  isHealthy: boolean
  /** number of health checks */
  probes: number
  /** whether it transmits to the buyer on request */
  transmits: boolean
}

const unclear = (reason: UnclearAnswer['reason'], countsAgainstHealth = true): UnclearAnswer => ({
  kind: 'unclear',
  reason,
  why: `the authority: ${reason}`,
  messages: [],
  countsAgainstHealth,
})
const referenceIn = (bytes: Buffer): string => (JSON.parse(bytes.toString()) as { irn: string }).irn

/**
 * An in-memory authority behind the port. It registers each document once. It refuses a duplicate with the same words
 * as its own failures, and it fails on demand. Its registrations are the oracle of the tests.
 */
export function reportingDouble(): ReportingDouble {
  const registered = new Map<string, RegisteredDocument>()
  const registrations = new Map<string, number>()
  const asked: { what: string; reference: string }[] = []
  const double = {
    registered,
    registrations,
    asked,
    behaviourOf: () => 'well',
    refuses: () => undefined,
    staleMs: 0,
    latencyMs: 0,
    latencyOf: undefined,
    isHealthy: true,
    probes: 0,
    transmits: true,
  } as Omit<ReportingDouble, 'through'> as ReportingDouble

  async function manner(
    what: 'sign' | 'lookup' | 'transmit' | 'download',
    reference: string,
    signal: AbortSignal,
  ): Promise<RequestBehaviour> {
    asked.push({ what, reference })
    if (double.latencyMs > 0) await wait(double.latencyMs)
    if (double.latencyOf) await Promise.race([double.latencyOf(reference), aborted(signal)])
    const how = double.behaviourOf(what, reference)
    if (how === 'silent' || how === 'reply_lost') await Promise.race([wait(25), aborted(signal)])
    return how
  }
  const aborted = (signal: AbortSignal) => new Promise((done) => signal.addEventListener('abort', done, { once: true }))
  const broken = (how: RequestBehaviour): UnclearAnswer | undefined => {
    if (how === 'silent' || how === 'reply_lost') return unclear('no_answer')
    if (how === 'error' || how === 'applied_then_500') return unclear('server_error')
    return how === 'nonsense' ? unclear('not_protocol') : undefined
  }
  const notSent = { kind: 'not_sent', why: 'no connection', countsAgainstHealth: true } as const
  const isKnown = (reference: string): RegisteredDocument | undefined => {
    const found = registered.get(reference)
    return found && Date.now() - found.at >= double.staleMs ? found : undefined
  }

  function register(bytes: Buffer): SignAnswer {
    const reference = referenceIn(bytes)
    const refusal = double.refuses(reference)
    if (refusal !== undefined) return { kind: 'refused', messages: [refusal] }
    if (registered.has(reference)) return unclear('ambiguous', false)
    registered.set(reference, { bytes, at: Date.now(), transmitted: false, delivered: false })
    registrations.set(reference, (registrations.get(reference) ?? 0) + 1)
    return { kind: 'signed' }
  }

  const reporting: Pick<ReportingAuthority, 'sign' | 'lookup' | 'transmit' | 'download'> = {
    async sign(bytes, signal) {
      const how = await manner('sign', referenceIn(bytes), signal)
      if (how === 'refused_connection') return notSent
      if (how === 'error' || how === 'silent' || how === 'nonsense') return broken(how) as UnclearAnswer
      const answer = register(bytes)
      return broken(how) ?? answer
    },
    async lookup(reference, signal) {
      const how = await manner('lookup', reference, signal)
      if (how !== 'well') return broken(how) ?? unclear('no_answer')
      const found = isKnown(reference)
      if (!found) return { kind: 'absent' }
      const { transmitted, delivered } = found
      return { kind: 'found', transmitted, delivered, paymentStatus: 'pending', registeredOn: undefined }
    },
    async transmit(reference, signal) {
      const how = await manner('transmit', reference, signal)
      if (how === 'refused_connection') return notSent
      const found = registered.get(reference)
      if (found && double.transmits && how !== 'error' && how !== 'silent') found.transmitted = true
      return broken(how) ?? (found ? { kind: 'transmitted' } : { kind: 'refused', messages: ['no such invoice'] })
    },
    async download(reference, signal) {
      const how = await manner('download', reference, signal)
      if (how !== 'well') return broken(how) ?? unclear('no_answer')
      const found = isKnown(reference)
      return found ? { kind: 'downloaded', bytes: found.bytes } : { kind: 'absent' }
    },
  }
  return Object.assign(double, {
    through: (authority: Authority): Authority => ({
      ...authority,
      ...reporting,
      isHealthy: async () => {
        double.probes++
        return double.isHealthy
      },
    }),
  })
}
