import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { systemCaller } from '../../kernel/callers.ts'
import type { EventType } from '../../kernel/events.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { sql } from '../database/sql.ts'
import { silentLogger } from '../logger.ts'
import { operation } from '../operations/operation.ts'
import { createRunner, type Runner } from '../operations/runner.ts'
import { type EventNotice, jobOn } from '../work/jobs.ts'
import { handler, startWorker, type Worker } from '../work/queue.ts'
import { createRelay, type Relay } from '../work/relay.ts'

const greet = jobOn('test-greet', ['member.joined', 'member.removed'])
const count = jobOn('test-count', ['member.joined'])
const gather = jobOn('test-gather', ['invitation.resent'], { collapsed: true })

let app: TestApp
let relay: Relay
let runner: Runner
let worker: Worker
let organisationId: OrganisationId
/** what each job was told, in the order in which it was */
const told: Record<string, EventNotice[]> = { 'test-greet': [], 'test-count': [] }
let failures = 0
/** what collapsed work does, and how often it began */
let gathering = async () => {}
let gathered = 0

beforeAll(async () => {
  app = await startTestApp()
  ;({ organisationId } = await app.person())
  // From here on a relay with jobs of our own carries the events.
  await app.machine.relay.stop()
  relay = createRelay(app.machine.db, [greet, count, gather], silentLogger)
  runner = createRunner({ ...app.machine, relay })
  const record = (job: typeof greet) =>
    handler(job, async (notice) => {
      if (failures > 0) {
        failures--
        throw new Error('not now')
      }
      told[job.name]?.push(notice)
    })
  worker = await startWorker(
    app.database.url,
    [record(greet), record(count), handler(gather, () => gathering())],
    silentLogger,
  )
  relay.start()
})
afterAll(async () => {
  await relay.stop()
  await worker.stop()
  await app.close()
})
afterEach(() => {
  for (const notices of Object.values(told)) notices.length = 0
})

/** One transaction that emits an event about each of these; it fails at its end when it is told to. */
const emitting = (type: EventType, objectIds: readonly string[], { failing = false, by = runner } = {}) =>
  by.run(
    operation({ needs: [], refuses: [] }, async ({ emit }) => {
      for (const objectId of objectIds) emit(type, { organisationId, mode: 'sandbox', objectId }, {})
      if (failing) throw new Error('the transaction failed')
    }),
    { caller: systemCaller, origin, input: undefined },
  )
const ids = (many: number) => Array.from({ length: many }, () => newId<'object'>() as string)
const heardBy = (name: string) => (told[name] ?? []).map(({ objectId }) => objectId)

/** Waits until no event and no job of ours waits any more. */
const quiet = () =>
  eventually(async () => {
    const waiting = await app.machine.db.rows(sql`
      select type as name from events where relayed_at is null union all
      select task_identifier from graphile_worker.jobs where starts_with(task_identifier, 'test-')`)
    expect(waiting).toEqual([])
  }, 20_000)

test('each event calls for each job that listens to it, once, and tells what it is about', async () => {
  const [joined, removed, ignored] = ids(3) as [string, string, string]
  await emitting('member.joined', [joined])
  await emitting('member.removed', [removed])
  await emitting('member.updated', [ignored])
  await quiet()
  expect(heardBy('test-greet').sort()).toEqual([joined, removed].sort())
  expect(heardBy('test-count')).toEqual([joined])
  const [event] = await app.machine.db.rows<{ id: string }>(sql`select id from events where object_id = ${joined}`)
  expect(told['test-count']).toEqual([
    { eventId: event?.id, type: 'member.joined', organisationId, mode: 'sandbox', objectId: joined },
  ])
})

test('an event of a transaction that fails is not told, and did not happen', async () => {
  const [failed, committed] = [ids(3), ids(3)]
  await expect(emitting('member.joined', failed, { failing: true })).rejects.toThrow('the transaction failed')
  await emitting('member.joined', committed)
  await quiet()
  expect(heardBy('test-count').sort()).toEqual([...committed].sort())
  expect(await app.machine.db.rows(sql`select 1 from events where object_id = any(${failed})`)).toEqual([])
})

test('nothing is told before the transaction has committed', async () => {
  const [early, other] = ids(2) as [string, string]
  await runner.run(
    operation({ needs: [], refuses: [] }, async ({ emit }) => {
      emit('member.joined', { organisationId, objectId: early }, {})
      // Meanwhile another one commits, and wakes the relay.
      await emitting('member.joined', [other])
      await eventually(async () => expect(heardBy('test-count')).toEqual([other]))
    }),
    { caller: systemCaller, origin, input: undefined },
  )
  await quiet()
  expect(heardBy('test-count')).toEqual([other, early])
})

test('what happens while the relay is stopped waits for it, more than one batch of it', async () => {
  await relay.stop()
  const objects = ids(1_200)
  for (let from = 0; from < objects.length; from += 100)
    await emitting('member.joined', objects.slice(from, from + 100))
  const [waiting] = await app.machine.db.rows<{ events: number; jobs: number }>(sql`
    select (select count(*)::int from events where relayed_at is null and type = 'member.joined') as events,
           (select count(*)::int from graphile_worker.jobs where starts_with(task_identifier, 'test-')) as jobs`)
  expect([waiting, told['test-count']]).toEqual([{ events: 1_200, jobs: 0 }, []])
  relay.start()
  await quiet()
  for (const name of ['test-greet', 'test-count']) expect(heardBy(name).sort()).toEqual([...objects].sort())
})

test('relays of several nodes carry each event once between them', async () => {
  const others = [1, 2, 3].map(() => createRelay(app.machine.db, [greet, count], silentLogger))
  for (const other of others) other.start()
  const runners = others.map((other) => createRunner({ ...app.machine, relay: other }))
  const objects = ids(150)
  await Promise.all(
    objects.map((objectId, index) => emitting('member.joined', [objectId], { by: runners[index % 3] as Runner })),
  )
  await quiet()
  await Promise.all(others.map((other) => other.stop()))
  expect(heardBy('test-count').sort()).toEqual([...objects].sort())
})

test('a job that failed is tried again, and is told the same', async () => {
  failures = 1
  const [removed] = ids(1) as [string]
  await emitting('member.removed', [removed])
  await quiet()
  expect([failures, heardBy('test-greet')]).toEqual([0, [removed]])
})

test('many events call once for collapsed work, and those that come while it is done call for it once more', async () => {
  await relay.stop()
  let atOnce = 0
  let mostAtOnce = 0
  gathering = async () => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    if (++gathered === 1) {
      for (let times = 0; times < 3; times++) await emitting('invitation.resent', ids(4))
      await eventually(async () =>
        expect(await app.machine.db.rows(sql`select 1 from events where relayed_at is null`)).toEqual([]),
      )
    }
    atOnce--
  }
  for (let times = 0; times < 7; times++) await emitting('invitation.resent', ids(100))
  relay.start()
  await eventually(async () => expect(gathered).toBe(2), 10_000)
  await quiet()
  expect([gathered, mostAtOnce]).toEqual([2, 1])
})

test('work that is asked for twice under one key waits once, as it was asked for last', async () => {
  const asking = operation({ needs: [], refuses: [] }, async ({ enqueue }) => {
    const runAt = new Date(Date.now() + 3600_000)
    for (const subject of ['first', 'second'])
      enqueue(greet, { ...notice, objectId: subject }, { runAt, key: 'test-once' })
    enqueue(greet, { ...notice, objectId: 'other' })
  })
  const notice: EventNotice = { eventId: newId(), type: 'member.joined', organisationId, mode: null, objectId: '' }
  await runner.run(asking, { caller: systemCaller, origin, input: undefined })
  // What stands beside it is not held up.
  await eventually(async () => expect(told['test-greet']).toMatchObject([{ objectId: 'other' }]))
  const waiting = sql`select payload from graphile_worker._private_jobs where key = 'test-once'`
  expect(await app.machine.db.rows(waiting)).toMatchObject([{ payload: { objectId: 'second' } }])
})
