import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { newId } from '../kernel/ids.ts'
import { invalid, Refusal, refuse } from '../kernel/refusals.ts'
import { isPassingFailure } from '../platform/database.ts'
import { sharedAnswers } from './answers.ts'
import { metaOf, refusedReply } from './envelope.ts'
import type { Form } from './form.ts'
import { parseJsonBody } from './json-body.ts'
import { addressLimit, count, type HttpParts, mount } from './mount.ts'
import { whereItLives } from './unknown-route.ts'

const mebibyte = 1024 * 1024

/** The HTTP server with both forms mounted. Plain pages are added by their own files before it listens. */
export function createServer(
  forms: readonly Form[],
  parts: HttpParts & { trustProxy: boolean; secureOrigin: boolean },
): FastifyInstance {
  const { machine } = parts
  const server = Fastify({
    logger: false,
    trustProxy: parts.trustProxy,
    bodyLimit: mebibyte,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    genReqId: (raw) => {
      const given = raw.headers['x-request-id']
      return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : newId()
    },
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: true, querystringParser: parseQuery },
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
  })

  const formOf = (url: string): Form =>
    forms.find((form) => form.prefix !== '' && (url === form.prefix || url.startsWith(`${form.prefix}/`))) ??
    (forms.find((form) => form.prefix === '') as Form)

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const refusal = toRefusal(error)
    if (refusal.refusal === 'internal.failure')
      machine.log.error('request.failed', {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions?.url,
        error,
      })
    const { status, headers, body } = refusedReply(formOf(request.url).answers, refusal, metaOf(request.id))
    // Fastify closes the connection on a body that is too large; the client is still sending and would miss the
    // answer. Left open, the rest is read and dropped, within the time limit of a request.
    reply.removeHeader('connection')
    reply
      .code(status)
      .headers(headers)
      .header('x-request-id', request.id)
      .header('content-type', 'application/json; charset=utf-8')
      .send(body)
  }

  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.headers['content-encoding'] !== undefined)
        throw refuse('request.not_json', { message: 'Send the body uncompressed, without Content-Encoding.' })
      return parseJsonBody(body)
    },
  )

  const securityHeaders = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(parts.secureOrigin ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
  })
  server.addHook('onSend', async (request, reply, payload) => {
    if (!reply.hasHeader('ratelimit-limit')) {
      const standing = machine.limiter.peek(addressLimit(request.ip, parts.config.limits.address))
      reply.headers({
        'ratelimit-limit': standing.limit,
        'ratelimit-remaining': standing.remaining,
        'ratelimit-reset': standing.resetSeconds,
      })
    }
    return payload
  })
  server.addHook('onResponse', async (request, reply) => {
    machine.log.info('request', {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      refusal: reply.getHeader('risiti-reason') as string | undefined,
    })
  })

  server.setErrorHandler(answerError)
  server.setNotFoundHandler(async (request, reply) => {
    await count([addressLimit(request.ip, parts.config.limits.address)], reply, parts)
    const path = request.url.split('?')[0] as string
    const { allow, refusal } = whereItLives(forms, formOf(path), request.method, path)
    if (allow) reply.header('allow', allow.join(', '))
    throw refusal
  })

  for (const form of forms) mount(server, form, parts)
  return server
}

function parseQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [rawName, rawValue = ''] = splitOnce(pair)
    const name = decode(rawName)
    const value = decode(rawValue)
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid([{ path: 'query', rule: 'encoding', message: 'has broken percent-encoding' }])
  }
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

/** Whatever went wrong, as one of our named refusals; what we did not foresee is our fault and told to the log. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const known = frameworkRefusals[(error as FastifyError | undefined)?.code ?? '']
  if (known) return known
  if (isPassingFailure(error)) return refuse('dependency.unavailable')
  const status = (error as FastifyError | undefined)?.statusCode
  if (status !== undefined && status >= 400 && status < 500) return refuse('request.malformed')
  return refuse('internal.failure')
}

/** Requests that are not HTTP, too slow or too large to be parsed still get an answer in the envelope. */
function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = refuse(
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'request.headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request.too_slow'
        : 'request.malformed',
  )
  const requestId = newId()
  const { status } = sharedAnswers[refusal.refusal as 'request.malformed']
  const { body } = refusedReply(sharedAnswers as never, refusal, metaOf(requestId))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${requestId}\r\nRisiti-Reason: ${refusal.refusal}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
