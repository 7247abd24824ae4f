import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { operation } from '../../platform/operations/operation.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { answers as answersOfA } from '../form-a/answers.ts'
import { answers as answersOfB } from '../form-b/answers.ts'
import { createServer } from '../server/server.ts'

const giveBack = operation({ needs: [], refuses: [] }, async (_, input: object) => input)
const routes = {
  notes: {
    write: defineRoute('POST', '/p/v1/notes', 'public', giveBack, { summary: 'Write' }),
    change: defineRoute('PUT', '/p/v1/notes', 'token', giveBack, { summary: 'Change' }),
    ping: defineRoute('POST', '/p/v1/ping', 'public', giveBack, { summary: 'Ping' }),
  },
}
const Note = Fields({ text: Type.String() })
const plain = { status: 200, reply: Type.Object({}), encode: (output: object) => output }
const notes = {
  write: describeRoute(routes.notes.write, { ...plain, body: Note, decode: ({ body }) => body }),
  change: describeRoute(routes.notes.change, { ...plain, body: Note, decode: ({ body }) => body }),
  ping: describeRoute(routes.notes.ping, { ...plain, decode: () => ({}) }),
}
const about = { title: 'Probe', description: 'Probe.' }
const forms = [
  form(routes, { ...about, name: 'A', prefix: '', answers: answersOfA }, { notes }),
  form(routes, { ...about, name: 'B', prefix: '/form-b', answers: answersOfB }, { notes }),
]

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ forms })
})
afterAll(() => app.close())

interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: { meta: { requestId: string }; error?: { code: string; message: string }; data?: unknown }
}

/** One connection, spoken to byte by byte. Whatever goes wrong with it, a reset above all, fails the test. */
class Wire {
  readonly socket: Socket
  readonly ended: Promise<void>
  #heard = Buffer.alloc(0)
  #wake = Promise.withResolvers<void>()
  #failure: Error | undefined

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.socket = connect(Number(port), hostname)
    const ended = Promise.withResolvers<void>()
    this.ended = ended.promise
    this.socket.on('data', (chunk: Buffer) => {
      this.#heard = Buffer.concat([this.#heard, chunk])
      this.#wake.resolve()
    })
    this.socket.on('error', (error) => {
      this.#failure = error
    })
    this.socket.on('close', () => {
      ended.resolve()
      this.#wake.resolve()
    })
  }

  async write(bytes: string | Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.socket.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** The next whole answer. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const end = this.#heard.indexOf('\r\n\r\n')
      const head = this.#heard.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n')
      const headers = Object.fromEntries(
        head
          .slice(1)
          .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      )
      const whole = end + 4 + Number(headers['content-length'])
      if (end >= 0 && this.#heard.length >= whole) {
        const body = JSON.parse(this.#heard.subarray(end + 4, whole).toString())
        this.#heard = this.#heard.subarray(whole)
        return { status: Number(head[0]?.split(' ')[1]), headers, body }
      }
      if (this.socket.closed) throw this.#failure ?? new Error(`closed after ${this.#heard.length} bytes, no answer`)
      this.#wake = Promise.withResolvers()
      await this.#wake.promise
    }
  }
}

async function speakTo<Result>(url: string, talk: (wire: Wire) => Promise<Result>): Promise<Result> {
  const wire = new Wire(url)
  try {
    return await talk(wire)
  } finally {
    wire.socket.destroy()
  }
}

const say = (bytes: string | Buffer, url = app.url) =>
  speakTo(url, async (wire) => {
    await wire.write(bytes)
    return await wire.answer()
  })

/** What every answer has, also those to what was not HTTP. */
function expectRefused(answer: RawAnswer, status: number, code: string, reason: string): void {
  const { headers, body } = answer
  expect([answer.status, body.error?.code, headers['risiti-reason']]).toEqual([status, code, reason])
  expect(body.error?.message).toMatch(/^[A-Z].*\.$/)
  expect(headers['x-request-id']).toBe(body.meta.requestId)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'ratelimit-limit': '1000000',
    'ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'ratelimit-reset': expect.stringMatching(/^\d+$/),
  })
}

const host = 'Host: risiti.test\r\n'
const asJson = 'Content-Type: application/json\r\n'
const ping = (prefix = '') => `POST ${prefix}/p/v1/ping HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`

describe.each(['', '/form-b'])('a body that is too large, at %j', (prefix) => {
  const mebibyte = Buffer.alloc(1024 * 1024, 'x')
  const sized = `Content-Length: ${8 * mebibyte.length}\r\n`
  const chunked = 'Transfer-Encoding: chunked\r\n'
  const inChunks = [Buffer.from(`${mebibyte.length.toString(16)}\r\n`), mebibyte, Buffer.from('\r\n')]

  test.each([
    ['its size told before', 'POST /p/v1/notes', sized, 413, 'VAL002', 'request.too_large'],
    ['sent in chunks', 'POST /p/v1/notes', chunked, 413, 'VAL002', 'request.too_large'],
    ['where a token is missing', 'PUT /p/v1/notes', sized, 401, 'AUTH001', 'auth.token_missing'],
    ['where nothing is', 'POST /p/v1/nope', chunked, 404, 'RES001', 'route.not_found'],
  ])('gets its reply during the upload, and the connection stays open: %s', async (_, target, framing, ...told) => {
    const [method, path] = target.split(' ') as [string, string]
    await speakTo(app.url, async (wire) => {
      await wire.write(`${method} ${prefix}${path} HTTP/1.1\r\n${host}${asJson}${framing}\r\n`)
      const pieces = framing === sized ? [mebibyte] : inChunks
      for (let sent = 0; sent < 8; sent++) for (const piece of pieces) await wire.write(piece)
      if (framing === chunked) await wire.write('0\r\n\r\n')
      expectRefused(await wire.answer(), ...(told as [number, string, string]))
      await wire.write(ping(prefix))
      expect((await wire.answer()).status).toBe(200)
    })
  })

  test('gets its reply before the rest arrives', async () => {
    await speakTo(app.url, async (wire) => {
      await wire.write(`POST ${prefix}/p/v1/notes HTTP/1.1\r\n${host}${asJson}${sized}\r\n`)
      await wire.write(mebibyte)
      expectRefused(await wire.answer(), 413, 'VAL002', 'request.too_large')
    })
  })
})

describe('requests that are not HTTP', () => {
  test.each([
    ['words', 'HELLO\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100f0010000ec0303', 'hex')],
    ['another version', `GET / HTTP/3.0\r\n${host}\r\n`],
    ['a method nobody knows', `BREW /p/v1/notes HTTP/1.1\r\n${host}\r\n`],
    ['NUL in the path', `GET /p/v1/\0notes HTTP/1.1\r\n${host}\r\n`],
    ['a space in the path', `GET /p/v1/my notes HTTP/1.1\r\n${host}\r\n`],
    ['a header without a colon', `GET / HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
    ['a space before the colon', `GET / HTTP/1.1\r\n${host}X : y\r\n\r\n`],
    ['NUL in a header', `GET / HTTP/1.1\r\n${host}X: \0\r\n\r\n`],
    ['a length that is none', `POST /p/v1/notes HTTP/1.1\r\n${host}${asJson}Content-Length: x\r\n\r\n`],
    ['two lengths', `POST /p/v1/notes HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'a length and chunks',
      `POST /p/v1/notes HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['no Host', 'GET /p/v1/notes HTTP/1.1\r\n\r\n'],
    ['two Hosts', `POST /p/v1/ping HTTP/1.1\r\n${host}Host: other.test\r\nContent-Length: 0\r\n\r\n`],
    ['the same Host twice', `POST /p/v1/ping HTTP/1.1\r\n${host}${host}Content-Length: 0\r\n\r\n`],
    ['two Hosts in one', 'POST /p/v1/ping HTTP/1.1\r\nHost: a.test, b.test\r\nContent-Length: 0\r\n\r\n'],
    ['two Hosts in HTTP/1.0', `GET /nowhere HTTP/1.0\r\n${host}Host: other.test\r\n\r\n`],
  ])('%s', async (_, bytes) => {
    expectRefused(await say(bytes), 400, 'VAL001', 'request.malformed')
  })

  test('two Authorization headers are refused, even if each is valid', async () => {
    const authorization = `Authorization: Bearer ${(await app.person()).token}\r\n`
    const head = `PUT /p/v1/notes HTTP/1.1\r\n${host}${asJson}Content-Length: 12\r\n`
    expect((await say(`${head}${authorization}\r\n{"text":"x"}`)).status).toBe(200)
    const twice = await say(`${head}${authorization}${authorization}\r\n{"text":"x"}`)
    expectRefused(twice, 401, 'AUTH001', 'auth.token_invalid')
  })

  test('two media types are refused', async () => {
    const head = `POST /p/v1/notes HTTP/1.1\r\n${host}${asJson}Content-Type: text/plain\r\nContent-Length: 12\r\n\r\n`
    expectRefused(await say(`${head}{"text":"x"}`), 415, 'VAL002', 'request.not_json')
  })

  test('broken chunks', async () => {
    const head = `POST /p/v1/notes HTTP/1.1\r\n${host}${asJson}Transfer-Encoding: chunked\r\n\r\n`
    expectRefused(await say(`${head}5\r\n{"tex\r\nzz\r\n`), 400, 'VAL001', 'request.malformed')
  })

  test.each([20, 2000])('headers of %i KB', async (kilobytes) => {
    const many = 'X-Filler: filler filler filler\r\n'.repeat((kilobytes * 1024) / 32)
    expectRefused(
      await say(`GET /p/v1/notes HTTP/1.1\r\n${host}${many}\r\n`),
      431,
      'VAL002',
      'request.headers_too_large',
    )
  })

  test('a URL that is too long', async () => {
    const path = `/p/v1/${'x'.repeat(20_000)}`
    expectRefused(await say(`GET ${path} HTTP/1.1\r\n${host}\r\n`), 431, 'VAL002', 'request.headers_too_large')
  })

  test('the server continues', async () => {
    expect((await say(ping())).status).toBe(200)
  })
})

describe('requests that arrive too slowly', () => {
  let url: string
  let close: () => Promise<unknown>
  beforeAll(async () => {
    const { runtime, runner } = app
    const limits = { key: 1_000_000, session: 1_000_000, address: 1_000_000, login: 1_000_000, organisation: 1_000_000 }
    const server = createServer(forms, {
      runtime,
      runner,
      config: { limits },
      trustProxy: undefined,
      secureOrigin: false,
    })
    expect([server.server.headersTimeout, server.server.requestTimeout]).toEqual([10_000, 30_000])
    Object.assign(server.server, { headersTimeout: 150, requestTimeout: 200, connectionsCheckingInterval: 20 })
    await server.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    close = () => server.close()
  })
  afterAll(() => close())

  test.each([
    ['headers', `POST /p/v1/notes HTTP/1.1\r\n${host}X-Slow: `],
    ['a body', `POST /p/v1/notes HTTP/1.1\r\n${host}${asJson}Content-Length: 20\r\n\r\n{"te`],
    ['chunks', `POST /p/v1/notes HTTP/1.1\r\n${host}${asJson}Transfer-Encoding: chunked\r\n\r\n4\r\n{"te`],
  ])('%s', async (_, bytes) => {
    await speakTo(url, async (wire) => {
      await wire.write(bytes)
      expectRefused(await wire.answer(), 408, 'VAL002', 'request.too_slow')
      await wire.ended
    })
  })

  test('a normal request beside them is served', async () => {
    expect((await say(ping(), url)).status).toBe(200)
  })
})
