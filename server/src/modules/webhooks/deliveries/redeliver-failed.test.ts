import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok } from '../../../../../test/harness/issued.ts'
import type { StubServer } from '../../../../../test/harness/stub-server.ts'
import { bodyOf, startReceiver } from '../../../../../test/harness/webhook-receiver.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'

let app: TestApp
let owner: Person
let receiver: StubServer

beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
  receiver = await startReceiver()
})
afterEach(() => {
  receiver.answer = () => ({ status: 200, body: '' })
})
afterAll(async () => {
  await app.close()
  await receiver[Symbol.asyncDispose]()
})

const token = () => ({ token: owner.token })
const endpoints = '/n/v1/webhook-endpoints'
const once = { maxAttempts: 1 }

async function endpointAt(path: string, events = ['buyer.updated', 'item.created']): Promise<string> {
  const body = { url: `${receiver.url}${path}`, events, retryConfig: once }
  return ok(await app.a.post(endpoints, { ...token(), body }), 201).id
}

const told = {
  buyerId: 'b',
  name: 'B',
  taxId: null,
  taxIdType: 'national',
  taxIdStatus: 'unverified',
  changed: [],
} as const
/** Many events of one moment in one round trip. */
const emitMany = (count: number) =>
  app.runner.run(
    operation({ needs: [], refuses: [] }, async ({ emit }) => {
      for (let version = 1; version <= count; version++)
        emit('buyer.updated', { organisationId: owner.organisationId, mode: 'sandbox', objectId: 'b', version }, told)
    }),
    { caller: systemCaller, origin, input: undefined },
  )

/** Number of an endpoint's deliveries by status. */
async function standing(endpointId: string): Promise<Record<string, number>> {
  const rows = await app.runtime.db.rows<{ status: string; count: number }>(sql`
    select status, count(*)::int as count from webhook_deliveries
     where organisation_id = ${owner.organisationId} and mode = 'sandbox' and endpoint_id = ${endpointId} group by status`)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
const settled = (endpointId: string, expected: Record<string, number>) =>
  eventually(async () => expect(await standing(endpointId)).toEqual(expected))
const cameTo = (path: string) => receiver.requests.filter((request) => request.path === path)
const remove = (id: string) => app.a.delete(`${endpoints}/${id}`, token())
const again = (id: string, since: Date, by = owner.token) =>
  app.a.post(`${endpoints}/${id}/redeliver-failed`, { token: by, body: { since: since.toISOString() } })

test('failed deliveries since a time are sent again once each, with the same id and bytes', async () => {
  const id = await endpointAt('/deploy')
  receiver.answer = () => ({ status: 503, body: 'restarting' })
  await emitMany(3)
  await settled(id, { failed: 3 })
  app.clock.advance({ minutes: 1 })
  const since = app.clock.now()
  await emitMany(4)
  await settled(id, { failed: 7 })
  const first = cameTo('/deploy')
  receiver.answer = () => ({ status: 200, body: '' })
  const key = await app.key(owner.organisationId)
  const reply = await again(id, since, key)
  expect([reply.status, reply.data]).toEqual([202, { id, since: since.toISOString(), count: 4, hasMore: false }])
  await settled(id, { failed: 3, delivered: 4 })
  const later = cameTo('/deploy').slice(first.length)
  expect(later.map(({ body }) => body).sort()).toEqual(
    first
      .slice(3)
      .map(({ body }) => body)
      .sort(),
  )
  expect(new Set(later.map((request) => bodyOf(request).id)).size).toBe(4)
  const log = (await app.a.get(`/n/v1/webhook-deliveries?endpointId=${id}&status=delivered`, token())).data
  expect(log.map(({ attemptCount }: { attemptCount: number }) => attemptCount)).toEqual([2, 2, 2, 2])
  // Deliveries that arrived are not sent again.
  expect((await again(id, since)).data.count).toBe(0)
  await remove(id)
})

test('the other form does the same', async () => {
  const path = '/a/v1/organizations/me/webhooks'
  const body = { url: `${receiver.url}/other`, events: ['buyer.updated'], retryConfig: once }
  const { id } = ok(await app.b.post(path, { ...token(), body }), 201)
  const since = app.clock.now()
  receiver.answer = () => ({ status: 500, body: '' })
  await emitMany(2)
  await settled(id, { failed: 2 })
  receiver.answer = () => ({ status: 200, body: '' })
  const reply = await app.b.post(`${path}/${id}/retry-failed`, { ...token(), body: { since: since.toISOString() } })
  expect([reply.status, reply.data.count]).toEqual([202, 2])
  await settled(id, { delivered: 2 })
  await app.b.delete(`${path}/${id}`, token())
})

test('further batches follow automatically, and concurrent calls send none twice', async () => {
  const id = await endpointAt('/many')
  receiver.answer = () => ({ status: 500, body: '' })
  const since = app.clock.now()
  await emitMany(600)
  await settled(id, { failed: 600 })
  receiver.answer = () => ({ status: 200, body: '' })
  const before = cameTo('/many').length
  const replies = await Promise.all([again(id, since), again(id, since), again(id, since)])
  expect(replies.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(Math.max(...replies.map(({ data }) => data.count))).toBe(600)
  await settled(id, { delivered: 600 })
  expect(cameTo('/many').length - before).toBe(600)
  await remove(id)
})

test('they are retried with the retry plan of the endpoint', async () => {
  const id = await endpointAt('/by-plan')
  const since = app.clock.now()
  receiver.answer = () => ({ status: 500, body: '' })
  await emitMany(1)
  await settled(id, { failed: 1 })
  const retryConfig = { maxAttempts: 3, initialDelayMs: 100, multiplier: 1, maxDelayMs: 100 }
  ok(await app.a.patch(`${endpoints}/${id}`, { ...token(), body: { retryConfig } }), 200)
  expect((await again(id, since)).data.count).toBe(1)
  await eventually(async () => expect(cameTo('/by-plan')).toHaveLength(4))
  await settled(id, { failed: 1 })
  await remove(id)
})

describe('deliveries that are not sent again', () => {
  test('tests, and events of types that the caller may not read', async () => {
    const id = await endpointAt('/partly')
    const since = app.clock.now()
    receiver.answer = () => ({ status: 500, body: '' })
    await app.a.post(`${endpoints}/${id}/test`, { ...token(), body: {} })
    await emitMany(1)
    await settled(id, { failed: 2 })
    const key = await app.key(owner.organisationId, { capabilities: ['webhook.delivery.redeliver', 'item.read'] })
    expect((await again(id, since, key)).data.count).toBe(0)
    expect((await again(id, since)).data.count).toBe(1)
    await remove(id)
  })

  test('those of a disabled, deleted or foreign endpoint', async () => {
    const id = await endpointAt('/off')
    const since = app.clock.now()
    const stranger = await app.person()
    expectRefusal(await again(id, since, stranger.token), 'resource.not_found')
    await app.a.patch(`${endpoints}/${id}`, { ...token(), body: { enabled: false } })
    expectRefusal(await again(id, since), 'webhook.endpoint_disabled')
    await remove(id)
    expectRefusal(await again(id, since), 'resource.not_found')
  })

  test('those with a start time in the future, or without one', async () => {
    const id = await endpointAt('/when')
    const future = await again(id, new Date(app.clock.now().getTime() + 60_000))
    expect([future.status, faultPaths(future)]).toEqual([400, ['since']])
    const never = await app.a.post(`${endpoints}/${id}/redeliver-failed`, { ...token(), body: {} })
    expect([never.status, faultPaths(never)]).toEqual([400, ['since']])
    const key = await app.key(owner.organisationId, { capabilities: ['webhook.delivery.read'] })
    expect((await again(id, app.clock.now(), key)).status).toBe(403)
    await remove(id)
  })
})
