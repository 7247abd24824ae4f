import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../../test/harness/eventually.ts'
import { http, RawServer } from '../../../../test/harness/raw-server.ts'
import { StubServer } from '../../../../test/harness/stub-server.ts'
import { OutboundFailure } from './failures.ts'
import type { Answer } from './one-request.ts'
import { createOutbound, type OutboundHttp, type Party, type PartyOptions } from './outbound-http.ts'
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

/** Long enough for any machine, and no longer than a test may take. */
const patient = { connectMs: 10_000, headersMs: 10_000, bodyMs: 10_000, overallMs: 15_000 }
const party = (manner: Partial<PartyOptions> = {}): Party =>
  outbound.party('party', { baseUrl: server.url, ...patient, ...manner })
const says = (text: string | Buffer) => {
  server.answer = (socket) => socket.write(text)
}
const saysAndEnds = (text: string | Buffer) => {
  server.answer = (socket) => socket.end(text)
}

const secret = 'sk_live_that_nobody_may_read'
const keys = { authorization: `Bearer ${secret}` }

async function failureOf(call: Promise<Answer>): Promise<OutboundFailure> {
  const error = await call.then(
    ({ status }) => new Error(`it answered ${status}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof OutboundFailure)) throw error
  expect(JSON.stringify({ ...error, text: String(error) })).not.toContain(secret)
  expect(error.cause).toBeUndefined()
  // There are libraries that take it upon themselves to send again when they read certain codes.
  expect(error).not.toHaveProperty('code')
  return error
}
const failing = (manner: Partial<PartyOptions> = {}) =>
  failureOf(party(manner).send({ method: 'POST', path: '/x', headers: keys, body: secret }))

test('a request is sent unchanged, without a header that accepts compression', async () => {
  const body = Buffer.from('{"a":"ọ"}')
  const headers = { 'content-type': 'application/json', 'x-signature': 'abc' }
  const answer = await party().send({ method: 'POST', path: '/hooks?a=b%20c', headers, body })
  expect(answer).toEqual({ status: 200, headers: { 'content-length': '2' }, body: Buffer.from('ok'), cut: false })
  const [head, sent] = (server.requests[0] as string).split('\r\n\r\n') as [string, string]
  expect(head.split('\r\n')).toEqual([
    'POST /hooks?a=b%20c HTTP/1.1',
    `host: 127.0.0.1:${server.port}`,
    'connection: keep-alive',
    'user-agent: Risiti',
    'content-type: application/json',
    'x-signature: abc',
    `content-length: ${body.length}`,
  ])
  expect(Buffer.from(sent, 'latin1')).toEqual(body)
})

test.each([200, 204, 301, 302, 303, 307, 308, 400, 404, 500, 503])(
  'status %i is a reply, and is not followed',
  async (status) => {
    await using elsewhere = await new RawServer().start('127.0.0.1')
    says(http(status === 204 ? '' : 'x', [`location: ${elsewhere.url}/`], `${status} Said`))
    expect(await party().send({ method: 'POST', path: '/x', body: 'y', headers: keys })).toMatchObject({ status })
    expect([server.requests.length, elsewhere.connections]).toEqual([1, 0])
  },
)

test('a reply without a length ends with its connection', async () => {
  saysAndEnds('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nto the end')
  expect((await party().send({ method: 'GET', path: '/' })).body.toString()).toBe('to the end')
})

test('interim replies are ignored', async () => {
  says(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${http('ok')}`)
  expect(await party().send({ method: 'GET', path: '/' })).toMatchObject({ status: 200, body: Buffer.from('ok') })
})

describe('no connection is made', () => {
  test('if nobody listens', async () => {
    const gone = await new RawServer().start('127.0.0.1')
    const baseUrl = gone.url
    await gone[Symbol.asyncDispose]()
    const failure = await failing({ baseUrl })
    expect(failure).toMatchObject({ outcome: 'no_connection', mayHaveArrived: false, reason: 'ECONNREFUSED' })
    expect(failure.message).toBe('party gave no answer: no connection (ECONNREFUSED)')
  })

  test('if the server does not speak TLS', async () => {
    const baseUrl = server.url.replace('http:', 'https:')
    expect(await failing({ baseUrl, connectMs: 150 })).toMatchObject({
      outcome: 'deadline_connect',
      mayHaveArrived: false,
    })
    await using plain = await new StubServer().start()
    expect(await failing({ baseUrl: plain.url.replace('http:', 'https:') })).toMatchObject({
      outcome: 'no_connection',
      mayHaveArrived: false,
    })
    expect([server.requests, plain.requests]).toEqual([[], []])
  })

  test('in time if the DNS lookup is slow', async () => {
    outbound = createOutbound({ resolve: () => new Promise(() => {}) })
    const failure = await failing({ baseUrl: 'http://slow.example.com', connectMs: 100 })
    expect(failure).toMatchObject({ outcome: 'deadline_connect', mayHaveArrived: false, status: undefined })
  })
})

describe('each deadline has its own error', () => {
  test('no reply arrives', async () => {
    server.answer = () => {}
    expect(await failing({ headersMs: 100 })).toMatchObject({ outcome: 'deadline_headers', mayHaveArrived: true })
    await eventually(async () => expect(server.open).toBe(0))
  })

  test('the headers arrive slowly', async () => {
    server.answer = (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x-more: y\r\n')
    expect(await failing({ headersMs: 150 })).toMatchObject({ outcome: 'deadline_headers', status: undefined })
  })

  test('interim replies never end', async () => {
    server.answer = (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')
    expect(await failing({ headersMs: 150 })).toMatchObject({ outcome: 'deadline_headers' })
  })

  test('the body arrives slowly', async () => {
    server.answer = (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x')
    expect(await failing({ bodyMs: 150 })).toMatchObject({
      outcome: 'deadline_body',
      status: 200,
      mayHaveArrived: true,
    })
    await eventually(async () => expect(server.open).toBe(0))
  })

  test('the whole request takes too long', async () => {
    server.answer = (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x')
    expect(await failing({ overallMs: 1_000 })).toMatchObject({ outcome: 'deadline_overall', status: 200 })
  })

  test('the wait for a connection counts', async () => {
    server.answer = () => {}
    const busy = party({ connections: 1 })
    // The second gives up first, so that it never gets the connection of the other.
    const both = [1_000, 300].map((overallMs) => failureOf(busy.send({ method: 'GET', path: '/', overallMs })))
    expect(await Promise.all(both)).toMatchObject([
      { outcome: 'deadline_overall', mayHaveArrived: true },
      { outcome: 'deadline_overall', mayHaveArrived: false },
    ])
    expect(server.requests).toHaveLength(1)
  })

  /** A piece every few milliseconds, for as long as somebody listens. */
  function drip(socket: Socket, first: string, piece: string): void {
    socket.write(first)
    const dripping = setInterval(() => socket.write(piece), 10)
    socket.on('close', () => clearInterval(dripping))
  }
})

describe('an aborted request', () => {
  test('ends at once, and closes its connection', async () => {
    const stopping = new AbortController()
    server.answer = () => stopping.abort(new Error(secret))
    const asked = party().send({ method: 'GET', path: '/', signal: stopping.signal })
    expect(await failureOf(asked)).toMatchObject({ outcome: 'given_up', mayHaveArrived: true })
    await eventually(async () => expect(server.open).toBe(0))
  })

  test('before its start sends nothing', async () => {
    const asked = party().send({ method: 'GET', path: '/', signal: AbortSignal.abort() })
    expect(await failureOf(asked)).toMatchObject({ outcome: 'given_up', mayHaveArrived: false })
    expect(server.connections).toBe(0)
  })

  test('before the connection sends nothing', async () => {
    const found = Promise.withResolvers<string[]>()
    outbound = createOutbound({ resolve: () => found.promise })
    const stopping = new AbortController()
    const slow = party({ baseUrl: `http://slow.example.com:${server.port}` })
    const asked = failureOf(slow.send({ method: 'GET', path: '/', signal: stopping.signal }))
    stopping.abort()
    expect(await asked).toMatchObject({ outcome: 'given_up', mayHaveArrived: false })
    found.resolve(['127.0.0.1'])
    // The next request uses the same connection: the abandoned one was not sent before it.
    expect(await slow.send({ method: 'GET', path: '/next' })).toMatchObject({ status: 200 })
    expect(server.requests.map((head) => head.split(' ')[1])).toEqual(['/next'])
  })

  test('leaves no listener on a long-lived signal', async () => {
    const { signal } = new AbortController()
    let listening = 0
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening--
      remove(...args)
    }
    for (let times = 0; times < 5; times++) await party().send({ method: 'GET', path: '/', signal })
    expect(listening).toBe(0)
  })
})

describe('a reply that is too large', () => {
  test('by its declared length is not read', async () => {
    saysAndEnds('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n')
    expect(await failing({ mostBytes: 1000 })).toMatchObject({
      outcome: 'too_large',
      status: 200,
      mayHaveArrived: true,
    })
  })

  test.each([
    ['without an end', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n', 'x'.repeat(16_384)],
    [
      'in chunks without an end',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      `3e8\r\n${'x'.repeat(1000)}\r\n`,
    ],
  ])('%s is read only up to the limit', async (_, first, piece) => {
    let sent = 0
    server.answer = (socket) => {
      socket.write(first)
      const pour = () => {
        while (!socket.destroyed && socket.write(piece)) sent += piece.length
      }
      socket.on('drain', pour)
      pour()
    }
    expect(await failing({ mostBytes: 100_000 })).toMatchObject({ outcome: 'too_large' })
    await eventually(async () => expect(server.open).toBe(0))
    // What the kernels hold between the two comes on top.
    expect(sent).toBeLessThan(50_000_000)
  })

  test('is refused exactly above the limit', async () => {
    says(http('x'.repeat(1000)))
    expect((await party({ mostBytes: 1000 }).send({ method: 'GET', path: '/' })).body).toHaveLength(1000)
    says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3e9\r\n'.concat('x'.repeat(1001), '\r\n0\r\n\r\n'))
    expect(await failing({ mostBytes: 1000 })).toMatchObject({ outcome: 'too_large' })
    expect((await party({ mostBytes: 10 }).send({ method: 'GET', path: '/', mostBytes: 1001 })).body).toHaveLength(1001)
  })

  test('only after decompression stays compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    says(
      Buffer.concat([
        Buffer.from(http('', ['content-encoding: gzip']).replace('length: 0', `length: ${bomb.length}`)),
        bomb,
      ]),
    )
    const { body, headers } = await party().send({ method: 'GET', path: '/' })
    expect([headers['content-encoding'], body.equals(bomb)]).toEqual(['gzip', true])
    expect(await failing({ mostBytes: bomb.length - 1 })).toMatchObject({ outcome: 'too_large' })
  })

  test('in its headers is refused', async () => {
    says(`HTTP/1.1 200 OK\r\n${'x-header: some value\r\n'.repeat(1000)}content-length: 2\r\n\r\nok`)
    expect(await failing()).toMatchObject({ outcome: 'too_large', mayHaveArrived: true })
    says(`HTTP/1.1 200 OK\r\nx-header: ${'x'.repeat(20_000)}\r\ncontent-length: 2\r\n\r\nok`)
    expect(await failing()).toMatchObject({ outcome: 'too_large' })
  })
})

describe('a broken reply', () => {
  test.each<[string, (socket: Socket) => unknown]>([
    ['closes at once', (socket) => socket.destroy()],
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['is closed by half before it is given', (socket) => socket.end()],
    ['ends within its headers', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
    ['is shorter than it says', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort')],
    [
      'is reset within its body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort', () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        )
      },
    ],
    ['ends within a chunk', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nshort')],
    [
      'lacks its last chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n'),
    ],
    ['has a chunk of no size', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nok')],
    ['has two lengths', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok!')],
    [
      'has a length and chunks',
      (socket) =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
    ],
    ['has a length below nothing', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nok')],
    ['has no status', (socket) => socket.end('HTTP/1.1 OK\r\n\r\n')],
    ['is that of another protocol', (socket) => socket.end('220 mail.example.com ESMTP\r\n')],
    ['is not HTTP', (socket) => socket.end(randomBytes(500))],
    ['is a page without HTTP', (socket) => socket.end('<html>hello</html>')],
    [
      'wants to speak something else',
      (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ],
    ['says to go on', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n')],
  ])('%s', async (_, answer) => {
    server.answer = answer
    expect(await failing()).toMatchObject({ outcome: 'broken_answer', mayHaveArrived: true })
    expect(server.requests).toHaveLength(1)
  })

  test('a reply longer than its declared length is cut, and the rest belongs to no other reply', async () => {
    server.answer = (socket, onConnection) =>
      socket.write(onConnection === 1 ? `${http('ok')}${http('stolen', [], '201 Created')}` : http('own'))
    const asked = party({ connections: 1 })
    const [first, second] = await Promise.all(['/1', '/2'].map((path) => asked.send({ method: 'GET', path })))
    expect([first?.body.toString(), second?.body.toString()]).toEqual(['ok', 'ok'])
    expect((await asked.send({ method: 'GET', path: '/3' })).body.toString()).toBe('ok')
    expect([server.requests.length, server.connections]).toEqual([3, 3])
  })
})

test('nothing is sent twice if a kept connection breaks during use', async () => {
  server.answer = (socket, onConnection) => (onConnection === 1 ? socket.write(http('ok')) : socket.resetAndDestroy())
  const kept = party({ connections: 1 })
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    server.requests.length = 0
    expect(await kept.send({ method, path: '/first' })).toMatchObject({ status: 200 })
    expect(await failureOf(kept.send({ method, path: '/second' }))).toMatchObject({
      outcome: 'broken_answer',
      mayHaveArrived: true,
    })
    expect(server.requests).toHaveLength(2)
  }
})

test.each<[string, Record<string, string>]>([
  ['a line break', { authorization: `${secret}\r\nx-more: y` }],
  ['a letter that no header can hold', { authorization: `${secret}ọ` }],
  ['a name that is none', { 'x more': secret }],
  ['a length that is not that of the body', { 'content-length': '3', authorization: secret }],
  ['a way of transfer', { 'transfer-encoding': 'chunked', authorization: secret }],
])('a header with %s is neither sent nor shown', async (_, headers) => {
  const failure = await failureOf(party().send({ method: 'POST', path: '/x', headers, body: secret }))
  expect(failure).toMatchObject({ outcome: 'unsendable', mayHaveArrived: false })
  expect(server.requests).toEqual([])
  // And the connection is free for others.
  expect(await party({ connections: 1 }).send({ method: 'GET', path: '/' })).toMatchObject({ status: 200 })
})

describe('the beginning of a reply', () => {
  const hooks = () => outbound.public('hooks', anywhere, { ...patient, mostBytes: 64 * 1024, keptBytes: 1024 })
  const post = () => hooks().send({ method: 'POST', url: `${server.url}/hook`, body: 'signed' })

  test('is kept, and the rest is discarded', async () => {
    says(http('x'.repeat(1024)))
    expect(await post()).toMatchObject({ status: 200, body: Buffer.alloc(1024, 'x'), cut: false })
    const long = hooks()
    says(http('y'.repeat(60_000)))
    for (let times = 0; times < 3; times++)
      expect(await long.send({ method: 'POST', url: `${server.url}/hook`, body: 'signed' })).toMatchObject({
        body: Buffer.alloc(1024, 'y'),
        cut: true,
      })
    expect(server.connections).toBe(2)
  })

  test('counts as a reply even if it never ends', async () => {
    says(`HTTP/1.1 202 Accepted\r\ncontent-length: 1000000000\r\n\r\n${'z'.repeat(70_000)}`)
    expect(await post()).toMatchObject({ status: 202, body: Buffer.alloc(1024, 'z'), cut: true })
    await eventually(async () => expect(server.open).toBe(0))
    says('HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\nbegun')
    const asked = { method: 'POST', url: `${server.url}/hook`, body: 'signed', overallMs: 300 } as const
    expect(await hooks().send(asked)).toMatchObject({ status: 202, body: Buffer.from('begun'), cut: true })
    await eventually(async () => expect(server.open).toBe(0))
  })
})

test('metrics show the party, the result, the duration and the number of connections', async () => {
  const own = createOutbound()
  const one = own.party('paystack', { baseUrl: server.url })
  const other = own.party('stripe', { baseUrl: server.url, headersMs: 50 })
  for (const status of ['200 OK', '201 Created', '302 Found', '404 Not Found', '500 Oh No']) {
    says(http('', [], status))
    await one.send({ method: 'GET', path: '/' })
  }
  server.answer = () => {}
  const stopping = new AbortController()
  const waiting = failureOf(one.send({ method: 'GET', path: '/', signal: stopping.signal }))
  expect(await failureOf(other.send({ method: 'GET', path: '/' }))).toMatchObject({ outcome: 'deadline_headers' })
  expect(await own.metrics()).toContain('risiti_outbound_in_flight{party="paystack"} 1\n')
  stopping.abort()
  await waiting
  const lines = (await own.metrics()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'risiti_outbound_requests_total{party="paystack",outcome="2xx"} 2',
      'risiti_outbound_requests_total{party="paystack",outcome="3xx"} 1',
      'risiti_outbound_requests_total{party="paystack",outcome="4xx"} 1',
      'risiti_outbound_requests_total{party="paystack",outcome="5xx"} 1',
      'risiti_outbound_requests_total{party="paystack",outcome="given_up"} 1',
      'risiti_outbound_requests_total{party="stripe",outcome="deadline_headers"} 1',
      'risiti_outbound_request_seconds_count{party="paystack"} 6',
      'risiti_outbound_in_flight{party="paystack"} 0',
      'risiti_outbound_in_flight{party="stripe"} 0',
      'risiti_outbound_connections_total{party="paystack"} 1',
      'risiti_outbound_connections_total{party="stripe"} 1',
    ]),
  )
  await own.close()
})

test('after closing, nothing is sent and no caller waits', async () => {
  server.answer = () => {}
  const one = party({ connections: 1 })
  const asked = [1, 2].map(() => failureOf(one.send({ method: 'GET', path: '/' })))
  await eventually(async () => expect(server.requests).toHaveLength(1))
  await outbound.close()
  expect(await Promise.all(asked)).toMatchObject([
    { outcome: 'broken_answer', mayHaveArrived: true },
    { outcome: 'no_connection', mayHaveArrived: false },
  ])
  expect(await failing()).toMatchObject({ outcome: 'no_connection' })
  expect(await failureOf(one.send({ method: 'GET', path: '/' }))).toMatchObject({ mayHaveArrived: false })
})
