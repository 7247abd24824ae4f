import Type, { type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { Capability } from '../../kernel/capabilities.ts'
import { type RefusalName, refusals } from '../../kernel/refusals.ts'
import { type Needs, operation } from '../../platform/operations/operation.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Country, Fields, List, Listed, Maybe, means, Named, OneOf, Text, Uuid } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'
import { type Answers, sharedAnswers } from '../reply/answers.ts'
import type { DocumentedOperation } from './document.ts'
import { documentedStatuses, openApiOf } from './index.ts'
import { resolver } from './resolved.ts'

const unmapped = Object.fromEntries(Object.keys(refusals).map((name) => [name, { status: 418, code: 'TEST' }]))
const answers = { ...unmapped, ...sharedAnswers } as Answers

const doing = (needs: Needs<object>, ...refuses: RefusalName[]) =>
  operation({ needs, refuses }, async (_context, _input: object) => ({}))

const routes = {
  auth: {
    login: defineRoute('POST', '/auth/login', 'public', doing([], 'credentials.wrong'), { summary: 'Sign in' }),
    me: defineRoute('GET', '/auth/me', 'token', doing([]), { summary: 'See who you are', unverified: true }),
    token: defineRoute('POST', '/a/v1/auth/token', 'key', doing([]), { summary: 'Trade a key for a token' }),
  },
  boxes: {
    list: defineRoute('GET', '/boxes', 'token', doing(['item.read']), { summary: 'List boxes' }),
    create: defineRoute('POST', '/boxes', 'user', doing(['item.create', 'item.update'], 'state.changed'), {
      summary: 'Create a box',
      description: 'A box holds things.',
    }),
    read: defineRoute('GET', '/boxes/{id}', 'token', doing(['item.read']), { summary: 'Read a box' }),
    update: defineRoute('PATCH', '/boxes/{id}', 'token', doing(ofInput('item.update', 'item.archive')), {
      summary: 'Edit a box',
    }),
    kinds: defineRoute('GET', '/kinds/{kind}', 'token', doing([]), { summary: 'Read a kind' }),
  },
}

function ofInput(...oneOf: Capability[]): Needs<object> {
  return { all: [], oneOf, by: () => [] }
}

const plain = { reply: Fields({ id: Uuid }), decode: () => ({}), encode: () => ({ id: '' }) }
const Box = Fields({
  name: means('The name of the box.', Text(1, 20)),
  explanation: Type.Optional(Type.String({ description: 'Why the box is there.', explanation: 'must be brief' })),
})
const Page = Fields({
  limit: Type.Optional(Type.Integer({ default: 20, description: 'The number of boxes on a page.' })),
  owner: Uuid,
})
const Id = Fields({ id: Uuid })

const about = { name: 'B', title: 'Boxes', description: 'About boxes.', prefix: '/form-b', answers } as const
const boxes = form(routes, about, {
  auth: {
    login: describeRoute(routes.auth.login, { ...plain, status: 200, body: Box }),
    me: describeRoute(routes.auth.me, { ...plain, status: 200 }),
    token: describeRoute(routes.auth.token, { ...plain, status: 200 }),
  },
  boxes: {
    list: describeRoute(routes.boxes.list, {
      ...plain,
      status: 200,
      query: Page,
      pagination: () => ({ page: 1, limit: 20, total: 0 }),
    }),
    create: describeRoute(routes.boxes.create, {
      ...plain,
      status: 201,
      otherStatuses: [202],
      body: Box,
      location: () => '/boxes/1',
    }),
    read: describeRoute(routes.boxes.read, { ...plain, status: 200, params: Id, version: () => 1 }),
    update: describeRoute(routes.boxes.update, { ...plain, status: 200, params: Id, body: Box, readsIfMatch: true }),
    kinds: describeRoute(routes.boxes.kinds, {
      ...plain,
      status: 200,
      params: Fields({ kind: OneOf('big', 'small') }),
    }),
  },
})

const document = openApiOf(boxes)
const found = (verb: string, path: string) => document.paths[path]?.[verb] as DocumentedOperation
const whole = resolver(document)
const statusesOf = (name: string) => {
  const { route } = boxes.routes.find((one) => one.name === name) as (typeof boxes.routes)[number]
  return Object.fromEntries(documentedStatuses(boxes, route))
}
const parameterNames = (verb: string, path: string) => whole(found(verb, path)).parameters.map(({ name }) => name)
const replyOf = (verb: string, path: string, status: number) => whole(found(verb, path)).responses[status]

describe('the document as a whole', () => {
  it('names its form and the base URL', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: {
        title: 'Boxes',
        version: '1.0',
        contact: { name: 'Risiti' },
        description: expect.stringMatching(/^About boxes\.\n\nEvery response/),
      },
      servers: [{ url: '/form-b', 'x-internal': false }],
      tags: [{ name: 'auth' }, { name: 'boxes' }],
    })
    expect(openApiOf({ ...boxes, prefix: '' }).servers).toMatchObject([{ url: '/' }])
  })

  it('has every route once, without the prefix, with its own id', () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    expect(Object.keys(document.paths)).toContain('/boxes/{id}')
    expect(new Set(operations.map((one) => one.operationId)).size).toBe(boxes.routes.length)
    expect(found('post', '/boxes').operationId).toBe('boxes_create')
  })

  it('is the same every time', () => {
    expect(JSON.stringify(openApiOf(boxes))).toBe(JSON.stringify(document))
  })

  it('refuses two routes at one address', () => {
    expect(() => openApiOf({ ...boxes, routes: [...boxes.routes, ...boxes.routes] })).toThrow('twice')
  })

  it('refers only to components that exist', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w.-]+)"/g)]
    expect(references.length).toBeGreaterThan(0)
    const components = document.components as unknown as Record<string, Record<string, unknown>>
    for (const [, kind, name] of references) expect(Object.keys(components[kind as string] ?? {})).toContain(name)
  })

  it('turns our explanations into descriptions, except in a field of that name', () => {
    const { properties = {} } = found('post', '/boxes').requestBody?.content['application/json'].schema ?? {}
    expect(properties.name).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '\\S',
      description: 'The name of the box. Must not be blank.',
    })
    expect(properties.explanation).toEqual({ type: 'string', description: 'Why the box is there. Must be brief.' })
  })
})

describe('an operation', () => {
  it('says who may call it and what it needs', () => {
    expect(found('post', '/boxes').description).toBe(
      'A box holds things.\n\nFor signed-in users. API keys and connected programs are refused.\n\nNeeds the capabilities `item.create` and `item.update`.',
    )
    expect(found('get', '/boxes').description).toContain('Needs the capability `item.read`.')
    expect(found('patch', '/boxes/{id}').description).toContain(
      'Needs one or more of the capabilities `item.update`, `item.archive`, depending on the request.',
    )
    expect(found('get', '/auth/me').description).toContain('not verified can also call it')
  })

  it('asks for a token unless it is public', () => {
    expect(found('post', '/auth/login').security).toEqual([])
    expect(found('get', '/boxes')).not.toHaveProperty('security')
    expect(document.security).toEqual([{ bearerAuth: [] }])
  })

  it('lists path and query parameters with required flags and defaults', () => {
    expect(whole(found('get', '/boxes')).parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        description: 'The number of boxes on a page.',
        schema: { type: 'integer', default: 20 },
      },
      { name: 'owner', in: 'query', required: true, schema: { type: 'string', format: 'uuid' } },
    ])
    expect(whole(found('get', '/boxes/{id}')).parameters[0]).toMatchObject({ name: 'id', in: 'path', required: true })
    // Two take it alike: it is written once.
    expect(found('get', '/boxes/{id}').parameters[0]).toEqual({ $ref: '#/components/parameters/id' })
  })

  it('lists the headers that it reads', () => {
    expect(parameterNames('post', '/boxes')).toEqual(['Idempotency-Key'])
    expect(parameterNames('patch', '/boxes/{id}')).toEqual(['id', 'Idempotency-Key', 'If-Match'])
    expect(parameterNames('get', '/boxes/{id}')).toEqual(['id', 'If-None-Match'])
    expect(parameterNames('post', '/auth/login')).toEqual([])
  })

  it('requires a body exactly when it has a schema for one', () => {
    expect(found('post', '/boxes').requestBody?.required).toBe(true)
    expect(found('get', '/boxes')).not.toHaveProperty('requestBody')
  })
})

describe('a success', () => {
  it('is the envelope around the reply, and defined once for all routes', () => {
    expect(found('get', '/auth/me').responses[200]).toEqual({ $ref: '#/components/responses/Done' })
    expect(document.components.responses.Done).toHaveProperty('content.application/json.schema', {
      type: 'object',
      required: ['meta', 'data'],
      properties: {
        meta: { $ref: '#/components/schemas/Meta', description: 'Facts about the request and this response.' },
        // Responses can gain fields later; requests accept no other fields.
        data: {
          ...JSON.parse(JSON.stringify(plain.reply)),
          additionalProperties: undefined,
          description: 'The result of the operation.',
        },
      },
    })
  })

  it('has pagination in the meta of a list', () => {
    const meta = replyOf('get', '/boxes', 200)?.content?.['application/json'].schema.properties?.meta
    expect(meta).toMatchObject({
      required: ['requestId', 'timestamp', 'pagination'],
      properties: { pagination: { required: ['page', 'limit', 'total', 'totalPages', 'hasMore', 'nextCursor'] } },
    })
  })

  it('lists its headers', () => {
    const headersOf = (verb: string, path: string, status: number) =>
      Object.keys(replyOf(verb, path, status)?.headers ?? {})
    expect(headersOf('get', '/boxes', 200)).toEqual([])
    expect(headersOf('post', '/boxes', 202)).toEqual(['Location', 'Idempotent-Replayed'])
    expect(headersOf('get', '/boxes/{id}', 200)).toEqual(['ETag'])
  })
})

describe('the statuses of a route', () => {
  it('of a public route include none about tokens', () => {
    expect(statusesOf('login')).toEqual({
      200: [],
      400: ['request.invalid', 'request.malformed'],
      401: ['credentials.wrong'],
      413: ['request.too_large'],
      415: ['request.not_json'],
      429: ['limit.exceeded'],
      503: ['dependency.unavailable'],
    })
  })

  it('of a change by a user are complete', () => {
    expect(statusesOf('create')).toEqual({
      201: [],
      202: [],
      400: ['request.invalid', 'request.malformed'],
      401: ['auth.token_missing', 'auth.token_invalid', 'auth.token_outdated'],
      403: ['auth.users_only', 'auth.email_unverified', 'auth.capability_missing'],
      409: ['idempotency.body_differs', 'state.changed'],
      413: ['request.too_large'],
      415: ['request.not_json'],
      429: ['limit.exceeded'],
      503: ['dependency.unavailable'],
    })
  })

  it('include 404 if the path has an id, and 400 for an unknown query', () => {
    expect(statusesOf('read')).toMatchObject({ 200: [], 304: [], 404: ['resource.not_found'] })
    expect(Object.keys(statusesOf('read'))).toEqual(['200', '304', '400', '401', '403', '404', '429', '503'])
    expect(statusesOf('list')).not.toHaveProperty('404')
  })

  it('include 400 and not 404 if the path has a value of a list', () => {
    expect(statusesOf('kinds')).toMatchObject({ 400: ['request.invalid'] })
    expect(statusesOf('kinds')).not.toHaveProperty('404')
  })

  it('include 409 for a stale version if If-Match is read', () => {
    expect(statusesOf('update')[409]).toContain('version.stale')
    expect(statusesOf('create')[409]).not.toContain('version.stale')
  })

  it('include 403 for an unverified email address only where it applies', () => {
    expect(statusesOf('token')[403]).toEqual(['auth.keys_only'])
    expect(statusesOf('me')).not.toHaveProperty('403')
  })
})

describe('a refusal', () => {
  it('names its codes and reasons in the form’s own answers', () => {
    const { responses } = found('post', '/boxes')
    expect(responses[409]).toEqual({ $ref: '#/components/responses/OtherBody-state.changed' })
    const response = document.components.responses['OtherBody-state.changed']
    expect(response?.content?.['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' })
    expect(response?.description.split('\n')).toEqual([
      'The reasons of `OtherBody`, and:',
      `- \`RES004\` \`state.changed\`: ${refusals['state.changed']}`,
    ])
    expect(response?.['x-risiti-reasons']).toEqual(['idempotency.body_differs', 'state.changed'])
    expect(Object.keys(replyOf('get', '/boxes', 429)?.headers ?? {})).toContain('Retry-After')
  })
})

describe('a named schema', () => {
  const Part = Named('Part', { id: Uuid, size: Maybe(OneOf('big', 'small')) }, { description: 'of a box' })
  const one = (reply: TSchema) =>
    openApiOf(
      form({ boxes: { read: routes.boxes.read } }, about, {
        boxes: {
          read: describeRoute(routes.boxes.read, { ...plain, status: 200, params: Id, reply, encode: () => ({}) }),
        },
      }),
    )
  const dataOf = (document: ReturnType<typeof openApiOf>) => {
    const response = document.paths['/boxes/{id}']?.get?.responses[200]
    return response && 'content' in response
      ? response.content?.['application/json'].schema.properties?.data
      : undefined
  }

  it('is defined once, and referenced everywhere', () => {
    const document = one(Fields({ first: Part, others: List(Part), perhaps: Maybe(Part), spare: Type.Optional(Part) }))
    const ref = { $ref: '#/components/schemas/Part' }
    expect(dataOf(document)?.properties).toEqual({
      first: ref,
      others: { type: 'array', items: ref },
      perhaps: { anyOf: [ref, { type: 'null' }] },
      spare: ref,
    })
    expect(document.components.schemas.Part).toEqual({
      type: 'object',
      required: ['id', 'size'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        size: { type: ['string', 'null'], enum: ['big', 'small', null] },
      },
      description: 'of a box',
    })
  })

  it('is the base of schemas with all its fields and more', () => {
    const four = { id: Uuid, width: Type.Integer(), height: Type.Integer(), depth: Type.Optional(Type.Integer()) }
    const Small = Named('Small', four)
    const Large = Named('Large', { ...four, depth: Type.Integer(), wheels: Type.Integer() })
    const document = one(Fields({ small: Small, large: Large, odd: Fields({ ...four, lid: Type.Integer() }) }))
    const ground = { $ref: '#/components/schemas/Small' }
    const integer = { type: 'integer' }
    expect(document.components.schemas.Large).toEqual({
      allOf: [ground, { type: 'object', required: ['depth', 'wheels'], properties: { wheels: integer } }],
    })
    expect(dataOf(document)?.properties?.odd).toEqual({
      allOf: [ground, { type: 'object', required: ['lid'], properties: { lid: integer } }],
    })
    // The resolved document shows an object with all its fields.
    const read = resolver(document)(document.paths['/boxes/{id}']?.get as DocumentedOperation)
    const data = read.responses[200]?.content?.['application/json'].schema.properties?.data
    expect(data?.properties?.large).toEqual({
      type: 'object',
      required: ['id', 'width', 'height', 'depth', 'wheels'],
      properties: { ...document.components.schemas.Small?.properties, wheels: integer },
    })
  })

  it('declares a list that the core checks as an enum', () => {
    const document = one(Fields({ colour: Listed(Text(1, 9), ['red', 'blue']), country: Country }))
    expect(dataOf(document)?.properties).toMatchObject({
      colour: { type: 'string', enum: ['red', 'blue'] },
      country: { type: 'string', pattern: '^[A-Z]{2}$' },
    })
    expect(dataOf(document)?.properties?.colour).not.toHaveProperty('maxLength')
  })

  it('may have its own description in a place', () => {
    const document = one(Fields({ lid: means('what closes it', Part), name: means('what it is called', Text(0, 5)) }))
    expect(dataOf(document)?.properties).toMatchObject({
      lid: { $ref: '#/components/schemas/Part', description: 'what closes it' },
      name: { type: 'string', maxLength: 5, description: 'what it is called' },
    })
    expect(document.components.schemas.Part?.description).toBe('of a box')
  })

  it('has a unique name: two different schemas cannot share one', () => {
    const other = Named('Part', { id: Uuid })
    expect(() => one(Fields({ part: Part, other }))).toThrow('two different schemas are called Part')
  })
})

describe('routes that refuse without a code', () => {
  const refusedSchemas = (form: typeof formA) => {
    const { paths, components } = openApiOf(form)
    return form.routes.flatMap(({ route }) => {
      const documented = paths[route.path]?.[route.method.toLowerCase()]
      return Object.values(documented?.responses ?? {}).flatMap((one) => {
        const response = '$ref' in one ? components.responses[String(one.$ref).split('/').at(-1) as string] : one
        const schema = response?.['x-risiti-reasons'] && response.content?.['application/json']?.schema.$ref
        return schema === undefined ? [] : [{ codeless: route.codeless, schema }]
      })
    })
  }

  it('have their own schema, which no other route has', () => {
    for (const form of [formA, formB])
      for (const { codeless, schema } of refusedSchemas(form))
        expect(schema).toBe(`#/components/schemas/${codeless ? 'ErrorWithoutCode' : 'Error'}`)
    expect(refusedSchemas(formB).filter(({ codeless }) => codeless).length).toBeGreaterThan(10)
    const { schemas } = openApiOf(formB).components
    expect(schemas.ErrorWithoutCode?.properties?.error).toMatchObject({ required: ['reason', 'message'] })
    expect(schemas.Error?.properties?.error).toMatchObject({ required: ['code', 'reason', 'message'] })
    expect(openApiOf(formA).components.schemas).not.toHaveProperty('ErrorWithoutCode')
  })
})
