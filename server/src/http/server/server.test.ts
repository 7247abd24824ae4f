import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { operation, reading } from '../../platform/operations/operation.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import { Fields, Text, Uuid } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { answers as answersOfA } from '../form-a/answers.ts'
import { answers as answersOfB } from '../form-b/answers.ts'

const id = '0193b3a4-6d6e-7000-8000-000000000001'
const facts = { needs: [], refuses: [] } as const
const giveBack = operation(facts, async (_, input: object) => input)
const look = reading(facts, async (_, input: object) => input)

const routes = {
  notes: {
    write: defineRoute('POST', '/p/v1/notes', 'public', giveBack, { summary: 'Write' }),
    list: defineRoute('GET', '/p/v1/notes', 'public', look, { summary: 'List' }),
    change: defineRoute('PATCH', '/p/v1/notes/{id}', 'token', giveBack, { summary: 'Change' }),
    read: defineRoute('GET', '/p/v1/notes/{id}', 'token', look, { summary: 'Read' }),
    remove: defineRoute('DELETE', '/p/v1/notes/{id}', 'public', giveBack, { summary: 'Remove' }),
    tag: defineRoute('GET', '/p/v1/tags/{name}', 'public', look, { summary: 'Read a tag' }),
    ping: defineRoute('POST', '/p/v1/ping', 'public', giveBack, { summary: 'Ping' }),
    onlyA: defineRoute('GET', '/p/v1/only-a/{id}', 'public', look, { summary: 'Form A only' }),
    onlyB: defineRoute('POST', '/p/v1/only-b', 'public', giveBack, { summary: 'Form B only' }),
  },
}
const { notes } = routes

const Id = Fields({ id: Uuid })
const Note = Fields({ text: Text(0, 3_000_000), count: Type.Optional(Type.Integer()) })
const Page = Fields({ page: Type.Optional(Type.Integer({ minimum: 1 })), q: Type.Optional(Type.String()) })
const plain = { reply: Type.Object({}), encode: (output: object) => output }

const described = {
  write: describeRoute(notes.write, { ...plain, status: 201, body: Note, decode: ({ body }) => body }),
  list: describeRoute(notes.list, { ...plain, status: 200, query: Page, decode: ({ query }) => query }),
  change: describeRoute(notes.change, { ...plain, status: 200, params: Id, body: Note, decode: ({ body }) => body }),
  read: describeRoute(notes.read, {
    ...plain,
    status: 200,
    params: Id,
    version: () => 3,
    decode: ({ params }) => params,
  }),
  remove: describeRoute(notes.remove, { ...plain, status: 200, params: Id, decode: ({ params }) => params }),
  tag: describeRoute(notes.tag, {
    ...plain,
    status: 200,
    params: Fields({ name: Text(1, 50) }),
    decode: ({ params }) => params,
  }),
  ping: describeRoute(notes.ping, { ...plain, status: 200, decode: () => ({ pong: true }) }),
  onlyA: describeRoute(notes.onlyA, { ...plain, status: 200, params: Id, decode: ({ params }) => params }),
  onlyB: describeRoute(notes.onlyB, { ...plain, status: 200, decode: () => ({}) }),
}
const about = { title: 'Probe', description: 'Probe.' }
const forms = [
  form(routes, { ...about, name: 'A', prefix: '', answers: answersOfA }, { notes: { ...described, onlyB: elsewhere } }),
  form(
    routes,
    { ...about, name: 'B', prefix: '/form-b', answers: answersOfB },
    { notes: { ...described, onlyA: elsewhere } },
  ),
]

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly error: { code: string; message: string; details?: { path: string; rule: string }[] } | undefined
  readonly data: unknown
}

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp({ forms })
  person = await app.person()
})
afterAll(() => app.close())

/** Sends what is given and nothing else; holds every answer to what all answers have. */
async function send(
  method: string,
  path: string,
  { body, ...headers }: Record<string, string | string[]> & { body?: string } = {},
): Promise<Answer> {
  const answer = await new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    if (body !== undefined && !('transfer-encoding' in headers))
      headers['content-length'] = String(Buffer.byteLength(body))
    const request = httpRequest({ hostname, port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const { error, data } = text.startsWith('{') ? JSON.parse(text) : {}
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, error, data })
      })
    })
    request.on('error', reject).end(body)
  })
  expect(answer.headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^[\w-]{1,64}$/),
    'ratelimit-limit': '1000000',
    'ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'ratelimit-reset': expect.stringMatching(/^\d+$/),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'no-store',
  })
  expect(answer.headers).not.toHaveProperty('server')
  expect(answer.headers).not.toHaveProperty('x-powered-by')
  if (answer.status >= 400 && method !== 'HEAD') {
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(answer.text)).toEqual({
      meta: {
        requestId: answer.headers['x-request-id'],
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
      error: expect.objectContaining({ code: expect.any(String), message: expect.stringMatching(/^[A-Z].*\.$/) }),
    })
  }
  return answer
}

const json = 'application/json'
const told = ({ status, error, headers }: Answer) => [status, error?.code, headers['risiti-reason']]
const faults = ({ error }: Answer) => error?.details?.map(({ path, rule }) => `${path} ${rule}`).sort()

describe.each([
  ['A', ''],
  ['B', '/form-b'],
])('Form %s', (name, prefix) => {
  const call = (method: string, path: string, sending?: Parameters<typeof send>[2]) =>
    send(method, `${prefix}${path}`, sending)

  describe('routing', () => {
    test.each([
      '/',
      '/p',
      '/p/v1',
      '/p/v1/nope',
      '/p/v1/notes/a/b',
      '/P/v1/notes',
      '/p//v1/notes',
      '/%00',
      '/p/v1/notes%2f',
    ])('%s serves nothing', async (path) => {
      const answer = await call('GET', path)
      expect(told(answer)).toEqual([404, 'RES001', 'route.not_found'])
      expect(answer.error?.message).toContain(`${prefix}/docs`)
      expect(answer.headers).not.toHaveProperty('allow')
    })

    test.each([
      ['a body that is not JSON', { 'content-type': json, body: '{' }],
      ['a body of another type', { 'content-type': 'text/plain', body: 'hello' }],
      ['a body over the limit', { 'content-type': json, body: JSON.stringify('x'.repeat(1_100_000)) }],
      ['a broken query', {}],
    ])('an unknown path is not found with any body: %s', async (what, sending) => {
      const answer = await call('POST', what === 'a broken query' ? '/p/v1/nope?a=%zz' : '/p/v1/nope', sending)
      expect(told(answer)).toEqual([404, 'RES001', 'route.not_found'])
    })

    test.each([
      ['PUT', '/p/v1/notes', 'GET, HEAD, POST'],
      ['DELETE', '/p/v1/notes', 'GET, HEAD, POST'],
      ['PUT', '/p/v1/notes/x', 'DELETE, GET, HEAD, PATCH'],
      ['GET', '/p/v1/ping', 'POST'],
      ['HEAD', '/p/v1/ping', 'POST'],
      ['OPTIONS', '/p/v1/notes', 'GET, HEAD, POST'],
      ['TRACE', '/p/v1/notes', 'GET, HEAD, POST'],
      ['PROPFIND', '/p/v1/notes', 'GET, HEAD, POST'],
      ['POST', '/docs', 'GET, HEAD'],
      ['DELETE', '/openapi.json', 'GET, HEAD'],
    ])('%s %s is refused with the permitted methods', async (method, path, allow) => {
      const answer = await call(method, path)
      expect([answer.status, answer.headers.allow]).toEqual([405, allow])
      if (method !== 'HEAD') expect(told(answer)).toEqual([405, 'RES001', 'route.method_not_allowed'])
    })

    test('a wrong method is refused before the body is read', async () => {
      const answer = await call('PUT', '/p/v1/notes', { 'content-type': 'text/plain', body: 'hello' })
      expect(told(answer)).toEqual([405, 'RES001', 'route.method_not_allowed'])
    })

    test('the refusal of a route that only the other form has names that form', async () => {
      const here = name === 'A' ? ['GET', `/p/v1/only-a/${id}`] : ['POST', '/p/v1/only-b']
      const there = name === 'A' ? ['POST', '/p/v1/only-b'] : ['GET', `/p/v1/only-a/${id}`]
      expect((await call(here[0] as string, here[1] as string)).status).toBe(200)
      const answer = await call(there[0] as string, there[1] as string)
      expect(told(answer)).toEqual([404, 'RES001', 'route.elsewhere'])
      const address =
        name === 'A'
          ? 'Form B has this route. Call POST /form-b/p/v1/only-b '
          : `Form A has this route. Call GET /p/v1/only-a/${id} `
      expect(answer.error?.message).toContain(address)
      // With a method that it does not take there either, it is nowhere.
      expect(told(await call('DELETE', there[1] as string))).toEqual([404, 'RES001', 'route.not_found'])
    })

    test('a trailing slash makes no difference', async () => {
      expect((await call('GET', '/p/v1/notes/')).status).toBe(200)
      expect((await call('POST', '/p/v1/notes/', { 'content-type': json, body: '{"text":"a"}' })).status).toBe(201)
      expect((await call('PUT', '/p/v1/notes/')).status).toBe(405)
    })

    test('HEAD is GET without the body', async () => {
      const [got, head] = [await call('GET', '/p/v1/notes?page=2'), await call('HEAD', '/p/v1/notes?page=2')]
      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers['content-type']).toBe(got.headers['content-type'])
      expect((await call('HEAD', '/p/v1/notes?page=0')).status).toBe(400)
      expect((await call('HEAD', '/p/v1/nope')).status).toBe(404)
    })

    test.each(['GET', 'HEAD'])('%s with the current ETag gets 304', async (method) => {
      const authorization = `Bearer ${person.token}`
      const path = `/p/v1/notes/${id}`
      expect((await call(method, path, { authorization })).headers.etag).toBe('"3"')
      const same = await call(method, path, { authorization, 'if-none-match': '"2", W/"3"' })
      expect([same.status, same.text, same.headers.etag]).toEqual([304, '', '"3"'])
      expect((await call(method, path, { authorization, 'if-none-match': '"2"' })).status).toBe(200)
    })

    test.each(['/p/v1/%zz', '/p/v1/tags/%E0%A4', '/p/v1/tags/%'])('broken percent-encoding in %s', async (path) => {
      expect(told(await call('GET', path))).toEqual([400, 'VAL001', 'request.malformed'])
    })

    test('a malformed id is not found, and NUL in a text is a fault', async () => {
      expect(told(await call('DELETE', '/p/v1/notes/x'))).toEqual([404, 'RES001', 'resource.not_found'])
      expect(told(await call('DELETE', '/p/v1/notes/%00'))).toEqual([404, 'RES001', 'resource.not_found'])
      const answer = await call('GET', '/p/v1/tags/a%00b')
      expect(told(answer)).toEqual([400, 'VAL001', 'request.invalid'])
      expect(faults(answer)).toEqual(['name text'])
      expect((await call('GET', '/p/v1/tags/a%2Fb%20%C3%A9')).data).toEqual({ name: 'a/b é' })
    })
  })

  describe('query', () => {
    test.each([
      ['?page=2&q=a+b%20c%2B', { page: 2, q: 'a b c+' }],
      ['?', {}],
      ['?&&page=1&', { page: 1 }],
      ['?q', { q: '' }],
      ['?q=a=b', { q: 'a=b' }],
      ['?q=%F0%9F%98%80', { q: '😀' }],
    ])('%s is read', async (query, expected) => {
      const answer = await call('GET', `/p/v1/notes${query}`)
      expect([answer.status, answer.data]).toEqual([200, expected])
    })

    test.each([
      ['?page=1&page=2', ['page repeated', 'page type']],
      ['?q=a&q=a', ['q repeated', 'q type']],
      ['?page=1e3', ['page type']],
      ['?pages=1&limit=2', ['limit unknown', 'pages unknown']],
      ['?__proto__=1', ['__proto__ unknown']],
      ['?q[]=1', ['q[] unknown']],
      ['?q=%00', ['q text']],
      ['?page=0&sort=x', ['page minimum', 'sort unknown']],
      ['?q=%zz', ['query encoding']],
      ['?%=1', ['query encoding']],
    ])('%s is refused', async (query, expected) => {
      const answer = await call('GET', `/p/v1/notes${query}`)
      expect(told(answer)).toEqual([400, 'VAL001', 'request.invalid'])
      expect(faults(answer)).toEqual(expected)
    })

    test('a route without a query refuses one', async () => {
      const answer = await call('POST', '/p/v1/ping?x=1')
      expect([told(answer), faults(answer)]).toEqual([[400, 'VAL001', 'request.invalid'], ['x unknown']])
    })
  })

  describe('body', () => {
    const post = (sending: Parameters<typeof send>[2]) => call('POST', '/p/v1/notes', sending)

    test.each([json, 'application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8'])(
      '%s is accepted',
      async (type) => {
        const answer = await post({ 'content-type': type, body: '{"text":"é"}' })
        expect([answer.status, answer.data]).toEqual([201, { text: 'é' }])
      },
    )

    test.each([
      ['no content type', {}],
      ['text', { 'content-type': 'text/plain' }],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['parts', { 'content-type': 'multipart/form-data; boundary=x' }],
      ['nearly JSON', { 'content-type': 'application/jsonp' }],
      ['a merge patch', { 'content-type': 'application/merge-patch+json' }],
      ['garbage', { 'content-type': ';;;' }],
      ['compressed', { 'content-type': json, 'content-encoding': 'gzip' }],
      ['said to be compressed by nothing', { 'content-type': json, 'content-encoding': 'identity' }],
    ])('%s is not JSON', async (_, headers) => {
      expect(told(await post({ ...headers, body: '{"text":"a"}' }))).toEqual([415, 'VAL002', 'request.not_json'])
    })

    test.each([
      ['broken', '{"text":', 'request.malformed'],
      ['too deep', `${'['.repeat(65)}${']'.repeat(65)}`, 'request.malformed'],
      ['two values', '{"text":"a"}{"text":"b"}', 'request.malformed'],
      ['a key given twice', '{"text":"a","text":"b"}', 'request.invalid'],
      ['NUL in it', '{"text":"\\u0000"}', 'request.invalid'],
      ['not an object', '["text"]', 'request.invalid'],
      ['a number as text', '{"text":"a","count":"1"}', 'request.invalid'],
    ])('a body with something wrong: %s', async (_, body, reason) => {
      expect(told(await post({ 'content-type': json, body }))).toEqual([400, 'VAL001', reason])
    })

    test('all faults of body, query and path are in one reply', async () => {
      const answer = await call('PATCH', `/p/v1/notes/${id}?x=1`, {
        'content-type': json,
        authorization: `Bearer ${person.token}`,
        body: '{"count":"1","Text":"a"}',
      })
      expect(faults(answer)).toEqual(['Text unknown', 'count type', 'text required', 'x unknown'])
    })

    test.each([
      ['nothing', {}],
      ['nothing, called JSON', { 'content-type': json }],
      ['nothing but space', { 'content-type': json, body: ' \n' }],
      ['null', { 'content-type': json, body: 'null' }],
    ])('a route with a body needs one: %s', async (_, sending) => {
      const answer = await post(sending)
      expect([told(answer), faults(answer)]).toEqual([[400, 'VAL001', 'request.invalid'], [' required']])
    })

    test.each([
      ['nothing', {}],
      ['nothing, called JSON', { 'content-type': json }],
      ['an empty object', { 'content-type': json, body: '{}' }],
    ])('a route without a body accepts %s', async (_, sending) => {
      expect((await call('POST', '/p/v1/ping', sending)).data).toEqual({ pong: true })
      expect((await call('DELETE', `/p/v1/notes/${id}`, sending)).data).toEqual({ id })
    })

    test('a route without a body refuses fields, and ignores the body of a GET', async () => {
      for (const [method, path] of [
        ['POST', '/p/v1/ping'],
        ['DELETE', `/p/v1/notes/${id}`],
      ] as const) {
        const answer = await call(method, path, { 'content-type': json, body: '{"mode":"live"}' })
        expect([told(answer), faults(answer)]).toEqual([[400, 'VAL001', 'request.invalid'], ['mode unknown']])
      }
      expect((await call('GET', '/p/v1/notes', { 'content-type': json, body: '{' })).status).toBe(200)
    })

    test('one mebibyte is accepted, and one more byte is refused', async () => {
      const sized = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
      expect((await post({ 'content-type': json, body: sized(1024 * 1024) })).status).toBe(201)
      const over = sized(1024 * 1024 + 1)
      expect(told(await post({ 'content-type': json, body: over }))).toEqual([413, 'VAL002', 'request.too_large'])
      const chunked = { 'content-type': json, 'transfer-encoding': 'chunked', body: over }
      expect(told(await post(chunked))).toEqual([413, 'VAL002', 'request.too_large'])
    })
  })

  describe('headers', () => {
    test.each(['a', 'A-Z_09', 'x'.repeat(64)])('a request id of the caller is used: %s', async (given) => {
      for (const path of ['/p/v1/notes', '/p/v1/nope', '/p/v1/%zz'])
        expect((await call('GET', path, { 'x-request-id': given })).headers['x-request-id']).toBe(given)
    })

    test.each(['', 'x'.repeat(65), 'a b', 'a.b', 'a,b', 'é', '<script>'])(
      'a malformed request id is replaced: %j',
      async (given) => {
        const { headers } = await call('GET', '/p/v1/notes', { 'x-request-id': given })
        expect(headers['x-request-id']).toMatch(/^[\w-]{12}-[0-9a-z]+$/)
      },
    )

    test.each([
      [undefined, 'auth.token_missing'],
      ['', 'auth.token_invalid'],
      ['Bearer', 'auth.token_invalid'],
      ['Bearer ', 'auth.token_invalid'],
      ['Bearer a b', 'auth.token_invalid'],
      ['Bearer ü', 'auth.token_invalid'],
      ['Bearer not-a-token', 'auth.token_invalid'],
      ['Bearer a.b.c', 'auth.token_invalid'],
      ['Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', 'auth.token_invalid'],
      [`Bearer ${'x'.repeat(5000)}`, 'auth.token_invalid'],
      ['Bearer sk_test_x', 'auth.token_invalid'],
      ['Basic dXNlcjpwYXNz', 'auth.token_invalid'],
    ])('Authorization: %s', async (authorization, reason) => {
      const answer = await call('GET', `/p/v1/notes/${id}`, authorization === undefined ? {} : { authorization })
      expect(told(answer)).toEqual([401, 'AUTH001', reason])
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    })

    test('a missing token is refused before the request is checked', async () => {
      const answer = await call('PATCH', '/p/v1/notes/x?y=1', { 'content-type': 'text/plain', body: '{' })
      expect(told(answer)).toEqual([401, 'AUTH001', 'auth.token_missing'])
      expect((await call('GET', `/p/v1/notes/${id}`, { authorization: `bearer  ${person.token}` })).status).toBe(200)
    })
  })
})
