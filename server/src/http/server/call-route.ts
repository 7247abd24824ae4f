import { publicCaller, type TokenCaller } from '../../kernel/callers.ts'
import { writeCursor } from '../../kernel/cursors.ts'
import { parseExact } from '../../kernel/exact-json.ts'
import { type Fault, invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import { type AnyOperation, type Origin, preparedOperation } from '../../platform/operations/operation.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import type { GoneSignal } from '../../platform/threads/threads.ts'
import type { Route } from '../definitions/describe-route.ts'
import { emptyObject } from '../definitions/fields.ts'
import type { Form } from '../definitions/form.ts'
import type { AnyRouteDefinition } from '../definitions/route-definition.ts'
import { JsonText } from '../reply/json-text.ts'
import { acceptsNothing, strictCheck, textCheck } from '../request/validate.ts'
import { type HttpCaller, inWordsOf, momentsOf, requireCapabilities, requireRights } from './route-rules.ts'

/** The values of a request, as JSON. Path and query become the texts that an address would have. */
export interface RouteValues {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly expectedVersion?: number | undefined
}

/** What a route replies: `data`, the figures of its page, and the version for If-Match. */
export interface RouteResult {
  readonly data: unknown
  readonly total?: number
  readonly nextCursor?: string | null
  readonly version?: number
  /** of a call without a key: the result of the operation, before the form encoded it */
  readonly output?: unknown
}

/** Who calls, and from where. */
export interface CallSource {
  readonly caller: TokenCaller
  readonly origin: Origin
  readonly signal: GoneSignal
}

/** With a key the effect happens once, and repeated calls get the first result. */
export interface CallOnce {
  readonly key: string
  /** what forbids the effect now; a call whose effect happened before still gets its result */
  readonly refusal?: Refusal | undefined
}

export interface RouteCaller {
  call(definition: AnyRouteDefinition, source: CallSource, values: RouteValues, once?: CallOnce): Promise<RouteResult>
  /** refuses a caller without the rights, and values that the route would not take */
  check(definition: AnyRouteDefinition, caller: TokenCaller, values: RouteValues): void
  routeOf(definition: AnyRouteDefinition): Route
}

interface CallableRoute {
  check(caller: TokenCaller, values: RouteValues): void
  call(source: CallSource, values: RouteValues, once: CallOnce | undefined): Promise<RouteResult>
}

const texts = (values: RouteValues['query'] = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]),
  )

/** Refuses before it asks for its key, so that a stored result wins. */
const refusing = (refusal: Refusal): AnyOperation<HttpCaller, unknown, unknown> =>
  preparedOperation(
    { needs: [], refuses: [] },
    async () => {
      throw refusal
    },
    async () => undefined,
  )

function callable(route: Route, { runtime, runner }: { readonly runtime: Runtime; readonly runner: Runner }) {
  const { definition } = route
  // The decoder of this route makes the input of its operation; the types were checked where the two were joined.
  const operation = definition.operation as AnyOperation<HttpCaller, unknown, unknown>
  const { needs } = operation
  const checkParams = textCheck(route.params ?? emptyObject)
  const checkQuery = textCheck(route.query ?? emptyObject)
  const checkBody = strictCheck(route.body ?? emptyObject)
  const emptyBody = acceptsNothing(route.body ?? emptyObject) ? {} : undefined
  const momentOf = momentsOf(runtime, operation)

  function decoded({ params, query, body = emptyBody, expectedVersion }: RouteValues, caller: HttpCaller): unknown {
    const inPath = checkParams(texts(params))
    if (inPath.faults.some(({ rule }) => rule === 'format')) throw refuse('resource.not_found')
    const inQuery = checkQuery(texts(query))
    const faults = [...inPath.faults, ...inQuery.faults, ...faultsOf(body)]
    if (faults.length > 0) throw invalid(faults)
    return route.decode({ params: inPath.values, query: inQuery.values, body, caller, expectedVersion })
  }

  function faultsOf(body: unknown): readonly Fault[] {
    const faults = checkBody(body)
    return route.checkBody ? [...faults, ...route.checkBody(body)] : faults
  }

  function resultOf(output: unknown, caller: HttpCaller): RouteResult {
    const data = route.encode(output, momentOf(caller))
    const page = route.pagination?.(output)
    return {
      data: data instanceof JsonText ? parseExact(data.text) : data,
      ...(page ? { total: page.total, nextCursor: page.next ? writeCursor(page.next) : null } : {}),
      ...(route.version ? { version: route.version(output) } : {}),
    }
  }

  async function call(source: CallSource, values: RouteValues, once: CallOnce | undefined): Promise<RouteResult> {
    const { caller, origin, signal } = source
    if (definition.who !== 'public') requireRights(definition, caller)
    const asked = definition.who === 'public' ? publicCaller : caller
    const input = decoded(values, asked)
    if ('by' in needs) requireCapabilities(asked, needs.by(input))
    if (!once) {
      const output = await runner.run(operation, { caller: asked, origin, input, signal })
      return { ...resultOf(output, asked), output }
    }
    const claim = { key: once.key, target: `mcp ${route.method} ${route.path}`, body: values }
    const { reply } = await runner.runOnce(
      once.refusal ? refusing(once.refusal) : operation,
      { caller, origin, input, signal },
      claim,
      (output) => {
        const sent = { status: 200, headers: {}, body: JSON.stringify(resultOf(output, caller)) }
        return { sent, kept: sent }
      },
    )
    return JSON.parse(reply.body)
  }

  const inOwnWords = (error: unknown): never => {
    throw error instanceof Error ? inWordsOf(route, error) : error
  }
  return {
    check(caller: TokenCaller, values: RouteValues): void {
      requireRights(definition, caller)
      try {
        decoded(values, caller)
      } catch (error) {
        inOwnWords(error)
      }
    },
    call: (source: CallSource, values: RouteValues, once: CallOnce | undefined) =>
      call(source, values, once).catch(inOwnWords),
  }
}

/**
 * Calls the routes of a form inside the process, for a caller that was admitted: with the same schemas, rights and texts as over HTTP.
 * A route that only another form has is refused.
 */
export function routeCaller(form: Form, parts: { readonly runtime: Runtime; readonly runner: Runner }): RouteCaller {
  const known = new Map<AnyRouteDefinition, CallableRoute>()
  const served = new Map<AnyRouteDefinition, Route>(form.routes.map(({ route }) => [route.definition, route]))
  const routeOf = (definition: AnyRouteDefinition): Route => {
    const route = served.get(definition)
    if (!route) throw refuse('route.elsewhere')
    return route
  }
  const find = (definition: AnyRouteDefinition): CallableRoute => {
    const found = known.get(definition) ?? callable(routeOf(definition), parts)
    known.set(definition, found)
    return found
  }
  return {
    routeOf,
    check: (definition, caller, values) => find(definition).check(caller, values),
    call: (definition, source, values, once) => find(definition).call(source, values, once),
  }
}
