import type { Content, JsonSchema, OpenApiDocument, Response } from './document.ts'

export const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } })
export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export function headerRefs(...own: string[]): Response['headers'] {
  const names = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', ...own]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
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

export const schemas: Record<string, JsonSchema> = {
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
