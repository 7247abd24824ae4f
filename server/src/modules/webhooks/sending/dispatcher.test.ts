import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import { whileRefusing } from '../../../../../test/harness/refusing.ts'
import type { StubServer } from '../../../../../test/harness/stub-server.ts'
import { arrived, startReceiver } from '../../../../../test/harness/webhook-receiver.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import { silentLogger } from '../../../platform/logger.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { type EndpointId, secretPlace } from '../endpoints/endpoint.ts'
import { SigningKeys } from '../endpoints/signing-keys.ts'
import { claimQueued, type NewDelivery, type ResultToSave, saveResults } from './dispatch.store.ts'
import { startDispatcher } from './dispatcher.ts'
import { EndpointQueue } from './endpoint-queue.ts'
import { SubscriptionCache } from './fan-out.ts'
import { insertDeliveries } from './new-deliveries.store.ts'
import { recoverBatches } from './recover-batches.ts'

let app: TestApp
let owner: Person
let receiver: StubServer

beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
  await app.openAccount(owner.organisationId)
  receiver = await startReceiver()
})
afterEach(() => {
  receiver.answer = () => ({ status: 200, body: 'thank you' })
})
afterAll(async () => {
  await app.close()
  await receiver[Symbol.asyncDispose]()
})

const token = () => ({ token: owner.token })
async function endpointAt(path: string): Promise<{ id: string; secret: string }> {
  const body = { url: `${receiver.url}${path}`, events: ['buyer.created'] }
  return (await app.a.post('/n/v1/webhook-endpoints', { ...token(), body })).data
}
const deleted = (id: string) => app.a.delete(`/n/v1/webhook-endpoints/${id}`, token())
const newBuyer = () => app.a.post('/i/v1/buyers', { ...token(), body: { name: 'Somebody' } })

interface Row {
  readonly id: string
  readonly mode: 'sandbox' | 'live'
  readonly organisationId: OrganisationId
  readonly endpointId: EndpointId
  readonly status: string
  readonly log: {
    readonly error: string | null
    readonly response: string | null
    readonly statusCode: number | null
  }[]
}
const deliveriesTo = (endpointId: string) =>
  app.runtime.db.rows<Row>(sql`
    select id, mode, organisation_id, endpoint_id, status, log from webhook_deliveries where endpoint_id = ${endpointId}`)
const queuedOf = (endpointId: string) =>
  app.runtime.db.rows<{ id: string }>(sql`select id from webhook_queue where endpoint_id = ${endpointId}`)
const delivered = (endpointId: string) =>
  eventually(async () => {
    const [row] = await deliveriesTo(endpointId)
    expect(row?.status).toBe('delivered')
    return row as Row
  })

describe('a result that the database refuses', () => {
  const refusing = (what: string, during: () => Promise<void>) => whileRefusing(app, 'webhook_deliveries', what, during)

  test('delays no other, and is saved without the response if that is the cause', async () => {
    const [odd, plain] = [await endpointAt('/odd-answer'), await endpointAt('/plain-answer')]
    receiver.answer = ({ path }) => ({ status: 200, body: path === '/odd-answer' ? 'unspeakable' : 'well' })
    await refusing(`log::text like '%unspeakable%'`, async () => {
      await newBuyer()
      expect((await delivered(plain.id)).log).toMatchObject([{ statusCode: 200, response: 'well' }])
      expect((await delivered(odd.id)).log).toMatchObject([{ statusCode: 200, response: null }])
    })
    for (const { id } of [odd, plain]) await deleted(id)
  })

  test('even without the response waits for its lease to end, and is attempted again', async () => {
    const [odd, plain] = [await endpointAt('/odd-status'), await endpointAt('/plain-status')]
    receiver.answer = ({ path }) => ({ status: path === '/odd-status' ? 299 : 200, body: '' })
    await refusing(`log @> '[{"statusCode": 299}]'`, async () => {
      await newBuyer()
      await arrived(receiver, '/odd-status')
      await delivered(plain.id)
      await newBuyer()
      await arrived(receiver, '/plain-status', 2)
    })
    const { db } = app.runtime
    await eventually(async () => {
      await db.run(sql`update webhook_batches set due_at = now()`)
      await recoverBatches(db, silentLogger, undefined)
      const ends = await deliveriesTo(odd.id)
      expect(ends.map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    })
    const logs = (await deliveriesTo(odd.id)).map(({ log }) => log.map(({ error }) => error))
    expect(logs).toContainEqual(['interrupted', null])
    for (const { id } of [odd, plain]) await deleted(id)
  })
})

describe('waiting deliveries', () => {
  const claim = (taker: string) =>
    app.runtime.db.transaction((tx) =>
      claimQueued(tx, {
        taker,
        limit: 10,
        from: '00000000-0000-0000-0000-000000000000',
        mostTurns: 10,
        perEndpoint: 10,
        endpointRooms: new Map(),
        tenantRooms: new Map(),
        leaseMs: 60_000,
      }),
    )

  test('do not include an ended one whose process was taken for dead', async () => {
    const { id: endpointId } = await endpointAt('/late-end')
    await newBuyer()
    const { id, mode, organisationId, endpointId: to } = await delivered(endpointId)
    await app.stopWork()
    const { db } = app.runtime
    // As if under way, in a batch whose lease has ended.
    await db.run(
      sql`update webhook_deliveries set status = 'delivering', closed_at = null, log = '[]' where id = ${id}`,
    )
    const batchId = randomUUID()
    await db.run(sql`
      insert into webhook_batches (id, taken_by, due_at, deliveries)
      values (${batchId}, ${randomUUID()}, now(), ${JSON.stringify([{ organisationId, mode, ids: [id] }])}::jsonb)`)
    let recovering: Promise<number> | undefined
    await db.transaction(async (tx) => {
      const delivery = { organisationId, mode, id: id as never, endpointId: to, attempt: 1, failed: 0 }
      const end = {
        delivery,
        entry: undefined,
        status: 'delivered',
        reason: null,
        waitMs: null,
        clearsFailures: false,
      } as const
      expect(await saveResults(tx, [{ result: end, batchId }], [], new Date())).toHaveLength(1)
      recovering = recoverBatches(db, silentLogger, undefined)
      // The recovery has to wait for our lock, which is checked below.
      let isOver = false
      void recovering.finally(() => {
        isOver = true
      })
      await eventually(async () => expect(isOver || (await listLockWaits(app.owner)).length > 0).toBe(true))
    })
    expect(await recovering).toBe(0)
    expect(await queuedOf(endpointId)).toEqual([])
    expect((await deliveriesTo(endpointId))[0]?.status).toBe('delivered')

    // If a row is left anyway, the next claim deletes it.
    await db.run(sql`
      insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at) values (${id}, ${organisationId}, ${mode}, ${endpointId}, now())`)
    expect((await claim(randomUUID())).deliveries.map((delivery) => delivery.id)).not.toContain(id)
    expect(await queuedOf(endpointId)).toEqual([])
    await app.startWork()
    await deleted(endpointId)
  })
})

describe('the deliveries of a dead process', () => {
  /** Deliveries of two organisations as if under way, in a batch whose lease has ended, and one that has ended. */
  async function leftByTheDead() {
    const { db } = app.runtime
    const others = await app.person()
    const { id: endpointId } = await endpointAt('/left')
    await newBuyer()
    const { id } = await delivered(endpointId)
    await app.stopWork()
    const copy = (organisationId: string, status: string) =>
      db.one<{ id: string }>(sql`
        insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, attempts, begun_at, created_at, closed_at)
        select ${organisationId}, mode, gen_random_uuid(), endpoint_id, event_id, type, body, ${status}, 1, now(), created_at,
               case when ${status} = 'delivered' then now() end
          from webhook_deliveries where id = ${id}
        returning id`)
    const open = [await copy(owner.organisationId, 'delivering'), await copy(others.organisationId, 'delivering')]
    const ended = await copy(owner.organisationId, 'delivered')
    const [own, foreign] = open.map((one) => one.id)
    const deliveries = [
      { organisationId: owner.organisationId, mode: 'sandbox', ids: [own, ended.id] },
      { organisationId: others.organisationId, mode: 'sandbox', ids: [foreign] },
    ]
    const taker = randomUUID()
    await db.run(sql`
      insert into webhook_batches (id, taken_by, due_at, deliveries)
      values (${randomUUID()}, ${taker}, now(), ${JSON.stringify(deliveries)}::jsonb)`)
    const batches = () => db.rows(sql`select id from webhook_batches where taken_by = ${taker}`)
    const queued = async () => (await queuedOf(endpointId)).map((row) => row.id)
    async function clear() {
      await db.run(sql`delete from webhook_queue where endpoint_id = ${endpointId}`)
      await app.owner.run(sql`delete from webhook_deliveries where organisation_id = ${others.organisationId}`)
      await app.startWork()
      await deleted(endpointId)
    }
    return { own, foreign, others, taker, batches, queued, clear }
  }

  test('return to the queue once, even if two processes look for them', async () => {
    const { own, foreign, batches, queued, clear } = await leftByTheDead()
    const { db } = app.runtime
    const counts = await Promise.all([
      recoverBatches(db, silentLogger, undefined),
      recoverBatches(db, silentLogger, undefined),
    ])
    expect(counts.toSorted()).toEqual([0, 2])
    expect((await queued()).toSorted()).toEqual([own, foreign].toSorted())
    expect(await batches()).toEqual([])
    await clear()
  })

  test('are queued without the one that cannot be, and delay no other batch', async () => {
    const { own, foreign, others, taker, batches, queued, clear } = await leftByTheDead()
    const { db } = app.runtime
    const sound = [{ organisationId: owner.organisationId, mode: 'sandbox', ids: [own] }]
    const soundBatch = randomUUID()
    await db.run(sql`
      insert into webhook_batches (id, taken_by, due_at, deliveries) values (${soundBatch}, ${randomUUID()}, now(), ${JSON.stringify(sound)}::jsonb)`)
    await whileRefusing(app, 'webhook_queue', `organisation_id = '${others.organisationId}'`, async () => {
      // The sound batch has the same delivery as the other one.
      expect(await recoverBatches(db, silentLogger, undefined)).toBe(1)
      expect([await queued(), await batches()]).toMatchObject([[own], [{}]])
      const left = await db.rows(sql`select deliveries from webhook_batches where taken_by = ${taker}`)
      expect(left).toEqual([
        { deliveries: [{ organisationId: others.organisationId, mode: 'sandbox', ids: [foreign] }] },
      ])
      expect(await db.rows(sql`select problem from failing_items where item = ${foreign}`)).toEqual([
        { problem: 'webhooks.cannot_be_requeued' },
      ])
      expect(await db.rows(sql`select from webhook_batches where id = ${soundBatch}`)).toEqual([])
    })
    // The batch that failed is skipped for a while.
    expect(await recoverBatches(db, silentLogger, undefined)).toBe(0)
    await db.run(sql`update webhook_batches set due_at = now()`)
    expect(await recoverBatches(db, silentLogger, undefined)).toBe(1)
    expect((await queued()).toSorted()).toEqual([own, foreign].toSorted())
    await clear()
  })
})

test('results are saved by primary key, also with a plan from when there were few rows', async () => {
  const { id: endpointId } = await endpointAt('/planned')
  await newBuyer()
  const { id, organisationId, mode } = await delivered(endpointId)
  await app.stopWork()
  const rolledBack = new Error('enough was seen')
  const seen = app.runtime.db.transaction(async (tx) => {
    const end = (deliveryId: string): ResultToSave => ({
      result: {
        delivery: {
          organisationId,
          mode,
          id: deliveryId as never,
          endpointId: endpointId as never,
          attempt: 1,
          failed: 0,
        },
        entry: undefined,
        status: 'delivered',
        reason: null,
        waitMs: null,
        clearsFailures: false,
      },
      batchId: undefined,
    })
    const passed = async () =>
      (
        await tx.one<{ read: bigint }>(sql`
          select seq_tup_read as read from pg_stat_xact_user_tables where relname = 'webhook_deliveries'`)
      ).read
    // Planned here at the latest, while the table is nearly empty.
    await saveResults(tx, [end(newId())], [], new Date())
    const many = await tx.rows<{ id: string }>(sql`
      insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, attempts, begun_at, created_at)
      select organisation_id, mode, gen_random_uuid(), endpoint_id, event_id, type, body, 'delivering', 1, now(), created_at
        from webhook_deliveries cross join generate_series(1, 2000) where id = ${id}
      returning id`)
    const before = await passed()
    const few = many.slice(0, 40).map((row) => end(row.id))
    expect(await saveResults(tx, [...few, end(newId())], [], new Date())).toHaveLength(40)
    expect((await passed()) - before).toBe(0n)
    throw rolledBack
  })
  await seen.catch((error: unknown) => expect(error).toBe(rolledBack)).finally(() => app.startWork())
  await deleted(endpointId)
})

test('an event for several endpoints is sent to the database once, and existing deliveries are kept', async () => {
  const { id: endpointId } = await endpointAt('/told-before')
  await newBuyer()
  const { id, organisationId } = await delivered(endpointId)
  const eventId = newId()
  const body = '{"text": "\\"quoted\\", {1,2}, NULL and \\u0000"}'
  const delivery = (more: Partial<NewDelivery>): NewDelivery => ({
    organisationId,
    mode: 'sandbox',
    endpointId: newId(),
    format: 'a',
    url: '',
    plan: null,
    sealedSecret: '',
    sealedPreviousSecret: null,
    previousSecretUntil: null,
    id: newId(),
    eventId,
    type: 'buyer.created',
    body,
    isTest: false,
    isManual: false,
    attempt: 1,
    failed: 0,
    isTaken: true,
    createdAt: new Date(),
    ...more,
  })
  const before = delivery({ id: id as never, endpointId: endpointId as never, eventId: newId() })
  const fresh = [
    delivery({}),
    delivery({ isTaken: false }),
    delivery({ body: 'in other words' }),
    delivery({ mode: 'live' }),
    delivery({ eventId: newId() }),
  ]
  const rolledBack = new Error('enough was seen')
  const seen = app.runtime.db.transaction(async (tx) => {
    const batch = { id: randomUUID(), taker: randomUUID(), leaseMs: 60_000 }
    expect(await insertDeliveries(tx, [before, ...fresh], batch)).toEqual(fresh)
    expect(await insertDeliveries(tx, [before], { ...batch, id: randomUUID() })).toEqual([])
    const rows = await tx.rows<
      Pick<NewDelivery, 'id' | 'endpointId' | 'eventId' | 'mode' | 'body'> & { status: string }
    >(sql`
      select id, endpoint_id, event_id, mode, body, status from webhook_deliveries where id = any (${fresh.map((one) => one.id)}::uuid[]) order by id`)
    const inOrder = fresh.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    expect(rows).toEqual(
      inOrder.map((one) => ({
        id: one.id,
        endpointId: one.endpointId,
        eventId: one.eventId,
        mode: one.mode,
        body: one.body,
        status: one.isTaken ? 'delivering' : 'pending',
      })),
    )
    // Enough that none is sent before one turns out to exist.
    const others = Array.from({ length: 150 }, () => delivery({ eventId: newId() }))
    const larger = { ...batch, id: randomUUID() }
    expect(await insertDeliveries(tx, [...others.slice(0, 100), before, ...others.slice(100)], larger)).toEqual(others)
    const { made } = await tx.one<{ made: number }>(sql`
      select count(*)::int as made from webhook_deliveries where id = any (${others.map((one) => one.id)}::uuid[])`)
    expect(made).toBe(150)
    throw rolledBack
  })
  await seen.catch((error: unknown) => expect(error).toBe(rolledBack))
  expect((await deliveriesTo(endpointId)).map(({ status }) => status)).toEqual(['delivered'])
  await deleted(endpointId)
})

test('an endpoint gets its turn behind any number of endpoints that only wait', async () => {
  const { db } = app.runtime
  const { id } = await endpointAt('/behind-many')
  // More endpoints than one scan covers, with ids before all others.
  await db.run(sql`
    insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
    select gen_random_uuid(), ${owner.organisationId}, 'sandbox', lpad(to_hex(n), 32, '0')::uuid, now() + interval '1 hour'
      from generate_series(1, 1100) as n`)
  await app.a.post(`/n/v1/webhook-endpoints/${id}/test`, { ...token(), body: {} })
  await arrived(receiver, '/behind-many')
  await delivered(id)
  await db.run(sql`delete from webhook_queue where due_at > now() + interval '50 minutes'`)
  await deleted(id)
})

test('a flood of one organisation to silent endpoints does not block others', async () => {
  const flooding = await app.person()
  await using hanging = await startReceiver()
  hanging.answer = () => undefined
  const made: string[] = []
  for (let nth = 0; nth < 20; nth++) {
    const body = { url: `${hanging.url}/${nth}`, events: ['buyer.updated'] }
    made.push((await app.a.post('/n/v1/webhook-endpoints', { token: flooding.token, body })).data.id)
  }
  const told = {
    buyerId: 'b',
    name: 'B',
    taxId: null,
    taxIdType: 'national',
    taxIdStatus: 'unverified',
    changed: [],
  } as const
  const flood = operation({ needs: [], refuses: [] }, async ({ emit }) => {
    for (let version = 1; version <= 200; version++)
      emit('buyer.updated', { organisationId: flooding.organisationId, mode: 'sandbox', objectId: 'b', version }, told)
  })
  await app.runner.run(flood, { caller: systemCaller, origin, input: undefined })
  await eventually(async () => expect(hanging.requests.length).toBeGreaterThanOrEqual(40))
  const { id } = await endpointAt('/beside-a-flood')
  await newBuyer()
  await delivered(id)
  // One organisation has a quarter of the requests under way, and none of them has ended.
  expect(hanging.requests.length).toBeLessThanOrEqual(128)
  for (const endpointId of made) await app.a.delete(`/n/v1/webhook-endpoints/${endpointId}`, { token: flooding.token })
  await deleted(id)
})

describe('limits', () => {
  test('the memory per endpoint, per organisation and in total is limited', async () => {
    const dispatcher = startDispatcher(app.runtime, app.runner, { done: 0, failed: 0, retried: 0 })
    const taken = (count: number, nth: (index: number) => { organisationId: string; endpointId: string }) => {
      const room = dispatcher.roomNow()
      return Array.from({ length: count }, (_, index) => nth(index)).filter((target) => room.takes(target as never))
        .length
    }
    const one = newId()
    expect([
      taken(2_000, () => ({ organisationId: one, endpointId: one })),
      taken(9_000, (index) => ({ organisationId: one, endpointId: String(index % 50) })),
      taken(9_000, (index) => ({ organisationId: String(index % 50), endpointId: String(index % 50) })),
    ]).toEqual([1_024, 4_096, 6_144])
    await dispatcher.stop()
  })

  test('an endpoint gets only as many deliveries as it can take in two seconds', () => {
    const line = new EndpointQueue({ organisationId: newId(), mode: 'sandbox', endpointId: newId() })
    const answersIn = (ms: number, status: boolean) => {
      for (let nth = 0; nth < 100; nth++) {
        line.end(line.begin(0), ms, status)
      }
      return line.takesSoon
    }
    // 32 at a time if quick, 8 by default, 4 if slow, 1 if failing; never fewer than are under way.
    expect(line.concurrency).toBe(8)
    expect([answersIn(1, true), line.concurrency]).toEqual([64_000, 32])
    expect([answersIn(20, true), answersIn(900, true), line.concurrency]).toEqual([3_200, 17, 8])
    expect([answersIn(10_000, true), line.concurrency, answersIn(500, false), line.concurrency]).toEqual([4, 4, 3, 1])
  })

  test('an endpoint that failed is forgotten after an hour without deliveries', () => {
    const line = new EndpointQueue({ organisationId: newId(), mode: 'sandbox', endpointId: newId() })
    line.end(line.begin(0), 10, true)
    expect(line.isForgettable(10)).toBe(true)
    line.end(line.begin(10), 20, false)
    expect([line.isForgettable(20), line.isForgettable(3_600_020), line.isForgettable(3_600_021)]).toEqual([
      false,
      false,
      true,
    ])
    line.begin(20)
    expect(line.isForgettable(3_600_021)).toBe(false)
  })

  test('the cache of endpoints is limited, and reloads entries', () => {
    const subscriptions = new SubscriptionCache()
    const keys = new SigningKeys(app.runtime.vault)
    const capabilities = ['buyer.read'] as const
    const seen = { subscriptions: 0, keys: 0 }
    for (let nth = 0; nth < 5_001; nth++) {
      const id: EndpointId = newId()
      const endpoint = {
        id,
        updatedAt: new Date(),
        format: 'a',
        mode: 'sandbox',
        patterns: ['*'],
        capabilities,
      } as const
      expect(subscriptions.of(endpoint, app.runtime.ports.webhookFormats).types.has('buyer.created')).toBe(true)
      seen.subscriptions = Math.max(seen.subscriptions, subscriptions.size)
      if (nth > 1_000) continue
      const sealedSecret = app.runtime.vault.seal(`whsec_${nth}`, secretPlace(id))
      const target = { endpointId: id, sealedSecret, sealedPreviousSecret: null, previousSecretUntil: null }
      expect(keys.of(target as never, new Date())).toEqual([`whsec_${nth}`])
      seen.keys = Math.max(seen.keys, keys.size)
    }
    expect([seen, subscriptions.size, keys.size]).toEqual([{ subscriptions: 5_000, keys: 1_000 }, 1, 1])
  })
})
