import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { ok } from '../../../../test/harness/issued.ts'
import { passTime } from '../../../../test/harness/pass-time.ts'
import { connect } from '../../../../test/harness/programs.ts'
import { identifiedForMs } from './identify.ts'

let app: TestApp
let own: Person
beforeAll(async () => {
  app = await startTestApp({ trustProxy: { hops: 1 } })
  own = await app.person()
})
afterAll(() => app?.close())

/** Returns when the headers have arrived, and the caller is admitted. The body is sent when told. */
async function slowly(path: string, token: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const reply = Promise.withResolvers<{ status: number | undefined; body: string }>()
  const request = httpRequest(
    `${app.url}${path}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        expect: '100-continue',
        ...headers,
      },
    },
    async (response) => reply.resolve({ status: response.statusCode, body: await text(response) }),
  )
  request.once('error', reply.reject)
  await once(request, 'continue')
  return async () => {
    passTime(identifiedForMs + 1)
    request.end(body)
    return await reply.promise
  }
}

const newBuyer = (name: string) => JSON.stringify({ name })
const buyerNames = async () =>
  ok(await app.a.get('/i/v1/buyers', { token: own.token })).map(({ name }: { name: string }) => name)

const rpc = (name: string, input: object) =>
  [
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    { accept: 'application/json, text/event-stream' },
  ] as const

test('a key that is revoked while its body arrives changes and reads nothing', async () => {
  const made = ok(
    await app.a.post('/a/v1/organizations/me/api-keys', {
      token: own.token,
      body: { name: 'Slow', mode: 'sandbox', capabilities: ['buyer.create', 'buyer.read'] },
    }),
    201,
  )
  const unhurried = await slowly('/i/v1/buyers', made.key, newBuyer('Slow, and allowed'))
  expect((await unhurried()).status).toBe(201)
  const late = [
    await slowly('/i/v1/buyers', made.key, newBuyer('Too late')),
    await slowly('/mcp', made.key, ...rpc('look_up', { what: 'buyer', words: 'Slow' })),
  ]
  ok(await app.a.patch(`/a/v1/organizations/me/api-keys/${made.id}/revoke`, { token: own.token }))
  for (const { status, body } of await Promise.all(late.map((end) => end())))
    expect([status, JSON.parse(body).error.reason]).toEqual([401, 'auth.token_invalid'])
  expect(await buyerNames()).toEqual(['Slow, and allowed'])
})

test('a program that is narrowed while its body arrives does only what it still may', async () => {
  const asking = { scope: 'buyer.create buyer.read', resource: app.url }
  const { accessToken, id } = await connect(app, own, { asking })
  const late = await slowly('/i/v1/buyers', accessToken, newBuyer('Too much'))
  ok(await app.a.patch(`/n/v1/connected-programs/${id}`, { token: own.token, body: { capabilities: ['buyer.read'] } }))
  const { status, body } = await late()
  expect([status, JSON.parse(body).error.reason]).toEqual([403, 'auth.capability_missing'])
  expect(await buyerNames()).not.toContain('Too much')
})
