import { setTimeout as wait } from 'node:timers/promises'
import type { Authority, ReportingAuthority, SignAnswer, Unclear } from '../../server/src/jurisdictions/port.ts'

/** How one request goes: in order, or as badly as requests go. */
export type Manner =
  | 'well'
  /** carried out, and the answer is lost */
  | 'reply_lost'
  /** carried out, and answered with a failure of its own */
  | 'applied_then_500'
  /** not carried out, and answered with a failure of its own */
  | 'error'
  /** not a byte arrives */
  | 'refused_connection'
  | 'nonsense'
  /** never answered, never carried out */
  | 'silent'

export interface Registered {
  readonly bytes: Buffer
  readonly at: number
  transmitted: boolean
  delivered: boolean
}

export interface ReportingDouble {
  /** stands in for the part of an authority that documents are reported to */
  through(authority: Authority): Authority
  readonly registered: ReadonlyMap<string, Registered>
  /** how often each document was registered: never more than once, if we do it right */
  readonly registrations: ReadonlyMap<string, number>
  /** everything that was asked */
  readonly asked: { readonly what: string; readonly reference: string }[]
  manners: (what: 'sign' | 'lookup' | 'transmit' | 'download', reference: string) => Manner
  /** the authority's no to a document */
  refuses: (reference: string) => string | undefined
  /** lookups do not know of what came in so recently */
  staleMs: number
  latencyMs: number
  /** what a request about a document waits for, beside that */
  latencyOf: ((reference: string) => Promise<void>) | undefined
  isHealthy: boolean
  /** how often it was asked whether it is well */
  probes: number
  /** it goes to the buyer as soon as it is asked to */
  transmits: boolean
}

const unclear = (reason: Unclear['reason'], countsAgainstHealth = true): Unclear => ({
  kind: 'unclear',
  reason,
  why: `the authority: ${reason}`,
  told: [],
  countsAgainstHealth,
})
const referenceIn = (bytes: Buffer): string => (JSON.parse(bytes.toString()) as { irn: string }).irn

/**
 * An authority in memory, behind the port: it registers each document once, refuses a second time in the words that it also has for
 * its own troubles, and behaves as badly as it is told. It keeps count: what it registered is the oracle.
 */
export function reportingDouble(): ReportingDouble {
  const registered = new Map<string, Registered>()
  const registrations = new Map<string, number>()
  const asked: { what: string; reference: string }[] = []
  const double = {
    registered,
    registrations,
    asked,
    manners: () => 'well',
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
  ): Promise<Manner> {
    asked.push({ what, reference })
    if (double.latencyMs > 0) await wait(double.latencyMs)
    if (double.latencyOf) await Promise.race([double.latencyOf(reference), aborted(signal)])
    const how = double.manners(what, reference)
    if (how === 'silent' || how === 'reply_lost') await Promise.race([wait(25), aborted(signal)])
    return how
  }
  const aborted = (signal: AbortSignal) => new Promise((done) => signal.addEventListener('abort', done, { once: true }))
  const broken = (how: Manner): Unclear | undefined => {
    if (how === 'silent' || how === 'reply_lost') return unclear('no_answer')
    if (how === 'error' || how === 'applied_then_500') return unclear('server_error')
    return how === 'nonsense' ? unclear('not_protocol') : undefined
  }
  const notSent = { kind: 'not_sent', why: 'no connection', countsAgainstHealth: true } as const
  const isKnown = (reference: string): Registered | undefined => {
    const found = registered.get(reference)
    return found && Date.now() - found.at >= double.staleMs ? found : undefined
  }

  function register(bytes: Buffer): SignAnswer {
    const reference = referenceIn(bytes)
    const refusal = double.refuses(reference)
    if (refusal !== undefined) return { kind: 'refused', told: [refusal] }
    if (registered.has(reference)) return unclear('ambiguous', false)
    registered.set(reference, { bytes, at: Date.now(), transmitted: false, delivered: false })
    registrations.set(reference, (registrations.get(reference) ?? 0) + 1)
    return { kind: 'signed' }
  }

  const reporting: Pick<ReportingAuthority, 'sign' | 'lookup' | 'transmit' | 'download'> = {
    async sign(bytes, signal) {
      const how = await manner('sign', referenceIn(bytes), signal)
      if (how === 'refused_connection') return notSent
      if (how === 'error' || how === 'silent' || how === 'nonsense') return broken(how) as Unclear
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
      return broken(how) ?? (found ? { kind: 'transmitted' } : { kind: 'refused', told: ['no such invoice'] })
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
