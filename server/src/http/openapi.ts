import { type RefusalName, refusals } from '../kernel/refusals.ts'
import { capabilitiesOf } from '../platform/operation.ts'
import type { Who } from './endpoint.ts'
import type { Form, FormRoute } from './form.ts'
import { honoursIdempotencyKey } from './idempotency-key.ts'
import type { Route } from './speak.ts'

/** JSON Schema 2020-12, as far as our schemas and documents use it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

interface Content {
  readonly 'application/json': { readonly schema: JsonSchema }
}

export interface Reason {
  readonly code: string
  readonly reason: RefusalName
  readonly message: string
}

export interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Content
  readonly 'x-risiti-reasons'?: readonly Reason[]
}

export interface Access {
  readonly who: Who
  readonly capabilities: readonly string[]
  /** which of the capabilities are asked for depends on the request */
  readonly dependsOnRequest: boolean
  readonly unverified: boolean
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly 'x-risiti-access': Access
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

export function openApiOf(form: Form): OpenApiDocument {
  const paths: Record<string, Record<string, DocumentedOperation>> = {}
  for (const formRoute of form.routes) {
    const { method, path } = formRoute.route
    const verb = method.toLowerCase()
    if (paths[path]?.[verb]) throw new Error(`form ${form.name} serves ${method} ${path} twice`)
    paths[path] = { ...paths[path], [verb]: operationOf(form, formRoute) }
  }
  return {
    openapi: '3.1.0',
    info: { title: form.title, version: '1.0', description: form.description },
    servers: [{ url: form.prefix || '/' }],
    tags: [...new Set(form.routes.map(({ module }) => module))].map((name) => ({ name })),
    paths,
    components: { schemas, headers, securitySchemes },
  }
}

/** Each status that a route answers by itself, with the refusals behind it; a success has none. */
export function documentedStatuses(form: Form, route: Route): ReadonlyMap<number, readonly RefusalName[]> {
  const found = new Map<number, RefusalName[]>(route.statuses.map((status) => [status, []]))
  if (honoursIfNoneMatch(route)) found.set(304, [])
  for (const refusal of refusalsOf(route)) {
    const { status } = form.answers[refusal]
    found.set(status, [...(found.get(status) ?? []), refusal])
  }
  return new Map([...found].sort(([a], [b]) => a - b))
}

const honoursIfNoneMatch = (route: Route): boolean => route.method === 'GET' && route.version !== undefined

function refusalsOf(route: Route): ReadonlySet<RefusalName> {
  const { who, unverified, operation } = route.endpoint
  const params = pathSchemas(route)
  const idempotent = honoursIdempotencyKey(route)
  const readsInput = Boolean(route.body || route.query || idempotent || route.readsIfMatch)
  const when = (holds: boolean, ...names: RefusalName[]): RefusalName[] => (holds ? names : [])
  return new Set<RefusalName>([
    ...when(who !== 'public', 'auth.token_missing', 'auth.token_invalid'),
    ...when(who === 'user', 'auth.users_only'),
    ...when(who === 'key', 'auth.keys_only'),
    ...when((who === 'user' || who === 'both') && !unverified, 'auth.email_unverified'),
    ...when(capabilitiesOf(operation.needs).length > 0, 'auth.capability_missing'),
    ...when(readsInput || params.some((param) => !isUuid(param.schema)), 'request.invalid'),
    ...when(route.body !== undefined, 'request.not_json', 'request.too_large'),
    ...when(
      params.some((param) => isUuid(param.schema)),
      'resource.not_found',
    ),
    ...when(idempotent, 'idempotency.body_differs'),
    ...when(route.readsIfMatch, 'version.stale'),
    ...(operation.refuses as readonly RefusalName[]),
    'limit.exceeded',
    'dependency.unavailable',
  ])
}

const isUuid = (schema: JsonSchema): boolean => schema.format === 'uuid'

function operationOf(form: Form, { module, name, route }: FormRoute): DocumentedOperation {
  const { summary, description, who } = route.endpoint
  const access = accessOf(route)
  return {
    operationId: `${module}_${name}`,
    tags: [module],
    summary,
    description: [...(description ? [description] : []), ...accessSentences(access)].join('\n\n'),
    security: who === 'public' ? [] : [{ bearerAuth: [] }],
    parameters: [...pathSchemas(route), ...querySchemas(route), ...headerParameters(route)],
    ...(route.body ? { requestBody: { required: true, content: json(published(route.body)) } } : {}),
    responses: Object.fromEntries(
      [...documentedStatuses(form, route)].map(([status, names]) => [
        status,
        names.length > 0 ? refusedResponse(form, status, names) : succeededResponse(route, status),
      ]),
    ),
    'x-risiti-access': access,
  }
}

function accessOf({ endpoint }: Route): Access {
  const { needs } = endpoint.operation
  return {
    who: endpoint.who,
    capabilities: capabilitiesOf(needs),
    dependsOnRequest: 'oneOf' in needs,
    unverified: endpoint.unverified === true,
  }
}

const whoSentences: Record<Who, string> = {
  public: 'Called without a token.',
  user: 'Called by a signed-in user; API keys are refused.',
  key: 'Called with an API key; users are refused.',
  both: 'Called by a signed-in user or with an API key.',
}

export function accessSentences({ who, capabilities, dependsOnRequest, unverified }: Access): string[] {
  const named = capabilities.map((name) => `\`${name}\``)
  const sentences = [whoSentences[who]]
  if (unverified) sentences.push('A user whose email address is not verified yet may call it too.')
  if (dependsOnRequest) sentences.push(`What is asked for decides which it needs of ${named.join(', ')}.`)
  else if (named.length === 1) sentences.push(`Needs the capability ${named[0]}.`)
  else if (named.length > 1)
    sentences.push(`Needs the capabilities ${named.slice(0, -1).join(', ')} and ${named.at(-1)}.`)
  return sentences
}

function pathSchemas({ path, params }: Route): Parameter[] {
  const given = (params as JsonSchema | undefined)?.properties ?? {}
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  return names.map((name) => parameter('path', name, true, given[name] ?? { type: 'string' }))
}

function querySchemas({ query }: Route): Parameter[] {
  const { properties = {}, required = [] } = (query ?? {}) as JsonSchema
  return Object.entries(properties).map(([name, schema]) => parameter('query', name, required.includes(name), schema))
}

function headerParameters(route: Route): Parameter[] {
  const header = (name: string, schema: JsonSchema) => parameter('header', name, false, { type: 'string', ...schema })
  return [
    ...(honoursIdempotencyKey(route) ? [header('Idempotency-Key', idempotencyKey)] : []),
    ...(route.readsIfMatch ? [header('If-Match', ifMatch)] : []),
    ...(honoursIfNoneMatch(route) ? [header('If-None-Match', ifNoneMatch)] : []),
  ]
}

const idempotencyKey = {
  pattern: '^[A-Za-z0-9_-]{8,128}$',
  description:
    'Names this attempt. The same key with the same body answers the first reply again and does nothing twice.',
}
const ifMatch = { description: 'The ETag you read. The change is refused when the object was changed since.' }
const ifNoneMatch = { description: 'The ETag you hold. The answer is 304 without a body while it is current.' }

function parameter(place: Parameter['in'], name: string, required: boolean, given: JsonSchema): Parameter {
  const { description, ...schema } = published(given)
  return { name, in: place, required, ...(description ? { description } : {}), schema }
}

const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } })
const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const successes: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work goes on in the background.',
  304: 'What you hold is current; there is no body.',
}

function succeededResponse(route: Route, status: number): Response {
  const description = successes[status] ?? 'Done.'
  if (status === 304) return { description, headers: headerRefs('ETag') }
  const meta = route.pagination
    ? { allOf: [schemaRef('Meta'), object({ pagination: schemaRef('Pagination') })] }
    : schemaRef('Meta')
  return {
    description,
    headers: headerRefs(
      ...(route.version ? ['ETag'] : []),
      ...(route.location ? ['Location'] : []),
      ...(honoursIdempotencyKey(route) ? ['Idempotent-Replayed'] : []),
    ),
    content: json(object({ meta, data: published(route.reply) })),
  }
}

function refusedResponse(form: Form, status: number, names: readonly RefusalName[]): Response {
  const reasons = names.map((reason) => ({ code: form.answers[reason].code, reason, message: refusals[reason] }))
  return {
    description: reasons.map(({ code, reason, message }) => `- \`${code}\` \`${reason}\`: ${message}`).join('\n'),
    headers: headerRefs(
      'Risiti-Reason',
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
    ),
    content: json(schemaRef('Error')),
    'x-risiti-reasons': reasons,
  }
}

function headerRefs(...own: string[]): Response['headers'] {
  const names = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', ...own]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const mapsOfSchemas = ['properties', 'patternProperties', '$defs']

/** A schema for others to read: what we keep under `explanation` becomes part of its description. */
function published(schema: unknown): JsonSchema {
  const { explanation, description, ...keywords } = schema as JsonSchema
  const told = [description, explanation].filter((text) => typeof text === 'string').join('; ')
  const kept = Object.entries(keywords).map(([keyword, value]) => [keyword, publishedValue(keyword, value)])
  return { ...Object.fromEntries(kept), ...(told ? { description: told } : {}) }
}

function publishedValue(keyword: string, value: unknown): unknown {
  if (['anyOf', 'allOf', 'oneOf', 'prefixItems'].includes(keyword)) return (value as unknown[]).map(published)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  if (['items', 'additionalProperties', 'not', 'propertyNames'].includes(keyword)) return published(value)
  if (!mapsOfSchemas.includes(keyword)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, published(inner)]))
}

const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

const text = (description: string): JsonSchema => ({ type: 'string', description })
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })

const fault = object({
  path: text('where in the request, such as `lineItems[2].quantity`'),
  rule: text('the rule that was broken'),
  message: text('what to do about it'),
})

const schemas: Record<string, JsonSchema> = {
  Meta: object(
    {
      requestId: text('names this request in our log; also sent as X-Request-Id'),
      timestamp: { type: 'string', format: 'date-time' },
      mode: { type: 'string', enum: ['sandbox', 'live'], description: 'the mode of the token that called' },
    },
    ['mode'],
  ),
  Pagination: object({
    page: count('this page, from 1'),
    limit: count('entries on a page at most'),
    total: count('entries on all pages, exactly'),
    totalPages: count('how many pages there are'),
  }),
  Error: object({
    meta: schemaRef('Meta'),
    error: object(
      {
        code: text('the code of the refusal'),
        message: text('one sentence that says what to do'),
        details: { type: 'array', items: fault, description: 'every fault, where there are several' },
      },
      ['details'],
    ),
  }),
}

const header = (schema: JsonSchema, description: string) => ({ description, schema })
const whole: JsonSchema = { type: 'integer' }
const word: JsonSchema = { type: 'string' }

const headers: OpenApiDocument['components']['headers'] = {
  'X-Request-Id': header(word, 'Names this request in our log.'),
  'RateLimit-Limit': header(whole, 'Requests allowed in a window.'),
  'RateLimit-Remaining': header(whole, 'Requests left in this window.'),
  'RateLimit-Reset': header(whole, 'Seconds until the window begins anew.'),
  'Retry-After': header(whole, 'Seconds to wait before the next try.'),
  'Risiti-Reason': header(word, 'The finer name behind the code.'),
  'WWW-Authenticate': header(word, 'How to authenticate.'),
  ETag: header(word, 'The version of the object, for If-Match.'),
  Location: header(word, 'Where the object lives.'),
  'Idempotent-Replayed': header({ type: 'string', const: 'true' }, 'Sent when an earlier reply is given again.'),
}

const securitySchemes = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token from signing in, or an API key (`sk_test_…` or `sk_live_…`).',
  },
}
