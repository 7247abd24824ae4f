import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../../test/harness/eventually.ts'
import { http, RawServer } from '../../../../test/harness/raw-server.ts'
import { OutboundFailure } from './failures.ts'
import { createOutbound, type OutboundHttp, type PartyOptions } from './outbound-http.ts'
import { anywhere } from './public-urls.ts'

const server = new RawServer()
let outbound: OutboundHttp
beforeAll(() => server.start('127.0.0.1'))
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  server.connections = 0
  server.requests.length = 0
  server.answer = (socket) => socket.write(http('ok'))
  outbound = createOutbound()
})
afterEach(() => outbound.close())

const party = (manner: Partial<PartyOptions> = {}) => outbound.party('party', { baseUrl: server.url, ...manner })
const get = { method: 'GET', path: '/' } as const

async function outcomeOf(call: Promise<{ status: number }>): Promise<string | number> {
  try {
    return (await call).status
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    expect(error.mayHaveArrived).toBe(false)
    return error.outcome
  }
}

test('a hundred sequential requests need one connection', async () => {
  const one = party()
  for (let times = 0; times < 100; times++)
    await one.send(times % 2 === 0 ? get : { method: 'POST', path: '/', body: 'x' })
  expect([server.requests.length, server.connections]).toEqual([100, 1])
})

test('concurrent requests share the permitted connections, and wait for each other', async () => {
  let [open, most] = [0, 0]
  const allAreOpen = Promise.withResolvers<void>()
  server.answer = async (socket) => {
    most = Math.max(most, ++open)
    if (open === 4) allAreOpen.resolve()
    await allAreOpen.promise
    open--
    socket.write(http('ok'))
  }
  const one = party({ connections: 4, mostWaiting: 196 })
  const statuses = await Promise.all(Array.from({ length: 200 }, () => outcomeOf(one.send(get))))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([server.requests.length, server.connections, most]).toEqual([200, 4, 4])
})

test('waiting requests are served in order of arrival', async () => {
  const one = party({ connections: 1 })
  await Promise.all(Array.from({ length: 20 }, (_, at) => one.send({ method: 'GET', path: `/${at}` })))
  expect(server.requests.map((head) => head.split(' ')[1])).toEqual(Array.from({ length: 20 }, (_, at) => `/${at}`))
})

test('requests above the waiting limit are refused at once, and the others continue', async () => {
  const held = Promise.withResolvers<void>()
  server.answer = async (socket) => {
    await held.promise
    socket.write(http('ok'))
  }
  const one = party({ connections: 2, mostWaiting: 3 })
  const asked = Array.from({ length: 8 }, () => outcomeOf(one.send(get)))
  expect(await Promise.all(asked.slice(5))).toEqual(Array(3).fill('overloaded'))
  held.resolve()
  expect(await Promise.all(asked.slice(0, 5))).toEqual(Array(5).fill(200))
})

test('an aborted request frees its place in the queue', async () => {
  const held = Promise.withResolvers<void>()
  server.answer = async (socket) => {
    await held.promise
    socket.write(http('ok'))
  }
  const one = party({ connections: 1, mostWaiting: 1 })
  const first = outcomeOf(one.send(get))
  const stopping = new AbortController()
  const second = outcomeOf(one.send({ ...get, signal: stopping.signal }))
  expect(await outcomeOf(one.send(get))).toBe('overloaded')
  stopping.abort()
  expect(await second).toBe('given_up')
  const third = outcomeOf(one.send(get))
  held.resolve()
  expect(await Promise.all([first, third])).toEqual([200, 200])
  expect(server.requests).toHaveLength(2)
})

test('a failed connection frees its place for the next request', async () => {
  const gone = await new RawServer().start('127.0.0.1')
  const baseUrl = gone.url
  await gone[Symbol.asyncDispose]()
  const one = party({ baseUrl, connections: 2 })
  const asked = Array.from({ length: 50 }, () => outcomeOf(one.send(get)))
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['no_connection']))
})

test('a connection that the server closed is not reused, with or without notice', async () => {
  for (const headers of [[], ['connection: close'], ['keep-alive: timeout=1']]) {
    server.answer = (socket) => socket.end(http('ok', headers))
    const one = party({ connections: 1 })
    for (let times = 0; times < 5; times++) {
      expect(await outcomeOf(one.send(get))).toBe(200)
      await eventually(async () => expect(server.open).toBe(0))
    }
  }
  expect([server.requests.length, server.connections]).toEqual([15, 15])
})

test('a request can have its own connection, which ends with the reply', async () => {
  const one = party({ connections: 2 })
  await one.send(get)
  for (let times = 0; times < 3; times++) await one.send({ ...get, fresh: true })
  await one.send(get)
  expect([server.requests.length, server.connections]).toEqual([5, 4])
  expect(server.requests.filter((head) => head.includes('connection: close'))).toHaveLength(3)
  await eventually(async () => expect(server.open).toBe(1))
})

test('connections are kept for a limited number of origins, and the least recently used are closed', async () => {
  await using stack = new AsyncDisposableStack()
  const servers: RawServer[] = []
  for (let at = 0; at < 5; at++) {
    const one = stack.use(await new RawServer().start('127.0.0.1'))
    one.answer = (socket) => socket.write(http('ok'))
    servers.push(one)
  }
  const [a, b, c, d, e] = servers as [RawServer, RawServer, RawServer, RawServer, RawServer]
  const publicAddresses = outbound.public('strangers', anywhere, { mostOrigins: 3 })
  const sendTo = ({ url }: RawServer) => outcomeOf(publicAddresses.send({ method: 'GET', url }))
  for (const next of [a, b, c, a, d, e]) expect(await sendTo(next)).toBe(200)
  // `a` was used again after `b` and `c`.
  await eventually(async () => expect(servers.map(({ open }) => open)).toEqual([1, 0, 0, 1, 1]))
  expect(await sendTo(b)).toBe(200)
  expect(servers.map(({ connections }) => connections)).toEqual([1, 2, 1, 1, 1])
})

test('while all origins are busy, a new origin is refused', async () => {
  await using stack = new AsyncDisposableStack()
  const other = stack.use(await new RawServer().start('127.0.0.1'))
  other.answer = (socket) => socket.write(http('ok'))
  const held = Promise.withResolvers<void>()
  server.answer = async (socket) => {
    await held.promise
    socket.write(http('ok'))
  }
  const publicAddresses = outbound.public('strangers', anywhere, { mostOrigins: 1 })
  const sendTo = (url: string) => outcomeOf(publicAddresses.send({ method: 'GET', url }))
  const first = sendTo(server.url)
  expect(await sendTo(other.url)).toBe('overloaded')
  held.resolve()
  expect(await first).toBe(200)
  expect(await sendTo(other.url)).toBe(200)
})
