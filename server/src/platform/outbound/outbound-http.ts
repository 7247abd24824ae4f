import { createSecureContext, getCACertificates } from 'node:tls'
import { Client } from 'undici'
import type { Tracer } from '../tracing/tracer.ts'
import { Alarms } from './alarms.ts'
import { connectorOf } from './connecting.ts'
import { OutboundFailure } from './failures.ts'
import { createOutboundMetrics } from './metrics.ts'
import { type Answer, type Deadlines, OneRequest, type ReadLimits } from './one-request.ts'
import { type OriginLimits, Origins } from './origins.ts'
import { targetOf, UrlCache, type UrlRules, type UrlTarget } from './public-urls.ts'
import { type Resolve, resolveByDns, resolveLikeTheSystem } from './resolving.ts'

interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** bytes, or text */
  readonly body?: string | Buffer | undefined
  /** the longest answer, if it differs from the party's default */
  readonly mostBytes?: number | undefined
  /** the total deadline, if it differs from the route's default */
  readonly overallMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** the owner, if connections must not be shared with other owners */
  readonly apart?: string | undefined
  /** uses a new connection: on a kept one, a request may be lost without anyone knowing whether it arrived */
  readonly fresh?: true
}

/** A party that the operator configured. */
export interface Party {
  /** `path` follows the base address and begins with a slash. Rejects with `OutboundFailure` if there is no answer. */
  send(request: OutboundRequest & { readonly path: string }): Promise<Answer>
}

/** An address that a user gave. */
export interface PublicAddresses {
  /** Rejects with `OutboundFailure` if there is no answer. */
  send(request: OutboundRequest & { readonly url: string }): Promise<Answer>
}

interface RequestOptions extends Partial<Deadlines>, Partial<ReadLimits>, Partial<OriginLimits> {}

export interface PartyOptions extends RequestOptions {
  /** a fixed address, or a function called for each request: a simulator's address is known only when it listens */
  readonly baseUrl: string | (() => string)
}

export interface OutboundHttp {
  /** The route to a party that the operator configured; its address may be private. */
  party(name: string, options: PartyOptions): Party
  /** The route to addresses that users give, whose rules are checked at each connection. */
  public(name: string, rules: UrlRules, requestOptions?: RequestOptions): PublicAddresses
  /** in the Prometheus text format */
  metrics(): Promise<string>
  close(): Promise<void>
}

export interface OutboundOptions {
  /** certificates to trust in addition to Node's own, in PEM */
  readonly extraCa?: readonly string[]
  /** makes a span of each request, and sends its trace on */
  readonly tracer?: Tracer | undefined
  /** resolves the names of parties */
  readonly resolve?: Resolve
  /** resolves the names that users give */
  readonly resolvePublic?: Resolve
}

const defaults = {
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
/**
 * Servers close idle connections after five seconds at the earliest. We close them earlier, so that no request meets a closing connection.
 */
const keptIdleMs = 4_000
const mostKeptIdleMs = 30_000

/**
 * The only HTTP client: every outbound request of this process uses it. A request is sent once. Redirects are not followed, because they
 * would send keys and bodies elsewhere. Nothing is retried, because only the caller knows whether that is safe.
 */
export function createOutbound(options: OutboundOptions = {}): OutboundHttp {
  const { extraCa = [], resolve = resolveLikeTheSystem, resolvePublic = resolveByDns(), tracer } = options
  const metrics = createOutboundMetrics()
  // Created once: parsing a hundred certificates for every connection would cost more than the request.
  const secureContext = createSecureContext(
    extraCa.length === 0 ? {} : { ca: [...getCACertificates('default'), ...extraCa] },
  )
  const alarms = new Alarms()
  const all = new Set<Origins>()
  let closed = false

  /** Routes never share connections, so an address of a user is not reached over a party's connection. */
  function route(
    party: string,
    requestOptions: RequestOptions,
    look: Resolve,
    allowsAddress: (address: string) => boolean,
  ) {
    const measured = metrics.of(party)
    const how = { ...defaults, ...requestOptions, party, alarms, measured }
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

    /** Returns the request's own promise: each further layer would cost as much as counting and timing together. */
    const send = (where: UrlTarget | undefined, asked: OutboundRequest): Promise<Answer> => {
      const request = new OneRequest(how, where?.path ?? '', asked)
      if (!where) request.fail('refused_address')
      else if (!request.settled) origins.take(where.origin, request, asked.apart)
      return request.answer
    }
    return tracer ? traced(tracer, party, send) : send
  }

  return {
    party(name, { baseUrl, ...requestOptions }) {
      const send = route(name, requestOptions, resolve, () => true)
      return {
        async send(asked) {
          return send(below(typeof baseUrl === 'string' ? baseUrl : baseUrl(), asked.path), asked)
        },
      }
    },
    public(name, rules, requestOptions = {}) {
      const send = route(name, requestOptions, rules.resolve ?? resolvePublic, (address) =>
        rules.allowsAddress(address),
      )
      const read = new UrlCache(rules)
      return { send: (asked) => send(read.at(asked.url), asked) }
    },
    metrics: metrics.text,
    async close() {
      closed = true
      await Promise.all([...all].map((origins) => origins.close()))
    },
  }
}

type Send = (where: UrlTarget | undefined, asked: OutboundRequest) => Promise<Answer>

/** Requests as spans. Paths are left out: the address of a webhook may contain a secret. */
const traced =
  (tracer: Tracer, party: string, send: Send): Send =>
  (where, asked) => {
    const host = where && new URL(where.origin).hostname
    const attributes = { 'http.request.method': asked.method, 'server.address': host, 'risiti.party': party }
    const span = tracer.start(asked.method, 'client', attributes)
    const sent = send(where, { ...asked, headers: { ...asked.headers, traceparent: span.traceparent } })
    sent.then(
      ({ status }) => span.end({ 'http.response.status_code': status }),
      (error: unknown) => span.end({}, error instanceof OutboundFailure ? error.outcome : 'error'),
    )
    return sent
  }

/** The URL below the base address. A path that leaves the base address or extends the host name is refused. */
function below(baseUrl: string, path: string): UrlTarget | undefined {
  const base = URL.parse(baseUrl)?.href.replace(/\/+$/, '')
  const url = base === undefined ? null : URL.parse(`${base}${path}`)
  return url?.href.startsWith(`${base}/`) ? targetOf(url) : undefined
}
