import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../kernel/addresses.ts'
import { type PublicCaller, publicCaller, type TokenCaller } from '../kernel/callers.ts'
import { type Capability, missingFrom } from '../kernel/capabilities.ts'
import { businessDay } from '../kernel/days.ts'
import { asSingleLine } from '../kernel/plain-text.ts'
import { type Fault, invalid, Refusal, refuse } from '../kernel/refusals.ts'
import type { Config } from '../platform/config.ts'
import type { RateLimit, Standing } from '../platform/limits/rate-limits.ts'
import type { AnyOperation, Origin } from '../platform/operations/operation.ts'
import type { Machine, Runner, Sealed } from '../platform/operations/runner.ts'
import { preferredMedia } from './accept.ts'
import { takesGzip } from './compressed.ts'
import { isNotModified, readIfMatch } from './entity-tag.ts'
import { JsonText, metaOf, successBody } from './envelope.ts'
import { emptyObject } from './fields.ts'
import type { Form } from './form.ts'
import { honoursIdempotencyKey, readIdempotencyKey } from './idempotency-key.ts'
import { unreadableQuery } from './query.ts'
import type { Heard, Moment, Route } from './speak.ts'
import { wordElsewhere } from './unknown-route.ts'
import { strictCheck, textCheck } from './validate.ts'

/** Over HTTP come people, programs and strangers; never our own jobs. */
type Caller = TokenCaller | PublicCaller

/** Of what a program calls itself, as much is kept. */
const longestUserAgent = 500

export interface HttpParts {
  readonly machine: Machine
  readonly runner: Runner
  readonly config: Pick<Config, 'limits'>
}

/** Longer than checking a password takes, so that all outcomes leave on the same beat. */
const beatMs = 100

export const addressLimit = (address: string, perMinute: number): RateLimit => ({
  subject: `address:${networkOf(address)}`,
  perWindow: perMinute,
  windowSeconds: 60,
})

/** Serves every route of a form: authenticate, authorise, validate, run, answer. */
export function mount(server: FastifyInstance, form: Form, forms: readonly Form[], parts: HttpParts): void {
  const elsewhere = ({ method, url }: FastifyRequest) => wordElsewhere(forms, form, method, url.split('?')[0] as string)
  for (const { route } of form.routes) {
    const { path, method } = route
    const served = serve(form, route, elsewhere, parts)
    server.route({
      method,
      url: `${form.prefix}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      config: { codeless: route.codeless, counted: true },
      onRequest: served.admit,
      handler: served.answer,
    })
  }
}

function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  if (header.slice(0, 7).toLowerCase() !== 'bearer ') throw refuse('auth.token_invalid')
  return header.slice(7).trim()
}

function showStanding(reply: FastifyReply, standing: Standing): void {
  reply.headers({
    'ratelimit-limit': standing.limit,
    'ratelimit-remaining': standing.remaining,
    'ratelimit-reset': standing.resetSeconds,
  })
}

/** Counts a request against its limit, from memory where that is possible. */
export function count(
  limits: readonly RateLimit[],
  reply: FastifyReply,
  parts: Pick<HttpParts, 'machine'>,
): Promise<void> | void {
  const [only, another] = limits
  const taken = only && another === undefined ? parts.machine.limiter.take(only) : undefined
  if (taken === undefined || taken instanceof Promise) return countAll(limits, reply, parts, taken)
  admitStanding(reply, taken)
}

function admitStanding(reply: FastifyReply, standing: Standing): void {
  showStanding(reply, standing)
  if (!standing.allowed) throw refuse('limit.exceeded', { retryAfterSeconds: standing.resetSeconds })
}

/** Counts against each of several limits and shows the tightest. */
async function countAll(
  limits: readonly RateLimit[],
  reply: FastifyReply,
  { machine }: Pick<HttpParts, 'machine'>,
  first: Promise<Standing> | undefined,
): Promise<void> {
  if (first) return admitStanding(reply, await first)
  let tightest: Standing | undefined
  for (const limit of limits) {
    const taken = machine.limiter.take(limit)
    const standing = taken instanceof Promise ? await taken : taken
    if (!tightest || !standing.allowed || standing.remaining < tightest.remaining) tightest = standing
    if (!standing.allowed) break
  }
  if (tightest) admitStanding(reply, tightest)
}

function requireCapabilities(caller: Caller, wanted: readonly Capability[]): void {
  if (wanted.length === 0 || !('capabilities' in caller)) return
  const missing = missingFrom(caller.capabilities, wanted)
  if (missing.length === 0) return
  throw refuse('auth.capability_missing', {
    details: missing.map((name) => ({ path: name, rule: 'capability', message: `needs the capability ${name}` })),
  })
}

function serve(
  form: Form,
  route: Route,
  elsewhere: (request: FastifyRequest) => Refusal | undefined,
  parts: HttpParts,
) {
  const { endpoint } = route
  // The decoder of this route makes the input that its operation takes; the types were checked where they met.
  const operation = endpoint.operation as AnyOperation<Caller, unknown, unknown>
  const needs = operation.needs
  const callers = new WeakMap<FastifyRequest, Caller>()
  const checkParams = route.params && textCheck(route.params)
  /** everywhere but where a plain id says that another one is meant, such as a child of the token's organisation */
  const namesOwn = (route.params?.properties.orgId as { format?: string } | undefined)?.format !== 'uuid'
  const checkQuery = textCheck(route.query ?? emptyObject)
  const checkBody = strictCheck(route.body ?? emptyObject)
  const idempotent = honoursIdempotencyKey(route)
  const offered = ['application/json', ...Object.keys(route.alsoAs)] as [string, ...string[]]
  /** where nothing has to be said, nothing has to be sent */
  const emptyBody = checkBody({}).length === 0 ? {} : undefined

  /** Before the body is read: who is it, are they within their limits, may they do this at all. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = addressLimit(request.clientAddress, parts.config.limits.address)
    if (endpoint.who === 'public') {
      await count([address], reply, parts)
      callers.set(request, publicCaller)
      return
    }
    let caller: TokenCaller
    let limits: readonly RateLimit[]
    let noteUse: (() => void) | undefined
    try {
      const token = bearerOf(request)
      if (token === undefined) throw refuse('auth.token_missing')
      const found = parts.machine.authentication.authenticate(token)
      ;({ caller, limits, noteUse } = found instanceof Promise ? await found : found)
    } catch (error) {
      // Guessing at tokens uses up the address's own limit; a database that is away is nobody's fault.
      if (error instanceof Refusal) await count([address], reply, parts)
      throw error
    }
    const counting = count(limits, reply, parts)
    if (counting) await counting
    noteUse?.()
    if (endpoint.who === 'user' && caller.kind !== 'user') throw refuse('auth.users_only')
    if (endpoint.who === 'key' && caller.kind !== 'api_key') throw refuse('auth.keys_only')
    if (caller.kind === 'user' && !caller.emailVerified && !endpoint.unverified) throw refuse('auth.email_unverified')
    requireCapabilities(caller, 'by' in needs ? needs.all : needs)
    if (
      'by' in needs &&
      needs.oneOf.length > 0 &&
      missingFrom(caller.capabilities, needs.oneOf).length === needs.oneOf.length
    )
      requireCapabilities(caller, needs.oneOf)
    if (operation.liveOnly && caller.tenant.mode !== 'live') throw refuse('live_mode.session_needed')
    callers.set(request, caller)
  }

  /** A route that takes nothing, asked with nothing, has nothing to check. */
  const takesNothing = route.params === undefined && route.query === undefined && !route.readsIfMatch

  function hear(request: FastifyRequest, caller: Caller): Heard<unknown, unknown, unknown, unknown> {
    if (takesNothing && emptyBody && request.body === undefined && !request.url.includes('?'))
      return { params: undefined, query: emptyBody, body: emptyBody, caller, expectedVersion: undefined }
    const params = checkParams?.(request.params as Record<string, unknown>)
    // An id that is not one names nothing: that is "not found", as it is for an id nobody has.
    if (params?.faults.some((fault) => fault.rule === 'format'))
      throw elsewhere(request) ?? refuse('resource.not_found')
    // The organisation in a path is the token's own, or does not exist for its holder.
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

  const momentOf = (caller: Caller): Moment => ({
    today: () => {
      const country = 'country' in caller ? caller.country : undefined
      const zone = country === undefined ? undefined : parts.machine.ports.jurisdictions.of(country)?.zone
      return businessDay(parts.machine.clock.now(), zone ?? 'UTC')
    },
  })

  function faultsOf(body: unknown): readonly Fault[] {
    if (body === undefined) return [{ path: '', rule: 'required', message: 'send a JSON body' }]
    if (body === emptyBody) return []
    const faults = checkBody(body)
    return route.checkBody ? [...faults, ...route.checkBody(body)] : faults
  }

  const hasOwnWords = Object.keys(route.fieldNames).length > 0

  /** Not async itself: one promise less for each request. What it throws, the server catches. */
  function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = callers.get(request) as Caller
    const carried = carryOut(hear(request, caller), caller, request, reply)
    return hasOwnWords ? carried.catch((error: unknown) => throwInWordsOf(route, error)) : carried
  }

  async function carryOut(
    heard: Heard<unknown, unknown, unknown, unknown>,
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const input = route.decode(heard)
    if ('by' in needs) requireCapabilities(caller, needs.by(input))
    const origin: Origin = {
      requestId: request.id,
      address: request.clientAddress,
      userAgent: asSingleLine(request.headers['user-agent'] ?? '', longestUserAgent),
    }
    const signal = { throwIfAborted: () => stopIfGone(request) }
    const call = { caller, origin, input, signal }

    const claimed = idempotent && 'tenant' in caller ? readIdempotencyKey(request) : undefined
    if (claimed !== undefined && 'tenant' in caller) {
      const claim = {
        key: claimed,
        target: `${request.method} ${request.url}`,
        body: canonical(heard.body),
      }
      const { reply: sealed, replayed } = await parts.runner.runOnce(operation, { ...call, caller }, claim, (output) =>
        seal(output, request, caller),
      )
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(sealed.status).headers(sealed.headers).send(sealed.body)
    }
    const output = await parts.runner.run(operation, call)
    if (route.tag) return sendTagged(output, route.tag(output), request, reply, caller)
    const { sent } = seal(output, request, caller)
    if (['GET', 'HEAD'].includes(request.method) && isNotModified(request.headers['if-none-match'], sent.headers.etag))
      return reply.code(304).header('etag', sent.headers.etag).send()
    return reply.code(sent.status).headers(sent.headers).send(sent.body)
  }

  /** Who holds it already gets nothing, and others get it small. */
  function sendTagged(
    output: unknown,
    tag: string,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): FastifyReply {
    const etag = `"${tag}"`
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'private, no-cache' })
    if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const data = route.encode(output, momentOf(caller))
    const meta = metaOf(request.id, 'tenant' in caller ? caller.tenant.mode : undefined)
    const page = route.pagination?.(output)
    reply.code(route.statusOf(output)).header('content-type', 'application/json; charset=utf-8')
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(successBody(meta, data, page))
    reply.header('content-encoding', 'gzip')
    return reply.send(data instanceof JsonText && !page ? data.gzipped(meta) : gzipSync(successBody(meta, data, page)))
  }

  /** The whole answer as bytes, so that it can be stored in the transaction of its effect. */
  function seal(output: unknown, request: FastifyRequest, caller: Caller): Sealed {
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

  return { admit, answer: endpoint.steady ? onTheBeat(answer) : answer }
}

/** The core finds fault with fields by its own names; callers know them by those of their form. */
function throwInWordsOf({ fieldNames }: Route, error: unknown): never {
  if (!(error instanceof Refusal) || !error.details) throw error
  const { refusal: name, message, details, retryAfterSeconds } = error
  const renamed = details.map((fault) => ({
    ...fault,
    path: fault.path.replace(/^\w+/, (field) => fieldNames[field] ?? field),
  }))
  throw refuse(name, { message, details: renamed, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) })
}

/** Success or refusal, the reply leaves at a whole number of beats after the request came. */
function onTheBeat<Args extends unknown[], Result>(answer: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    const began = performance.now()
    try {
      return await answer(...args)
    } finally {
      await wait(beatMs - ((performance.now() - began) % beatMs))
    }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    codeless?: boolean
    counted?: boolean
  }
}

class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The caller hung up, before anything was written or in the middle of the body. */
export const isGone = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof ClientGone ||
  ((error as { code?: unknown } | undefined)?.code === 'ECONNRESET' && request.raw.socket?.destroyed === true)

/** Asked before anything is written: a caller who hung up gets no half-wanted effect. */
function stopIfGone(request: FastifyRequest): void {
  if (request.raw.socket?.destroyed) throw new ClientGone('the client closed the connection')
}

/** One text for equal JSON values, whatever the order of their keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
