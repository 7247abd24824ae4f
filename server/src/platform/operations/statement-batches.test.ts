import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { passTime } from '../../../../test/harness/pass-time.ts'
import { someTurns } from '../../../../test/harness/turns.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Database } from '../database/database.ts'
import type { KeyedReply } from './idempotency.store.ts'
import { type PlannedWrite, type Statement, statement } from './operation.ts'
import { createStatementBatches, type MakeReply, type QueueBounds, queueBounds } from './statement-batches.ts'
import { createTransactions } from './transactions.ts'
import { tooBusy } from './turns-of-tenants.ts'

let app: TestApp
let caller: TokenCaller
beforeAll(async () => {
  app = await startTestApp()
  caller = await newCaller()
})
afterAll(() => app.close())

/** In live mode, whose time a node always knows. A busy node asks the database for the time of a sandbox, and so plans in another order. */
async function newCaller(): Promise<TokenCaller> {
  const { token } = await app.person({ mode: 'live' })
  return (await app.runtime.authentication.authenticate(token)).caller
}

/** On a busy machine, requests wait long: only tests about that refuse them. */
const longestWaitMs = 600_000
/** By default, organisations are together, as on one server. The probes write no rows. */
const queues = (bounds: Partial<QueueBounds> = {}, areTogether: Database['areTogether'] = () => true) => {
  const runtime = { ...app.runtime, db: { ...app.runtime.db, areTogether } }
  return createStatementBatches(runtime, createTransactions(runtime), { ...queueBounds, longestWaitMs, ...bounds })
}

interface Probe {
  readonly probe: Statement<TokenCaller, number, number>
  readonly batches: number[][]
  /** lets the first write end, which the others wait behind */
  release(): void
}

/** Writes nothing, and remembers what it was given together. */
function probeOf(more: { isBad?: (n: number) => boolean; about?: (n: number) => string } = {}): Probe {
  const batches: number[][] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { isBad, about } = more
  const probe = statement(
    { needs: [], refuses: [] },
    {
      plan: async (_, input: number) => input,
      ...(about ? { conflictKey: about } : {}),
      write: async (_, __, planned) => {
        const numbers = planned.map(({ plan }) => plan)
        batches.push(numbers)
        if (batches.length === 1) await released
        return isBad && numbers.some(isBad) ? undefined : numbers.map((n) => ({ n: String(n) }))
      },
      returning: ['n'],
      replyHasNoSecret: true,
      output: (_, returned: { n: string }) => Number(returned.n),
      fallback: async (_, plan) => plan,
    },
  )
  return { probe, batches, release }
}

const ask = (attempt: ReturnType<typeof queues>, probe: Probe['probe'], input: number) =>
  attempt(probe, { caller, origin, input }).then(
    ({ returned }) => returned?.n,
    (error: unknown) => (error instanceof Refusal ? error.refusal : 'failed'),
  )

/** The first is being written, and the others wait behind it. */
async function askAll(
  attempt: ReturnType<typeof queues>,
  probe: Probe['probe'],
  [first, ...others]: readonly number[],
) {
  const asked = [ask(attempt, probe, first as number)]
  await someTurns()
  asked.push(...others.map((n) => ask(attempt, probe, n)))
  await someTurns()
  return asked
}
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

test('requests of one event-loop turn are written together, and so are those that arrive during the write', async () => {
  const attempt = queues()
  const { probe, batches, release } = probeOf()
  const asked = [1, 2, 3].map((n) => ask(attempt, probe, n))
  await someTurns()
  asked.push(...[4, 5].map((n) => ask(attempt, probe, n)))
  await someTurns()
  release()
  expect(await Promise.all(asked)).toEqual(['1', '2', '3', '4', '5'])
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

test('the size of a batch is limited, and so is the number of waiting requests', async () => {
  const attempt = queues()
  const { probe, batches, release } = probeOf()
  const asked = await askAll(attempt, probe, upTo(2_101))
  release()
  const answers = await Promise.all(asked)
  // One is being written and 2,000 wait; the others are refused, and nothing was written for them.
  expect(answers.slice(0, 2_001)).toEqual(Array.from({ length: 2_001 }, (_, n) => String(n)))
  expect(new Set(answers.slice(2_001))).toEqual(new Set(['dependency.unavailable']))
  expect(batches.map(({ length }) => length)).toEqual([1, ...Array(31).fill(64), 2_000 - 31 * 64])
  expect(batches.flat()).toHaveLength(2_001)
})

test('a request that waited too long is refused and not written', async () => {
  const attempt = queues({ longestWaitMs })
  const { probe, batches, release } = probeOf()
  const [first, ...late] = await askAll(attempt, probe, upTo(5))
  passTime(longestWaitMs)
  const intime = ask(attempt, probe, 9)
  await someTurns()
  release()
  expect(await first).toBe('0')
  expect(await Promise.all(late)).toEqual(Array(4).fill('dependency.unavailable'))
  expect(await intime).toBe('9')
  expect(batches).toEqual([[0], [9]])
})

test('a batch that cannot be written is halved until the faulty requests are alone', async () => {
  const attempt = queues()
  const { probe, batches, release } = probeOf({ isBad: (n) => n === 3 || n === 7 })
  const asked = await askAll(attempt, probe, upTo(9))
  release()
  // A plan that cannot be written goes back to its caller, which runs the fallback.
  expect(await Promise.all(asked)).toEqual(['0', '1', '2', undefined, '4', '5', '6', undefined, '8'])
  expect(batches).toEqual([
    [0],
    [1, 2, 3, 4, 5, 6, 7, 8],
    [1, 2, 3, 4],
    [1, 2],
    [3, 4],
    [3],
    [4],
    [5, 6, 7, 8],
    [5, 6],
    [7, 8],
    [7],
    [8],
  ])
})

test('two requests with the same conflict key are not in one batch, and keep their order', async () => {
  const attempt = queues()
  const { probe, batches, release } = probeOf({ about: (n) => String(n % 10) })
  const asked = await askAll(attempt, probe, [0, 1, 2, 11, 21, 3, 12])
  release()
  expect(await Promise.all(asked)).toEqual(['0', '1', '2', '11', '21', '3', '12'])
  expect(batches).toEqual([[0], [1, 2, 3], [11, 12], [21]])
})

test('an empty queue is removed, and each tenant has its own queue', async () => {
  const attempt = queues()
  const { probe, batches, release } = probeOf()
  const other = await newCaller()
  const first = ask(attempt, probe, 1)
  await someTurns()
  expect(await attempt(probe, { caller: other, origin, input: 2 })).toMatchObject({ returned: { n: '2' } })
  release()
  await first
  expect(await ask(attempt, probe, 3)).toBe('3')
  expect(batches).toEqual([[1], [2], [3]])
})

test('the number of concurrent batches is limited, and later requests join the batch of their tenant', async () => {
  const attempt = queues({ mostBatches: 1 })
  const { probe, batches, release } = probeOf()
  const other = await newCaller()
  const asked = [ask(attempt, probe, 1)]
  await someTurns()
  for (const n of [2, 3])
    asked.push(attempt(probe, { caller: other, origin, input: n }).then(({ returned }) => returned?.n))
  await someTurns()
  expect(batches).toEqual([[1]])
  release()
  expect(await Promise.all(asked)).toEqual(['1', '2', '3'])
  expect(batches).toEqual([[1], [2, 3]])
})

test('another batch starts beside the running ones when enough requests wait', async () => {
  const attempt = queues({ promptBatches: 1, worthABatch: 3, longestPauseMs: 60_000 })
  const { probe, batches, release } = probeOf()
  const other = await newCaller()
  const ofOther = (n: number) => attempt(probe, { caller: other, origin, input: n }).then(({ returned }) => returned?.n)
  const first = ask(attempt, probe, 1)
  await someTurns()
  const few = [ofOther(2), ofOther(3)]
  await someTurns()
  expect(batches).toEqual([[1]])
  // The first is still under way: it may be waiting for somebody, and nobody waits for that.
  expect(await Promise.all([...few, ofOther(4)])).toEqual(['2', '3', '4'])
  expect(batches).toEqual([[1], [2, 3, 4]])
  release()
  expect(await first).toBe('1')
})

test('another batch starts when the requests have waited for a moment', async () => {
  const attempt = queues({ promptBatches: 1, worthABatch: 3, longestPauseMs: 1 })
  const { probe, batches, release } = probeOf()
  const other = await newCaller()
  const first = ask(attempt, probe, 1)
  await someTurns()
  expect((await attempt(probe, { caller: other, origin, input: 2 })).returned?.n).toBe('2')
  expect(batches).toEqual([[1], [2]])
  release()
  expect(await first).toBe('1')
})

/** Writes nothing, and remembers what it was given of whom: the first group holds up the others until it is released. */
function sharedProbe(more: {
  busy?: (n: number) => boolean
  breaks?: (n: number) => boolean
  isBad?: (n: number) => boolean
}) {
  const { busy = () => false, breaks = () => false, isBad = () => false } = more
  const alone: number[][] = []
  const shared: number[][] = []
  const released = Promise.withResolvers<void>()
  /** the answers that were given to be kept, each time */
  const kept: (number | undefined)[] = []
  const numbersOf = (planned: readonly Pick<PlannedWrite<never, number>, 'plan' | 'keyed'>[]) => {
    kept.push(...planned.map(({ keyed }) => keyed?.status))
    return planned.map(({ plan }) => plan)
  }
  const probe = statement(
    { needs: [], refuses: [] },
    {
      plan: async (_, input: number) => input,
      write: async (_, __, planned) => {
        const numbers = numbersOf(planned)
        alone.push(numbers)
        if (alone.length === 1) await released.promise
        return numbers.some(isBad) ? undefined : numbers.map((n) => ({ n: String(n) }))
      },
      writeShared: async (_, planned) => {
        const numbers = numbersOf(planned)
        shared.push(numbers)
        if (numbers.some(breaks)) throw Object.assign(new Error('a number is taken'), { code: '23505' })
        return numbers.map((n) => (busy(n) ? undefined : { n: String(n) }))
      },
      returning: ['n'],
      replyHasNoSecret: true,
      output: (_, returned: { n: string }) => Number(returned.n),
      fallback: async (_, plan) => plan,
    },
  )
  return { probe, alone, shared, kept, release: () => released.resolve() }
}

/** Tens tell whose they are; the first of all is alone in its group, and the others wait behind it. */
async function askedOfMany(attempt: ReturnType<typeof queues>, probe: Probe['probe'], numbers: readonly number[]) {
  const ofWhose = (n: number) =>
    attempt(probe, { caller: tenants[Math.floor(n / 10)] as TokenCaller, origin, input: n }).then(
      ({ returned }) => returned?.n,
    )
  const asked = [ofWhose(numbers[0] as number)]
  await someTurns()
  asked.push(...numbers.slice(1).map(ofWhose))
  await someTurns()
  return asked
}
const tenants: TokenCaller[] = []
beforeAll(async () => {
  for (let nth = 0; nth < 4; nth++) tenants.push(await newCaller())
})

test('waiting tenants share a statement, up to a limit', async () => {
  const attempt = queues({ mostBatches: 1, largestShared: 5 })
  const { probe, alone, shared, release } = sharedProbe({})
  const asked = await askedOfMany(attempt, probe, [1, 10, 20, 11, 30, 21, 12, 31])
  release()
  expect(await Promise.all(asked)).toEqual(['1', '10', '20', '11', '30', '21', '12', '31'])
  expect([alone, shared]).toEqual([[[1], [30, 31]], [[10, 11, 12, 20, 21]]])
})

test('tenants whose rows are on different servers share no statement', async () => {
  const isOnFirst = (id: string) => [1, 3].some((nth) => tenants[nth]?.tenant.organisationId === id)
  const attempt = queues(
    { mostBatches: 1 },
    (one, other) => isOnFirst(one.organisationId) === isOnFirst(other.organisationId),
  )
  const { probe, alone, shared, release } = sharedProbe({})
  const asked = await askedOfMany(attempt, probe, [1, 10, 20, 11, 30])
  release()
  expect(await Promise.all(asked)).toEqual(['1', '10', '20', '11', '30'])
  expect([alone, shared]).toEqual([[[1], [20]], [[10, 11, 30]]])
})

test('if statements must not be shared, each tenant has its own', async () => {
  const runtime = { ...app.runtime, settings: { ...app.runtime.settings, sharedStatements: false } }
  const bounds = { ...queueBounds, longestWaitMs, mostBatches: 1 }
  const attempt = createStatementBatches(runtime, createTransactions(runtime), bounds)
  const { probe, alone, shared, release } = sharedProbe({})
  const asked = await askedOfMany(attempt, probe, [1, 10, 20, 11])
  release()
  expect(await Promise.all(asked)).toEqual(['1', '10', '20', '11'])
  expect([alone, shared]).toEqual([[[1], [10, 11], [20]], []])
})

test('a tenant with locked rows gets its own statement, and delays nobody', async () => {
  const attempt = queues({ mostBatches: 1 })
  const { probe, alone, shared, release } = sharedProbe({ busy: (n) => n >= 20 && n < 30 })
  const asked = await askedOfMany(attempt, probe, [1, 10, 20, 30, 21])
  release()
  expect(await Promise.all(asked)).toEqual(['1', '10', '20', '30', '21'])
  expect([alone, shared]).toEqual([[[1], [20, 21]], [[10, 20, 21, 30]]])
})

test('a tenant that breaks a shared statement is written alone for a while', async () => {
  const attempt = queues({ mostBatches: 1, apartMs: 600_000 })
  const { probe, alone, shared, release } = sharedProbe({ breaks: (n) => n === 20, isBad: (n) => n === 20 })
  const asked = await askedOfMany(attempt, probe, [1, 10, 20, 30])
  release()
  // The caller runs the fallback.
  expect(await Promise.all(asked)).toEqual(['1', '10', undefined, '30'])
  expect([alone, shared]).toEqual([[[1], [10], [20], [30]], [[10, 20, 30]]])
  const more = await askedOfMany(attempt, probe, [2, 11, 21, 31])
  expect(await Promise.all(more)).toEqual(['2', '11', '21', '31'])
  expect(shared.slice(1)).toEqual([[11, 31]])
})

test('after that while, a tenant that broke a shared statement shares again', async () => {
  const apartMs = 600_000
  const attempt = queues({ mostBatches: 1, apartMs })
  const { probe, shared, release } = sharedProbe({ breaks: (n) => n === 20, isBad: (n) => n === 20 })
  const asked = await askedOfMany(attempt, probe, [1, 10, 20, 30])
  release()
  expect(await Promise.all(asked)).toEqual(['1', '10', undefined, '30'])
  passTime(apartMs)
  expect(await Promise.all(await askedOfMany(attempt, probe, [3, 12, 22]))).toEqual(['3', '12', '22'])
  expect(shared.slice(1)).toEqual([[12, 22]])
})

test('the number of tenants that are written alone is limited', async () => {
  const attempt = queues({ mostBatches: 1, mostApart: 1 })
  const isBad = (n: number) => n === 10 || n === 20
  const { probe, shared, release } = sharedProbe({ breaks: isBad, isBad })
  const asked = await askedOfMany(attempt, probe, [1, 10, 20, 30])
  release()
  expect(await Promise.all(asked)).toEqual(['1', undefined, undefined, '30'])
  // The first of the two was forgotten for the second.
  expect(await Promise.all(await askedOfMany(attempt, probe, [2, 11, 21, 31]))).toEqual(['2', '11', '21', '31'])
  expect(shared.slice(1)).toEqual([[11, 31]])
})

/** Makes an answer for each number; none for some, and an error for others. */
function repliesFor(more: { hasNone?: (n: number) => boolean; fails?: (n: number) => boolean } = {}) {
  const { hasNone = () => false, fails = () => false } = more
  const made: number[] = []
  const makeReply: MakeReply = (plan) => {
    const n = plan as number
    made.push(n)
    if (fails(n)) throw new Error(`no answer to ${n}`)
    return hasNone(n) ? undefined : ({ status: n, answer: Buffer.alloc(100) } as unknown as KeyedReply)
  }
  return { makeReply, made }
}

async function askWithKeys(
  attempt: ReturnType<typeof queues>,
  probe: Probe['probe'],
  numbers: readonly number[],
  makeReply: MakeReply,
) {
  const asked = numbers.map((n) =>
    attempt(probe, { caller: tenants[Math.floor(n / 10)] as TokenCaller, origin, input: n }, makeReply).then(
      ({ returned }) => returned?.n,
      (error: Error) => error.message,
    ),
  )
  await someTurns()
  return asked
}

test('an idempotent reply is made once, and written with its batch', async () => {
  const attempt = queues({ mostBatches: 1 })
  const { probe, alone, shared, kept, release } = sharedProbe({ busy: (n) => n === 20, isBad: (n) => n === 21 })
  const { makeReply, made } = repliesFor()
  const asked = await askWithKeys(attempt, probe, [1], makeReply)
  asked.push(...(await askWithKeys(attempt, probe, [10, 20, 21], makeReply)))
  asked.push(...(await askedOfMany(attempt, probe, [30])))
  release()
  expect(await Promise.all(asked)).toEqual(['1', '10', '20', undefined, '30'])
  expect([alone, shared]).toEqual([[[1], [20, 21], [20], [21]], [[10, 20, 21, 30]]])
  expect(made).toEqual([1, 10, 20, 21])
  expect(kept, 'also where it is written again, alone and in halves').toEqual([
    1,
    10,
    20,
    21,
    undefined,
    20,
    21,
    20,
    21,
  ])
})

test('a request whose reply cannot be made is not written, and does not affect the others', async () => {
  const attempt = queues({ mostBatches: 1 })
  const { probe, alone, shared, release } = sharedProbe({})
  const { makeReply } = repliesFor({ hasNone: (n) => n === 10 || n === 30, fails: (n) => n === 20 })
  const asked = await askWithKeys(attempt, probe, [1], makeReply)
  asked.push(...(await askWithKeys(attempt, probe, [10, 11, 20, 21, 30], makeReply)))
  release()
  expect(await Promise.all(asked)).toEqual(['1', undefined, '11', 'no answer to 20', '21', undefined])
  expect([alone, shared]).toEqual([[[1]], [[11, 21]]])
  const none = await askWithKeys(attempt, probe, [20, 30], makeReply)
  expect(await Promise.all(none)).toEqual(['no answer to 20', undefined])
  expect(await Promise.all(await askWithKeys(attempt, probe, [10], makeReply))).toEqual([undefined])
  expect([alone, shared], 'for nobody, nothing is sent').toEqual([[[1]], [[11, 21]]])
  expect(await Promise.all(await askWithKeys(attempt, probe, [12], makeReply))).toEqual(['12'])
})

test('a request that waited too long is refused, and nothing is written for it', async () => {
  const attempt = queues({ longestWaitMs })
  const { probe, alone, release } = sharedProbe({})
  const { makeReply } = repliesFor()
  const asked = await askWithKeys(attempt, probe, [1], makeReply)
  asked.push(...(await askWithKeys(attempt, probe, [2, 3], makeReply)))
  passTime(longestWaitMs)
  release()
  expect(await Promise.all(asked)).toEqual(['1', tooBusy().message, tooBusy().message])
  expect(alone).toEqual([[1]])
})
