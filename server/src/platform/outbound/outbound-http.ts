import { createSecureContext, getCACertificates } from 'node:tls'
import { Client } from 'undici'
import { Alarms } from './alarms.ts'
import { connectorOf } from './connecting.ts'
import { createOutboundMetrics } from './metrics.ts'
import { type Answer, type Appetite, type Deadlines, OneRequest } from './one-request.ts'
import { type OriginLimits, Origins } from './origins.ts'
import { ReadUrls, type UrlRules, type Where, whereOf } from './public-urls.ts'
import { type Resolve, resolveByDns, resolveLikeTheSystem } from './resolving.ts'

export { OutboundFailure } from './failures.ts'
export type { Answer } from './one-request.ts'
export {
  anywhere,
  mostUrlCharacters,
  namesAlone,
  publicOnly,
  publicPorts,
  readUrl,
  type UrlFault,
  type UrlRules,
} from './public-urls.ts'

interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** bytes as they are, or text */
  readonly body?: string | Buffer | undefined
  /** the answer may be this long, where it is not what is usual with this party */
  readonly mostBytes?: number | undefined
  /** for all of it, where it is not what is usual on this way */
  readonly overallMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** for whom it is, where a connection that served another is not to be used for them */
  readonly apart?: string | undefined
  /** over a new connection: on one that is kept, a request may be lost without anybody knowing whether it arrived */
  readonly fresh?: true
}

/** Somebody whom the operator named. */
export interface Party {
  /** `path` follows the base address and begins with a slash. Rejects with `OutboundFailure` where there is no answer. */
  send(request: Asked & { readonly path: string }): Promise<Answer>
}

/** Whoever users name. */
export interface Strangers {
  /** Rejects with `OutboundFailure` where there is no answer. */
  send(request: Asked & { readonly url: string }): Promise<Answer>
}

interface Manner extends Partial<Deadlines>, Partial<Appetite>, Partial<OriginLimits> {}

export interface PartyOptions extends Manner {
  /** a fixed address, or one that is asked for at every call: that of a simulator is known only when it listens */
  readonly baseUrl: string | (() => string)
}

export interface OutboundHttp {
  /** The way to somebody whose address the operator configured; it may lie in the operator's own network. */
  party(name: string, options: PartyOptions): Party
  /** The way to addresses that users give, under rules that are held when a connection is made. */
  public(name: string, rules: UrlRules, manner?: Manner): Strangers
  /** as Prometheus reads them */
  metrics(): Promise<string>
  close(): Promise<void>
}

export interface OutboundOptions {
  /** certificates to trust besides those that come with Node, in PEM */
  readonly extraCa?: readonly string[]
  /** for the names of parties */
  readonly resolve?: Resolve
  /** for the names that users give */
  readonly resolvePublic?: Resolve
}

const usual = {
  connectMs: 5_000,
  headersMs: 20_000,
  bodyMs: 10_000,
  overallMs: 30_000,
  mostBytes: 256 * 1024,
  keptBytes: undefined,
  connections: 16,
  mostWaiting: 256,
  mostOrigins: 512,
} as const

const mostHeaderBytes = 16 * 1024
/** Servers close what is idle after five seconds at the earliest; closed here first, no request meets a closing door. */
const keptIdleMs = 4_000
const mostKeptIdleMs = 30_000

/**
 * The one door out: every HTTP request that leaves this process leaves here. It is sent once: no redirect is followed, for that
 * would take keys and bodies elsewhere, and nothing is repeated, for only whoever asked knows whether it may be.
 */
export function createOutbound(options: OutboundOptions = {}): OutboundHttp {
  const { extraCa = [], resolve = resolveLikeTheSystem, resolvePublic = resolveByDns() } = options
  const metrics = createOutboundMetrics()
  // Made once: reading a hundred certificates for every connection would cost more than the request.
  const secureContext = createSecureContext(
    extraCa.length === 0 ? {} : { ca: [...getCACertificates('default'), ...extraCa] },
  )
  const alarms = new Alarms()
  const all = new Set<Origins>()
  let closed = false

  /** Nobody shares connections with another name: what a user may reach is not reached over a party's connection. */
  function way(party: string, manner: Manner, look: Resolve, allowsAddress: (address: string) => boolean) {
    const measured = metrics.of(party)
    const how = { ...usual, ...manner, party, alarms, measured }
    const connect = connectorOf({
      resolve: look,
      allowsAddress,
      connectMs: how.connectMs,
      secureContext,
      onConnected: () => measured.connected(),
    })
    const newClient = (origin: string) =>
      new Client(origin, {
        connect,
        allowH2: false,
        pipelining: 1,
        maxHeaderSize: mostHeaderBytes,
        keepAliveTimeout: keptIdleMs,
        keepAliveMaxTimeout: mostKeptIdleMs,
      })
    const origins = new Origins(newClient, how)
    if (closed) void origins.close()
    all.add(origins)

    /** Passes the request's own promise on: each layer that waited for the next would cost as much as counting and timing together. */
    return (where: Where | undefined, asked: Asked): Promise<Answer> => {
      const request = new OneRequest(how, where?.path ?? '', asked)
      if (!where) request.fail('refused_address')
      else if (!request.settled) origins.take(where.origin, request, asked.apart)
      return request.answer
    }
  }

  return {
    party(name, { baseUrl, ...manner }) {
      const send = way(name, manner, resolve, () => true)
      return {
        async send(asked) {
          return send(below(typeof baseUrl === 'string' ? baseUrl : baseUrl(), asked.path), asked)
        },
      }
    },
    public(name, rules, manner = {}) {
      const send = way(name, manner, resolvePublic, (address) => rules.allowsAddress(address))
      const read = new ReadUrls(rules)
      return { send: (asked) => send(read.at(asked.url), asked) }
    },
    metrics: metrics.text,
    async close() {
      closed = true
      await Promise.all([...all].map((origins) => origins.close()))
    },
  }
}

/** The path below the base address. One that would climb out of it, or lengthen the name of the host, leads nowhere. */
function below(baseUrl: string, path: string): Where | undefined {
  const base = URL.parse(baseUrl)?.href.replace(/\/+$/, '')
  const url = base === undefined ? null : URL.parse(`${base}${path}`)
  return url?.href.startsWith(`${base}/`) ? whereOf(url) : undefined
}
