import type { Content, JsonSchema, OpenApiDocument, Response } from './document.ts'
import { schemaRef } from './published-schema.ts'

export const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } })

/** Headers of this answer. What comes with every answer is said once, for the whole document. */
export const headerRefs = (...own: string[]): Pick<Response, 'headers'> =>
  own.length === 0
    ? {}
    : { headers: Object.fromEntries(own.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }

export const everyAnswer =
  'Every answer carries `X-Request-Id`, which names the request in our log, and `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, which say how many requests the window allows, how many are left and in how many seconds it begins anew. A refusal also carries `Risiti-Reason`, the exact reason behind its code, which is also in its body.'

export const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

const text = (description: string): JsonSchema => ({ type: 'string', description })
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })

const Fault = object({
  path: text('where in the request, such as `lineItems[2].quantity`'),
  rule: text('the rule that was broken'),
  message: text('what to do about it'),
})

const errorFields: Record<string, JsonSchema> = {
  reason: text('The exact reason, such as `invoice.not_draft`. Also sent as the header `Risiti-Reason`.'),
  message: text('One or two sentences that say what to do.'),
  details: { type: 'array', items: schemaRef('Fault'), description: 'Every fault, where there are several.' },
}

/** What every document has, whatever its routes say. */
export const ownSchemas: Record<string, JsonSchema> = {
  Fault,
  Meta: object(
    {
      requestId: text('names this request in our log; also sent as X-Request-Id'),
      timestamp: { type: 'string', format: 'date-time' },
      mode: { type: 'string', enum: ['sandbox', 'live'], description: 'the mode of the token that called' },
    },
    ['mode'],
  ),
  Pagination: object({
    page: count('This page, from 1. With `after` it is 1.'),
    limit: count('The most entries that a page has.'),
    total: count('Entries on all pages together, whatever `after` says.'),
    totalPages: count('How many pages there are.'),
    hasMore: { type: 'boolean', description: 'Whether there are entries after this page.' },
    nextCursor: {
      type: ['string', 'null'],
      description: 'Send it as `after` to get the next page. Null on the last page.',
    },
  }),
  PagedMeta: { allOf: [schemaRef('Meta'), object({ pagination: schemaRef('Pagination') })] },
  Error: object({
    meta: schemaRef('Meta'),
    error: object({ code: text('The code of the refusal. Several reasons can share a code.'), ...errorFields }, [
      'details',
    ]),
  }),
}

/** What routes without codes refuse with. Only a form that has such routes documents it. */
export const codelessError: Record<string, JsonSchema> = {
  ErrorWithoutCode: object({ meta: schemaRef('Meta'), error: object(errorFields, ['details']) }),
}

const header = (schema: JsonSchema, description: string) => ({ description, schema })
const whole: JsonSchema = { type: 'integer' }
const word: JsonSchema = { type: 'string' }

export const headers: OpenApiDocument['components']['headers'] = {
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

export const securitySchemes = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token from signing in, or an API key (`sk_test_…` or `sk_live_…`).',
  },
}
