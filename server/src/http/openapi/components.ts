import type { Content, JsonSchema, OpenApiDocument, Response } from './document.ts'
import { schemaRef } from './published-schema.ts'

export const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } })

/** The headers of one response. Headers that every response has are documented once, for the whole document. */
export const headerRefs = (...own: string[]): Pick<Response, 'headers'> =>
  own.length === 0
    ? {}
    : { headers: Object.fromEntries(own.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }

export const everyAnswer =
  'Every response has the header `X-Request-Id`, which identifies the request in our logs. `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` give the number of requests that the current window allows, the number left, and the seconds until the next window. An error also has the header `Risiti-Reason`, the exact reason behind its code. The body repeats it as `reason`.'

export const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

const text = (description: string): JsonSchema => ({ type: 'string', description })
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })

const Fault = object({
  path: text('The field of the request that is wrong, such as `lineItems[2].quantity`.'),
  rule: text('The rule that the field breaks, such as `required` or `maxLength`.'),
  message: text('What is wrong with the field, in English.'),
})

const errorFields: Record<string, JsonSchema> = {
  reason: text('The exact reason, such as `invoice.edit.not_draft`. The header `Risiti-Reason` repeats it.'),
  message: text('What is wrong and what to do, in one or two English sentences.'),
  details: {
    type: 'array',
    items: schemaRef('Fault'),
    description: 'The fields that are wrong, at most 200. Absent if the error is not about single fields.',
  },
}

/** The part of every response that is about the request itself. */
export const metaSchema = (name: 'Meta' | 'PagedMeta'): JsonSchema => ({
  ...schemaRef(name),
  description: 'Facts about the request and this response.',
})

/** The schemas that every document has, whatever its routes are. */
export const ownSchemas: Record<string, JsonSchema> = {
  Fault,
  Meta: object(
    {
      requestId: text('Identifies this request in our logs. The header `X-Request-Id` repeats it.'),
      timestamp: { type: 'string', format: 'date-time', description: 'When the server wrote this response (UTC).' },
      mode: {
        type: 'string',
        enum: ['sandbox', 'live'],
        description: 'The mode of the token that was sent: `sandbox` or `live`. Absent on requests without a token.',
      },
    },
    ['mode'],
  ),
  Pagination: object({
    page: count('The number of this page, from 1. Always 1 if the request has `after`.'),
    limit: count('The maximum number of entries on a page.'),
    total: count('The number of entries on all pages together. `after` does not change it.'),
    totalPages: count('The number of pages, with this `limit`.'),
    hasMore: { type: 'boolean', description: 'Whether more entries follow this page.' },
    nextCursor: {
      type: ['string', 'null'],
      description: 'Send this value as `after` to get the next page. Null on the last page.',
    },
  }),
  PagedMeta: {
    allOf: [
      schemaRef('Meta'),
      object({
        pagination: { ...schemaRef('Pagination'), description: 'Position and size of this page of the list.' },
      }),
    ],
  },
  Error: object({
    meta: metaSchema('Meta'),
    error: {
      ...object({ code: text('The code of the error. Several reasons can share a code.'), ...errorFields }, [
        'details',
      ]),
      description: 'Why the request was refused.',
    },
  }),
}

/** The error body of routes without error codes. Only a form that has such routes documents this schema. */
export const codelessError: Record<string, JsonSchema> = {
  ErrorWithoutCode: object({
    meta: metaSchema('Meta'),
    error: { ...object(errorFields, ['details']), description: 'Why the request was refused.' },
  }),
}

const header = (schema: JsonSchema, description: string) => ({ description, schema })
const whole: JsonSchema = { type: 'integer' }
const word: JsonSchema = { type: 'string' }

export const headers: OpenApiDocument['components']['headers'] = {
  'X-Request-Id': header(word, 'Identifies this request in our logs.'),
  'RateLimit-Limit': header(whole, 'Number of requests that the current window allows.'),
  'RateLimit-Remaining': header(whole, 'Number of requests left in the current window.'),
  'RateLimit-Reset': header(whole, 'Seconds until the next window starts.'),
  'Retry-After': header(whole, 'Seconds to wait before the next request.'),
  'Risiti-Reason': header(word, 'The exact reason behind the error code.'),
  'WWW-Authenticate': header(word, 'The authentication scheme that the server accepts.'),
  ETag: header(word, 'The version of the object. Send it as `If-Match` with a change.'),
  Location: header(word, 'The path of the created object.'),
  'Idempotent-Replayed': header(
    { type: 'string', const: 'true' },
    'Present if this response repeats an earlier one with the same `Idempotency-Key`.',
  ),
}

export const securitySchemes = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token from signing in, or an API key (`sk_test_…` or `sk_live_…`).',
  },
}
