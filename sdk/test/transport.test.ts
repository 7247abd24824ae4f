import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import { type ClientOptions, type Fetch, NoAnswer, Refused, Risiti, TimedOut } from '../src/index.ts'

type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A server with arbitrary replies. */
async function serviceThat(answers: Answering) {
  const requests: {
    method: string | undefined
    url: string | undefined
    headers: NodeJS.Dict<unknown>
    body: string
  }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    requests.push({ method: request.method, url: request.url, headers: request.headers, body })
    answers(request, response, body)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const me = JSON.stringify({ meta: { requestId: 'r1' }, data: { principal: 'user' } })
const outcomeOf = (calling: PromiseLike<unknown>) => Promise.resolve(calling).catch((thrown: unknown) => thrown)

describe.each<[string, { readonly fetch?: Fetch }]>([
  ['the platform', {}],
  ['a fetch that the caller gives', { fetch: (url, init) => fetch(url, init as RequestInit) }],
])('over %s', (_, way) => {
  const clientOf = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
    new Risiti({ baseUrl, apiKey: 'sk_test_1', retry: { firstMs: 1, longestMs: 2 }, ...way, ...options })

  test('what is sent is what was meant: words of the world, bodies of deletions, nothing where there is nothing', async () => {
    const { url, requests } = await serviceThat((_request, response) => response.writeHead(200, json).end(me))
    const risiti = clientOf(`${url}/behind/`, { headers: { 'X-Team': 'one', Accept: 'application/json' } })
    await risiti.buyers.create({ name: 'Ọlá Šafránek 北京' })
    await risiti.buyers.deleteMany({ ids: ['ọ'] } as never)
    await risiti.invoices.finalise('0198')
    await risiti.identity.whoAmI()
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/behind/i/v1/buyers',
        body: '{"name":"Ọlá Šafránek 北京"}',
        headers: { 'x-team': 'one' },
      },
      { method: 'DELETE', body: '{"ids":["ọ"]}', headers: { 'content-length': '15' } },
      { method: 'POST', body: '', headers: { 'content-length': '0' } },
      { method: 'GET', body: '', headers: { accept: 'application/json', authorization: 'Bearer sk_test_1' } },
    ])
  })

  test('letters that come in two pieces are whole again', async () => {
    const bytes = Buffer.from(me.replace('user', '北京'))
    const middle = bytes.indexOf(Buffer.from('北')) + 1
    const { url } = await serviceThat((_request, response) => {
      response.writeHead(200, json).write(bytes.subarray(0, middle))
      setTimeout(() => response.end(bytes.subarray(middle)), 5)
    })
    expect((await clientOf(url).identity.whoAmI()).principal).toBe('北京')
  })

  test.each<[string, Answering]>([
    [
      'is cut short',
      (_request, response) =>
        response.writeHead(200, { ...json, 'content-length': 500 }).write(me, () => response.destroy()),
    ],
    ['is half a JSON', (_request, response) => response.writeHead(200, json).end(me.slice(0, -4))],
    ['is empty', (_request, response) => response.writeHead(200, json).end()],
    ['is null', (_request, response) => response.writeHead(200, json).end('null')],
    [
      'is a page of somebody else',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to the Wi-Fi</h1>'),
    ],
    ['does not come', (request) => request.socket.destroy()],
  ])('an answer that %s is none: it is asked for again, then said', async (_what, answers) => {
    const { url, requests } = await serviceThat(answers)
    const error = await outcomeOf(clientOf(url).buyers.create({ name: 'Ada' }))
    expect(error).toBeInstanceOf(NoAnswer)
    expect((error as NoAnswer).message).toMatch(/^POST \/i\/v1\/buyers /)
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array(3).fill((error as NoAnswer).idempotencyKey),
    )
    // The sign-in may have taken effect.
    expect(await outcomeOf(clientOf(url).identity.logIn({ email: 'a@b.ng', password: 'x' }))).toBeInstanceOf(NoAnswer)
    expect(requests).toHaveLength(4)
  })

  test.each<[string, string, string | undefined]>([
    ['JSON that breaks off', '{"error":{"code":"VAL', undefined],
    ['JSON of another kind', '{"error":{"message":{"a":1},"details":"none"},"meta":null}', undefined],
    ['a list', '[1,2]', undefined],
    ['nothing', '', undefined],
  ])('a refusal with %s is a refusal', async (_what, body) => {
    const { url } = await serviceThat((_request, response) => response.writeHead(422, json).end(body))
    const error = (await outcomeOf(clientOf(url).buyers.list())) as Refused
    expect(error).toBeInstanceOf(Refused)
    expect(error).toMatchObject({ status: 422, message: 'the answer was 422', details: [], requestId: undefined })
  })

  test('nobody is led elsewhere, least of all with a key', async () => {
    const other = await serviceThat((_request, response) => response.writeHead(200, json).end(me))
    const { url } = await serviceThat((_request, response) => response.writeHead(307, { location: other.url }).end())
    expect(await outcomeOf(clientOf(url).identity.whoAmI())).toMatchObject({ name: 'Refused', status: 307 })
    expect(other.requests).toEqual([])
  })

  test.each(['soon', '-5', '1e3', '', 'Wed, 99 Foo'])('a wait of "%s" is no wait', async (wait) => {
    const { url, requests } = await serviceThat((_request, response) => {
      if (requests.length < 3) response.writeHead(429, { ...json, 'retry-after': wait }).end('{}')
      else response.writeHead(200, json).end(me)
    })
    expect((await clientOf(url).identity.whoAmI()).principal).toBe('user')
  })

  test('an answer that stops in its middle is waited for as long as the call may take, and its connection is let go', async () => {
    let closed: Promise<unknown> | undefined
    const { url } = await serviceThat((request, response) => {
      // A connection that closes with unread bytes may be reset first.
      request.socket.on('error', () => undefined)
      closed = new Promise((resolve) => request.socket.once('close', resolve))
      response.writeHead(200, json).write(me.slice(0, 9))
    })
    const error = await outcomeOf(clientOf(url).identity.whoAmI({ timeoutMs: 40 }))
    expect(error).toBeInstanceOf(TimedOut)
    await closed
    const controller = new AbortController()
    const stopped = outcomeOf(clientOf(url).identity.whoAmI({ signal: controller.signal }))
    setTimeout(() => controller.abort('enough'), 20)
    expect(await stopped).toBe('enough')
    await closed
  })

  test('each of several calls ends at its own time limit', async () => {
    const { url } = await serviceThat(() => undefined)
    const risiti = clientOf(url)
    const outcomes = [80, 20, 50, 20, 35].map((timeoutMs) => outcomeOf(risiti.identity.whoAmI({ timeoutMs })))
    const messages = (await Promise.all(outcomes)).map((error) => (error as TimedOut).message)
    expect(messages).toEqual([80, 20, 50, 20, 35].map((ms) => `there was no answer within ${ms} ms`))
  })

  test('a call that is aborted while it waits for its next try ends at once', async () => {
    const controller = new AbortController()
    const { url, requests } = await serviceThat((_request, response) => {
      response.writeHead(503, { ...json, 'retry-after': '20' }).end('{}')
      setTimeout(() => controller.abort('enough'), 20)
    })
    expect(await outcomeOf(clientOf(url).identity.whoAmI({ signal: controller.signal }))).toBe('enough')
    expect(requests).toHaveLength(1)
  })

  test('a list ends where its pages are empty, however many are said to follow', async () => {
    const { url, requests } = await serviceThat((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1)
      const pagination = { page, limit: 1, total: 1e9, totalPages: 1e9 }
      response.writeHead(200, json).end(JSON.stringify({ meta: { pagination }, data: page === 1 ? [{ id: 'a' }] : [] }))
    })
    const ids: unknown[] = []
    for await (const { id } of clientOf(url).buyers.list()) ids.push(id)
    expect([ids, requests.length]).toEqual([['a'], 2])
  })
})

test('the client uses the global dispatcher, such as a proxy or a double in tests', async () => {
  const before = getGlobalDispatcher()
  const agent = new MockAgent()
  agent.disableNetConnect()
  agent.get('https://risiti.example').intercept({ path: '/a/v1/auth/me' }).reply(200, me, { headers: json })
  setGlobalDispatcher(agent)
  try {
    const risiti = new Risiti({ baseUrl: 'https://risiti.example', retry: { most: 0 } })
    expect(await risiti.identity.whoAmI()).toMatchObject({ principal: 'user' })
    expect(await outcomeOf(risiti.identity.whoAmI())).toBeInstanceOf(NoAnswer)
  } finally {
    setGlobalDispatcher(before)
    await agent.close()
  }
})

test('an id cannot lead to another address', () => {
  const risiti = new Risiti({ baseUrl: 'http://127.0.0.1:1', apiKey: 'sk_test_1' })
  for (const id of ['', '.', '..']) expect(() => risiti.invoices.get(id)).toThrow(TypeError)
})

test('a call may take as long as it likes', async () => {
  const { url } = await serviceThat((_request, response) => response.writeHead(200, json).end(me))
  const risiti = new Risiti({ baseUrl: url, apiKey: 'sk_test_1', timeoutMs: Number.POSITIVE_INFINITY })
  expect((await risiti.identity.whoAmI()).principal).toBe('user')
})
