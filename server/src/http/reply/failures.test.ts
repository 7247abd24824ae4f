import { type AddressInfo, connect, type Socket } from 'node:net'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { capturedLog, type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { createClient, expectRefusal, type Reply } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { invoiceBody, issuer } from '../../../../test/harness/invoices.ts'
import { invoicesPath } from '../../../../test/harness/issued.ts'
import type { PublicCaller, TokenCaller } from '../../kernel/callers.ts'
import { callerLoader } from '../../modules/identity/index.ts'
import { createAuthentication } from '../../platform/callers/authentication.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createRateLimiter } from '../../platform/limits/rate-limits.ts'
import {
  type Inside,
  type Outside,
  operation,
  preparedOperation,
  reading,
} from '../../platform/operations/operation.ts'
import { createRunner } from '../../platform/operations/runner.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { answers as answersOfA } from '../form-a/answers.ts'
import { answers as answersOfB } from '../form-b/answers.ts'
import { createServer } from '../server/server.ts'
import { Unavailable } from './unavailable.ts'

const key = 'sk_live_5Gq8vT2mN7xR4kP9'
const secret = `select hash from api_keys where key = '${key}'; sent Bearer abc.def, postgres://risiti:hunter2@db/risiti`
const facts = { needs: [], refuses: [] } as const
const insert = (text: string) => sql`insert into notes (text) values (${text})`

type Fault = keyof typeof faults
/** Ways for an operation to fail that nobody foresaw. */
const faults = {
  thrown: async () => {
    throw new Error(secret)
  },
  text: async () => {
    throw secret
  },
  nothing: async () => {
    throw undefined
  },
  shouted: async () => {
    throw Object.assign(new Error(secret), { code: 'SHOUTED', statusCode: 200, status: 200, detail: secret })
  },
  statement: async ({ tx }: Inside<PublicCaller>) => await tx.run(sql`select secret from no_such_table`),
  constraint: async ({ tx }: Inside<PublicCaller>) => {
    await tx.run(insert('taken'))
    await tx.run(insert('taken'))
  },
} as const

/** Ways for the database to give up for now. */
const gaveUp = {
  killed: async ({ tx }: Inside<PublicCaller>) => await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`),
  slow: async ({ tx }: Inside<PublicCaller>) => {
    await tx.run(sql`set local statement_timeout = 20`)
    await tx.run(sql`select pg_sleep(5)`)
  },
} as const

/** What PostgreSQL calls each of them. */
const sayings: Record<keyof typeof gaveUp, string> = { killed: '57P01', slow: '57014' }

/** Where a test stops an operation until the client has gone. */
let reached = Promise.withResolvers<void>()
let goOn = Promise.withResolvers<void>()
const stop = async () => {
  reached.resolve()
  await goOn.promise
}

const fail = operation(facts, async (context: Inside<PublicCaller>, { how }: { how: Fault }) => {
  await context.tx.run(insert(how))
  await faults[how](context)
  return {}
})
const giveUp = operation(facts, async (context: Inside<PublicCaller>, { how }: { how: keyof typeof gaveUp }) => {
  await context.tx.run(insert(how))
  await gaveUp[how](context)
  return {}
})
const failReading = reading(facts, async (_: Outside<PublicCaller>) => {
  throw new Error(secret)
})
const write = operation(facts, async ({ tx }: Inside<TokenCaller>, { text }: { text: string }) => {
  await tx.run(insert(text))
  return {}
})
const stopBefore = preparedOperation(facts, stop, async ({ tx }: Inside<PublicCaller>, { text }: { text: string }) => {
  await tx.run(insert(text))
  return {}
})
const stopInside = operation(facts, async ({ tx }: Inside<PublicCaller>, { text }: { text: string }) => {
  await tx.run(insert(text))
  await stop()
  return {}
})

const routes = {
  probe: {
    fail: defineRoute('POST', '/p/v1/fail', 'public', fail, { summary: 'Fail' }),
    giveUp: defineRoute('POST', '/p/v1/give-up', 'public', giveUp, { summary: 'Give up' }),
    failReading: defineRoute('GET', '/p/v1/fail', 'public', failReading, { summary: 'Fail reading' }),
    failEncoding: defineRoute('POST', '/p/v1/fail-encoding', 'public', stopInside, { summary: 'Fail at the edge' }),
    write: defineRoute('POST', '/p/v1/notes', 'token', write, { summary: 'Write' }),
    stopBefore: defineRoute('POST', '/p/v1/stop-before', 'public', stopBefore, { summary: 'Stop before writing' }),
    stopInside: defineRoute('POST', '/p/v1/stop-inside', 'public', stopInside, { summary: 'Stop inside' }),
  },
}
const { probe } = routes
const Text = Fields({ text: Type.String() })
const plain = { status: 200, reply: Type.Object({}), encode: () => ({}) }
const how = <Name extends string>(names: object) => Fields({ how: Type.Unsafe<Name>({ enum: Object.keys(names) }) })
const described = {
  fail: describeRoute(probe.fail, { ...plain, body: how<Fault>(faults), decode: ({ body }) => body }),
  giveUp: describeRoute(probe.giveUp, { ...plain, body: how<keyof typeof gaveUp>(gaveUp), decode: ({ body }) => body }),
  failReading: describeRoute(probe.failReading, { ...plain, decode: () => undefined }),
  failEncoding: describeRoute(probe.failEncoding, {
    ...plain,
    body: Text,
    decode: ({ body }) => body,
    encode: () => {
      throw new Error(secret)
    },
  }),
  write: describeRoute(probe.write, { ...plain, body: Text, decode: ({ body }) => body }),
  stopBefore: describeRoute(probe.stopBefore, { ...plain, body: Text, decode: ({ body }) => body }),
  stopInside: describeRoute(probe.stopInside, { ...plain, body: Text, decode: ({ body }) => body }),
}
const about = { title: 'Probe', description: 'Probe.' }
const formA = form(routes, { ...about, name: 'A', prefix: '', answers: answersOfA }, { probe: described })
const formB = form(routes, { ...about, name: 'B', prefix: '/form-b', answers: answersOfB }, { probe: described })
const forms = [formA, formB]

const captured = capturedLog()
let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp({ forms, log: captured.log })
  person = await app.person()
  await app.owner.pool.query('create table notes (text text constraint notes_secret_name unique)')
})
afterAll(() => app.close())

const notes = async () => (await app.runtime.db.pool.query('select text from notes')).rows.map((row) => row.text)

/** The client of the harness would say that 500 is not documented, and right it is. */
async function post(prefix: string, path: string, body: object): Promise<Reply> {
  const response = await fetch(`${app.url}${prefix}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const parsed = JSON.parse(text)
  const answeredBy = prefix === '' ? formA : formB
  const { status, headers } = response
  return { form: answeredBy, status, headers, text, body: parsed, data: parsed.data, codeless: false }
}

function expectNothingTold(reply: Reply): void {
  expectRefusal(reply, 'internal.failure')
  expect([reply.status, reply.body.error.code]).toEqual([500, 'SYS001'])
  expect(reply.body).toEqual({
    meta: { requestId: reply.headers.get('x-request-id'), timestamp: expect.any(String) },
    error: {
      code: 'SYS001',
      reason: 'internal.failure',
      message: 'Something went wrong on our side. Send us the requestId, so that we can find the cause.',
    },
  })
  const all = `${reply.text}${[...reply.headers].join()}`
  expect(all).not.toMatch(/select|sk_live|hunter2|api_keys|notes|no_such_table|\.ts|at async|node_modules/i)
}

function logOf(reply: Reply): string {
  const id = reply.headers.get('x-request-id') as string
  return captured
    .text()
    .split('\n')
    .filter((line) => line.includes(id))
    .join('\n')
}

describe.each(['', '/form-b'])('an internal error, at %j', (prefix) => {
  test.each(Object.keys(faults))('%s: the 500 reveals nothing, and the log names the place', async (how) => {
    const reply = await post(prefix, '/p/v1/fail', { how })
    expectNothingTold(reply)
    const log = logOf(reply)
    expect(log).toContain('request.failed')
    expect(log).not.toMatch(/sk_live|hunter2|abc\.def/)
    if (how === 'thrown' || how === 'shouted') expect(log).toMatch(/\[redacted\].*failures\.test\.ts/)
    expect(await notes()).not.toContain(how)
  })

  test('in a reading', async () => {
    const response = await fetch(`${app.url}${prefix}/p/v1/fail`)
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringMatching(/select|sk_live/)])
  })

  test('in the encoding of a form', async () => {
    goOn.resolve()
    expectNothingTold(await post(prefix, '/p/v1/fail-encoding', { text: `encoding${prefix}` }))
  })

  test.each(Object.keys(gaveUp))('the database fails with %s: 503, and the next request is served', async (how) => {
    const reply = await post(prefix, '/p/v1/give-up', { how })
    expectRefusal(reply, 'dependency.unavailable')
    expect([reply.status, reply.body.error.code, reply.headers.get('retry-after')]).toEqual([503, 'DEP001', '2'])
    const said = new RegExp(`"reason":"database ${sayings[how as keyof typeof gaveUp]}".*request.unavailable`)
    await expect.poll(captured.text).toMatch(said)
    expect(await notes()).not.toContain(how)
    const next = await app.client(prefix === '' ? 'A' : 'B').post('/p/v1/notes', {
      token: person.token,
      body: { text: `after ${how}${prefix}` },
    })
    expect(next.status).toBe(200)
  })
})

describe.each([
  ['a socket that is not there', { host: '/nowhere/at/all', user: 'x', database: 'x' }],
  ['a port that nobody listens on', 'postgresql://x@127.0.0.1:1/x'],
])('the database is down: %s', (_, connection) => {
  let url: string
  let close: () => Promise<unknown>
  beforeAll(async () => {
    const db = openDatabase({ connection })
    const limits = { key: 100, session: 100, address: 100, login: 100, organisation: 1_000_000 }
    const { clock, vault, log } = app.runtime
    const runtime = {
      ...app.runtime,
      db,
      limiter: createRateLimiter(db),
      authentication: createAuthentication(db, callerLoader({ vault, limits, lastUsed: app.lastUsed }), clock, log),
    }
    const runner = createRunner(runtime)
    const server = createServer(forms, {
      runtime,
      runner,
      config: { limits },
      trustProxy: undefined,
      secureOrigin: false,
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    close = async () => {
      await server.close()
      await db.end()
    }
  })
  afterAll(() => close())

  test.each(forms)('$title $name: every route replies 503 with Retry-After', async (answeredBy) => {
    const client = createClient(answeredBy, url)
    // Beyond what a node lets through on credit, the limiter needs the database too.
    for (let times = 0; times < 10; times++) {
      const replies = [
        await client.post('/p/v1/notes', { token: person.token, body: { text: 'dead' } }),
        await client.post('/p/v1/stop-before', { body: { text: 'dead' } }),
      ]
      for (const reply of replies) {
        expectRefusal(reply, 'dependency.unavailable')
        expect([reply.status, reply.body.error.code]).toEqual([503, 'DEP001'])
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
        expect(reply.text).not.toMatch(/ECONNREFUSED|ENOENT|nowhere|127\.0\.0\.1/)
      }
    }
  })
})

describe('every connection of the pool is taken', () => {
  const { log, text: logged } = capturedLog()
  let busy: TestApp
  let requests: (() => Promise<Reply>)[]
  beforeAll(async () => {
    busy = await startTestApp({ log, connectWithinMs: 1_000 })
    const own = await issuer(busy)
    const { token } = own
    requests = (['A', 'B'] as const).flatMap((name) => {
      const client = busy.client(name)
      const body = invoiceBody[name](own)
      const keyed = { body: invoiceBody[name](own), headers: { 'idempotency-key': `asked-again-${name}` } }
      return [
        () => client.get(invoicesPath, { token }),
        () => client.post(invoicesPath, { token, body }),
        () => client.post(invoicesPath, { token, ...keyed }),
      ]
    })
  })
  afterAll(() => busy.close())

  const askAll = () => Promise.all(requests.map((ask) => ask()))
  const numberOfInvoices = async () => (await busy.owner.pool.query('select from invoices')).rowCount

  test('reads and creates get Retry-After without any effect, and are served later', async () => {
    const { pool } = busy.runtime.db
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    const replies = await askAll().finally(() => {
      for (const client of taken) client.release()
    })
    for (const reply of replies) {
      expectRefusal(reply, 'dependency.unavailable')
      expect([reply.status, reply.body.error.code, reply.headers.get('retry-after')]).toEqual([503, 'DEP001', '2'])
    }
    expect(logged()).toMatch(/"reason":"database connections".*request\.unavailable/)
    expect(await numberOfInvoices()).toBe(0)
    expect((await askAll()).map(({ status }) => status)).toEqual([200, 201, 201, 200, 201, 201])
    expect(await numberOfInvoices()).toBe(4)
  })
})

describe.each(forms)('a request that takes too long, in Form $name', (answeredBy) => {
  let url: string
  let close: () => Promise<unknown>
  let unavailable: Unavailable
  beforeAll(async () => {
    unavailable = new Unavailable(captured.log)
    const { runtime, runner } = app
    const limits = { key: 100, session: 100, address: 100, login: 100, organisation: 1_000_000 }
    const server = createServer(forms, {
      runtime,
      runner,
      config: { limits },
      trustProxy: undefined,
      secureOrigin: false,
      unavailable,
      timeLimitMs: 200,
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    close = () => server.close()
  })
  afterAll(() => close())
  beforeEach(() => {
    reached = Promise.withResolvers()
    goOn = Promise.withResolvers()
  })

  const expectCutOff = (reply: Reply) => {
    expectRefusal(reply, 'dependency.unavailable')
    expect([reply.status, reply.body.error.code, reply.headers.get('retry-after')]).toEqual([503, 'DEP001', '2'])
    expect(reply.body.error.message).toContain('longer than 0.2 seconds')
  }
  /** What runs on behind an answer shows in what the server does for others afterwards. */
  const written = async (text: string) => {
    await createClient(answeredBy, url).post('/p/v1/notes', { token: person.token, body: { text: `after ${text}` } })
    return (await notes()).includes(text)
  }

  test('gets its reply at the deadline, and stops if nothing was written yet', async () => {
    const text = `late before ${answeredBy.name}`
    expectCutOff(await createClient(answeredBy, url).post('/p/v1/stop-before', { body: { text } }))
    goOn.resolve()
    expect(await written(text)).toBe(false)
    await expect.poll(unavailable.metrics).toContain('risiti_unavailable_total{cause="time limit"} 1\n')
    expect(captured.text()).toMatch(/"reason":"time limit".*request\.unavailable/)
  })

  test('gets its reply at the deadline, and a running write is completed', async () => {
    const text = `late inside ${answeredBy.name}`
    expectCutOff(await createClient(answeredBy, url).post('/p/v1/stop-inside', { body: { text } }))
    goOn.resolve()
    await expect.poll(notes).toContain(text)
  })

  test('is served when it ends in time', async () => {
    goOn.resolve()
    const text = `in time ${answeredBy.name}`
    expect((await createClient(answeredBy, url).post('/p/v1/stop-before', { body: { text } })).status).toBe(200)
    expect(await written(text)).toBe(true)
  })
})

describe.each(['', '/form-b'])('a client that hangs up, at %j', (prefix) => {
  beforeEach(() => {
    reached = Promise.withResolvers()
    goOn = Promise.withResolvers()
  })

  const begin = (id: string, path: string, body: string, length = body.length): Socket => {
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      `POST ${prefix}${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: gone-${id}-${prefix.slice(1)}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
    )
    return socket
  }

  /** The server answers others before and after, so it has seen what was sent and that the connection broke. */
  async function hangUp(socket: Socket): Promise<void> {
    for (let times = 0; times < 6; times++) {
      await fetch(`${app.url}/p/v1/nope`)
      if (times === 2) socket.resetAndDestroy()
    }
  }

  const until = (done: () => boolean | Promise<boolean>) => eventually(async () => expect(await done()).toBe(true))
  const linesOf = (id: string) =>
    captured
      .text()
      .split('\n')
      .filter((line) => line.includes(id))

  test('before any write has no effect, and is not logged as an error', async () => {
    const text = `before${prefix}`
    const socket = begin('before', '/p/v1/stop-before', JSON.stringify({ text }))
    await reached.promise
    await hangUp(socket)
    goOn.resolve()
    const lines = () => linesOf(`gone-before-${prefix.slice(1)}`)
    await until(() => lines().length > 0)
    expect(await notes()).not.toContain(text)
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'info', msg: 'request.abandoned', route: `${prefix}/p/v1/stop-before` }),
    ])
  })

  test('a client that stays connected gets the same effect', async () => {
    goOn.resolve()
    expect((await post(prefix, '/p/v1/stop-before', { text: `stayed${prefix}` })).status).toBe(200)
    expect(await notes()).toContain(`stayed${prefix}`)
  })

  test('after the write started gets the effect', async () => {
    const text = `inside${prefix}`
    const socket = begin('inside', '/p/v1/stop-inside', JSON.stringify({ text }))
    await reached.promise
    await hangUp(socket)
    goOn.resolve()
    await until(async () => (await notes()).includes(text))
  })

  test('in the middle of the body is not logged as an error either', async () => {
    const socket = begin('halfway', '/p/v1/stop-before', '{"text":', 1000)
    await new Promise((resolve) => socket.once('connect', resolve))
    await hangUp(socket)
    const lines = () => linesOf(`gone-halfway-${prefix.slice(1)}`)
    await until(() => lines().length > 0)
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'info', msg: 'request.abandoned' }),
    ])
  })
})
