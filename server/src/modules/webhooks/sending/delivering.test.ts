import { createHmac } from 'node:crypto'
import { Webhook as Standard } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as Svix } from 'svix'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok } from '../../../../../test/harness/issued.ts'
import type { StubRequest, StubServer } from '../../../../../test/harness/stub-server.ts'
import { arrived, bodyOf, ended, startReceiver } from '../../../../../test/harness/webhook-receiver.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { samples } from '../catalogue/samples.ts'
import type { Attempt } from '../deliveries/delivery.ts'

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

async function endpointAt(path: string, events: readonly string[] = ['buyer.created'], by = owner) {
  const made = await app.a.post('/n/v1/webhook-endpoints', {
    token: by.token,
    body: { url: `${receiver.url}${path}`, events },
  })
  expect(made.status).toBe(201)
  return made.data
}
async function webhookAt(path: string, body: object = {}) {
  const made = await app.b.post('/a/v1/organizations/me/webhooks', {
    ...token(),
    body: { url: `${receiver.url}${path}`, events: ['buyer.created'], ...body },
  })
  expect(made.status).toBe(201)
  return made.data
}
let buyers = 0
async function newBuyer(by = owner): Promise<{ id: string; name: string }> {
  const name = `Buyer ${++buyers}`
  // A busy machine may reply 503. Any other refusal is an error.
  const made = await eventually(async () => {
    const reply = await app.a.post('/i/v1/buyers', { token: by.token, body: { name } })
    expect(reply.status).not.toBe(503)
    return reply
  })
  return { id: ok(made, 201).id, name }
}
const deliveriesTo = async (endpointId: string, query = '') =>
  (await app.a.get(`/n/v1/webhook-deliveries?endpointId=${endpointId}${query}`, token())).data
const enabled = (id: string, body: object) => app.a.patch(`/n/v1/webhook-endpoints/${id}`, { ...token(), body })

const header = ({ headers }: StubRequest, name: string) => String(headers[name])
const standardHeaders = (request: StubRequest) => ({
  'webhook-id': header(request, 'webhook-id'),
  'webhook-timestamp': header(request, 'webhook-timestamp'),
  'webhook-signature': header(request, 'webhook-signature'),
})
/** Every official verifier, with one secret. */
function verifies(request: StubRequest, secret: string): boolean {
  const checks = [
    () => new Stripe('sk_test_x').webhooks.constructEvent(request.body, header(request, 'risiti-signature'), secret),
    () => new Standard(secret).verify(request.body, standardHeaders(request)),
    () => new Svix(secret).verify(request.body, standardHeaders(request)),
  ]
  const results = checks.map((check) => {
    try {
      check()
      return true
    } catch {
      return false
    }
  })
  expect(new Set(results).size).toBe(1)
  return results[0] as boolean
}

describe('a delivery', () => {
  test('contains the whole event, and every official verifier accepts its signature', async () => {
    const { id, secret } = await endpointAt('/a-body')
    const buyer = await newBuyer()
    const [request] = (await arrived(receiver, '/a-body')) as [StubRequest]
    expect(bodyOf(request)).toEqual({
      id: header(request, 'webhook-id'),
      type: 'buyer.created',
      version: 1,
      mode: 'sandbox',
      scope: 'mode',
      organizationId: owner.organisationId,
      createdAt: expect.any(String),
      data: { object: expect.objectContaining({ buyerId: buyer.id, name: buyer.name }), objectVersion: 1 },
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(verifies(request, secret)).toBe(true)
    expect(verifies(request, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false)
    expect(verifies({ ...request, body: request.body.replace('Buyer', 'Bayer') }, secret)).toBe(false)
    const [delivery] = await deliveriesTo(id)
    const whole = await ended(app.a, owner.token, delivery.id)
    expect(whole).toMatchObject({
      status: 'delivered',
      test: false,
      attempts: [{ number: 1, statusCode: 200, error: null, response: 'thank you' }],
    })
  })

  test('shows the headers of its request, with the signature that was sent', async () => {
    const { id } = await endpointAt('/a-headers')
    await newBuyer()
    const [request] = (await arrived(receiver, '/a-headers')) as [StubRequest]
    const [delivery] = await deliveriesTo(id)
    const [attempt] = (await ended(app.a, owner.token, delivery.id)).attempts
    const names = ['content-type', 'risiti-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
    expect(attempt.requestHeaders).toEqual(Object.fromEntries(names.map((name) => [name, header(request, name)])))
    const other = await webhookAt('/b-headers')
    await newBuyer()
    const [sent] = (await arrived(receiver, '/b-headers')) as [StubRequest]
    const [second] = await deliveriesTo(other.id)
    const whole = await ended(app.a, owner.token, second.id)
    expect(whole.attempts[0].requestHeaders).toMatchObject({
      'x-webhook-signature': header(sent, 'x-webhook-signature'),
    })
  })

  test('is shown without headers if its secret cannot be read', async () => {
    const { id } = await endpointAt('/a-lost-secret')
    await newBuyer()
    await arrived(receiver, '/a-lost-secret')
    const [delivery] = await deliveriesTo(id)
    await ended(app.a, owner.token, delivery.id)
    await app.owner.run(sql`update webhook_endpoints set sealed_secret = 'k1.lost' where id = ${id}`)
    const reply = await app.a.get(`/n/v1/webhook-deliveries/${delivery.id}`, { token: owner.token })
    expect([reply.status, reply.data.attempts[0].requestHeaders ?? null]).toEqual([200, null])
  })

  test('in the other form follows its contract, signed over the text of data', async () => {
    const { secret } = await webhookAt('/b-body')
    const buyer = await newBuyer()
    const [request] = (await arrived(receiver, '/b-body')) as [StubRequest]
    const body = bodyOf(request)
    expect(body).toEqual({
      id: header(request, 'x-webhook-id'),
      type: 'buyer.created',
      environment: 'sandbox',
      timestamp: expect.any(String),
      data: expect.objectContaining({ buyerId: buyer.id, taxNumber: null, objectVersion: 1 }),
    })
    const text = request.body.slice(request.body.indexOf('"data":') + 7, -1)
    expect(JSON.stringify(body.data)).toBe(text)
    const expected = createHmac('sha256', secret)
      .update(`${header(request, 'x-webhook-timestamp')}.${text}`)
      .digest('hex')
    expect(header(request, 'x-webhook-signature')).toBe(`sha256=${expected}`)
    expect(header(request, 'x-webhook-event')).toBe('buyer.created')
    expect(header(request, 'x-webhook-delivery-attempt')).toBe('1')
  })

  test('during a rotation is signed with both secrets, and afterwards with the new one alone', async () => {
    const first = await endpointAt('/rotated')
    const rotate = (body: object) =>
      app.a.post(`/n/v1/webhook-endpoints/${first.id}/rotate-secret`, { ...token(), body })
    const second = (await rotate({})).data
    expect(second.previousSecretUntil).not.toBeNull()
    await newBuyer()
    const [both] = (await arrived(receiver, '/rotated')) as [StubRequest]
    expect([verifies(both, first.secret), verifies(both, second.secret)]).toEqual([true, true])
    const later = (await rotate({ overlapSeconds: 60 })).data
    app.clock.advance({ minutes: 2 })
    await newBuyer()
    const [, after] = (await arrived(receiver, '/rotated', 2)) as [StubRequest, StubRequest]
    expect([second, later].map(({ secret }) => verifies(after, secret))).toEqual([false, true])
    const third = (await rotate({ overlapSeconds: 0 })).data
    await newBuyer()
    const [, , alone] = (await arrived(receiver, '/rotated', 3)) as [StubRequest, StubRequest, StubRequest]
    expect([later, third].map(({ secret }) => verifies(alone, secret))).toEqual([false, true])
  })
})

describe('attempts', () => {
  test('are three, and the log shows each of them', async () => {
    const { id } = await webhookAt('/failing', { retryConfig: { initialDelayMs: 100 } })
    receiver.answer = () => ({ status: 500, body: 'x'.repeat(5_000) })
    await newBuyer()
    const requests = await arrived(receiver, '/failing', 3)
    expect(requests.map((request) => header(request, 'x-webhook-delivery-attempt'))).toEqual(['1', '2', '3'])
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    const [delivery] = await deliveriesTo(id)
    const { attempts, ...whole } = await ended(app.a, owner.token, delivery.id)
    expect(whole).toMatchObject({ status: 'failed', failureReason: 'attempts_exhausted', attemptCount: 3 })
    expect(attempts.map(({ statusCode, error, response }: Attempt) => [statusCode, error, response?.length])).toEqual(
      Array(3).fill([500, 'status', 1_024]),
    )
  })

  test('end with the first success, and a redirect is not a success', async () => {
    const { id } = await webhookAt('/moved', { retryConfig: { initialDelayMs: 100 } })
    receiver.answer = ({ headers }) =>
      headers['x-webhook-delivery-attempt'] === '1'
        ? { status: 302, headers: { location: `${receiver.url}/stolen` }, body: '' }
        : { status: 204, body: '' }
    await newBuyer()
    await arrived(receiver, '/moved', 2)
    const [delivery] = await deliveriesTo(id)
    const { attempts, status } = await ended(app.a, owner.token, delivery.id)
    expect([status, attempts.map(({ statusCode }: Attempt) => statusCode)]).toEqual(['delivered', [302, 204]])
    expect(receiver.requests.filter(({ path }) => path === '/stolen')).toEqual([])
  })

  test('end even if the multiplied delay is a fraction of a millisecond', async () => {
    const retryConfig = { maxAttempts: 3, initialDelayMs: 101, multiplier: 1.5 }
    const { id } = await webhookAt('/parts', { retryConfig })
    receiver.answer = () => ({ status: 500, body: '' })
    await newBuyer()
    await arrived(receiver, '/parts', 3)
    const [delivery] = await deliveriesTo(id)
    expect(await ended(app.a, owner.token, delivery.id)).toMatchObject({ status: 'failed', attemptCount: 3 })
  })

  test('wait as long as the receiver asks', async () => {
    const { id } = await webhookAt('/later', { retryConfig: { initialDelayMs: 100 } })
    receiver.answer = () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '' })
    await newBuyer()
    await arrived(receiver, '/later')
    await eventually(async () => {
      const [{ status, nextAttemptAt }] = await deliveriesTo(id)
      expect(status).toBe('retrying')
      expect(Date.parse(nextAttemptAt) - Date.now()).toBeGreaterThan(3_500_000)
    })
  })

  test('without a reply end after the timeout', async () => {
    const { id } = await webhookAt('/silent', { retryConfig: { timeoutMs: 1_000, maxAttempts: 1 } })
    receiver.answer = ({ path }) => (path === '/silent' ? undefined : { body: '' })
    await newBuyer()
    const [delivery] = await eventually(async () => {
      const found = await deliveriesTo(id)
      expect(found).toHaveLength(1)
      return found
    })
    const { attempts } = await ended(app.a, owner.token, delivery.id)
    expect(attempts).toMatchObject([{ statusCode: null, error: 'timeout' }])
  })

  test('stop permanently if the receiver replies 410', async () => {
    const { id } = await endpointAt('/gone')
    receiver.answer = () => ({ status: 410, body: '' })
    await newBuyer()
    await eventually(async () => {
      const { data } = await app.a.get(`/n/v1/webhook-endpoints/${id}`, token())
      expect(data).toMatchObject({ enabled: false, status: 'disabled', disabledCause: 'gone' })
    })
    const [mail] = await app.mailTo(owner.email)
    expect(mail?.subject).toBe('Your webhook endpoint was disabled')
    expect(await deliveriesTo(id)).toMatchObject([{ status: 'failed', failureReason: 'gone', attemptCount: 1 }])
  })
})

describe('disabling', () => {
  test('fails waiting deliveries and sends nothing meanwhile, and enabling can replay the events', async () => {
    app.clock.advance({ minutes: 1 })
    const { id } = await webhookAt('/paused', { retryConfig: { initialDelayMs: 3_600_000 } })
    receiver.answer = () => ({ status: 500, body: '' })
    const stopped = await newBuyer()
    await eventually(async () => expect((await deliveriesTo(id))[0].status).toBe('retrying'))
    expect((await enabled(id, { enabled: false })).data).toMatchObject({ enabled: false, disabledCause: 'manual' })
    expect(await deliveriesTo(id)).toMatchObject([{ status: 'failed', failureReason: 'endpoint_disabled' }])
    const missed = await newBuyer()
    await app.quiet()
    expect(await deliveriesTo(id)).toHaveLength(1)
    receiver.answer = () => ({ body: '' })
    expect((await enabled(id, { enabled: true, replayMissed: true })).data).toMatchObject({
      enabled: true,
      disabledCause: null,
      failuresInARow: 0,
    })
    const requests = await arrived(receiver, '/paused', 3)
    expect(requests.map((request) => bodyOf(request).data.buyerId).sort()).toEqual([stopped.id, stopped.id, missed.id])
  })

  test('can be undone, and enabling replays all stopped events', async () => {
    const { id } = await webhookAt('/many-stopped', { retryConfig: { initialDelayMs: 3_600_000 } })
    receiver.answer = () => ({ status: 500, body: '' })
    await newBuyer()
    await eventually(async () => expect((await deliveriesTo(id))[0].status).toBe('retrying'))
    await enabled(id, { enabled: false })
    // Twice as many as one step opens.
    await app.runtime.db.run(sql`
      insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, reason, closed_at, created_at)
      select organisation_id, mode, gen_random_uuid(), endpoint_id, event_id, type, body, status, reason, closed_at, created_at
        from webhook_deliveries, generate_series(1, 400) where endpoint_id = ${id}`)
    receiver.answer = () => ({ body: '' })
    await enabled(id, { enabled: true, replayMissed: true })
    await arrived(receiver, '/many-stopped', 402)
  })

  test('loses no earlier event', async () => {
    app.clock.advance({ minutes: 1 })
    const { id } = await endpointAt('/behind')
    const [begun, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // Another process works in this log.
    const elsewhere = app.runtime.db.transaction(async (tx) => {
      await tx.run(sql`
        insert into consumer_cursors (organisation_id, consumer, position)
        select organisation_id, 'webhooks', 0 from webhook_endpoints where id = ${id}
        on conflict (organisation_id, consumer) do update set position = consumer_cursors.position`)
      begun.resolve()
      await late.promise
    })
    await begun.promise
    const buyer = await newBuyer()
    app.clock.advance({ minutes: 1 })
    await enabled(id, { enabled: false })
    late.resolve()
    await elsewhere
    await app.quiet()
    expect(await deliveriesTo(id)).toEqual([])
    await enabled(id, { enabled: true, replayMissed: true })
    const requests = await arrived(receiver, '/behind')
    expect(requests.map((request) => bodyOf(request).data.object.buyerId)).toEqual([buyer.id])
  })
})

describe('a change of the address', () => {
  const reader = () =>
    memberHolding(
      app,
      owner,
      'webhook.endpoint.read',
      'webhook.endpoint.manage',
      'webhook.delivery.read',
      'webhook.delivery.redeliver',
      'invoice.read',
    )
  const turn = (by: Person, id: string, body: object) =>
    app.a.patch(`/n/v1/webhook-endpoints/${id}`, { token: by.token, body })

  test('by a person with fewer permissions stops waiting and stopped deliveries that the person may not read', async () => {
    const by = await reader()
    receiver.answer = () => ({ status: 500, body: '' })
    const [waiting, stopped] = [
      await webhookAt('/first-aim', { retryConfig: { initialDelayMs: 3_600_000 } }),
      await webhookAt('/first-aim', { retryConfig: { initialDelayMs: 3_600_000 } }),
    ]
    await newBuyer()
    for (const { id } of [waiting, stopped])
      await eventually(async () => expect((await deliveriesTo(id))[0].status).toBe('retrying'))
    await enabled(stopped.id, { enabled: false })
    receiver.answer = () => ({ body: '' })
    const url = `${receiver.url}/turned`
    expect((await turn(by, waiting.id, { url })).status).toBe(200)
    expect((await turn(by, stopped.id, { url, enabled: true, replayMissed: true })).status).toBe(200)
    await app.quiet()
    for (const { id } of [waiting, stopped])
      await eventually(async () =>
        expect(await deliveriesTo(id)).toMatchObject([
          { status: 'failed', failureReason: 'not_entitled', attemptCount: 1 },
        ]),
      )
    const { data } = await app.a.post(`/n/v1/webhook-endpoints/${waiting.id}/test`, { ...token(), body: {} })
    await ended(app.a, owner.token, data.id)
    expect(receiver.requests.filter(({ path }) => path === '/turned')).toHaveLength(1)
  })

  test('during a delivery prevents retries that the new owner may not read', async () => {
    receiver.answer = () => ({ status: 500, body: '' })
    const { id } = await webhookAt('/under-way', { retryConfig: { initialDelayMs: 3_600_000 } })
    await newBuyer()
    await eventually(async () => expect((await deliveriesTo(id))[0].status).toBe('retrying'))
    receiver.answer = () => ({ body: '' })
    // The state after an endpoint was redirected between an attempt and its end: no delivery waited that could be
    // withdrawn.
    const { db } = app.runtime
    await db.run(
      sql`update webhook_endpoints set url = ${`${receiver.url}/too-far`}, capabilities = '{}' where id = ${id}`,
    )
    await db.run(sql`update webhook_queue set due_at = now() where endpoint_id = ${id}`)
    await eventually(async () =>
      expect(await deliveriesTo(id)).toMatchObject([{ status: 'failed', failureReason: 'not_entitled' }]),
    )
    expect(receiver.requests.filter(({ path }) => path === '/too-far')).toEqual([])
  })

  test('by a person who may read a part prevents sending whole events again', async () => {
    const by = await reader()
    const [whole, part] = [
      await endpointAt('/whole', ['invoice.sent']),
      await endpointAt('/part', ['invoice.sent'], by),
    ]
    const sending = operation({ needs: [], refuses: [] }, async ({ emit }) => {
      const { organisationId } = owner
      emit(
        'invoice.sent',
        { organisationId, mode: 'sandbox', objectId: 'sent', version: 1 },
        samples['invoice.sent'].data as never,
      )
    })
    await app.runner.run(sending, { caller: systemCaller, origin, input: undefined })
    const receivedBy = async (path: string) => bodyOf((await arrived(receiver, path))[0] as StubRequest).data.object
    expect([(await receivedBy('/whole')).to, (await receivedBy('/part')).to]).toEqual([expect.any(String), undefined])
    expect((await turn(by, whole.id, { url: `${receiver.url}/part` })).status).toBe(200)
    const again = async (id: string) => {
      const [delivery] = await deliveriesTo(id)
      await ended(app.a, owner.token, delivery.id)
      return [
        await app.a.post(`/n/v1/webhook-deliveries/${delivery.id}/redeliver`, { token: by.token }),
        await app.a.post(`/n/v1/webhook-events/${delivery.eventId}/redeliver`, {
          token: by.token,
          body: { endpointId: id },
        }),
      ]
    }
    for (const reply of await again(whole.id)) expectRefusal(reply, 'webhook.not_entitled')
    expect((await again(part.id)).map(({ status }) => status)[0]).toBe(202)
  })
})

describe('deleting', () => {
  test('fails waiting deliveries and keeps the log, and nothing is delivered again', async () => {
    const { id } = await webhookAt('/deleted', { retryConfig: { initialDelayMs: 3_600_000 } })
    receiver.answer = () => ({ status: 500, body: '' })
    await newBuyer()
    await eventually(async () => expect((await deliveriesTo(id))[0].status).toBe('retrying'))
    expect((await app.a.delete(`/n/v1/webhook-endpoints/${id}`, token())).status).toBe(200)
    expect((await app.a.get(`/n/v1/webhook-endpoints/${id}`, token())).status).toBe(404)
    const [delivery] = await deliveriesTo(id)
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'endpoint_disabled' })
    const again = await app.a.post(`/n/v1/webhook-deliveries/${delivery.id}/redeliver`, token())
    expectRefusal(again, 'webhook.endpoint_deleted')
    await app.quiet()
    expect(receiver.requests.filter(({ path }) => path === '/deleted')).toHaveLength(1)
  })

  test('fails deliveries in progress too, even if the receiver asked to wait', async () => {
    const [asked, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    receiver.answer = async () => {
      asked.resolve()
      await deleted.promise
      return { status: 503, headers: { 'retry-after': '3600' }, body: '' }
    }
    const { id } = await endpointAt('/deleted-meanwhile')
    await newBuyer()
    await asked.promise
    expect((await app.a.delete(`/n/v1/webhook-endpoints/${id}`, token())).status).toBe(200)
    deleted.resolve()
    await eventually(async () =>
      expect(await deliveriesTo(id)).toMatchObject([
        { status: 'failed', failureReason: 'endpoint_disabled', attemptCount: 1 },
      ]),
    )
  })
})

describe('delivering again', () => {
  test('sends the same bytes to the current address, and adds an attempt', async () => {
    const { id } = await endpointAt('/again-old')
    await newBuyer()
    const [first] = (await arrived(receiver, '/again-old')) as [StubRequest]
    const [{ id: deliveryId, eventId }] = await deliveriesTo(id)
    await ended(app.a, owner.token, deliveryId)
    await enabled(id, { url: `${receiver.url}/again-new` })
    const again = await app.a.post(`/n/v1/webhook-deliveries/${deliveryId}/redeliver`, token())
    expect([again.status, again.data.id]).toEqual([202, deliveryId])
    const [second] = (await arrived(receiver, '/again-new')) as [StubRequest]
    expect(second.body).toBe(first.body)
    expect(header(second, 'webhook-id')).toBe(header(first, 'webhook-id'))
    expect((await ended(app.a, owner.token, deliveryId)).attempts).toHaveLength(2)
    const byEvent = await app.a.post(`/n/v1/webhook-events/${eventId}/redeliver`, {
      ...token(),
      body: { endpointId: id },
    })
    expect([byEvent.status, byEvent.data.id]).toEqual([202, deliveryId])
    expect((await ended(app.a, owner.token, deliveryId)).attempts).toHaveLength(3)
    const retried = await app.b.post(`/a/v1/organizations/me/webhooks/deliveries/${deliveryId}/retry`, token())
    expect([retried.status, retried.data.webhookId]).toEqual([202, id])
    await ended(app.a, owner.token, deliveryId)
  })

  test('reaches a disabled endpoint, and one without a subscription', async () => {
    const { id } = await endpointAt('/unsubscribed', ['item.created'])
    await enabled(id, { enabled: false })
    const buyer = await newBuyer()
    const [event] = (await app.a.get('/n/v1/webhook-events?type=buyer.created&limit=1', token())).data
    expect(event.data.object.buyerId).toBe(buyer.id)
    const asked = await app.a.post(`/n/v1/webhook-events/${event.id}/redeliver`, {
      ...token(),
      body: { endpointId: id },
    })
    expect(asked.status).toBe(202)
    const [request] = (await arrived(receiver, '/unsubscribed')) as [StubRequest]
    expect(bodyOf(request).id).toBe(event.id)
  })

  test('is refused during a delivery', async () => {
    const { id } = await webhookAt('/open', { retryConfig: { initialDelayMs: 3_600_000 } })
    receiver.answer = () => ({ status: 500, body: '' })
    await newBuyer()
    const [delivery] = await eventually(async () => {
      const found = await deliveriesTo(id, '&status=retrying')
      expect(found).toHaveLength(1)
      return found
    })
    for (const asked of [
      await app.a.post(`/n/v1/webhook-deliveries/${delivery.id}/redeliver`, token()),
      await app.b.post(`/a/v1/organizations/me/webhooks/deliveries/${delivery.id}/retry`, token()),
      await app.a.post(`/n/v1/webhook-events/${delivery.eventId}/redeliver`, { ...token(), body: { endpointId: id } }),
    ])
      expectRefusal(asked, 'webhook.delivery_open')
  })
})

describe('a refusal sends nothing', () => {
  test('for another organisation, another mode or a deleted endpoint', async () => {
    const stranger = await app.person()
    const live = await app.member(owner.organisationId, 'OWNER', { mode: 'live' })
    const [mine, theirs, inLive, gone] = [
      await endpointAt('/mine'),
      await endpointAt('/refused', ['item.created'], stranger),
      await endpointAt('/refused', ['item.created'], live),
      await endpointAt('/refused', ['item.created']),
    ]
    await app.a.delete(`/n/v1/webhook-endpoints/${gone.id}`, token())
    await newBuyer()
    const [delivery] = await eventually(async () => {
      const found = await deliveriesTo(mine.id, '&status=delivered')
      expect(found).toHaveLength(1)
      return found
    })
    const toEndpoint = (endpointId: string, by: { readonly token: string }) =>
      app.a.post(`/n/v1/webhook-events/${delivery.eventId}/redeliver`, { token: by.token, body: { endpointId } })
    const again = (by: { readonly token: string }) => [
      app.a.post(`/n/v1/webhook-deliveries/${delivery.id}/redeliver`, { token: by.token }),
      app.b.post(`/a/v1/organizations/me/webhooks/deliveries/${delivery.id}/retry`, { token: by.token }),
    ]
    const replies = await Promise.all([
      toEndpoint(theirs.id, owner),
      toEndpoint(inLive.id, owner),
      toEndpoint(gone.id, owner),
      toEndpoint(theirs.id, stranger),
      toEndpoint(inLive.id, live),
      ...again(stranger),
      ...again(live),
    ])
    expect(replies.map(({ status }) => status)).toEqual(Array(replies.length).fill(404))
    // Later deliveries have arrived, these have not.
    const [, test] = [
      await app.quiet(),
      await app.a.post(`/n/v1/webhook-endpoints/${mine.id}/test`, { ...token(), body: {} }),
    ]
    await ended(app.a, owner.token, test.data.id)
    expect(receiver.requests.filter(({ path }) => path === '/refused')).toEqual([])
    expect(receiver.requests.filter(({ path }) => path === '/mine')).toHaveLength(2)
  })
})

describe('the log', () => {
  test('is filtered by endpoint, event, type and each status', async () => {
    const reader = await app.person()
    const [busy, quiet] = [
      await endpointAt('/log-busy', ['buyer.created', 'item.created'], reader),
      await endpointAt('/log-quiet', ['item.created'], reader),
    ]
    const read = async (query: string) => {
      const { body } = await app.a.get(
        `/n/v1/webhook-deliveries?${query.includes('limit') ? '' : 'limit=5&'}${query}`,
        { token: reader.token },
      )
      return { total: body.meta.pagination.total, ids: body.data.map(({ id }: { id: string }) => id) }
    }
    await app.openAccount(reader.organisationId)
    const buyer = await newBuyer(reader)
    expect(buyer.id).toBeDefined()
    const [{ eventId, id }] = await eventually(async () => {
      const { data } = await app.a.get('/n/v1/webhook-deliveries?status=delivered', { token: reader.token })
      expect(data).toHaveLength(1)
      return data
    })
    // As many old deliveries again, and one of each unfinished status.
    const { db } = app.runtime
    const copies = (status: string, count: number, to: string, type = 'buyer.created') =>
      db.rows<{ id: string }>(sql`
        insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, reason, attempts, created_at, closed_at)
        select organisation_id, mode, gen_random_uuid(), ${to}, gen_random_uuid(), ${type}, body, ${status},
               case ${status} when 'failed' then 'attempts_exhausted' end, 1, created_at,
               case when ${status} in ('delivered', 'failed') then created_at end
          from webhook_deliveries cross join generate_series(1, ${count}::int) where id = ${id}
        returning id`)
    await copies('delivered', 1_010, busy.id)
    const [failed] = await copies('failed', 1, busy.id)
    const open = [...(await copies('pending', 1, quiet.id)), ...(await copies('retrying', 1, quiet.id))]
    const [delivering] = await copies('delivering', 1, quiet.id)
    for (const one of open)
      await db.run(sql`
        insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
        values (${one.id}, ${reader.organisationId}, 'sandbox', ${quiet.id}, now() + interval '1 hour')`)
    const refs = [{ organisationId: reader.organisationId, mode: 'sandbox', ids: [delivering?.id] }]
    await db.run(sql`
      insert into webhook_batches (id, taken_by, due_at, deliveries)
      values (gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour', ${JSON.stringify(refs)}::jsonb)`)

    expect((await read(`eventId=${eventId}`)).ids).toEqual([id])
    expect(await read('status=failed')).toEqual({ total: 1, ids: [failed?.id] })
    expect(await read(`status=failed&endpointId=${quiet.id}`)).toEqual({ total: 0, ids: [] })
    expect((await read('status=pending')).ids).toEqual([open[0]?.id])
    expect((await read(`status=retrying&endpointId=${quiet.id}`)).ids).toEqual([open[1]?.id])
    expect((await read('status=delivering')).ids).toEqual([delivering?.id])
    expect((await read(`endpointId=${quiet.id}`)).total).toBe(3)
    // At most 1,000 beyond the page.
    expect([(await read('page=1')).total, (await read('page=3')).total]).toEqual([1_005, 1_015])
    expect((await read(`endpointId=${busy.id}&page=200`)).total).toBe(1_012)
    const ofOther = await app.b.get(`/a/v1/organizations/me/webhooks/${quiet.id}/deliveries?status=retrying`, {
      token: reader.token,
    })
    expect(ofOther.data.map((one: { id: string }) => one.id)).toEqual([open[1]?.id])
    // Rare types, and one with too many deliveries to read whole.
    const [rare] = await copies('delivered', 1, quiet.id, 'item.created')
    const [rareFailed] = await copies('failed', 1, busy.id, 'item.created')
    const both = [rare?.id, rareFailed?.id].sort().reverse()
    await copies('delivered', 2_010, busy.id, 'item.updated')
    const [lost] = await copies('delivered', 1, quiet.id, 'item.updated')
    expect(await read('type=item.created')).toEqual({ total: 2, ids: both })
    expect((await read('type=item.created&page=2&limit=1')).ids).toEqual([both[1]])
    expect((await read('type=item.created&status=delivered')).ids).toEqual([rare?.id])
    expect((await read('type=item.created&status=failed')).ids).toEqual([rareFailed?.id])
    expect((await read('type=item.created&status=pending')).ids).toEqual([])
    expect((await read('type=buyer.*&status=pending')).ids).toEqual([open[0]?.id])
    expect(await read(`type=item.created&endpointId=${busy.id}`)).toEqual({ total: 1, ids: [rareFailed?.id] })
    expect((await read(`type=item.created&eventId=${eventId}`)).ids).toEqual([])
    expect((await read(`type=item.updated&endpointId=${quiet.id}`)).ids).toEqual([lost?.id])
    expect((await read('type=item.updated&status=failed')).ids).toEqual([])
    expect((await read('type=item.*&page=3')).total).toBe(1_015)
    await db.run(sql`delete from webhook_queue where endpoint_id = ${quiet.id}`)
    await db.run(sql`delete from webhook_batches where due_at > now() + interval '10 minutes'`)
  })
})

test('a delivery has a hundred attempts at most', async () => {
  const { id } = await endpointAt('/often')
  await newBuyer()
  await arrived(receiver, '/often')
  const [{ id: deliveryId }] = await deliveriesTo(id)
  await ended(app.a, owner.token, deliveryId)
  await app.runtime.db.run(sql`update webhook_deliveries set attempts = 100 where id = ${deliveryId}`)
  const refused = await app.a.post(`/n/v1/webhook-deliveries/${deliveryId}/redeliver`, token())
  expectRefusal(refused, 'webhook.too_many_attempts')
})

describe('tests', () => {
  test('are marked, attempted once and not counted as failures', async () => {
    const { id, secret } = await endpointAt('/tested')
    receiver.answer = () => ({ status: 500, body: '' })
    const charges = async () =>
      (await app.a.get('/b/v1/billing-accounts/me/ledger', token())).body.meta.pagination.total
    const before = await charges()
    for (const body of [{}, { type: 'invoice.paid' }]) {
      const asked = await app.a.post(`/n/v1/webhook-endpoints/${id}/test`, { ...token(), body })
      expect([asked.status, asked.data.test]).toEqual([202, true])
      expect(await ended(app.a, owner.token, asked.data.id)).toMatchObject({ status: 'failed', attemptCount: 1 })
    }
    const requests = await arrived(receiver, '/tested', 2)
    expect(requests.map((request) => [bodyOf(request).type, bodyOf(request).test])).toEqual([
      ['webhook_endpoint.pinged', true],
      ['invoice.paid', true],
    ])
    expect(requests.every((request) => verifies(request, secret))).toBe(true)
    const { data } = await app.a.get(`/n/v1/webhook-endpoints/${id}`, token())
    expect(data).toMatchObject({ enabled: true, failuresInARow: 0 })
    expect([before, await charges()]).toEqual([expect.any(Number), before])
  })

  test('in the other form are called webhook.test', async () => {
    const { id } = await webhookAt('/tested-b')
    expect((await app.b.post(`/a/v1/organizations/me/webhooks/${id}/test`, token())).status).toBe(202)
    const [request] = (await arrived(receiver, '/tested-b')) as [StubRequest]
    expect([bodyOf(request).type, header(request, 'x-webhook-event')]).toEqual(['webhook.test', 'webhook.test'])
    const refused = await app.a.post(`/n/v1/webhook-endpoints/${id}/test`, {
      ...token(),
      body: { type: 'item.created' },
    })
    expectRefusal(refused, 'webhook.type_not_told')
  })
})

test('a slow endpoint delays no other', async () => {
  const slow = await endpointAt('/slow-one')
  const quick = await endpointAt('/quick-one')
  receiver.answer = ({ path }) => (path === '/slow-one' ? undefined : { body: '' })
  for (let made = 0; made < 20; made++) await newBuyer()
  await arrived(receiver, '/quick-one', 20)
  expect((await deliveriesTo(slow.id, '&status=delivered')).length).toBe(0)
  await app.a.delete(`/n/v1/webhook-endpoints/${slow.id}`, token())
  await app.a.delete(`/n/v1/webhook-endpoints/${quick.id}`, token())
})
