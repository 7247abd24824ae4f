import { honoursIdempotencyKey } from '../idempotency-key.ts'
import type { Route } from '../speak.ts'
import type { JsonSchema, Parameter } from './document.ts'
import { published } from './published-schema.ts'

export function pathParameters({ path, params }: Route): Parameter[] {
  const given = (params as JsonSchema | undefined)?.properties ?? {}
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  return names.map((name) => parameter('path', name, true, given[name] ?? { type: 'string' }))
}

export function queryParameters({ query }: Route): Parameter[] {
  const { properties = {}, required = [] } = (query ?? {}) as JsonSchema
  return Object.entries(properties).map(([name, schema]) => parameter('query', name, required.includes(name), schema))
}

export function headerParameters(route: Route): Parameter[] {
  const header = (name: string, schema: JsonSchema) => parameter('header', name, false, { type: 'string', ...schema })
  return [
    ...(honoursIdempotencyKey(route) ? [header('Idempotency-Key', idempotencyKey)] : []),
    ...(route.readsIfMatch ? [header('If-Match', ifMatch)] : []),
    ...(honoursIfNoneMatch(route) ? [header('If-None-Match', ifNoneMatch)] : []),
  ]
}

export const honoursIfNoneMatch = (route: Route): boolean =>
  route.method === 'GET' && (route.version !== undefined || route.tag !== undefined)

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
