import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PublicCaller, publicCaller, type TokenCaller } from '../kernel/callers.ts'
import { type Capability, missingFrom } from '../kernel/capabilities.ts'
import { invalid, refuse } from '../kernel/refusals.ts'
import type { Config } from '../platform/config.ts'
import { type AnyOperation, capabilitiesOf, type Origin } from '../platform/operation.ts'
import type { RateLimit, Standing } from '../platform/rate-limits.ts'
import type { Machine, Runner, Sealed } from '../platform/runner.ts'
import { isNotModified, readIfMatch } from './entity-tag.ts'
import { metaOf, successBody } from './envelope.ts'
import { emptyObject } from './fields.ts'
import type { Form } from './form.ts'
import { honoursIdempotencyKey, readIdempotencyKey } from './idempotency-key.ts'
import type { Heard, Route } from './speak.ts'
import { strictCheck, textCheck } from './validate.ts'

/** Over HTTP come people, programs and strangers; never our own jobs. */
type Caller = TokenCaller | PublicCaller

export interface HttpParts {
  readonly machine: Machine
  readonly runner: Runner
  readonly config: Pick<Config, 'limits'>
}

/** Longer than checking a password takes, so that all outcomes leave on the same beat. */
const beatMs = 100

export const addressLimit = (address: string, perMinute: number): RateLimit => ({
  subject: `address:${address}`,
  perWindow: perMinute,
  windowSeconds: 60,
})

/** Serves every route of a form: authenticate, authorise, validate, run, answer. */
export function mount(server: FastifyInstance, form: Form, parts: HttpParts): void {
  for (const { route } of form.routes) {
    const { path, method } = route
    const served = serve(route, parts)
    server.route({
      method,
      url: `${form.prefix}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      onRequest: served.admit,
      handler: served.answer,
    })
  }
}

function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const token = /^Bearer +([\w.~+/=-]{1,4096})$/i.exec(header)?.[1]
  if (token === undefined) throw refuse('auth.token_invalid')
  return token
}

function showStanding(reply: FastifyReply, standing: Standing): void {
  reply.headers({
    'ratelimit-limit': standing.limit,
    'ratelimit-remaining': standing.remaining,
    'ratelimit-reset': standing.resetSeconds,
  })
}

/** Counts a request against each of its limits and shows the tightest. */
export async function count(
  limits: readonly RateLimit[],
  reply: FastifyReply,
  { machine }: Pick<HttpParts, 'machine'>,
): Promise<void> {
  let tightest: Standing | undefined
  for (const limit of limits) {
    const taken = machine.limiter.take(limit)
    const standing = taken instanceof Promise ? await taken : taken
    if (!tightest || !standing.allowed || standing.remaining < tightest.remaining) tightest = standing
    if (!standing.allowed) break
  }
  if (!tightest) return
  showStanding(reply, tightest)
  if (!tightest.allowed) throw refuse('limit.exceeded', { retryAfterSeconds: tightest.resetSeconds })
}

function requireCapabilities(caller: Caller, wanted: readonly Capability[]): void {
  if (wanted.length === 0 || !('capabilities' in caller)) return
  const missing = missingFrom(caller.capabilities, wanted)
  if (missing.length === 0) return
  throw refuse('auth.capability_missing', {
    details: missing.map((name) => ({ path: name, rule: 'capability', message: `needs the capability ${name}` })),
  })
}

function serve(route: Route, parts: HttpParts) {
  const { endpoint } = route
  // The decoder of this route makes the input that its operation takes; the types were checked where they met.
  const operation = endpoint.operation as AnyOperation<Caller, unknown, unknown>
  const needs = operation.needs
  const callers = new WeakMap<FastifyRequest, Caller>()
  const checkParams = route.params && textCheck(route.params)
  const checkQuery = textCheck(route.query ?? emptyObject)
  const checkBody = strictCheck(route.body ?? emptyObject)
  const idempotent = honoursIdempotencyKey(route)

  /** Before the body is read: who is it, are they within their limits, may they do this at all. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = addressLimit(request.ip, parts.config.limits.address)
    if (endpoint.who === 'public') {
      await count([address], reply, parts)
      callers.set(request, publicCaller)
      return
    }
    let caller: TokenCaller
    let limits: readonly RateLimit[]
    try {
      const token = bearerOf(request)
      if (token === undefined) throw refuse('auth.token_missing')
      ;({ caller, limits } = await parts.machine.authentication.authenticate(token))
    } catch (error) {
      await count([address], reply, parts)
      throw error
    }
    await count(limits, reply, parts)
    if (endpoint.who === 'user' && caller.kind !== 'user') throw refuse('auth.users_only')
    if (endpoint.who === 'key' && caller.kind !== 'api_key') throw refuse('auth.keys_only')
    if (caller.kind === 'user' && !caller.emailVerified && !endpoint.unverified) throw refuse('auth.email_unverified')
    if ('oneOf' in needs) {
      if (missingFrom(caller.capabilities, needs.oneOf).length === needs.oneOf.length)
        requireCapabilities(caller, needs.oneOf)
    } else requireCapabilities(caller, needs)
    callers.set(request, caller)
  }

  function hear(request: FastifyRequest, caller: Caller): Heard<unknown, unknown, unknown, unknown> {
    const params = checkParams?.(request.params as Record<string, unknown>)
    // An id that is not one names nothing: that is "not found", as it is for an id nobody has.
    if (params?.faults.some((fault) => fault.rule === 'format')) throw refuse('resource.not_found')
    const query = checkQuery(request.query as Record<string, unknown>)
    const body = request.body ?? (route.body === undefined ? {} : undefined)
    const faults = [
      ...(params?.faults ?? []),
      ...query.faults,
      ...(body === undefined ? [{ path: '', rule: 'required', message: 'send a JSON body' }] : checkBody(body)),
    ]
    if (faults.length > 0) throw invalid(faults)
    const expectedVersion = route.readsIfMatch ? readIfMatch(request.headers['if-match']) : undefined
    return { params: params?.values, query: query.values, body, caller, expectedVersion }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = callers.get(request) as Caller
    const heard = hear(request, caller)
    const input = route.decode(heard)
    if ('oneOf' in needs) requireCapabilities(caller, needs.by(input as never))
    const origin: Origin = {
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    }
    const signal = { throwIfAborted: () => stopIfGone(request) }
    const call = { caller, origin, input, signal }

    const claimed = idempotent && 'tenant' in caller ? readIdempotencyKey(request) : undefined
    if (claimed !== undefined && 'tenant' in caller) {
      const claim = {
        key: claimed,
        target: `${request.method} ${request.url}`,
        bodyHash: hash('sha256', canonical(heard.body)),
      }
      const { reply: sealed, replayed } = await parts.runner.runOnce(operation, { ...call, caller }, claim, (output) =>
        seal(output, request, caller),
      )
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(sealed.status).headers(sealed.headers).send(sealed.body)
    }
    const { sent } = seal(await parts.runner.run(operation, call), request, caller)
    if (['GET', 'HEAD'].includes(request.method) && isNotModified(request.headers['if-none-match'], sent.headers.etag))
      return reply.code(304).header('etag', sent.headers.etag).send()
    return reply.code(sent.status).headers(sent.headers).send(sent.body)
  }

  /** The whole answer as bytes, so that it can be stored in the transaction of its effect. */
  function seal(output: unknown, request: FastifyRequest, caller: Caller): Sealed {
    const data = route.encode(output)
    const status = route.statusOf(output)
    const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
    if (route.location) headers.location = route.location(output)
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

/** What the access snapshot and the documents say of a route. */
export const accessOf = (route: Route) => ({
  who: route.endpoint.who,
  capabilities: capabilitiesOf(route.endpoint.operation.needs as readonly Capability[]),
  unverified: route.endpoint.unverified === true,
})
