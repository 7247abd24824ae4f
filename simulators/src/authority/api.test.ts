import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { validationFailed } from './envelope.ts'
import { startAuthoritySimulator } from './index.ts'
import { failed, failureIn, keyHeaders, keys, startClient, type TestClient } from './test-client.ts'

const now = () => new Date('2026-11-15T09:30:00Z')
const verify = '/api/v1/utilities/verify-tin/'
const noRoute = {
  code: 404,
  data: null,
  message: 'no route found for this path. kindly check your request and try again',
}

let client: TestClient
beforeEach(async () => {
  client = await startClient({ now })
})
afterEach(() => client[Symbol.asyncDispose]())

test('is healthy, and says so to everybody', async () => {
  const answer = await client.ask('GET', '/api', { headers: {} })
  expect([answer.status, answer.json()]).toEqual([200, { healthy: true }])
})

test('every answer has the headers of the authority', async () => {
  for (const path of ['/api', '/api/v1/entity', '/api/v1/entity/x', '/nowhere']) {
    const { headers } = await client.get(path)
    expect(headers.get('cache-control')).toBe('private')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('last-modified')).toBe('Sun, 15 Nov 2026 09:30:00 GMT')
  }
})

test.each([
  ['no keys', {}],
  ['no secret', { 'x-api-key': keys.apiKey }],
  ['no key', { 'x-api-secret': keys.apiSecret }],
  ['another key', { ...keyHeaders, 'x-api-key': 'another' }],
  ['another secret', { ...keyHeaders, 'x-api-secret': 'another' }],
  ['a bearer token', { authorization: `Bearer ${keys.apiSecret}` }],
])('%s is 400, with an id of its own each time', async (_, headers) => {
  const ids = new Set<unknown>()
  for (const [method, path] of [
    ['GET', '/api/v1/entity'],
    ['GET', '/api/v1/entity/6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'],
    ['POST', verify],
    ['GET', '/api/v1/invoice/transmit/lookup/tin/20198222-0002'],
  ] as const) {
    const answer = await client.ask(method, path, { headers: headers as Record<string, string> })
    const refusal = { handler: 'handler', public_message: 'unable to validate api key' }
    expect(failureIn(answer)).toEqual(failed(400, refusal))
    ids.add((answer.json().error as { id: string }).id)
  }
  expect(ids.size).toBe(4)
})

test.each([
  ['GET', '/'],
  ['GET', '/nowhere'],
  ['GET', '/api/v2/entity'],
  ['GET', '/api/v1/entity/'],
  ['GET', '/api/v1/entity/a/b'],
  ['GET', '/api/v1/entity/%ff'],
  ['GET', '/v1/entity'],
  ['GET', '/api/v1/invoice/resources/service-codes'],
  ['GET', '/api/v1/invoice/resources/constructor'],
  ['POST', '/v1/vat/postPayment'],
  ['POST', '/api'],
  ['POST', '/api/v1/entity'],
  ['DELETE', '/api/v1/entity'],
  ['GET', verify],
  ['PATCH', '/api/v1/invoice/resources/states'],
])('%s %s is no route, with keys or without', async (method, path) => {
  for (const headers of [keyHeaders, {}]) {
    const answer = await client.ask(method, path, { headers })
    expect([answer.status, answer.json()]).toEqual([404, noRoute])
  }
})

test('paths that are no addresses are no route either', async () => {
  const { port } = new URL(client.simulator.url)
  for (const path of ['//', '/\\', 'http://[/', '/?', '*']) {
    const said = await new Promise<string>((done, fail) => {
      const socket = connect(Number(port), '127.0.0.1')
      let text = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('end', () => done(text)).on('error', fail)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    })
    expect(said).toMatch(/^HTTP\/1.1 404 /)
  }
})

test.each([
  ['nothing', ''],
  ['half of it', '{"tin":'],
  ['a form', 'tin=20198222-0002'],
])('%s is not JSON', async (_, body) => {
  const error = {
    handler: 'utility_actions',
    details: 'the body is not valid JSON',
    public_message: validationFailed,
  }
  expect(failureIn(await client.ask('POST', verify, { body }))).toEqual(failed(400, error))
})

test.each(['null', '[]', '"20198222-0002"', '1'])('%s is no object', async (body) => {
  expect(failureIn(await client.ask('POST', verify, { body }))).toMatchObject({
    status: 400,
    error: { details: 'the body must be a JSON object', public_message: validationFailed },
  })
})

test('a body may have a mebibyte, and no more', async () => {
  const bodyOf = (length: number) => {
    const [start, end] = ['{"tin":"20198222-0002","padding":"', '"}']
    return start + 'x'.repeat(length - start.length - end.length) + end
  }
  expect((await client.ask('POST', verify, { body: bodyOf(1_048_576) })).status).toBe(200)
  for (const length of [1_048_577, 5_000_000]) {
    const error = { handler: 'handler', public_message: 'request body is too large' }
    expect(failureIn(await client.ask('POST', verify, { body: bodyOf(length) }))).toEqual(failed(413, error))
  }
  expect((await client.get('/api')).status).toBe(200)
})

test('what was asked for is on record, refusals too', async () => {
  await client.get('/api/v1/entity?size=1')
  await client.ask('GET', '/api/v1/entity', { headers: {} })
  await client.post(verify, { tin: '20198222-9503' })
  await client.ask('PUT', '/nowhere')
  expect(client.simulator.control.requests).toEqual([
    { method: 'GET', path: '/api/v1/entity', status: 200 },
    { method: 'GET', path: '/api/v1/entity', status: 400 },
    { method: 'POST', path: verify, status: 500 },
    { method: 'PUT', path: '/nowhere', status: 404 },
  ])
})

test('a port that is taken is an error at the start', async () => {
  const port = Number(new URL(client.simulator.url).port)
  await expect(startAuthoritySimulator({ ...keys, port })).rejects.toThrow(/EADDRINUSE/)
})
