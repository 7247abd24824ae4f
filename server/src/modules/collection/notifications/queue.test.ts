import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { collector } from '../../../../../test/harness/collection.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { newId } from '../../../kernel/ids.ts'
import { queueAttemptMetrics } from '../../../platform/background/attempt-metrics.ts'
import { sql } from '../../../platform/database/sql.ts'
import { firstTurn } from '../../../platform/jobs/turns.ts'
import { collectionMetrics } from './collection-metrics.ts'
import { claimNotifications } from './notifications.store.ts'

let app: TestApp
/** Transfers that the bank was asked about, in order. */
let looked: string[] = []
/** What the bank waits for before it answers. */
let before: (transfer: string) => Promise<void> = async () => {}
beforeAll(async () => {
  app = await startTestApp({
    bank: true,
    bankThrough: (bank) => ({
      ...bank,
      async look(transfer, signal) {
        looked.push(transfer)
        await before(transfer)
        return await bank.look(transfer, signal)
      },
    }),
  })
})
afterAll(() => app.close())
afterEach(async () => {
  before = async () => {}
  await app.stopWork()
  looked = []
  await app.runtime.db.run(sql`delete from collection_notifications`)
  await app.startWork()
})

/** Many old notifications of transfers that the bank does not know, of no known organisation unless given. */
const crowd = async (of: string | undefined, many: number) => {
  await app.runtime.db.run(sql`
    insert into collection_notifications (provider, mode, id, subject, due_at)
    select 'sandbox', 'sandbox', 'crowd ' || nth, 'crowd-' || nth, now() - interval '1 hour' from generate_series(1, ${many}) as nth`)
  if (of !== undefined) await app.runtime.db.run(sql`update collection_notifications set organisation_id = ${of}`)
}
const isOfCrowd = (transfer: string) => transfer.startsWith('crowd-')

test('a single transfer of one organisation is looked up soon, behind any backlog of another', async () => {
  const own = await collector(app)
  const { accountNumber } = await own.open()
  await app.stopWork()
  await crowd(undefined, 1_000)
  const single = await own.transfer(accountNumber, 100)
  await eventually(async () =>
    expect(
      await app.runtime.db.rows(sql`select organisation_id from collection_notifications where subject = ${single}`),
    ).toEqual([{ organisationId: own.organisationId }]),
  )
  await app.startWork()
  await own.payment(single)
  expect(looked.indexOf(single)).toBeLessThan(32)
})

test('an organisation without answers of the bank does not block others', async () => {
  const own = await collector(app)
  const { accountNumber } = await own.open()
  const answer = Promise.withResolvers<void>()
  before = (transfer) => (isOfCrowd(transfer) ? answer.promise : Promise.resolve())
  await app.stopWork()
  const slow = newId()
  await crowd(slow, 1)
  await app.startWork()
  try {
    await eventually(async () => expect(looked).toHaveLength(1))
    // Notifications in progress count too.
    await app.runtime.db.run(sql`
      insert into collection_notifications (provider, mode, id, subject, organisation_id)
      select 'sandbox', 'sandbox', 'more ' || nth, 'crowd-more-' || nth, ${slow}::uuid from generate_series(1, 100) as nth`)
    app.runtime.wakeUp.send(['money'])
    await eventually(async () => expect(looked).toHaveLength(16))
    await own.payment(await own.transfer(accountNumber, 100))
    expect(looked.filter(isOfCrowd)).toHaveLength(16)
  } finally {
    answer.resolve()
  }
})

test('a flood of sandbox notifications does not delay live ones, even of the same organisation and provider', async () => {
  const own = await collector(app)
  const answer = Promise.withResolvers<void>()
  before = () => answer.promise
  await app.stopWork()
  await crowd(own.organisationId, 100)
  // More organisations than the queue has places, all waiting for the bank.
  await app.runtime.db.run(sql`
    insert into collection_notifications (provider, mode, id, subject, organisation_id)
    select 'sandbox', 'sandbox', 'others ' || nth, 'crowd-others-' || nth, gen_random_uuid() from generate_series(1, 100) as nth`)
  await app.startWork()
  try {
    await eventually(async () => expect(looked).toHaveLength(24))
    await app.runtime.db.run(sql`
      insert into collection_notifications (provider, mode, id, subject, organisation_id)
      select 'sandbox', 'live', 'live ' || nth, 'live-' || nth, ${own.organisationId}::uuid from generate_series(1, 3) as nth`)
    app.runtime.wakeUp.send(['money'])
    // There are no live keys here, which is detected at once.
    await eventually(async () =>
      expect(await app.runtime.db.rows(sql`select outcome from collection_notifications where mode = 'live'`)).toEqual(
        Array(3).fill({ outcome: 'no such provider' }),
      ),
    )
    expect(looked).toHaveLength(24)
  } finally {
    answer.resolve()
  }
})

test('sandbox lookups in progress do not count against the live limit', async () => {
  await app.stopWork()
  const own = newId()
  await app.runtime.db.run(sql`
    insert into collection_notifications (provider, mode, id, subject, organisation_id)
    select 'monnify', mode, mode || nth, mode || nth, ${own}::uuid
      from generate_series(1, 40) as nth, unnest(array['sandbox', 'live']) as mode`)
  const claim = async (mode: 'sandbox' | 'live') =>
    await claimNotifications(app.runtime.db, {
      mode,
      limit: 24,
      from: firstTurn,
      underWay: new Map(),
      mostPerOrganisation: 16,
      underWayAt: new Map(),
      mostPerProvider: 24,
      leaseMs: 60_000,
    })
  for (const mode of ['sandbox', 'live'] as const)
    expect((await claim(mode)).map((one) => one.mode)).toEqual(Array(16).fill(mode))
})

const figures = async () => {
  const text = `${await collectionMetrics(app.runtime.db)}\n${await queueAttemptMetrics([...app.runtime.ownQueueCounts])}`
  const figure = (line: string) =>
    Number(
      text
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.slice(line.length),
    )
  const ended = (outcome: string) => figure(`risiti_queue_attempts_total{queue="collection",outcome="${outcome}"}`)
  return {
    waiting: figure('risiti_collection_waiting'),
    oldestSeconds: figure('risiti_collection_oldest_seconds'),
    done: ended('done'),
    failed: ended('failed'),
    retried: ended('retried'),
  }
}

test('a silent provider does not block another', async () => {
  await app.stopWork()
  await app.runtime.db.run(sql`
    insert into collection_notifications (provider, mode, id, subject, organisation_id)
    select 'monnify', 'live', 'silent ' || nth, 'silent-' || nth, gen_random_uuid()
      from generate_series(1, 100) as nth`)
  await app.runtime.db.run(sql`
    insert into collection_notifications (provider, mode, id, subject, organisation_id)
    values ('paystack', 'live', 'other', 'other', 'ffffffff-ffff-4fff-bfff-ffffffffffff')`)
  const claim = async (limit: number, underWay: number) => {
    const claimed = await claimNotifications(app.runtime.db, {
      mode: 'live',
      limit,
      from: firstTurn,
      underWay: new Map(),
      mostPerOrganisation: 16,
      underWayAt: new Map([['monnify', underWay]]),
      mostPerProvider: 24,
      leaseMs: 60_000,
    })
    return claimed.map(({ provider }) => provider)
  }
  expect(await claim(32, 0)).toEqual(Array(24).fill('monnify'))
  expect(await claim(8, 24)).toEqual(['paystack'])
})

test('metrics show the queue, its age and the results of lookups', async () => {
  const { db, wakeUp } = app.runtime
  const own = await collector(app)
  const { accountNumber } = await own.open()
  const begin = await figures()
  expect([begin.waiting, begin.oldestSeconds]).toEqual([0, 0])
  await own.payment(await own.transfer(accountNumber, 100))
  await eventually(async () => expect(await figures()).toEqual({ ...begin, done: begin.done + 1 }))
  await db.run(sql`
    insert into collection_notifications (provider, mode, id, subject, tries, received_at) values
      ('sandbox', 'sandbox', 'again', 'nobody-knows-1', 0, now() - interval '1 hour'),
      ('sandbox', 'sandbox', 'never again', 'nobody-knows-2', 11, now() - interval '2 hours')`)
  wakeUp.send(['money'])
  // One waits for its next look, the other has had its last.
  await eventually(async () => {
    const { oldestSeconds, ...now } = await figures()
    expect(now).toMatchObject({ waiting: 1, done: begin.done + 1 })
    expect(now.failed - now.retried).toBe(begin.failed - begin.retried + 1)
    expect(now.retried).toBeGreaterThan(begin.retried)
    expect(Math.floor(oldestSeconds / 3_600)).toBe(1)
  })
})

test('an unknown transfer is looked up twelve times, and leaves the queue after ninety days', async () => {
  const { db, wakeUp } = app.runtime
  await db.run(sql`
    insert into collection_notifications (provider, mode, id, subject, tries) values
      ('sandbox', 'sandbox', 'eleventh', 'nobody-knows-1', 10), ('sandbox', 'sandbox', 'twelfth', 'nobody-knows-2', 11)`)
  wakeUp.send(['money'])
  const kept = () =>
    db.rows<{ id: string; tries: number; waits: boolean; outcome: string | null }>(sql`
      select id, tries, due_at is not null as waits, outcome from collection_notifications order by id`)
  const why = 'the provider does not know it'
  await eventually(async () =>
    expect(await kept()).toEqual([
      { id: 'eleventh', tries: 11, waits: true, outcome: why },
      { id: 'twelfth', tries: 12, waits: false, outcome: `given up: ${why}` },
    ]),
  )
  await db.run(sql`update collection_notifications set received_at = now() - interval '91 days'`)
  await app.runJob('purge-expired')
  expect((await kept()).map(({ id }) => id)).toEqual(['eleventh'])
})
