import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify'
import { Refusal, type RefusalName, refuse } from '../../kernel/refusals.ts'
import type { TrustedProxies } from '../../platform/config.ts'
import { isPassingFailure, isSerializationFailure } from '../../platform/database/database.ts'
import type { LimitState } from '../../platform/limits/rate-limits.ts'
import type { Tracer } from '../../platform/tracing/tracer.ts'
import type { Form } from '../definitions/form.ts'
import { CommonHead, hasLimitHeaders, sayRequestId, setLimitHeaders } from '../reply/common-head.ts'
import { metaOf, refusedReply } from '../reply/envelope.ts'
import { asksForPage, pageOfRefusal } from '../reply/for-people.ts'
import { sendPacked } from '../reply/packed-reply.ts'
import { giveReason, reasonOf, Unavailable } from '../reply/unavailable.ts'
import { BodyBudget } from '../request/body-budget.ts'
import { readBody, tooManyPieces } from '../request/body-reader.ts'
import { clientAddressReader } from '../request/client-address.ts'
import { addressLimit, count } from '../request/counting.ts'
import { parseJsonBody } from '../request/json-body.ts'
import { callerFields, noteForItsOrganisation } from '../request/note-request.ts'
import { parseQuery } from '../request/query.ts'
import { SessionCookies } from '../request/session-cookies.ts'
import { pageHeaders } from '../shared-page/page-headers.ts'
import { cutOffSlowReaders, keepTrackOfConnections, openConnections } from './connections.ts'
import { isGone } from './gone-callers.ts'
import { createLongPolls, type LongPollBounds } from './long-polls.ts'
import { type HttpParts, mount } from './mount.ts'
import { TimeLimit } from './time-limit.ts'
import { traceRequests } from './trace-requests.ts'
import { type ServedRoute, whereItLives } from './unknown-route.ts'

const mebibyte = 1024 * 1024
const usualBodyBytes = 64 * mebibyte

/** Monitoring asks these every few seconds. */
const isProbe = (route: string | undefined): boolean => route !== undefined && probes.has(route)
const probes: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics'])

const processName = randomBytes(9).toString('base64url')
let requests = 0
/** Unique over all nodes, and cheap, because every request has one. */
const newRequestId = (): string => `${processName}-${(++requests).toString(36)}`

/**
 * The HTTP server with both forms, or with none for a worker, which only serves health pages. Even then a form provides the words of
 * refusals. Plain pages are added by their own files before the server listens.
 */
export function createServer(
  forms: readonly Form[],
  parts: HttpParts & {
    readonly trustProxy: TrustedProxies | undefined
    readonly secureOrigin: boolean
    /** the public origin, without a path */
    readonly publicOrigin?: string | undefined
    readonly unavailable?: Unavailable
    /** makes a span of each request */
    readonly tracer?: Tracer | undefined
    readonly timeLimitMs?: number
    /** how long a connection may make no progress, such as one whose client does not read */
    readonly silenceMs?: number
    /** how long a client may take to read a reply, however steadily it reads */
    readonly readWithinMs?: number
    /** the bytes of request bodies in memory */
    readonly bodyBytes?: number
    /** the requests that may wait for events */
    readonly longPolls?: LongPollBounds
  },
  mounted: readonly Form[] = forms,
): FastifyInstance {
  const { runtime, unavailable = new Unavailable(runtime.log), timeLimitMs = 30_000 } = parts
  const { silenceMs = 40_000, readWithinMs = 600_000, bodyBytes = usualBodyBytes } = parts
  const head = new CommonHead({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(parts.secureOrigin ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  })
  const sessionCookies = new SessionCookies({ secure: parts.secureOrigin, publicOrigin: parts.publicOrigin })
  const addressOf = clientAddressReader(parts.trustProxy)
  const server = Fastify({
    logger: false,
    bodyLimit: mebibyte,
    requestTimeout: 30_000,
    // Longer than the limits for sending a request and for its reply.
    connectionTimeout: silenceMs,
    keepAliveTimeout: 65_000,
    // For a duplicate of a single-value header Node would keep the first, while a proxy may have read the last. Joined, the values are not
    // a valid host, token or media type.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      ServerResponse: head.Response,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    genReqId: (raw) => {
      const given = raw.headers['x-request-id']
      return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : newRequestId()
    },
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: true, querystringParser: parseQuery },
    clientErrorHandler: answerBrokenHttp,
    // Hooks and decorations do not apply to these requests.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
  })
  keepTrackOfConnections(server)
  cutOffSlowReaders(server, readWithinMs)
  if (parts.tracer) traceRequests(server, parts.tracer)

  server.decorate('bodyBudget', new BodyBudget(bodyBytes))
  server.decorateRequest('response', undefined)
  server.decorateRequest('caller', undefined)
  server.decorateRequest('tokenCaller', undefined)
  server.decorateRequest('refused', undefined)
  server.decorateRequest('bySessionCookie', false)
  server.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this.raw)
    },
  })

  const formOf = (url: string): Form =>
    forms.find((form) => form.prefix !== '' && (url === form.prefix || url.startsWith(`${form.prefix}/`))) ??
    (forms.find((form) => form.prefix === '') as Form)

  // A process without forms serves no stylesheet either.
  const isForPeople = mounted.length > 0 ? asksForPage(forms) : () => false

  const limitStateOf = (address: string): LimitState =>
    runtime.limiter.peek(addressLimit(address, parts.config.limits.address))

  /** Requests that are not HTTP, too slow or too large to parse also get a reply in the envelope. */
  function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const refusal = refuse(brokenHttp[error.code ?? ''] ?? 'request.malformed')
    const requestId = newRequestId()
    const { status, headers, body } = refusedReply(formOf('/'), refusal, metaOf(requestId))
    const lines = Object.entries({
      ...head.headersOf(requestId, limitStateOf(socket.remoteAddress ?? '')),
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.setTimeout(2_000, () => socket.destroy())
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (isGone(error, request)) {
      const { id, method, routeOptions } = request
      runtime.log.info('request.abandoned', { requestId: id, method, route: routeOptions?.url })
      reply.code(499).send()
      return
    }
    const refusal = toRefusal(error)
    const where = { requestId: request.id, method: request.method, route: request.routeOptions?.url }
    if (refusal.refusal === 'internal.failure') runtime.log.error('request.failed', { ...where, error })
    const {
      status,
      headers,
      error: replyError,
      body,
    } = refusedReply(formOf(request.url), refusal, metaOf(request.id), request.routeOptions?.config?.codeless)
    request.refused = { reason: refusal.refusal, error: replyError }
    if (status === 503)
      giveReason(reply, { reason: awayBecauseOf(error), error: refusal === error ? undefined : error })
    // Fastify closes the connection for an oversized body; the client is still sending and would miss the reply. Left open, the rest is
    // read and dropped, within the time limit of a request.
    if (refusal !== tooManyPieces) reply.removeHeader('connection')
    if (!hasLimitHeaders(reply)) setLimitHeaders(reply, limitStateOf(addressOf(request.raw)))
    sayRequestId(reply, request.id)
    const page = isForPeople(request) ? pageOfRefusal(status, refusal) : undefined
    const other = request.routeOptions?.config?.refusedAs?.(refusal, status)
    reply
      .code(other?.status ?? status)
      .headers(headers)
      .headers(page === undefined ? { 'content-type': 'application/json; charset=utf-8' } : pageHeaders)
    if (request.routeOptions?.config?.packs) sendPacked(request, reply, page ?? body)
    else reply.send(page ?? other?.body ?? body)
  }

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', (request, _payload, done) => {
    if (request.headers['content-encoding'] !== undefined)
      return done(refuse('request.not_json', { message: 'Send the body uncompressed, without Content-Encoding.' }))
    readBody(request, request.routeOptions.bodyLimit ?? mebibyte, (error, bytes) => {
      if (error) return done(error)
      let body: unknown
      try {
        body = parseJsonBody(bytes as Buffer)
      } catch (refusal) {
        return done(refusal as Error)
      }
      done(null, body)
    })
  })

  const served: ServedRoute[] = []
  server.addHook('onRoute', (options) => {
    const { method, url, config, onRequest } = options
    for (const each of [method].flat()) served.push({ method: each, url })
    // Routes of the forms count their requests and set these headers themselves; pages do not count and only show them.
    if (!config?.counted) options.onRequest = [showLimit, onRequest ?? []].flat()
  })
  const showLimit: onRequestHookHandler = (request, reply, done) => {
    setLimitHeaders(reply, limitStateOf(addressOf(request.raw)))
    done()
  }
  const timeLimit = new TimeLimit(timeLimitMs, (reply) => answerError(tookTooLong(timeLimitMs), reply.request, reply))
  server.addHook('onClose', async () => timeLimit.stop())
  // With `done`: a promise for each hook would cost a good part of a small request.
  server.addHook('onRequest', (request, reply, done) => {
    timeLimit.begin(reply)
    request.response = reply.raw
    sayRequestId(reply, request.id)
    if (request.headers.authorization === undefined) sessionCookies.bringAccess(request)
    const { host } = request.headers
    if (host === undefined ? request.raw.httpVersion === '1.1' : host.includes(','))
      done(refuse('request.malformed', { message: 'Send one Host header, as HTTP/1.1 asks.' }))
    else if (request.is404) refuseUnknownRoute(request, reply).catch(done)
    else done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    timeLimit.over(reply)
    if (reply.statusCode === 503) noteUnavailable(request, reply)
    noteForItsOrganisation(request, reply, runtime)
    const severity = isProbe(request.routeOptions.url) ? 'debug' : 'info'
    runtime.log[severity]('request', () => ({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      refusal: reply.getHeader('risiti-reason') as string | undefined,
      ...callerFields(request, runtime),
    }))
    done()
  })

  /** Here, because pages have their own words for it, and every reply passes. */
  function noteUnavailable({ id: requestId, method, routeOptions }: FastifyRequest, reply: FastifyReply): void {
    const { reason = String(reply.getHeader('risiti-reason') ?? 'unknown'), error } = reasonOf(reply) ?? {}
    unavailable.note(reason, { requestId, method, route: routeOptions.url, error })
  }

  server.setErrorHandler(answerError)
  /** Before the body is read: the body is not needed. */
  async function refuseUnknownRoute(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    await count([addressLimit(addressOf(request.raw), parts.config.limits.address)], reply, parts)
    const path = request.url.split('?')[0] as string
    const { allow, refusal } = whereItLives(served, forms, formOf(path), request.method, path)
    if (allow) reply.header('allow', allow.join(', '))
    throw refusal
  }
  server.setNotFoundHandler(refuseUnknownRoute)

  const longPolls = createLongPolls(server, runtime, parts.longPolls)
  for (const form of mounted) mount(server, form, forms, parts, sessionCookies, longPolls)
  return server
}

declare module 'fastify' {
  interface FastifyRequest {
    /** the origin of the request; `ip` is only the peer of the connection, which may be a proxy */
    readonly clientAddress: string
  }
}

const brokenHttp: Record<string, RefusalName> = {
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.too_slow',
}

const frameworkRefusals: Record<string, Refusal> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refuse('request.not_json'),
  FST_ERR_CTP_BODY_TOO_LARGE: refuse('request.too_large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refuse('request.malformed', {
    message: 'The body is not as long as Content-Length says.',
  }),
  FST_ERR_BAD_URL: refuse('request.malformed', { message: 'The address has broken percent-encoding.' }),
  FST_ERR_ASYNC_CONSTRAINT: refuse('request.malformed'),
}

const tookTooLong = (limitMs: number): Refusal =>
  refuse('dependency.unavailable', {
    message: `The request took longer than ${limitMs / 1000} seconds; try again, with the same Idempotency-Key if it had one.`,
    away: 'time limit',
  })

/** The part to check when we reply 503. */
function awayBecauseOf(error: unknown): string {
  if (error instanceof Refusal) return error.away ?? error.refusal
  if (!(error instanceof Error)) return 'database'
  if ('code' in error && typeof error.code === 'string') return `database ${error.code}`
  // The pool and the driver have no error codes for their timeouts.
  if (error.message.includes('trying to connect')) return 'database connections'
  return error.message.includes('timeout') ? 'database silent' : `database ${error.name}`
}

/** Any error as one of our refusals. An unexpected error is our fault and goes to the log. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const known = frameworkRefusals[(error as FastifyError | undefined)?.code ?? '']
  if (known) return known
  if (isPassingFailure(error) || isSerializationFailure(error)) return refuse('dependency.unavailable')
  const status = (error as FastifyError | undefined)?.statusCode
  if (status !== undefined && status >= 400 && status < 500) return refuse('request.malformed')
  return refuse('internal.failure')
}

/** the time limit of a request */
const usualGraceMs = 30_000

/**
 * Finishes running requests, and closes. A busy connection would be kept alive after its reply. A connection without a complete request
 * would also stay open, because Node checks no timeouts from now on. Both are closed.
 */
export async function closeServer(
  server: Pick<FastifyInstance, 'close' | 'server'>,
  graceMs = usualGraceMs,
): Promise<void> {
  const sweeping = setInterval(() => {
    server.server.closeIdleConnections()
    for (const socket of openConnections(server)) if (socket.bytesRead === 0) socket.destroy()
  }, 50)
  const patience = setTimeout(() => server.server.closeAllConnections(), graceMs)
  await server.close()
  clearInterval(sweeping)
  clearTimeout(patience)
}
