import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { capturedLog, origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { openLink } from '../../../../test/harness/link.ts'
import { type SystemCaller, systemCaller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { openDatabase } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { tailBounds } from '../events/tail.ts'
import { silentLogger } from '../logger.ts'
import { operation } from '../operations/operation.ts'
import { createRunner, type Runner, type Runtime } from '../operations/runner.ts'
import type { Rounds } from '../rounds.ts'
import type { Consumer } from './consumer.ts'
import { listConsumers, listLags } from './consumer-states.store.ts'
import { type ConsumerPace, type ConsumerRuntime, startConsumers } from './consumers.ts'
import { noteFailure, skipEvent } from './cursors.store.ts'
import { skipSetAside } from './set-aside.store.ts'

let app: TestApp
let database: Awaited<ReturnType<typeof createTestDatabase>>
let organisationId: OrganisationId
const running: Rounds[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  app = await startTestApp({ database })
  ;({ organisationId } = await app.person())
  await app.quiet()
  await app.owner.run(sql`create table seen (consumer text, object_id text, nth bigint generated always as identity)`)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((loop) => loop.stop()))
})
afterAll(() => app.close())

/** One that writes down what it sees in the transaction of its cursor, and then may fail. */
const noting = (
  name: string,
  { after, ...rest }: Partial<Consumer> & { after?: (objectIds: readonly string[]) => void } = {},
): Consumer => ({
  name,
  on: ['member.joined', 'member.removed'],
  pool: 'work',
  startsAt: 'now',
  batchSize: 100,
  restMs: 1,
  take: async ({ tx }, events) => {
    for (const { objectId } of events)
      await tx.run(sql`insert into seen (consumer, object_id) values (${name}, ${objectId})`)
    after?.(events.map(({ objectId }) => objectId))
  },
  ...rest,
})

/** Failures are retried at once. */
const pace: ConsumerPace = { idleMs: 100, afterFailureMs: 10, asideEveryMs: 100 }

/** All on the connections of one machine. */
function runtimeOn(runtime: Runtime, deadlineMs = 30_000): () => ConsumerRuntime {
  const consumerRuntime = { runtime, runner: createRunner(runtime), deadlineMs, pace }
  return () => consumerRuntime
}

/** Follows as a process of its own would. */
async function follow(consumer: Consumer, runtimeOf = runtimeOn(app.runtime)): Promise<void> {
  const loop = startConsumers([consumer], app.runtime, runtimeOf)
  app.runtime.wakeUp.listen('events', () => loop.wake())
  running.push(loop)
  await eventually(async () =>
    expect((await listConsumers(app.runtime.db)).map((state) => state.consumer)).toContain(consumer.name),
  )
}

const told = { email: 'ada@example.com', role: 'VIEWER', how: 'left' } as const
type TestEventType = 'member.joined' | 'member.removed' | 'member.updated' | 'organization.updated'
const emitting = (
  type: TestEventType,
  objectIds: readonly string[],
  { failing = false, owner = organisationId }: { failing?: boolean; owner?: OrganisationId } = {},
) =>
  app.runner.run(
    operation({ needs: [], refuses: [] }, async ({ emit }) => {
      for (const objectId of objectIds) emit(type, { organisationId: owner, objectId }, told)
      if (failing) throw new Error('the transaction failed')
    }),
    { caller: systemCaller, origin, input: undefined },
  )
const ids = (many: number) => Array.from({ length: many }, () => newId<'object'>() as string)
const seenBy = async (name: string): Promise<string[]> =>
  (
    await app.runtime.db.rows<{ objectId: string }>(
      sql`select object_id from seen where consumer = ${name} order by nth`,
    )
  ).map(({ objectId }) => objectId)
const sees = (name: string, expected: readonly string[]) =>
  eventually(async () => expect(await seenBy(name)).toEqual(expected))
/** Where it rests for longer than any of these takes, only what it does not rest for is seen. */
const restsLong = { ...tailBounds, mostKept: 100, batchSize: 100, restMs: 600_000, idleMs: 50, looksAgain: 0 }
const stateOf = async (name: string) => (await listConsumers(app.runtime.db)).find((state) => state.consumer === name)

test('a consumer takes an event that directly follows another one without its long pause', async () => {
  const consumer = noting('right-behind')
  const loops = startConsumers([consumer], app.runtime, runtimeOn(app.runtime), restsLong)
  app.runtime.wakeUp.listen('events', () => loops.wake())
  running.push(loops)
  await eventually(async () => expect(await stateOf(consumer.name)).toBeDefined())
  const one = ids(4)
  for (const [nth, id] of one.entries()) {
    await emitting('member.joined', [id])
    await sees(consumer.name, one.slice(0, nth + 1))
  }
})

/** A connection with an open transaction that has appended an event about `objectId`. */
async function heldOpen(owner: OrganisationId, objectId: string) {
  const client = await app.runtime.db.pool.connect()
  await client.query('begin')
  await client.query(
    `insert into events (organisation_id, mode, id, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
     values ($1, 'sandbox', $2, 'member.joined', $3, '{}', 'system', 'test', '', '', 'test', now())`,
    [owner, newId(), objectId],
  )
  return {
    async end(how: 'commit' | 'rollback') {
      await client.query(how)
      client.release()
    },
  }
}

test('a transaction that stays open delays only the events of its own organisation, and none is lost', async () => {
  const consumer = noting('kept-back')
  const { organisationId: other } = await app.person()
  await follow(consumer)
  const [held, behind, beside] = ids(3) as [string, string, string]
  const open = await heldOpen(other, held)
  const waiting = emitting('member.joined', [behind], { owner: other })
  await emitting('member.joined', [beside])
  await sees(consumer.name, [beside])
  await open.end('commit')
  await waiting
  await sees(consumer.name, [beside, held, behind])
  // A transaction that fails leaves no gap.
  const failed = await heldOpen(other, ids(1)[0] as string)
  await failed.end('rollback')
  const [after] = ids(1) as [string]
  await emitting('member.joined', [after], { owner: other })
  await sees(consumer.name, [beside, held, behind, after])
  const { gaps } = await app.runtime.db.one<{ gaps: number }>(sql`
    select (max(position) - count(*))::int as gaps from events where organisation_id = ${other}`)
  expect(gaps).toBe(0)
})

test('an organisation whose event fails does not delay the others', async () => {
  const [bad, good] = ids(2) as [string, string]
  const { organisationId: other } = await app.person()
  await follow(
    noting('one-fails', {
      after: (taken) => {
        if (taken.includes(bad)) throw new TypeError('not this one')
      },
    }),
  )
  await Promise.all([emitting('member.joined', [bad]), emitting('member.joined', [good], { owner: other })])
  await sees('one-fails', [good])
  await eventually(async () => expect(await isSetAside('one-fails')).toHaveLength(1))
})

test('a batch that exceeds its time limit fails: its transaction ends with its connection, and the batch is tried again', async () => {
  const db = openDatabase({ connection: database.url, poolSize: 2, applicationName: 'a pool of two' })
  const runtime = { ...app.runtime, db, log: silentLogger }
  let tries = 0
  const slow = noting('too-slow')
  const hangs: Consumer = {
    ...slow,
    take: async (context, events) => {
      await slow.take(context, events)
      // As often as would take every connection of the pool, it never comes to an end.
      if (tries++ < 2) await new Promise(() => {})
    },
  }
  const beside = noting('beside-it')
  const loops = startConsumers([hangs, beside], runtime, runtimeOn(runtime, 500))
  app.runtime.wakeUp.listen('events', () => loops.wake())
  running.push(loops)
  for (const { name } of [hangs, beside]) await eventually(async () => expect(await stateOf(name)).toBeDefined())
  const one = ids(1)
  await emitting('member.joined', one)
  await sees(beside.name, one)
  await sees(hangs.name, one)
  // On a busy machine more tries may have come too late.
  expect(tries).toBeGreaterThanOrEqual(3)
  expect(runtime.consumerCounts.get(hangs.name)).toMatchObject({ failed: tries - 1, done: 1 })
  await Promise.all(running.splice(0).map((loop) => loop.stop()))
  await db.end()
})

test('after a statement timeout, the batch is tried again with fewer events', async () => {
  const sizes: number[] = []
  await follow(
    noting('too-many', {
      take: async ({ tx }, events) => {
        sizes.push(events.length)
        await tx.run(sql`set local statement_timeout = '50ms'`)
        if (events.length > 3) await tx.run(sql`select pg_sleep(1)`)
        for (const { objectId } of events)
          await tx.run(sql`insert into seen (consumer, object_id) values ('too-many', ${objectId})`)
      },
    }),
  )
  const many = ids(8)
  await emitting('member.joined', many)
  await sees('too-many', many)
  expect(sizes.slice(0, 3)).toEqual([8, 4, 2])
})

test('a consumer gets each event that it wants once, in the order of the commits, and no other event', async () => {
  await follow(noting('in-order'))
  const [joined, removed, ignored, failed] = [ids(3), ids(1), ids(2), ids(2)]
  await emitting('member.joined', joined)
  await emitting('member.updated', ignored)
  await expect(emitting('member.joined', failed, { failing: true })).rejects.toThrow('the transaction failed')
  await emitting('member.removed', removed)
  await sees('in-order', [...joined, ...removed])
})

test('a consumer gets the version of the object and the version of the event type', async () => {
  const heard: object[] = []
  await follow({
    ...noting('versions'),
    on: ['item.created', 'role.deleted'],
    take: async (_, events) => void heard.push(...events),
  })
  const [item, role] = ids(2) as [string, string]
  const emits = operation<SystemCaller, undefined, void>({ needs: [], refuses: [] }, async ({ emit }) => {
    const told = { itemId: item, name: 'Rice', sku: null, itemType: 'goods' } as const
    emit('item.created', { organisationId, mode: 'live', objectId: item, version: 2 ** 40 }, told)
    emit('role.deleted', { organisationId, objectId: role }, { name: 'Clerk' })
  })
  await app.runner.run(emits, { caller: systemCaller, origin, input: undefined })
  await eventually(async () =>
    expect(heard).toMatchObject([
      { type: 'item.created', version: 1, mode: 'live', objectId: item, objectVersion: 2 ** 40 },
      { type: 'role.deleted', version: 1, mode: null, objectId: role, objectVersion: null },
    ]),
  )
})

test('consumers of one process share a read of the events, and a consumer that falls behind reads by itself', async () => {
  const bounds = { ...tailBounds, mostKept: 5, batchSize: 3, restMs: 1, looksAgain: 0 }
  const wanted = new Set<string>()
  const together = [
    noting('one-of-three'),
    noting('slow-of-three', { restMs: 150, batchSize: 4 }),
    noting('choosy-of-three', { wants: ({ objectId, data }) => wanted.has(objectId) && data.role === 'VIEWER' }),
    noting('idle-of-three', { on: ['role.deleted'] }),
  ]
  const loops = startConsumers(together, app.runtime, runtimeOn(app.runtime), bounds)
  app.runtime.wakeUp.listen('events', () => loops.wake())
  running.push(loops)
  const known = async () => (await listConsumers(app.runtime.db)).map(({ consumer }) => consumer)
  await eventually(async () => expect(await known()).toEqual(expect.arrayContaining(together.map(({ name }) => name))))
  const objects = ids(40)
  for (const object of objects.filter((_, at) => at % 9 === 0)) wanted.add(object)
  for (let at = 0; at < objects.length; at += 4) await emitting('member.joined', objects.slice(at, at + 4))
  await sees('one-of-three', objects)
  await sees('slow-of-three', objects)
  await sees('choosy-of-three', [...wanted])
  // Cursors are saved although there was nothing to do on the way.
  const behind = async () => (await listLags(app.runtime.db)).filter(({ consumer }) => consumer.endsWith('-of-three'))
  await eventually(async () => expect((await behind()).map(({ unread }) => unread)).toEqual([0, 0, 0, 0]))
  expect(await seenBy('idle-of-three')).toEqual([])
})

test('a new consumer starts at the oldest event or at the present, as its definition says', async () => {
  await follow(noting('witness'))
  const before = ids(2)
  await emitting('member.joined', before)
  await sees('witness', before)
  await follow(noting('from-now'))
  await follow(noting('from-the-oldest', { startsAt: 'oldest' }))
  const after = ids(2)
  await emitting('member.joined', after)
  await sees('from-now', after)
  // Events of other organisations may come between these or after them.
  const seenOfThese = async () => (await seenBy('from-the-oldest')).filter((id) => [...before, ...after].includes(id))
  await eventually(async () => expect(await seenOfThese()).toEqual([...before, ...after]))
})

test('a consumer takes the events that were written while it had no connection, also if none follows them', async () => {
  const link = await openLink(database)
  const db = openDatabase({ connection: link.url, poolSize: 2, applicationName: 'through a link' })
  const { log, text } = capturedLog()
  const runtime = { ...app.runtime, db, log }
  const consumer = noting('cut-off')
  const loops = startConsumers([consumer], runtime, runtimeOn(runtime))
  running.push(loops)
  await eventually(async () => expect(await stateOf(consumer.name)).toBeDefined())
  const [first, before, meanwhile] = ids(3) as [string, string, string]
  // The first one may have been written before the loops began to listen.
  await emitting('member.joined', [first])
  await sees(consumer.name, [first])
  await emitting('member.joined', [before])
  await sees(consumer.name, [first, before])
  link.cut()
  await eventually(async () => expect(text()).toContain('events.tail_failed'))
  await emitting('member.joined', [meanwhile])
  link.pass()
  await sees(consumer.name, [first, before, meanwhile])
  await Promise.all(running.splice(0).map((loop) => loop.stop()))
  await db.end()
})

test('several processes of one consumer take each event once between them, with any batch size', async () => {
  await follow(noting('shared', { batchSize: 7 }))
  await follow(noting('shared', { batchSize: 40 }))
  await follow(noting('shared', { batchSize: 400 }))
  const objects = ids(600)
  // Six at a time: more would wait for a connection of their own.
  for (let at = 0; at < objects.length; at += 60)
    await Promise.all(
      Array.from({ length: 6 }, (_, nth) =>
        emitting('member.joined', objects.slice(at + nth * 10, at + nth * 10 + 10)),
      ),
    )
  await eventually(async () => expect((await seenBy('shared')).length).toBeGreaterThanOrEqual(600))
  expect((await seenBy('shared')).toSorted()).toEqual(objects.toSorted())
})

test('during a rolling deploy neither the old version nor the new one loses or repeats an event', async () => {
  const [alone, both, newOnly] = [ids(20), ids(20), ids(20)]
  const old = noting('known-to-both')
  await follow(old)
  await emitting('member.joined', alone)
  await sees('known-to-both', alone)
  // The new one starts beside it, and brings a consumer that the old one does not know.
  await follow(noting('known-to-both'))
  await follow(noting('known-to-the-new'))
  await emitting('member.joined', both)
  await running[0]?.stop()
  await emitting('member.joined', newOnly)
  await sees('known-to-both', [...alone, ...both, ...newOnly])
  await sees('known-to-the-new', [...both, ...newOnly])
})

test('three consumers whose connections are cut again and again see each event once', {
  timeout: 180_000,
}, async () => {
  const names = ['cut-1', 'cut-2', 'cut-3']
  const cutting = openDatabase({
    connection: database.url,
    poolSize: 4,
    applicationName: 'cut again and again',
    onIdleError: () => {},
  })
  const runtime = { ...app.runtime, db: cutting, log: silentLogger }
  const ended = new AbortController()
  try {
    // Two of each, as in two processes.
    for (const name of [...names, ...names]) {
      const loop = startConsumers([noting(name, { batchSize: 50 })], runtime, runtimeOn(runtime))
      app.runtime.wakeUp.listen('events', () => loop.wake())
      running.push(loop)
    }
    const known = async () => (await listConsumers(app.runtime.db)).map(({ consumer }) => consumer)
    await eventually(async () => expect(await known()).toEqual(expect.arrayContaining(names)))
    let cut = 0
    const cuts = (async () => {
      for (; !ended.signal.aborted; await wait(300))
        cut += await app.owner.run(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'cut again and again' and datname = current_database()`)
    })()
    const objects: string[] = []
    // For as long as it takes until several were cut while there was something to read.
    for (let nth = 0; nth < 20 || (cut <= 3 && nth < 2_000); nth++) {
      const more = ids(50)
      objects.push(...more)
      await emitting('member.joined', more)
    }
    expect(cut).toBeGreaterThan(3)
    // Those that were cut last begin anew by themselves; nobody needs to be cut for ever.
    ended.abort()
    await cuts
    for (const name of names)
      await eventually(async () => expect((await seenBy(name)).length).toBeGreaterThanOrEqual(objects.length))
    for (const name of names) expect((await seenBy(name)).toSorted()).toEqual(objects.toSorted())
  } finally {
    ended.abort()
    await Promise.all(running.splice(0).map((loop) => loop.stop()))
    await cutting.end()
  }
})

const isSetAside = (consumer: string) =>
  app.runtime.db.rows<{ eventId: string; reason: string; tries: number }>(
    sql`select event_id, reason, tries from set_aside_events where consumer = ${consumer}`,
  )
const eventAbout = async (objectId: string): Promise<string> =>
  (await app.runtime.db.one<{ id: string }>(sql`select id from events where object_id = ${objectId}`)).id

test('an event that a consumer fails on is set aside with its reason, later events go on, and the event is taken once that works', async () => {
  const objects = ids(20)
  const bad = objects[12] as string
  let isMended = false
  await follow(noting('bystander'))
  const stumbling = noting('stumbling', {
    after: (taken) => {
      if (taken.includes(bad) && !isMended) throw new TypeError('this one is too much for me')
    },
  })
  await follow(stumbling)
  await emitting('member.joined', objects)
  const others = objects.filter((object) => object !== bad)
  await sees('bystander', objects)
  await sees('stumbling', others)
  const id = await eventAbout(bad)
  const [aside, ...more] = await isSetAside('stumbling')
  expect([aside, more]).toEqual([{ eventId: id, reason: 'TypeError', tries: expect.any(Number) }, []])
  expect(await stateOf('stumbling')).toMatchObject({ failures: 0, failingEvent: null, reason: null, setAside: 1 })
  expect(await listLags(app.runtime.db)).toContainEqual({ consumer: 'stumbling', unread: 0, behindSeconds: 0 })
  const counted = app.runtime.consumerCounts.get('stumbling')
  expect(counted?.done).toBe(19)
  expect(counted?.failed).toBeGreaterThan(2)
  // Tried again while it still fails, it stays where it is.
  const again = () => app.runtime.db.run(sql`update set_aside_events set retry_at = now() where consumer = 'stumbling'`)
  await again()
  const triesBefore = aside?.tries ?? 0
  expect(triesBefore).toBeGreaterThanOrEqual(3)
  await eventually(async () => expect((await isSetAside('stumbling'))[0]?.tries).toBeGreaterThan(triesBefore))
  isMended = true
  await again()
  await sees('stumbling', [...others, bad])
  expect(await isSetAside('stumbling')).toEqual([])
  expect((await stateOf('stumbling'))?.setAside).toBe(0)
})

test('a set-aside event is not retried while another process takes a batch of the consumer', async () => {
  const [aside, next] = ids(2) as [string, string]
  let isMended = false
  const isTaking = Promise.withResolvers<void>()
  const hasRetried = Promise.withResolvers<void>()
  const noted = noting('exclusive', {
    after: (taken) => {
      if (taken.includes(aside) && !isMended) throw new TypeError('not yet')
    },
  })
  const exclusive: Consumer = {
    ...noted,
    take: async (context, events) => {
      if (events.some(({ objectId }) => objectId === next)) {
        isTaking.resolve()
        await hasRetried.promise
      }
      await noted.take(context, events)
    },
  }
  /** A process that tells when it has run the retry of an event that it found. */
  function process(): Rounds {
    let hasFound = false
    const { db } = app.runtime
    const rows: typeof db.rows = async (statement) => {
      const found = await db.rows(statement)
      hasFound ||= found.length > 0 && statement.text.includes('from set_aside_events')
      return found as never
    }
    const runtime = { ...app.runtime, db: { ...db, rows } }
    const runner = createRunner(runtime)
    const run: typeof runner.run = async (...call) => {
      const isRetry = hasFound
      const result = await runner.run(...call)
      if (isRetry) hasRetried.resolve()
      return result
    }
    const loop = startConsumers([exclusive], runtime, () => ({
      runtime,
      runner: { ...runner, run },
      deadlineMs: 30_000,
      pace,
    }))
    app.runtime.wakeUp.listen('events', () => loop.wake())
    return loop
  }
  running.push(process(), process())
  await eventually(async () => expect(await stateOf('exclusive')).toBeDefined())
  await emitting('member.joined', [aside])
  await eventually(async () => expect(await isSetAside('exclusive')).toHaveLength(1))
  await app.runtime.db.run(sql`update set_aside_events set retry_at = now() + interval '1 hour'`)
  await emitting('member.joined', [next])
  await isTaking.promise
  isMended = true
  await app.runtime.db.run(sql`update set_aside_events set retry_at = now() where consumer = 'exclusive'`)
  await sees('exclusive', [next, aside])
})

test('an event that is set aside can be skipped for good, and is kept with the reason', async () => {
  const [bad, good] = ids(2) as [string, string]
  await follow(
    noting('giving-up', {
      after: (taken) => {
        if (taken.includes(bad)) throw new TypeError('never')
      },
    }),
  )
  await emitting('member.joined', [bad, good])
  await sees('giving-up', [good])
  const id = await eventAbout(bad)
  const skip = (eventId: string) =>
    app.runtime.db.transaction((tx) => skipSetAside(tx, 'giving-up', eventId, 'mended by hand'))
  expect(await skip(newId()), 'only an event that is set aside can be skipped').toBe(false)
  expect(await skip(id)).toBe(true)
  expect(await isSetAside('giving-up')).toEqual([])
  expect(
    await app.runtime.db.rows(sql`select event_id, reason, failure from skipped_events where consumer = 'giving-up'`),
  ).toEqual([{ eventId: id, reason: 'mended by hand', failure: 'TypeError' }])
})

test('a consumer at its limit of set-aside events stops at the next failing event, which an operator can skip', async () => {
  await app.owner.run(sql`
    insert into set_aside_events (consumer, event_id, organisation_id, reason, tries, retry_at)
    select 'hopeless', gen_random_uuid(), ${organisationId}, 'TypeError', 3, now() + interval '1 hour' from generate_series(1, 1000)`)
  await follow(
    noting('hopeless', {
      after: () => {
        throw new TypeError('nothing works')
      },
    }),
  )
  const objects = ids(2)
  await emitting('member.joined', objects)
  const [first] = objects as [string]
  const id = await eventAbout(first)
  await eventually(async () => {
    const state = await stateOf('hopeless')
    expect(state).toMatchObject({ failingEvent: id, reason: 'TypeError', setAside: 1_000 })
    expect(state?.failures).toBeGreaterThanOrEqual(3)
  })
  expect(await app.runtime.db.transaction((tx) => skipEvent(tx, 'hopeless', id, 'seen'))).toBe(true)
})

test('a worker that knows fewer event types leaves the consumer to workers that know more, until those are gone', async () => {
  const [older, newer] = [
    noting('upgraded', { on: ['member.joined'] }),
    noting('upgraded', { on: ['member.joined', 'member.updated'] }),
  ]
  const [before, between, after] = ids(3) as [string, string, string]
  let tries = 0
  const own = runtimeOn(app.runtime)()
  const run: Runner['run'] = (what, call) => {
    tries++
    return own.runner.run(what, call)
  }
  await follow(older, () => ({ ...own, runner: { ...own.runner, run } }))
  await emitting('member.joined', [before])
  await sees('upgraded', [before])
  // A worker of the new version starts beside it, and is restarted while something happens that it alone wants.
  await follow(newer)
  const follows = () =>
    app.runtime.db.one<{ follows: string[] }>(sql`select follows from consumers where consumer = 'upgraded'`)
  await eventually(async () => expect((await follows()).follows).toEqual(newer.on))
  await running.pop()?.stop()
  await follow(noting('upgrade-bystander', { on: ['member.joined', 'member.updated'] }))
  await emitting('member.updated', [between])
  await emitting('member.joined', [after])
  await sees('upgrade-bystander', [between, after])
  // The older one tries in vain: the second of these tries began after the event was there.
  const triesBefore = tries
  await eventually(async () => expect(tries).toBeGreaterThan(triesBefore + 2))
  expect(await seenBy('upgraded')).toEqual([before])
  await follow(newer)
  await sees('upgraded', [before, between, after])
  // The upgrade is taken back: once nobody has said for long that it follows more, the older one goes on.
  await Promise.all(running.splice(1).map((loop) => loop.stop()))
  await app.runtime.db.run(sql`
    update consumers set follows_seen_at = now() - interval '11 minutes' where consumer = 'upgraded'`)
  const [last] = ids(1) as [string]
  await emitting('member.joined', [last])
  await sees('upgraded', [before, between, after, last])
})

test('a failure that is recorded after another process has passed the event neither stops the consumer nor moves its cursor back', async () => {
  const objects = ids(3)
  const { db } = app.runtime
  const consumer = noting('overtaken')
  await follow(consumer)
  await Promise.all(running.splice(0).map((loop) => loop.stop()))
  await emitting('member.joined', objects)
  const event = await db.one<{ eventId: string; position: number }>(sql`
    select id as event_id, position::float8 as position from events where object_id = ${objects[0] as string}`)
  const { eventId } = event
  // Somebody else takes them up between the failure here and the note of it.
  await follow(consumer)
  await sees('overtaken', objects)
  expect(await noteFailure(db, 'overtaken', { organisationId, ...event }, 'TypeError')).toBeUndefined()
  expect(await stateOf('overtaken')).toMatchObject({ failures: 0, failingEvent: null })

  // A note from before it was held to the cursor is not believed either.
  await db.run(sql`update consumer_cursors set failures = 1, failing_event = ${eventId} where consumer = 'overtaken'`)
  expect(await db.transaction((tx) => skipEvent(tx, 'overtaken', eventId, 'by mistake'))).toBe(false)
  const [more] = ids(1) as [string]
  await emitting('member.joined', [more])
  await sees('overtaken', [...objects, more])
})

test('a consumer that failed for a while takes every event once it works again', async () => {
  let isBroken = true
  await follow(
    noting('recovering', {
      after: () => {
        if (isBroken) throw new Error('not now')
      },
    }),
  )
  const objects = ids(9)
  await emitting('member.joined', objects)
  await eventually(async () => expect((await stateOf('recovering'))?.failures).toBeGreaterThan(0))
  expect(await seenBy('recovering')).toEqual([])
  isBroken = false
  await sees('recovering', objects)
})

test('a consumer loses no wake-up, however closely wake-ups follow each other', async () => {
  // A call for collapsed work could once be lost when it came shortly after another had been covered.
  const calls: number[] = []
  await follow(noting('paced', { restMs: 300, after: (taken) => calls.push(taken.length) }))
  const objects = ids(3)
  for (const [at, object] of objects.entries()) {
    await emitting('member.joined', [object])
    await new Promise((resolve) => setTimeout(resolve, [280, 50, 0][at]))
  }
  await sees('paced', objects)
})

test('events of every partition can be neither changed, deleted nor truncated', async () => {
  await emitting('member.joined', ids(1))
  const db = app.owner
  const parts = await db.rows<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`)
  expect(parts.length).toBeGreaterThan(3)
  await expect(db.run(sql`update events set data = '{}'`)).rejects.toThrow('append-only')
  await expect(db.run(sql`delete from events`)).rejects.toThrow('append-only')
  for (const { name } of parts) await expect(db.pool.query(`truncate ${name}`)).rejects.toThrow('append-only')
  for (const text of ['update events set data = null', 'delete from events', 'delete from events_elsewhen'])
    await expect(app.runtime.db.pool.query(text)).rejects.toThrow('permission denied')
})

test('partitions of months past the retention are dropped, and partitions of coming months are created', async () => {
  const { db } = app.runtime
  const months = async () =>
    (
      await db.rows<{ name: string }>(sql`
        select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
         where inhparent = 'events'::regclass and relname ~ '[0-9]' order by 1`)
    ).map(({ name }) => name)
  const now = await months()
  await db.run(sql`select keep_event_partitions((now() - interval '14 months')::date, 3, 1200)`)
  expect((await months()).length).toBe(now.length + 14)
  const { dropped } = await db.one<{ dropped: number }>(
    sql`select keep_event_partitions(now()::date, 3, 12) as dropped`,
  )
  expect(dropped).toBe(2)
  await db.run(sql`select keep_event_partitions(now()::date, 3, 2)`)
  expect((await months()).length).toBe(now.length + 2)
  // A caller of the function can neither drop months that every installation keeps, nor create unlimited tables.
  for (const call of [
    sql`select keep_event_partitions(now()::date, 3, 1)`,
    sql`select keep_event_partitions(now()::date, 3, -1200)`,
    sql`select keep_event_partitions(now()::date, 25, 84)`,
    sql`select keep_event_partitions('0001-01-01'::date, 3, 84)`,
  ])
    await expect(db.run(call)).rejects.toThrow('two months are kept at least')
  expect((await months()).length).toBe(now.length + 2)
})
