import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publicCaller, type TokenCaller } from '../../kernel/callers.ts'
import { type Fault, invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Authenticated } from '../../platform/callers/authentication.ts'
import type { Config } from '../../platform/config.ts'
import type { AnyOperation, Origin } from '../../platform/operations/operation.ts'
import type { EncodedReply, Runner, Runtime } from '../../platform/operations/runner.ts'
import type { Call } from '../../platform/operations/transactions.ts'
import type { Route, ValidRequest } from '../definitions/describe-route.ts'
import { emptyObject } from '../definitions/fields.ts'
import type { Form } from '../definitions/form.ts'
import { takesGzip } from '../reply/compressed.ts'
import { constantTime } from '../reply/constant-time.ts'
import { isNotModified, readIfMatch } from '../reply/entity-tag.ts'
import { metaOf, successBody } from '../reply/envelope.ts'
import { JsonText } from '../reply/json-text.ts'
import { sendPacked } from '../reply/packed-reply.ts'
import { preferredMedia } from '../request/accept.ts'
import { addressLimit, count } from '../request/counting.ts'
import { honoursIdempotencyKey, readIdempotencyKey } from '../request/idempotency-key.ts'
import { identify, isToBeIdentifiedAgain } from '../request/identify.ts'
import { userAgentOf } from '../request/note-request.ts'
import { unreadableQuery } from '../request/query.ts'
import type { SessionCookies } from '../request/session-cookies.ts'
import { acceptsNothing, strictCheck, textCheck } from '../request/validate.ts'
import { goneSignalOf, stopIfOver } from './gone-callers.ts'
import type { LongPolls } from './long-polls.ts'
import { type HttpCaller as Caller, inWordsOf, momentsOf, requireCapabilities, requireRights } from './route-rules.ts'
import { wordElsewhere } from './unknown-route.ts'

export interface HttpParts {
  readonly runtime: Runtime
  readonly runner: Runner
  readonly config: Pick<Config, 'limits'>
  readonly replyIntervalMs?: number
}

/** Serves every route of a form: authenticate, authorise, validate, run, reply. */
export function mount(
  server: FastifyInstance,
  form: Form,
  forms: readonly Form[],
  parts: HttpParts,
  sessionCookies: SessionCookies,
  longPolls: LongPolls,
): void {
  const elsewhere = ({ method, url }: FastifyRequest) => wordElsewhere(forms, form, method, url.split('?')[0] as string)
  for (const { route } of form.routes) {
    const { path, method } = route
    const served = serve(form, route, elsewhere, parts, longPolls)
    const { preValidation, onSend } = sessionCookies.hooksOf(route)
    const sending = [onSend ?? [], served.onSend ?? []].flat()
    server.route({
      method,
      url: `${form.prefix}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      config: {
        codeless: route.codeless,
        counted: true,
        unlogged: route.definition.unlogged ?? false,
        // A reply that a later hook inspects or delays is left unchanged here.
        packs: sending.length === 0,
      },
      onRequest: served.admit,
      handler: served.answer,
      ...(preValidation ? { preValidation } : {}),
      ...(sending.length > 0 ? { onSend: sending } : {}),
    })
  }
}

function serve(
  form: Form,
  route: Route,
  elsewhere: (request: FastifyRequest) => Refusal | undefined,
  parts: HttpParts,
  longPolls: LongPolls,
) {
  const { definition } = route
  // The decoder of this route makes the input of its operation; the types were checked where the two were joined.
  const operation = definition.operation as AnyOperation<Caller, unknown, unknown>
  const needs = operation.needs
  const checkParams = route.params && textCheck(route.params)
  /** An `orgId` with the format `uuid` may be a child organisation. Without it, only the caller's own id or `me` is valid. */
  const namesOwn = (route.params?.properties.orgId as { format?: string } | undefined)?.format !== 'uuid'
  const checkQuery = textCheck(route.query ?? emptyObject)
  const checkBody = strictCheck(route.body ?? emptyObject)
  const idempotent = honoursIdempotencyKey(route)
  const offered = ['application/json', ...Object.keys(route.alsoAs)] as [string, ...string[]]
  /** a body is optional if no field is required */
  const emptyBody = route.body === undefined || acceptsNothing(route.body) ? {} : undefined

  /**
   * Before the body is read: identifies the caller, checks limits and capabilities. Mostly memory has all of it. Then there is no promise,
   * which would cost a good part of a small request.
   */
  function admit(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    let waiting: Promise<void> | void
    try {
      waiting = definition.who === 'public' ? admitAnybody(request, reply) : admitKnown(request, reply)
    } catch (refusal) {
      done(refusal as Error)
      return
    }
    if (waiting) waiting.then(() => done(), done)
    else done()
  }

  function admitAnybody(request: FastifyRequest, reply: FastifyReply): Promise<void> | void {
    request.caller = publicCaller
    return count([addressLimit(request.clientAddress, parts.config.limits.address)], reply, parts)
  }

  function admitKnown(request: FastifyRequest, reply: FastifyReply): Promise<void> | void {
    const found = identify(request, reply, parts)
    if (found instanceof Promise) return found.then((known) => admitWithinLimits(known, request, reply))
    return admitWithinLimits(found, request, reply)
  }

  function admitWithinLimits(found: Authenticated, request: FastifyRequest, reply: FastifyReply): Promise<void> | void {
    const counting = count(found.limits, reply, parts)
    if (counting) return counting.then(() => letIn(found, request))
    letIn(found, request)
  }

  function letIn({ caller, noteUse }: Authenticated, request: FastifyRequest): void {
    noteUse?.()
    requireRights(definition, caller)
    request.caller = caller
  }

  /** A route without input, called without input, needs no validation. */
  const takesNothing = route.params === undefined && route.query === undefined && !route.readsIfMatch

  function decode(request: FastifyRequest, caller: Caller): ValidRequest<unknown, unknown, unknown, unknown> {
    if (takesNothing && emptyBody && request.body === undefined && !request.url.includes('?'))
      return { params: undefined, query: emptyBody, body: emptyBody, caller, expectedVersion: undefined }
    const params = checkParams?.(request.params as Record<string, unknown>)
    // A malformed id is "not found", like an unknown id.
    if (params?.faults.some((fault) => fault.rule === 'format'))
      throw elsewhere(request) ?? refuse('resource.not_found')
    // The organisation in a path is the token's own; any other one does not exist for the caller.
    const orgId = namesOwn ? params?.values.orgId : undefined
    if (orgId !== undefined && orgId !== 'me' && 'tenant' in caller && orgId !== caller.tenant.organisationId)
      throw refuse('resource.not_found')
    if (request.query === unreadableQuery)
      throw invalid([{ path: 'query', rule: 'encoding', message: 'has broken percent-encoding' }])
    const query = checkQuery(request.query as Record<string, unknown>)
    const body = request.body ?? emptyBody
    const faults = [...(params?.faults ?? []), ...query.faults, ...faultsOf(body)]
    if (faults.length > 0) throw invalid(faults)
    const expectedVersion = route.readsIfMatch ? readIfMatch(request.headers['if-match']) : undefined
    return { params: params?.values, query: query.values, body, caller, expectedVersion }
  }

  const momentOf = momentsOf(parts.runtime, operation)

  function faultsOf(body: unknown): readonly Fault[] {
    if (body === undefined) return [{ path: '', rule: 'required', message: 'send a JSON body' }]
    if (body === emptyBody) return []
    const faults = checkBody(body)
    return route.checkBody ? [...faults, ...route.checkBody(body)] : faults
  }

  const hasOwnWords = Object.keys(route.fieldNames).length > 0

  /**
   * Fastify gets no promise: it would create three more before it serves the next request of a connection. Fastify catches synchronous
   * errors.
   */
  function answer(request: FastifyRequest, reply: FastifyReply): void {
    const caller = request.caller as Caller
    const answering =
      caller.kind !== 'public' && isToBeIdentifiedAgain(reply)
        ? answerAfterSlowBody(request, reply)
        : carryOut(decode(request, caller), caller, request, reply)
    answering.catch((error: unknown) => {
      // A request that already got a timeout reply gets no second one.
      if (!reply.sent) reply.send(hasOwnWords ? inWordsOf(route, asError(error)) : asError(error))
    })
  }

  async function answerAfterSlowBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    letIn(await identify(request, reply, parts), request)
    const caller = request.caller as Caller
    await carryOut(decode(request, caller), caller, request, reply)
  }

  async function carryOut(
    valid: ValidRequest<unknown, unknown, unknown, unknown>,
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const input = route.decode(valid)
    if ('by' in needs) requireCapabilities(caller, needs.by(input))
    const origin: Origin = {
      requestId: request.id,
      address: request.clientAddress,
      userAgent: userAgentOf(request),
    }
    const signal = goneSignalOf(request, reply)
    const call = { caller, origin, input, signal }

    const claimed = idempotent && 'tenant' in caller ? readIdempotencyKey(request) : undefined
    if (claimed !== undefined && 'tenant' in caller) {
      const claim = {
        key: claimed,
        target: `${request.method} ${request.url}`,
        body: valid.body,
      }
      const { reply: encoded, replayed } = await parts.runner.runOnce(operation, { ...call, caller }, claim, (output) =>
        encodeReply(output, request, caller),
      )
      if (replayed) reply.header('idempotent-replayed', 'true')
      answerWith(encoded, request, reply)
      return
    }
    const output = await (route.waits && 'tenant' in caller
      ? runWaiting(route.waits, { ...call, caller }, request, reply)
      : parts.runner.run(operation, call))
    if (route.tag) return sendTagged(output, route.tag(output), request, reply, caller)
    const { sent } = encodeReply(output, request, caller)
    const asked = route.alwaysWhole ? undefined : request.headers['if-none-match']
    if (asked !== undefined && ['GET', 'HEAD'].includes(request.method) && isNotModified(asked, sent.headers.etag))
      reply.code(304).header('etag', sent.headers.etag).send()
    else answerWith(sent, request, reply)
  }

  /** The caller is admitted again before each further read: a key may have been revoked meanwhile. */
  function runWaiting(
    { waitMs, isEmpty, concerns }: NonNullable<Route['waits']>,
    { caller, ...call }: Call<TokenCaller, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    let isFirst = true
    return longPolls.answer({
      organisationId: caller.tenant.organisationId,
      waitMs: waitMs(call.input),
      read: async () => {
        if (!isFirst) letIn(await identify(request, reply, parts), request)
        isFirst = false
        return await parts.runner.run(operation, { ...call, caller: request.caller as TokenCaller })
      },
      isEmpty,
      concerns: (event) => concerns(event, call.input, caller),
      stopIfGone: () => stopIfOver(request, reply),
      onGone: (callBack) => reply.raw.once('close', callBack),
    })
  }

  function answerWith(
    { status, headers, body }: EncodedReply['sent'],
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    reply.code(status).headers(headers)
    if (request.routeOptions.config.packs) sendPacked(request, reply, body)
    else reply.send(body)
  }

  /** A client with the current version gets a 304, and others get compressed bytes. */
  function sendTagged(
    output: unknown,
    tag: string,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): void {
    const etag = `"${tag}"`
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'private, no-cache' })
    if (isNotModified(request.headers['if-none-match'], etag)) {
      reply.code(304).send()
      return
    }
    const data = route.encode(output, momentOf(caller))
    const meta = metaOf(request.id, 'tenant' in caller ? caller.tenant.mode : undefined)
    const page = route.pagination?.(output)
    reply.code(route.statusOf(output)).header('content-type', 'application/json; charset=utf-8')
    if (!takesGzip(request.headers['accept-encoding'])) {
      reply.send(successBody(meta, data, page))
      return
    }
    reply.header('content-encoding', 'gzip')
    reply.send(data instanceof JsonText && !page ? data.gzipped(meta) : gzipSync(successBody(meta, data, page)))
  }

  /** The whole reply as bytes, so that it can be stored in the transaction of its effect. */
  function encodeReply(output: unknown, request: FastifyRequest, caller: Caller): EncodedReply {
    const status = route.statusOf(output)
    const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
    if (offered.length > 1) {
      headers.vary = 'accept'
      const media = preferredMedia(request.headers.accept, offered)
      const written = route.alsoAs[media]
      if (written) {
        headers['content-type'] = `${media}; charset=utf-8`
        const sent = { status, headers, body: written(output) }
        return { sent, kept: sent }
      }
    }
    const data = route.encode(output, momentOf(caller))
    if (route.location) headers.location = `${form.prefix}${route.location(output)}`
    if (route.version) headers.etag = `"${route.version(output)}"`
    const meta = metaOf(request.id, 'tenant' in caller ? caller.tenant.mode : undefined)
    const page = route.pagination?.(output)
    const sent = { status, headers, body: successBody(meta, data, page) }
    const kept = route.withoutSecret
      ? { status, headers, body: successBody(meta, route.withoutSecret(data), page) }
      : sent
    return { sent, kept }
  }

  if (!definition.constantTime) return { admit, answer, onSend: undefined }
  const { begin, leaveAtInterval } = constantTime(parts.replyIntervalMs)
  const constantTimeAnswer = (request: FastifyRequest, reply: FastifyReply) => {
    begin(request)
    answer(request, reply)
  }
  return { admit, answer: constantTimeAnswer, onSend: leaveAtInterval }
}

/** Fastify would send a thrown value that is not an Error as a reply. */
const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error('what was thrown is not an error', { cause: thrown })

declare module 'fastify' {
  interface FastifyRequest {
    /** the caller, once admitted */
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    codeless?: boolean
    counted?: boolean
    unlogged?: boolean
    /** whether replies are compressed for callers that accept it */
    packs?: boolean
    /** the words of another protocol for a refusal, instead of the envelope of a form */
    refusedAs?: (refusal: Refusal, status: number) => { readonly status: number; readonly body: string }
  }
}
