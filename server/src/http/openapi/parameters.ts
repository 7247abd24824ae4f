import type { Route } from '../definitions/describe-route.ts'
import { honoursIdempotencyKey } from '../request/idempotency-key.ts'
import type { JsonSchema, Parameter } from './document.ts'
import type { NamedSchemas } from './published-schema.ts'

export function pathParameters({ path, params }: Route, names: NamedSchemas): Parameter[] {
  const given = (params as JsonSchema | undefined)?.properties ?? {}
  return namesInPath(path).map((name) => parameter('path', name, true, given[name] ?? { type: 'string' }, names))
}

export const namesInPath = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)

export function queryParameters({ query }: Route, names: NamedSchemas): Parameter[] {
  const { properties = {}, required = [] } = (query ?? {}) as JsonSchema
  return Object.entries(properties).map(([name, schema]) =>
    parameter('query', name, required.includes(name), schema, names),
  )
}

/** The headers that some routes read, by the names that they have in the document. */
export const headerParameters: Readonly<Record<string, Parameter>> = {
  IdempotencyKey: header('Idempotency-Key', {
    pattern: '^[A-Za-z0-9_-]{8,128}$',
    description:
      'Identifies this request, so that you can repeat it safely. A second request with the same key and body returns the first response and changes nothing.',
  }),
  IfMatch: header('If-Match', {
    description: 'The `ETag` that you read. The change is refused if the object has changed since then.',
  }),
  IfNoneMatch: header('If-None-Match', {
    description: 'The `ETag` of your copy. The response is 304 without a body if your copy is current.',
  }),
}

export const headersReadBy = (route: Route): string[] => [
  ...(honoursIdempotencyKey(route) ? ['IdempotencyKey'] : []),
  ...(route.readsIfMatch ? ['IfMatch'] : []),
  ...(honoursIfNoneMatch(route) ? ['IfNoneMatch'] : []),
]

export const honoursIfNoneMatch = (route: Route): boolean =>
  route.method === 'GET' && !route.alwaysWhole && (route.version !== undefined || route.tag !== undefined)

function header(name: string, { description, ...schema }: JsonSchema): Parameter {
  return {
    name,
    in: 'header',
    ...(description ? { description } : {}),
    schema: { type: 'string', ...schema },
  }
}

function parameter(
  place: Parameter['in'],
  name: string,
  required: boolean,
  given: JsonSchema,
  names: NamedSchemas,
): Parameter {
  const { description, ...schema } = names.published(given)
  return { name, in: place, ...(required ? { required } : {}), ...(description ? { description } : {}), schema }
}
