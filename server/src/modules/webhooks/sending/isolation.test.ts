import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok } from '../../../../../test/harness/issued.ts'
import type { StubServer } from '../../../../../test/harness/stub-server.ts'
import { arrived, startReceiver } from '../../../../../test/harness/webhook-receiver.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import { sql } from '../../../platform/database/sql.ts'
import { insertingEmittedEvents } from '../../../platform/events/events.store.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { EndpointQueue } from './endpoint-queue.ts'

let app: TestApp
let quick: StubServer
let hanging: StubServer
beforeAll(async () => {
  app = await startTestApp()
  quick = await startReceiver()
  hanging = await startReceiver()
  hanging.answer = () => undefined
})
afterAll(async () => {
  await hanging[Symbol.asyncDispose]()
  await app.close()
  await quick[Symbol.asyncDispose]()
})

/** The longest timeout that an endpoint can have. */
const patient = { retryConfig: { timeoutMs: 30_000 } }
const endpointAt = async (token: string, url: string) =>
  ok(await app.a.post('/n/v1/webhook-endpoints', { token, body: { url, events: ['buyer.updated'], ...patient } }), 201)

const told = {
  buyerId: 'b',
  name: 'B',
  taxId: null,
  taxIdType: 'national',
  taxIdStatus: 'unverified',
  changed: [],
} as const
const tell = ({ organisationId }: Person, mode: Mode, count: number) =>
  app.runner.run(
    operation({ needs: [], refuses: [] }, async ({ emit }) => {
      for (let version = 1; version <= count; version++)
        emit('buyer.updated', { organisationId, mode, objectId: newId(), version }, told)
    }),
    { caller: systemCaller, origin, input: undefined },
  )
/** Fills an organisation's limit of requests under way with endpoints that never answer. */
async function flood(person: Person): Promise<void> {
  for (let nth = 0; nth < 17; nth++) await endpointAt(person.token, `${hanging.url}/${person.userId}/${nth}`)
  await tell(person, 'sandbox', 8)
}
const underWay = (atLeast: number) =>
  eventually(async () => expect(hanging.requests.length).toBeGreaterThanOrEqual(atLeast))

const feedOf = async ({ token }: Person): Promise<{ id: string }[]> =>
  ok(await app.a.get('/n/v1/webhook-events?type=buyer.updated', { token }))
/** The consumers that have not read the whole log of the organisation. */
const consumersBehindIn = ({ organisationId }: Person) =>
  app.runtime.db.rows(sql`
    select p.consumer from consumers p cross join event_heads h
      left join consumer_cursors c on c.organisation_id = h.organisation_id and c.consumer = p.consumer
     where h.organisation_id = ${organisationId} and h.position > coalesce(c.position, 0)`)

/** A transaction that has appended an event and stays open until `commit`. */
async function heldOpen({ organisationId }: Person) {
  const [appended, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const event = {
    organisationId,
    mode: 'sandbox',
    id: newId(),
    type: 'buyer.updated',
    objectId: newId(),
    objectVersion: 1,
    data: told,
    actor: { kind: 'system', id: null, name: 'test' },
    ...origin,
  } as const
  const transaction = app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`set local idle_in_transaction_session_timeout = 0`)
    await tx.run(insertingEmittedEvents([event], app.clock.now()))
    appended.resolve()
    await released.promise
  })
  await Promise.race([appended.promise, transaction])
  return {
    id: event.id,
    async commit() {
      released.resolve()
      await transaction
    },
  }
}

test('a transaction that stays open delays webhooks, the feed and consumers of its own organisation only', async () => {
  const [waiting, other] = [await app.person(), await app.person()]
  await endpointAt(waiting.token, `${quick.url}/waiting`)
  await endpointAt(other.token, `${quick.url}/other`)
  await app.quiet()
  const held = await heldOpen(waiting)
  try {
    await tell(other, 'sandbox', 3)
    await arrived(quick, '/other', 3)
    await eventually(async () => expect(await consumersBehindIn(other)).toEqual([]))
    expect(await feedOf(other)).toHaveLength(3)
    expect(await feedOf(waiting)).toEqual([])
  } finally {
    await held.commit()
  }
  await arrived(quick, '/waiting')
  await eventually(async () => expect(await consumersBehindIn(waiting)).toEqual([]))
  await app.quiet()
  expect(await arrived(quick, '/waiting')).toHaveLength(1)
  expect((await feedOf(waiting)).map(({ id }) => id)).toEqual([held.id])
})

test('endpoints that hang for half a minute, of many organisations, delay no other', async () => {
  for (let nth = 0; nth < 5; nth++) await flood(await app.person())
  // The limit of the whole process; without isolation all of it would be taken for half a minute.
  await underWay(512)
  const other = await app.person()
  await endpointAt(other.token, `${quick.url}/beside-many`)
  await tell(other, 'sandbox', 3)
  await arrived(quick, '/beside-many', 3)
})

test('a sandbox flood does not delay live deliveries of the same organisation', async () => {
  const person = await app.person()
  const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
  const before = hanging.requests.length
  await flood(person)
  // The limit per tenant is 128.
  await underWay(before + 128)
  // A live host needs a name. That this name does not exist is found at once, if there is room to try.
  const { id } = await endpointAt(live.token, 'https://receiver.invalid/')
  await tell(person, 'live', 3)
  await eventually(async () => {
    const path = `/n/v1/webhook-deliveries?endpointId=${id}`
    const deliveries: { id: string }[] = (await app.a.get(path, { token: live.token })).data
    expect(deliveries).toHaveLength(3)
    for (const one of deliveries) {
      const { data } = await app.a.get(`/n/v1/webhook-deliveries/${one.id}`, { token: live.token })
      expect(data.attempts[0]).toMatchObject({ error: 'connection_failed' })
    }
  })
})

test('requests to an endpoint count as delayed once the endpoint is known to be slow', () => {
  const queue = new EndpointQueue({ organisationId: newId(), mode: 'live', endpointId: newId() })
  const begun = [queue.begin(0), queue.begin(0)]
  expect([queue.look(500), queue.isUnhealthy]).toEqual([false, false])
  expect([queue.look(1_000), queue.countAsSlow(), queue.countAsSlow()]).toEqual([true, 2, 0])
  const later = queue.begin(1_100)
  expect([...begun, later].map(({ isCountedSlow }) => isCountedSlow)).toEqual([true, true, true])
})
