import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { insertingJobs, type NewJob, type QueueLoad, readQueueLoads } from '../jobs/jobs.store.ts'
import { type AttemptCounts, job, type QueueName, queueNames } from '../jobs/jobs.ts'
import { turnOf } from '../jobs/turns.ts'
import { silentLogger } from '../logger.ts'
import type { RunningQueue } from './fair-queue.ts'
import { handler, type JobHandler } from './handlers.ts'
import { newQueueCounts, startQueue } from './queues.ts'

let db: Database
const queues: RunningQueue[] = []
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).url })
})
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()))
  await db.run(sql`delete from jobs`)
})
afterAll(() => db.end())

interface TestJob {
  readonly name: string
}
const probe = job<TestJob>('probe', 'mail', { maxAttempts: 3 })
const never = new Promise<void>(() => {})
const organisation = () => newId<'organisation'>() as OrganisationId
const ask = async (pieces: readonly Partial<NewJob>[]) => {
  await db.run(
    insertingJobs(
      pieces.map((piece) => ({
        queue: 'mail',
        organisationId: organisation(),
        job: 'probe',
        key: null,
        payload: { name: '' },
        dueAt: null,
        ...piece,
      })),
    ),
  )
  wakeAll()
}
/** As the wake-up does. */
const wakeAll = () => {
  for (const queue of queues) queue.wake()
}
function start(
  handle: JobHandler<TestJob>['handle'],
  {
    queue = 'mail' as QueueName,
    concurrency = 4,
    deadlineMs = 20_000,
    finishWithinMs = 5_000,
    of = probe,
    over = db,
  } = {},
): RunningQueue & { readonly counts: AttemptCounts } {
  const counts = newQueueCounts()[queue]
  const handlers = [handler({ ...of, queue }, handle)]
  const started = startQueue(queue, { concurrency, deadlineMs, finishWithinMs }, over, handlers, silentLogger, counts)
  queues.push(started)
  return { ...started, counts }
}
const left = async () => (await db.one<{ n: number }>(sql`select count(*)::int as n from jobs`)).n
const empty = (but = 0) => eventually(async () => expect(await left()).toBe(but))
/** Lets what waits for its next attempt have it now. */
const hurry = async () => {
  await db.run(sql`update jobs set due_at = now() where taken_by is null`)
  wakeAll()
}

test('each enqueued job runs once and then leaves the table', async () => {
  const done: string[] = []
  const names = Array.from({ length: 200 }, (_, n) => String(n))
  await ask(names.map((name) => ({ payload: { name } })))
  const queue = start(async ({ name }) => {
    done.push(name)
  })
  await empty()
  expect(done.toSorted()).toEqual(names.toSorted())
  expect(queue.counts).toEqual({ done: 200, failed: 0, retried: 0 })
})

test('an organisation with many waiting jobs does not delay the job of another organisation', async () => {
  const order: string[] = []
  const [crowd, single] = [organisation(), organisation()]
  await db.run(sql`
    insert into jobs (id, queue, organisation_id, job, payload, due_at)
    select gen_random_uuid(), 'mail', ${crowd}, 'probe', '{"name": "crowd"}', now() - interval '1 hour' from generate_series(1, 10000)`)
  start(async ({ name }) => {
    order.push(name)
    await wait(20)
  })
  await eventually(async () => expect(order.length).toBeGreaterThan(20))
  await ask([{ organisationId: single, payload: { name: 'single' } }])
  const before = order.length
  await eventually(async () => expect(order).toContain('single'))
  // A few jobs that were taken before go first.
  expect(order.indexOf('single') - before).toBeLessThan(100)
  expect(await left()).toBeGreaterThan(9_000)
})

test('a queue runs no more jobs at a time than its limit, and at most half of them for one organisation', async () => {
  const goOn = Promise.withResolvers<void>()
  const begun: string[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const queue = start(async ({ name }) => {
    begun.push(name)
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    await goOn.promise
    atOnce--
  })
  const crowd = organisation()
  const ofCrowd = { organisationId: crowd, payload: { name: 'crowd' } }
  await ask([ofCrowd])
  await eventually(async () => expect(begun).toEqual(['crowd']))
  // What it has under way counts: it is given one more, and not two.
  await ask(Array.from({ length: 5 }, () => ofCrowd))
  await eventually(async () => expect(begun).toHaveLength(2))
  await ask(Array.from({ length: 20 }, () => ({ payload: { name: 'other' } })))
  await eventually(async () => expect(begun).toHaveLength(4))
  for (let rounds = 0; rounds < 5; rounds++) {
    queue.wake()
    await wait(20)
  }
  expect(begun).toEqual(['crowd', 'crowd', 'other', 'other'])
  goOn.resolve()
  await empty()
  expect([begun.length, mostAtOnce]).toEqual([26, 4])
})

test('the live jobs of an organisation do not wait for its sandbox jobs, and other organisations still find room', async () => {
  const goOn = Promise.withResolvers<void>()
  const begun: string[] = []
  start(
    async ({ name }) => {
      begun.push(name)
      await goOn.promise
    },
    { concurrency: 8 },
  )
  const own = organisation()
  const sandbox = turnOf({ organisationId: own, mode: 'sandbox' })
  expect([sandbox === own, turnOf({ organisationId: own, mode: 'live' }) === own]).toEqual([false, true])
  await ask(Array.from({ length: 50 }, () => ({ organisationId: sandbox, payload: { name: 'sandbox' } })))
  await eventually(async () => expect(begun).toEqual(['sandbox', 'sandbox', 'sandbox']))
  await ask(Array.from({ length: 50 }, () => ({ organisationId: own, payload: { name: 'live' } })))
  await eventually(async () => expect(begun.filter((name) => name === 'live')).toHaveLength(4))
  await ask([{ payload: { name: 'other' } }])
  await eventually(async () => expect(begun).toContain('other'))
  expect(begun).toHaveLength(8)
  goOn.resolve()
  await empty()
})

test('every queue reports how many jobs wait and how old the oldest is, also an empty queue', async () => {
  await ask([{ queue: 'money' }, { queue: 'money' }])
  await db.run(
    sql`update jobs set created_at = now() - interval '1 hour' where id = (select min(id::text)::uuid from jobs)`,
  )
  const loads = new Map((await readQueueLoads(db)).map(({ queue, ...load }) => [queue, load]))
  expect([...loads.keys()].toSorted()).toEqual([...queueNames].toSorted())
  const { waiting, givenUp, oldestSeconds } = loads.get('money') as QueueLoad
  expect([waiting, givenUp]).toEqual([2, 0])
  expect(oldestSeconds).toBeGreaterThanOrEqual(3_600)
  loads.delete('money')
  for (const load of loads.values()) expect(load).toEqual({ waiting: 0, givenUp: 0, oldestSeconds: 0 })
})

test('an organisation whose jobs hang leaves room for the jobs of others', async () => {
  const hanging = Promise.withResolvers<void>()
  const done: string[] = []
  let begun = 0
  const stuck = organisation()
  await ask(Array.from({ length: 50 }, () => ({ organisationId: stuck, payload: { name: 'stuck' } })))
  start(async ({ name }) => {
    begun++
    if (name === 'stuck') await hanging.promise
    done.push(name)
  })
  await eventually(async () => expect(begun).toBe(2))
  await ask([{ payload: { name: 'free' } }, { payload: { name: 'free' } }])
  await eventually(async () => expect(done).toEqual(['free', 'free']))
  hanging.resolve()
})

test('a queue whose outside parties hang delays no other queue', async () => {
  const hanging = Promise.withResolvers<void>()
  const done: string[] = []
  await ask(Array.from({ length: 8 }, () => ({ queue: 'money' as const })))
  start(() => hanging.promise, { queue: 'money', concurrency: 8 })
  start(async ({ name }) => {
    done.push(name)
  })
  await ask([{ payload: { name: 'a letter' } }])
  await eventually(async () => expect(done).toEqual(['a letter']))
  hanging.resolve()
})

test('a failed job is tried again later, and given up after its last attempt', async () => {
  const attempts: { number: number; last: boolean }[] = []
  await ask([{}])
  let isFollowed = false
  const queue = start(async ({ name }, attempt) => {
    if (name === 'after it') {
      isFollowed = true
      return
    }
    attempts.push(attempt)
    throw new RangeError('a secret that nobody should read')
  })
  for (let times = 1; times <= 3; times++) {
    await eventually(async () => expect(attempts).toHaveLength(times))
    if (times < 3) {
      await eventually(async () =>
        expect(await db.rows(sql`select reason from jobs where taken_by is null and due_at > now()`)).toEqual([
          { reason: 'RangeError' },
        ]),
      )
      await hurry()
    }
  }
  expect(attempts).toEqual([1, 2, 3].map((number) => ({ number, last: number === 3 })))
  await eventually(async () =>
    expect((await readQueueLoads(db)).find(({ queue }) => queue === 'mail')).toEqual({
      queue: 'mail',
      waiting: 0,
      givenUp: 1,
      oldestSeconds: 0,
    }),
  )
  // A later job shows that the queue has looked again.
  await ask([{ payload: { name: 'after it' } }])
  await hurry()
  await eventually(async () => expect(isFollowed).toBe(true))
  await empty(1)
  expect(attempts).toHaveLength(3)
  expect(queue.counts).toEqual({ done: 1, failed: 3, retried: 2 })
})

test('a job that exceeds its time limit fails, and delays no other job', async () => {
  const done: string[] = []
  await ask([{ payload: { name: 'slow' } }])
  start(
    async ({ name }) => {
      if (name === 'slow') await never
      done.push(name)
    },
    { concurrency: 1, deadlineMs: 100 },
  )
  await ask([{ payload: { name: 'quick' } }])
  await eventually(async () => expect(done).toEqual(['quick']))
  await eventually(async () =>
    expect(await db.rows(sql`select reason, attempts from jobs`)).toEqual([{ reason: 'DeadlinePassed', attempts: 1 }]),
  )
})

test('a job of a process that died is due again when its lease ends', async () => {
  const done: string[] = []
  await ask([{ payload: { name: 'orphan' } }])
  await db.run(sql`update jobs set taken_by = ${newId()}, attempts = 1, due_at = now() + interval '1 hour'`)
  start(async ({ name }, { number }) => {
    done.push(`${name} ${number}`)
  })
  // A later job shows that the queue has looked.
  await ask([{ payload: { name: 'later' } }])
  await empty(1)
  expect(done).toEqual(['later 1'])
  await db.run(sql`update jobs set due_at = now()`)
  await eventually(async () => expect(done).toEqual(['later 1', 'orphan 2']))
})

/** The database as a queue sees it. `replies` decides after each statement whether its reply is lost. */
function losing(replies: (method: 'run' | 'rows') => boolean): Database {
  const lost =
    <Args extends unknown[], Result>(method: 'run' | 'rows', send: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await send(...args)
      if (replies(method)) throw Object.assign(new Error('the server goes away'), { code: '57P01' })
      return result
    }
  return { ...db, run: lost('run', db.run), rows: lost('rows', db.rows) as Database['rows'] }
}

describe('while the database is away', () => {
  test('the result of a job is written again, and the job does not run twice', async () => {
    let lostReplies = 0
    let ran = 0
    const unsteady = losing((method) => method === 'run' && ran === 1 && lostReplies++ < 2)
    await ask([{}])
    start(async () => void ran++, { over: unsteady })
    await empty()
    await eventually(async () => expect(lostReplies).toBeGreaterThan(2))
    expect(ran).toBe(1)
  })

  test('a job that was enqueued again begins only after the result of its first run is written', async () => {
    const again = { key: 'again' }
    const runs: string[] = []
    let writes = 0
    // The first write deletes nothing, because the job is wanted again. The second one frees it, and its reply is lost.
    const unsteady = losing((method) => {
      return method === 'run' && runs.length > 0 && ++writes === 2
    })
    start(
      async (_, { number }) => {
        runs.push(`${number} of ${await left()}`)
        if (runs.length === 1) await ask([again])
        if (runs.length === 2) {
          // The result of the first run is written again: by now, or at the wrong moment.
          await eventually(async () => expect(writes).toBeGreaterThanOrEqual(4))
          throw new Error('the second run fails')
        }
      },
      { over: unsteady },
    )
    await ask([again])
    await eventually(async () => {
      wakeAll()
      expect(runs).toHaveLength(2)
    })
    await eventually(async () => {
      await hurry()
      expect(runs).toEqual(['1 of 1', '1 of 1', '2 of 1'])
    })
    await empty()
  })

  test('jobs of a claim whose reply was lost are taken again before their lease ends', async () => {
    let claims = 0
    const done: string[] = []
    await ask([{ payload: { name: 'one' } }, { payload: { name: 'two' } }])
    const unsteady = losing((method) => method === 'rows' && claims++ === 0)
    start(async ({ name }, { number }) => void done.push(`${name} ${number}`), { over: unsteady })
    await empty()
    expect(done.toSorted()).toEqual(['one 1', 'two 1'])
  })
})

test('two processes share a queue, and run no job twice', async () => {
  const done: string[] = []
  const names = Array.from({ length: 300 }, (_, n) => String(n))
  await ask(names.map((name) => ({ payload: { name } })))
  for (let process = 0; process < 2; process++)
    start(async ({ name }) => {
      done.push(name)
    })
  await empty()
  expect(done.toSorted()).toEqual(names.toSorted())
})

test('a job of a kind that a process does not know is left to a process that knows it', async () => {
  const done: string[] = []
  await ask([{ job: 'newer-software-only' }, { payload: { name: 'known' } }])
  start(async ({ name }) => {
    done.push(name)
  })
  // What was done is noted after it was done.
  await eventually(async () =>
    expect(await db.rows(sql`select job, attempts from jobs`)).toEqual([{ job: 'newer-software-only', attempts: 0 }]),
  )
  expect(done).toEqual(['known'])
})

test('a job that runs while its process stops is handed back, and that attempt does not count', async () => {
  const begun = Promise.withResolvers<void>()
  await ask([{}])
  const queue = start(
    async () => {
      begun.resolve()
      await never
    },
    { finishWithinMs: 50 },
  )
  await begun.promise
  await queue.stop()
  expect(await db.rows(sql`select taken_by, attempts, due_at <= now() as is_due from jobs`)).toEqual([
    { takenBy: null, attempts: 0, isDue: true },
  ])
})

describe('jobs with the same key', () => {
  test('become one waiting job, with the newest payload', async () => {
    await ask([{ key: 'k', payload: { name: 'first' } }])
    await ask([
      { key: 'k', payload: { name: 'second' } },
      { key: 'k', payload: { name: 'third' } },
      { key: 'other', payload: { name: 'other' } },
    ])
    expect(await db.rows(sql`select key, payload from jobs order by key`)).toEqual([
      { key: 'k', payload: { name: 'third' } },
      { key: 'other', payload: { name: 'other' } },
    ])
  })

  test('run once more if they are enqueued during a run', async () => {
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const done: string[] = []
    await ask([{ key: 'k', payload: { name: 'first' } }])
    start(async ({ name }) => {
      begun.resolve()
      await go.promise
      done.push(name)
    })
    await begun.promise
    await ask([{ key: 'k', payload: { name: 'again' } }])
    await ask([{ key: 'k', payload: { name: 'and again' } }])
    go.resolve()
    await empty()
    expect(done).toEqual(['first', 'and again'])
  })

  test('start again with a first attempt if they are enqueued during a last attempt that fails', async () => {
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const attempts: string[] = []
    await ask([{ key: 'k', payload: { name: 'first' } }])
    await db.run(sql`update jobs set attempts = 2`)
    start(async ({ name }, { number, last }) => {
      attempts.push(`${name} ${number} ${last}`)
      if (name !== 'first') return
      begun.resolve()
      await go.promise
      throw new Error('not now')
    })
    await begun.promise
    await ask([{ key: 'k', payload: { name: 'again' } }])
    go.resolve()
    await eventually(async () =>
      expect(
        await db.rows(
          sql`select attempts, given_up_at, is_wanted_again, due_at > now() as waits from jobs where taken_by is null`,
        ),
      ).toEqual([{ attempts: 0, givenUpAt: null, isWantedAgain: false, waits: true }]),
    )
    await hurry()
    await empty()
    expect(attempts).toEqual(['first 3 true', 'again 1 false'])
  })

  test('can be enqueued at the same time without a failure or a deadlock', async () => {
    const keys = ['a', 'b', 'c', 'd']
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => ask((n % 2 ? keys : keys.toReversed()).map((key) => ({ key })))),
    )
    expect(await left()).toBe(4)
  })
})
