import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { capturedLog } from '../../../../test/harness/app.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { dailyAt, type Every, everyMinutes, hourlyAt, type JobHandler, scheduled } from './handlers.ts'
import { newQueueCounts, type QueuePlan, queuePlans, startQueue } from './queues.ts'
import { startSchedule } from './schedule.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).url })
})
afterAll(() => db.end())
beforeEach(async () => {
  await db.run(sql`delete from schedule`)
  await db.run(sql`delete from jobs`)
})

interface Started {
  stop(): Promise<void>
}

/** The schedule and its queue, as a worker runs them. */
async function start(
  handlers: readonly JobHandler[],
  { log = silentLogger, ...plan }: Partial<QueuePlan> & { readonly log?: Logger } = {},
): Promise<Started> {
  const counts = newQueueCounts().schedule
  const queue = startQueue('schedule', { ...queuePlans.schedule, ...plan }, db, handlers, log, counts)
  const schedule = startSchedule(db, handlers, log, { send: () => queue.wake() })
  return {
    async stop() {
      await schedule.stop()
      await queue.stop()
    },
  }
}

async function during(started: readonly Started[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } finally {
    for (const one of started) await one.stop()
  }
}

const makeDue = (job: string) =>
  db.run(sql`
    insert into schedule (job, due_at) values (${job}, now() - interval '90 minutes')
    on conflict (job) do update set due_at = excluded.due_at`)
const jobsLeft = () => db.rows(sql`select job, attempts from jobs where given_up_at is null order by job`)
const never = new Promise<void>(() => {})

test('a scheduled job that does not end fails at its deadline, and its next run does not wait for it', async () => {
  const { log, text } = capturedLog()
  let begun = 0
  const probe = scheduled('probe', everyMinutes(1), async () => {
    if (++begun === 1) await never
  })
  await makeDue('probe')
  const started = await start([probe], { log, deadlineMs: 1_000 })
  await during([started], async () => {
    await eventually(async () => expect(begun).toBe(1))
    await makeDue('probe')
    await eventually(async () => expect(begun).toBe(2))
    expect(text()).toContain('probe took longer than 1000 ms')
    await eventually(async () => expect(await jobsLeft()).toEqual([]))
  })
})

test('if no worker ran for several due times, one worker makes up for them with one run', async () => {
  let runs = 0
  const counted = scheduled('counted', everyMinutes(1), async () => void runs++)
  await makeDue('counted')
  const started = await Promise.all([1, 2, 3].map(() => start([counted])))
  await during(started, async () => {
    await eventually(async () => expect(runs).toBe(1))
    for (let nth = 2; nth <= 4; nth++) {
      await makeDue('counted')
      await eventually(async () => expect([runs, await jobsLeft()]).toEqual([nth, []]))
    }
  })
  expect(runs).toBe(4)
})

const nextOf = async (every: Every) => {
  const { stop } = await start([scheduled('timed', every, async () => {})])
  await stop()
  const { now, dueAt } = await db.one<{ now: Date; dueAt: Date }>(sql`select now(), due_at from schedule`)
  return { inMs: dueAt.getTime() - now.getTime(), at: dueAt.toISOString().slice(11) }
}
const minute = 60_000

test.each([
  ['every minute', everyMinutes(1), minute, /:00\.000Z$/],
  ['every ten minutes', everyMinutes(10), 10 * minute, /0:00\.000Z$/],
  ['every hour at a minute', hourlyAt(7), 60 * minute, /:07:00\.000Z$/],
  ['every day at a time in UTC', dailyAt(2, 35), 24 * 60 * minute, /^02:35:00\.000Z$/],
])('a job is due %s', async (_, every, atMostMs, at) => {
  const next = await nextOf(every)
  expect(next.inMs).toBeLessThanOrEqual(atMostMs)
  expect(next.inMs).toBeGreaterThan(-minute)
  expect(next.at).toMatch(at)
})

test('a job whose interval became shorter does not wait for its old due time', async () => {
  await db.run(sql`insert into schedule (job, due_at) values ('timed', now() + interval '1 day')`)
  expect((await nextOf(everyMinutes(1))).inMs).toBeLessThanOrEqual(minute)
})

test('a job that no version runs any more leaves the table, and a job that another version runs stays', async () => {
  await db.run(sql`
    insert into schedule (job, due_at) values ('forgotten', now() - interval '25 hours'), ('of another version', now() - interval '1 minute')`)
  const { stop } = await start([scheduled('kept', dailyAt(1, 0), async () => {})])
  await stop()
  expect(await db.rows(sql`select job from schedule order by job`)).toEqual([
    { job: 'kept' },
    { job: 'of another version' },
  ])
})

test('a job that always fails does not stop other jobs, and is tried again at its next due time', async () => {
  const ran: string[] = []
  const handlers = [
    scheduled('bad', everyMinutes(1), async () => {
      ran.push('bad')
      throw new Error('on purpose')
    }),
    scheduled('good', everyMinutes(1), async () => void ran.push('good')),
  ]
  const started = await start(handlers)
  await during([started], async () => {
    for (let nth = 1; nth <= 2; nth++) {
      for (const job of ['bad', 'good']) await makeDue(job)
      await eventually(async () =>
        expect(ran.toSorted()).toEqual([...Array(nth).fill('bad'), ...Array(nth).fill('good')]),
      )
      await eventually(async () => expect(await db.rows(sql`select from jobs where given_up_at is null`)).toEqual([]))
    }
  })
})

test('the job of a dead worker is taken by another when its lease ends, and a running job keeps its lease', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const taken: string[] = []
  let isFollowed = false
  const work = (name: string) => [
    scheduled('long', everyMinutes(1), async () => {
      taken.push(name)
      await never
    }),
    scheduled('after it', everyMinutes(1), async () => {
      isFollowed = true
    }),
  ]
  const renewedLeaseMs = 60_000
  const leaseEnd = async () =>
    (await db.one<{ dueAt: Date }>(sql`select due_at from jobs where job = 'long'`)).dueAt.getTime()
  await makeDue('long')
  const [first, second] = [
    await start(work('first'), { renewedLeaseMs, finishWithinMs: 0 }),
    await start(work('second'), { renewedLeaseMs, finishWithinMs: 0 }),
  ]
  await during([first, second], async () => {
    await eventually(async () => expect(taken).toHaveLength(1))
    // The lease is extended each time before it could end.
    for (let renewals = 0; renewals < 3; renewals++) {
      const before = await leaseEnd()
      vi.advanceTimersByTime(renewedLeaseMs / 2)
      await eventually(async () => expect(await leaseEnd()).toBeGreaterThan(before))
    }
    // A later job shows that a worker has looked again.
    isFollowed = false
    await makeDue('after it')
    await eventually(async () => expect(isFollowed).toBe(true))
    expect(taken).toHaveLength(1)
    // As after the death of the worker: nobody renews its lease.
    await db.run(sql`update jobs set taken_by = gen_random_uuid(), due_at = now() where job = 'long'`)
    await eventually(async () => expect(taken).toHaveLength(2))
  })
})
