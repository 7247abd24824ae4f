import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp } from '../harness/app.ts'
import { eventually } from '../harness/eventually.ts'
import type { StubRequest } from '../harness/stub-server.ts'
import { arrived, startReceiver } from '../harness/webhook-receiver.ts'
import { ok, signUp } from './telling.ts'

const header = ({ headers }: StubRequest, name: string): string => String(headers[name])
const isTrue = (check: () => unknown): boolean => {
  try {
    return check() !== false
  } catch {
    return false
  }
}

/** The differences between the two forms. The story itself uses none of them directly. */
const tongues = {
  A: {
    endpoints: '/n/v1/webhook-endpoints',
    off: { enabled: false },
    on: { enabled: true, replayMissed: true },
    isOn: ({ enabled }: { enabled: boolean }) => enabled,
    deliveries: (id: string) => `/n/v1/webhook-deliveries?endpointId=${id}`,
    again: (id: string) => `/n/v1/webhook-deliveries/${id}/redeliver`,
    ping: 'webhook_endpoint.pinged',
    buyer: (name: string): object => ({ name }),
    buyerIn: (body: { data: { object: { buyerId: string } } }) => body.data.object.buyerId,
    // The story's clock differs from the real one.
    isSigned: (request: StubRequest, secret: string) =>
      isTrue(() =>
        new Stripe('sk_test_x').webhooks.constructEvent(
          request.body,
          header(request, 'risiti-signature'),
          secret,
          Number.MAX_SAFE_INTEGER,
        ),
      ),
  },
  B: {
    endpoints: '/a/v1/organizations/me/webhooks',
    off: { isActive: false },
    on: { isActive: true, replayMissed: true },
    isOn: ({ isActive }: { isActive: boolean }) => isActive,
    deliveries: (id: string) => `/a/v1/organizations/me/webhooks/${id}/deliveries`,
    again: (id: string) => `/a/v1/organizations/me/webhooks/deliveries/${id}/retry`,
    ping: 'webhook.test',
    buyer: (name: string): object => ({
      partyName: name,
      email: `${name.toLowerCase()}@buyers.test`,
      phoneNumber: '+2348030000000',
      postalAddress: { line1: '3 Ring Road', city: 'Ibadan', state: 'Oyo', country: 'NG' },
    }),
    buyerIn: (body: { data: { buyerId: string } }) => body.data.buyerId,
    isSigned(request: StubRequest, secret: string) {
      const text = JSON.stringify(JSON.parse(request.body).data)
      const digest = createHmac('sha256', secret)
        .update(`${header(request, 'x-webhook-timestamp')}.${text}`)
        .digest('hex')
      const given = ['x-webhook-signature', 'x-webhook-signature-previous'].map((name) => header(request, name))
      return given.includes(`sha256=${digest}`)
    },
  },
} as const

/** A shop's till receives a webhook for every buyer, through one form. */
async function tell(form: 'A' | 'B') {
  const app = await startTestApp({ now: '2026-05-04T08:00:00Z' })
  const till = await startReceiver()
  try {
    const client = app.client(form)
    const tongue = tongues[form]
    const names = { firstName: 'Tunde', lastName: 'Bakare', organizationName: 'Bakare' }
    const { email, token } = await signUp(app, client, 'tunde@till.test', names)
    const newBuyer = async (name: string): Promise<string> =>
      (await ok(client.post('/i/v1/buyers', { token, body: tongue.buyer(name) }))).data.id
    const settled = (count: number, status: string) =>
      eventually(async () => {
        const found = (await ok(client.get(tongue.deliveries(id), { token }))).data as { id: string; status: string }[]
        expect(found.filter((one) => one.status === status)).toHaveLength(count)
        return found
      })

    // The endpoint is created and tested. Its secret is shown only now.
    const made = await ok(
      client.post(tongue.endpoints, { token, body: { url: `${till.url}/till`, events: ['buyer.created'] } }),
    )
    const { id, secret } = made.data
    expect((await ok(client.get(`${tongue.endpoints}/${id}`, { token }))).data).not.toHaveProperty('secret')
    await ok(client.post(`${tongue.endpoints}/${id}/test`, { token, ...(form === 'A' ? { body: {} } : {}) }))
    const [ping] = (await arrived(till, '/till')) as [StubRequest]
    expect(JSON.parse(ping.body)).toMatchObject({ type: tongue.ping, test: true })
    await settled(1, 'delivered')

    // Each buyer causes one delivery, and the till verifies its signature.
    const ada = await newBuyer('Ada')
    const [, first] = (await arrived(till, '/till', 2)) as [StubRequest, StubRequest]
    expect([tongue.buyerIn(JSON.parse(first.body)), tongue.isSigned(first, secret)]).toEqual([ada, true])
    await settled(2, 'delivered')

    // The till breaks down. Failed deliveries wait for a retry. The shop disables the endpoint, and the waiting
    // deliveries fail.
    till.answer = () => ({ status: 500, headers: { 'retry-after': '3600' }, body: 'out of paper' })
    const bola = await newBuyer('Bola')
    await settled(1, 'retrying')
    expect(tongue.isOn((await ok(client.patch(`${tongue.endpoints}/${id}`, { token, body: tongue.off }))).data)).toBe(
      false,
    )
    await settled(1, 'failed')
    const chidi = await newBuyer('Chidi')
    await app.quiet()
    const before = till.requests.length

    // The till is repaired and enabled again, and all missed deliveries arrive.
    till.answer = () => ({ status: 200, body: 'printed' })
    const on = await ok(client.patch(`${tongue.endpoints}/${id}`, { token, body: tongue.on }))
    expect(tongue.isOn(on.data)).toBe(true)
    const told = (await arrived(till, '/till', before + 2)).slice(before)
    expect(told.map(({ body }) => tongue.buyerIn(JSON.parse(body))).sort()).toEqual([bola, chidi].sort())
    const newest = (await settled(4, 'delivered'))[0]?.id ?? ''

    // The secret leaks. After the rotation both secrets work for a day, then only the new one.
    const rotated = await ok(app.a.post(`/n/v1/webhook-endpoints/${id}/rotate-secret`, { token, body: {} }))
    await ok(client.post(tongue.again(newest), { token }))
    const twice = (await arrived(till, '/till', before + 3)).at(-1) as StubRequest
    expect([secret, rotated.data.secret].map((one) => tongue.isSigned(twice, one))).toEqual([true, true])
    await settled(4, 'delivered')
    await ok(app.a.post(`/n/v1/webhook-endpoints/${id}/rotate-secret`, { token, body: { overlapSeconds: 0 } }))
    await newBuyer('Dayo')
    const alone = (await arrived(till, '/till', before + 4)).at(-1) as StubRequest
    expect([secret, rotated.data.secret].map((one) => tongue.isSigned(alone, one))).toEqual([false, false])
    await settled(5, 'delivered')

    // The till answers 410. It gets no further deliveries, and the shop is notified.
    till.answer = () => ({ status: 410, body: '' })
    await newBuyer('Ebun')
    await eventually(async () => {
      const { data } = await ok(client.get(`${tongue.endpoints}/${id}`, { token }))
      expect([tongue.isOn(data), data.disabledCause]).toEqual([false, 'gone'])
    })
    expect((await app.mailTo(email, 2)).map(({ subject }) => subject)).toContain('Your webhook endpoint was disabled')
    await ok(client.delete(`${tongue.endpoints}/${id}`, { token }))
    expect((await client.get(`${tongue.endpoints}/${id}`, { token })).status).toBe(404)
    expect(await settled(1, 'failed')).toHaveLength(6)

    const { db } = app.runtime
    return {
      deliveries: await db.rows(sql`
        select type, is_test, status, attempts, reason, jsonb_path_query_array(log, '$[*].statusCode') as answers
          from webhook_deliveries order by id`),
      events: await db.rows(sql`select type from events where type like 'webhook%' or type like 'buyer%' order by id`),
      queued: await db.rows(sql`select id from webhook_queue`),
    }
  } finally {
    await app.close()
    await till[Symbol.asyncDispose]()
  }
}

test('a company receives events, and both forms leave the same', async () => {
  const [throughA, throughB] = [await tell('A'), await tell('B')]
  expect(throughB).toEqual(throughA)
  expect(throughA.queued).toEqual([])
  expect(throughA.deliveries.map((row) => (row as { answers: number[] }).answers)).toEqual([
    [200],
    [200],
    [500, 200],
    [200, 200],
    [200],
    [410],
  ])
})
