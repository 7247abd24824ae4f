import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp, testVault } from '../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../test/harness/client.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { sql } from '../../platform/database/sql.ts'
import { type CallOutcome, exchange, type Inside } from '../../platform/operations/operation.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields, Uuid } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { answers as answersOfA } from '../form-a/answers.ts'
import { answers as answersOfB } from '../form-b/answers.ts'

interface Intent {
  readonly id: string
  readonly question: string
}

/** The outside party, as the tests direct it. */
let asked: string[] = []
let inquired: string[] = []
let reached = Promise.withResolvers<void>()
let answer = Promise.withResolvers<string>()
beforeEach(() => {
  asked = []
  inquired = []
  reached = Promise.withResolvers()
  answer = Promise.withResolvers()
})

const steps = {
  intend: async ({ tx }: Inside<TokenCaller>, { question }: { question: string }) => {
    if (question === 'thrown') throw refuse('state.changed')
    const id = newId()
    await tx.run(sql`insert into asks (id, question, outcome, settled) values (${id}, ${question}, 'intended', 0)`)
    return question === 'returned' ? refuse('state.changed') : { id, question }
  },
  call: async (_: unknown, { question }: Intent) => {
    asked.push(question)
    reached.resolve()
    return await answer.promise
  },
  inquire: async (_: unknown, { question }: Intent) => {
    inquired.push(question)
    return 'found out'
  },
  settle: async ({ tx }: Inside<Caller>, { id }: Intent, outcome: CallOutcome<string>) => {
    const late = outcome.kind === 'answered' && outcome.late ? 'late ' : ''
    const became = outcome.kind === 'answered' ? `${late}${outcome.answer}` : 'unknown'
    await tx.run(sql`update asks set outcome = ${became}, settled = settled + 1 where id = ${id}`)
    return became === 'no' ? refuse('state.changed') : { id, became }
  },
}
const facts = { needs: [], refuses: ['state.changed'] } as const
const ask = exchange(facts, { ...steps, name: 'probe.ask', deadlineMs: 60_000 })
const askBriefly = exchange(facts, { ...steps, name: 'probe.ask-briefly', deadlineMs: 30 })

const routes = {
  asks: {
    ask: defineRoute('POST', '/p/v1/asks', 'token', ask, { summary: 'Ask' }),
    askBriefly: defineRoute('POST', '/p/v1/brief-asks', 'token', askBriefly, { summary: 'Ask briefly' }),
    lookUp: defineRoute('GET', '/p/v1/look-up', 'token', ask, { summary: 'Look up', idempotent: true }),
  },
}
const { asks } = routes
const Question = Fields({ question: Type.String() })
const plain = {
  status: 200,
  reply: Fields({ id: Uuid, became: Type.String() }),
  encode: (output: { id: string; became: string }) => output,
}
const described = {
  ask: describeRoute(asks.ask, { ...plain, body: Question, decode: ({ body }) => body }),
  askBriefly: describeRoute(asks.askBriefly, { ...plain, body: Question, decode: ({ body }) => body }),
  lookUp: describeRoute(asks.lookUp, { ...plain, query: Question, decode: ({ query }) => query }),
}
const about = { title: 'Probe', description: 'Probe.' }
const forms = [
  form(routes, { ...about, name: 'A', prefix: '', answers: answersOfA }, { asks: described }),
  form(routes, { ...about, name: 'B', prefix: '/form-b', answers: answersOfB }, { asks: described }),
]

let app: TestApp
let other: TestApp
let token: string
beforeAll(async () => {
  const shared = { database: await createTestDatabase(), vault: testVault(), forms }
  app = await startTestApp(shared)
  other = await startTestApp(shared)
  token = await app.key((await app.person()).organisationId)
  await app.owner.pool.query('create table asks (id uuid primary key, question text, outcome text, settled int)')
})
afterAll(() => Promise.all([app.close(), other.close()]))

const rowsOf = async (question: string) =>
  (await app.runtime.db.pool.query('select outcome, settled from asks where question = $1 order by id', [question]))
    .rows
const open = 'settled_at is null'
const kept = async (question: string) =>
  (
    await app.runtime.db.pool.query(
      `select outcome, reason, late_at is not null as late from exchanges where intent ->> 'question' = $1 order by started_at`,
      [question],
    )
  ).rows
const count = async (table: 'exchanges' | 'idempotency_keys', where = 'true') =>
  (await app.runtime.db.pool.query(`select 1 from ${table} where ${where}`)).rows.length
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'

const fresh = () => ({ key: randomUUID(), question: randomUUID() })
const send = (node: TestApp, key: string, question: string, path = '/p/v1/asks', name: 'A' | 'B' = 'A') =>
  node.client(name).post(path, { token, body: { question }, headers: { 'idempotency-key': key } })

/** Lets the time pass that a sweep grants to the process that asks. */
async function sweep(...nodes: TestApp[]): Promise<number> {
  for (;;) {
    await app.runtime.db.pool.query(`update exchanges set abandoned_after = now() - interval '1 second' where ${open}`)
    const settled = await Promise.all(nodes.map((node) => node.runner.settleAbandoned([ask, askBriefly])))
    const total = settled.reduce((sum, each) => sum + each)
    // The worker's own sweep knows none of our exchanges and may have been first.
    if (total > 0) return total
  }
}

describe.each(['A', 'B'] as const)('Form %s: an exchange with a key', (name) => {
  test('is made once; a second request waits for the answer and repeats it', async () => {
    const { key, question } = fresh()
    const first = send(app, key, question, undefined, name)
    await reached.promise
    const others = [app, other, app, other].map((node) => send(node, key, question, undefined, name))
    const differs = send(other, key, 'something else', undefined, name)
    answer.resolve('yes')
    const { text, data } = await first
    expect(data).toMatchObject({ became: 'yes' })
    for (const reply of await Promise.all(others)) expect([reply.text, isReplay(reply)]).toEqual([text, true])
    expectRefusal(await differs, 'idempotency.body_differs')
    expect((await send(other, key, question, undefined, name)).text).toBe(text)
    expect([asked, await rowsOf(question)]).toEqual([[question], [{ outcome: 'yes', settled: 1 }]])
    expect(await kept(question)).toEqual([{ outcome: 'answered', reason: null, late: false }])
  })

  test('is not stored if it ends in a refusal', async () => {
    const { key, question } = fresh()
    answer.resolve('no')
    expectRefusal(await send(app, key, question, undefined, name), 'state.changed')
    expect([await rowsOf(question), await count('idempotency_keys', `key = '${key}'`)]).toEqual([
      [{ outcome: 'no', settled: 1 }],
      0,
    ])
    answer = Promise.withResolvers()
    answer.resolve('yes')
    const again = await send(app, key, question, undefined, name)
    expect([again.data.became, isReplay(again), asked.length]).toEqual(['yes', false, 2])
  })

  test.each([
    ['thrown', 0],
    ['returned', 1],
  ])('a refusal that is %s before the exchange leaves the key free, and its writes: %i', async (question, effects) => {
    const { key } = fresh()
    const before = (await rowsOf(question)).length
    expectRefusal(await send(app, key, question, undefined, name), 'state.changed')
    expect([(await rowsOf(question)).length - before, asked]).toEqual([effects, []])
    expect([await count('idempotency_keys', `key = '${key}'`), await count('exchanges', open)]).toEqual([0, 0])
    answer.resolve('yes')
    expect((await send(app, key, 'another body', undefined, name)).status).toBe(200)
  })

  test('without an answer in time is settled as unknown, and this is stored', async () => {
    const { key, question } = fresh()
    const first = await send(app, key, question, '/p/v1/brief-asks', name)
    expect(first.data.became).toBe('unknown')
    const again = await send(other, key, question, '/p/v1/brief-asks', name)
    expect([again.text, isReplay(again), asked.length]).toEqual([first.text, true, 1])
    expect(await kept(question)).toEqual([{ outcome: 'unknown', reason: 'deadline passed', late: false }])

    // The party answers after all: that counts, and what was answered under the key stays.
    answer.resolve('yes')
    await eventually(async () => expect(await rowsOf(question)).toEqual([{ outcome: 'late yes', settled: 2 }]))
    expect(await kept(question)).toEqual([{ outcome: 'unknown', reason: 'deadline passed', late: true }])
    expect((await send(app, key, question, '/p/v1/brief-asks', name)).text).toBe(first.text)
  })

  test('may be a GET if the route says so', async () => {
    const { key, question } = fresh()
    answer.resolve('yes')
    const lookUp = () =>
      app.client(name).get(`/p/v1/look-up?question=${question}`, { token, headers: { 'idempotency-key': key } })
    const [first, again] = [await lookUp(), await lookUp()]
    expect([again.text, isReplay(again), asked]).toEqual([first.text, true, [question]])
  })
})

test('a failure of the outside party gives an unknown outcome, not an error', async () => {
  const { key, question } = fresh()
  answer.promise.catch(() => {})
  answer.reject(new Error('connection reset'))
  expect((await send(other, key, question)).data.became).toBe('unknown')
  expect(await rowsOf(question)).toEqual([{ outcome: 'unknown', settled: 1 }])
  expect(await kept(question)).toEqual([{ outcome: 'unknown', reason: 'connection reset', late: false }])
})

test('a client that hangs up does not stop the exchange', async () => {
  const { key, question } = fresh()
  const hangUp = new AbortController()
  const gone = fetch(`${app.url}/p/v1/asks`, {
    method: 'POST',
    signal: hangUp.signal,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ question }),
  })
  await reached.promise
  hangUp.abort()
  await expect(gone).rejects.toThrow()
  const again = send(other, key, question)
  answer.resolve('yes')
  const reply = await again
  expect([reply.data.became, isReplay(reply), asked.length]).toEqual(['yes', true, 1])
})

describe('the process of the exchange is dead', () => {
  test('two concurrent sweeps settle the exchange once, by inquiry, and the key gets this reply', async () => {
    const { key, question } = fresh()
    const dead = send(app, key, question)
    await reached.promise
    expect(await sweep(app, other)).toBe(1)
    expect(await rowsOf(question)).toEqual([{ outcome: 'found out', settled: 1 }])
    expect([inquired, await count('exchanges', open)]).toEqual([[question], 0])
    expect(await app.runner.settleAbandoned([ask])).toBe(0)
    const next = await send(other, key, question)
    expect([next.data.became, isReplay(next), asked.length]).toEqual(['found out', true, 1])
    expectRefusal(await send(other, key, 'something else'), 'idempotency.body_differs')

    // The process was only slow. Its answer is settled as a late one, and the key keeps the first reply.
    answer.resolve('yes')
    expect((await dead).data.became).toBe('late yes')
    expect(await rowsOf(question)).toEqual([{ outcome: 'late yes', settled: 2 }])
    expect(await kept(question)).toEqual([{ outcome: 'answered', reason: null, late: true }])
    expect([(await send(app, key, question)).text, asked.length]).toEqual([next.text, 1])
  })

  test('a waiting request gets the outcome, and the party is not asked again', async () => {
    const { key, question } = fresh()
    const dead = send(app, key, question)
    await reached.promise
    const waiting = send(other, key, question)
    await sweep(other)
    const reply = await waiting
    expect([reply.data.became, isReplay(reply), asked.length]).toEqual(['found out', true, 1])
    answer.promise.catch(() => {})
    answer.reject(new Error('connection reset'))
    // The slow one has learnt nothing.
    expectRefusal(await dead, 'state.changed')
    expect((await send(app, key, question)).text).toBe(reply.text)
    expect(await rowsOf(question)).toEqual([{ outcome: 'found out', settled: 1 }])
  })

  test('an exchange without an inquiry is settled as unknown', async () => {
    const { key, question } = fresh()
    const dead = send(app, key, question)
    await reached.promise
    await app.runtime.db.pool.query(`update exchanges set abandoned_after = now() + interval '1 hour'`)
    expect(await other.runner.settleAbandoned([ask])).toBe(0)
    const silent = { ...ask, inquire: { none: 'nobody would know' } }
    for (let settled = 0; settled === 0; ) {
      await app.runtime.db.pool.query(
        `update exchanges set abandoned_after = now() - interval '1 second' where ${open}`,
      )
      settled = await other.runner.settleAbandoned([silent])
    }
    expect(await rowsOf(question)).toEqual([{ outcome: 'unknown', settled: 1 }])
    const reason = 'the process that asked has ended'
    expect(await kept(question)).toEqual([{ outcome: 'unknown', reason, late: false }])
    answer.resolve('yes')
    expect((await dead).data.became).toBe('late yes')
  })

  test('a failed inquiry is no answer, and its reason is stored', async () => {
    const { key, question } = fresh()
    const dead = send(app, key, question)
    await reached.promise
    const away = async () => {
      throw new Error('connection refused')
    }
    for (let settled = 0; settled === 0; ) {
      await app.runtime.db.pool.query(
        `update exchanges set abandoned_after = now() - interval '1 second' where ${open}`,
      )
      settled = await other.runner.settleAbandoned([{ ...ask, inquire: away }])
    }
    const reason = 'the process that asked has ended; connection refused'
    expect(await kept(question)).toEqual([{ outcome: 'unknown', reason, late: false }])
    answer.resolve('yes')
    expect((await dead).data.became).toBe('late yes')
  })

  /** A sweep whose inquiry is answered when the test says so, long after its deadline. */
  async function sweepUnanswered() {
    const found = Promise.withResolvers<string>()
    for (let settled = 0; settled === 0; ) {
      await app.runtime.db.pool.query(
        `update exchanges set abandoned_after = now() - interval '1 second' where ${open}`,
      )
      settled = await other.runner.settleAbandoned([{ ...ask, deadlineMs: 30, inquire: () => found.promise }])
    }
    return found
  }

  test('a late result of an inquiry still counts, once', async () => {
    const { key, question } = fresh()
    const dead = send(app, key, question)
    await reached.promise
    const found = await sweepUnanswered()
    expect(await rowsOf(question)).toEqual([{ outcome: 'unknown', settled: 1 }])
    found.resolve('found out')
    await eventually(async () => expect(await rowsOf(question)).toEqual([{ outcome: 'late found out', settled: 2 }]))
    expect(await kept(question)).toMatchObject([{ outcome: 'unknown', late: true }])
    expect((await send(other, key, question)).data.became).toBe('unknown')
    answer.resolve('yes')
    expect((await dead).data.became).toBe('late yes')
  })

  test('a late result of an inquiry does not replace the answer of the process', async () => {
    const { key, question } = fresh()
    const dead = send(app, key, question)
    await reached.promise
    const found = await sweepUnanswered()
    answer.resolve('yes')
    expect((await dead).data.became).toBe('late yes')
    const transaction = vi.spyOn(other.runtime.db, 'transaction')
    found.resolve('nothing')
    await eventually(async () => expect(transaction).toHaveBeenCalled())
    await Promise.allSettled(transaction.mock.results.map(({ value }) => value))
    transaction.mockRestore()
    expect(await rowsOf(question)).toEqual([{ outcome: 'late yes', settled: 2 }])
  })

  test('a refusal during settling ends the exchange too', async () => {
    const { key, question } = fresh()
    const dead = send(app, key, question)
    await reached.promise
    for (let settled = 0; settled === 0; ) {
      await app.runtime.db.pool.query(
        `update exchanges set abandoned_after = now() - interval '1 second' where ${open}`,
      )
      settled = await other.runner.settleAbandoned([{ ...ask, inquire: async () => 'no' }])
    }
    expect([
      await rowsOf(question),
      await count('exchanges', open),
      await count('idempotency_keys', `key = '${key}'`),
    ]).toEqual([[{ outcome: 'no', settled: 1 }], 0, 0])
    answer.resolve('yes')
    expect((await dead).data.became).toBe('late yes')
  })
})

test('outcomes of exchanges are kept for thirty days', async () => {
  const { key, question } = fresh()
  answer.resolve('yes')
  await send(app, key, question)
  const age = (days: number) =>
    app.runtime.db.pool.query(
      `update exchanges set settled_at = now() - $2 * interval '1 day' where intent ->> 'question' = $1`,
      [question, days],
    )
  await age(29)
  await app.runJob('purge-expired')
  expect(await kept(question)).toHaveLength(1)
  await age(31)
  await app.runJob('purge-expired')
  expect(await kept(question)).toEqual([])
})
