import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CollectionSimulator, startCollectionSimulator } from '../../../../simulators/src/collection/index.ts'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { brokenMoney, type Collector, collectionPath, collector } from '../../../../test/harness/collection.ts'
import { ok, payableMinor } from '../../../../test/harness/issued.ts'
import { outbound } from '../../../../test/harness/outbound.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import { simulatorKeys } from '../../bin/simulators.ts'
import { monnify } from '../../gateways/monnify.ts'
import { paystackAccounts } from '../../gateways/paystack-accounts.ts'
import { systemCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { sql } from '../../platform/database/sql.ts'
import { followRefund } from './refunding/refund-payment.ts'

const keys = { apiKey: 'MK_TEST_SIMULATOR', secretKey: 'MONNIFYSECRET', contractCode: '4000000001' }
const secretKey = simulatorKeys.paystack
const due = payableMinor / 100

let app: TestApp
let own: Collector
let simulator: CollectionSimulator
beforeAll(async () => {
  const now = () => app.clock.now()
  simulator = await startCollectionSimulator({ monnify: keys, paystackKey: secretKey, now })
  app = await startTestApp({
    bank: true,
    checkout: true,
    furtherKeepers: [
      monnify({ ...keys, mode: 'sandbox', outbound, now, baseUrl: `${simulator.url}/monnify` }),
      paystackAccounts({
        secretKey,
        customerDomain: 'customers.example.test',
        outbound,
        now,
        baseUrl: `${simulator.url}/paystack`,
      }),
    ],
  })
  own = await collector(app)
})
afterAll(async () => {
  await app.close()
  await simulator.close()
})
afterEach(async () => expect(await brokenMoney(app)).toEqual([]))

const addresses = { monnify: '/notifications/collection/monnify/sandbox', paystack: '/notifications/paystack' }
const customer = { name: 'Chidi Stores', email: 'chidi@example.test', phoneNumber: '+2348012345678' }

async function post(path: string, { body, headers }: { body: string; headers: Record<string, string> }) {
  const answer = await fetch(`${app.url}${path}`, { method: 'POST', body, headers })
  return { status: answer.status, told: (await answer.json()) as { received?: string } }
}

describe.each(['monnify', 'paystack'] as const)('%s', (name) => {
  const party = () => simulator[name]
  const open = (more: object = {}) => own.tryToOpen({ preferredProvider: name, customer, ...more })

  test('is used if it is preferred, and its payments are notified, looked up, applied and refunded', async () => {
    const invoice = await own.life.issued({ buyerId: await own.life.buyer() })
    const account = ok(await open({ mode: 'dynamic', invoiceId: invoice.id, amount: due }), 201)
    expect(account).toMatchObject({ provider: name, status: 'active' })
    const came = party().ledger.receive({ number: account.accountNumber, amountMinor: payableMinor + 50_000 })
    const notice = party().noticeOf(came)
    const [header] = Object.keys(notice.headers).filter((one) => one.endsWith('-signature')) as [string]
    const forged = { ...notice, headers: { ...notice.headers, [header]: 'a'.repeat(128) } }
    expect((await post(addresses[name], forged)).status).toBe(401)
    expect(await own.payments()).not.toContainEqual(expect.objectContaining({ providerReference: came.reference }))
    expect(await post(addresses[name], notice)).toEqual({ status: 200, told: { received: 'stored' } })
    expect(await post(addresses[name], notice)).toEqual({ status: 200, told: { received: 'repeated' } })
    const paid = await own.payment(came.reference)
    expect(paid).toMatchObject({ provider: name, appliedMinor: payableMinor, creditedMinor: 50_000 })
    expect((await own.life.get(invoice.id)).paymentStatus).toBe('paid')

    const back = ok(await own.act(`/payments/${paid.id}/refund`, { amount: 400 }))
    expect(back).toMatchObject({ creditedMinor: 10_000, refundedMinor: 40_000, refund: { status: 'pending' } })
    expect(party().ledger.refunds.map(({ amountMinor }) => amountMinor)).toEqual([40_000])
    for (const refund of party().ledger.refunds) refund.state = 'done'
    const now = app.clock.now()
    app.clock.set(new Date(now.getTime() + 120_000))
    await app.runJob('sweep-collection')
    app.clock.set(now)
    expect((await eventsAbout(app, paid.id)).map(({ type }) => type)).toContain('collection.payment_refunded')
    expect(party().ledger.refunds).toHaveLength(1)
  })

  test('a payment without a notification is found in the statement, and reversed if the provider says so', async () => {
    const account = ok(await open(), 201)
    const came = party().ledger.receive({ number: account.accountNumber, amountMinor: 7_700 })
    await app.runJob('sweep-collection')
    expect(await own.payment(came.reference)).toMatchObject({ amountMinor: 7_700, unmatchedMinor: 7_700 })
    came.reversed = true
    await app.runJob('sweep-collection')
    expect(await own.payment(came.reference)).toMatchObject({ refundedMinor: 7_700, reversedAt: expect.any(String) })
  })

  test('an unsupported request is refused, and the reference is free again', async () => {
    const reference = `capped-${name}`
    const refused = await open({ reference, fundingTransactionLimit: 10 })
    expectRefusal(refused, 'collection.provider_refused')
    expect([refused.status, refused.body.error.code]).toEqual([422, 'VAL001'])
    expect(refused.body.error.message).toContain('leave fundingTransactionLimit out')
    const account = ok(await open({ reference }), 201)
    const { token } = own
    ok(await own.act(`/accounts/${account.id}/deactivate`))
    const status = ok(await app.a.get(`${collectionPath}/accounts/${account.id}/status`, { token }))
    expect(status).toMatchObject({ status: 'deactivated', providerStatus: 'closed' })
  })
})

test('two concurrent retries of a refund that Paystack never received send it once', async () => {
  const { accountNumber } = ok(await own.tryToOpen({ preferredProvider: 'paystack', customer }), 201)
  const came = simulator.paystack.ledger.receive({ number: accountNumber, amountMinor: 90_000 })
  await app.runJob('sweep-collection')
  const paid = await own.payment(came.reference)
  simulator.misbehave('down')
  const { refund } = ok(await own.act(`/payments/${paid.id}/refund`, { amount: 300 }))
  simulator.misbehave(undefined)
  expect(refund.status).toBe('pending')
  const now = app.clock.now()
  app.clock.set(new Date(now.getTime() + 120_000))
  const tenant = await app.runtime.db.one<Tenant>(sql`
    select organisation_id, mode from collection_refunds where id = ${refund.id}`)
  const call = { caller: systemCaller, origin: { requestId: 'test', address: '', userAgent: '' } }
  const follow = () => app.runner.run(followRefund, { ...call, input: { ...tenant, id: refund.id } })
  const ends = await Promise.allSettled([follow(), follow(), follow()])
  app.clock.set(now)
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(simulator.paystack.ledger.refunds.filter(({ transfer }) => transfer === came)).toHaveLength(1)
})

test('a Paystack notification about a checkout is not processed as a collection', async () => {
  const body = JSON.stringify({ event: 'charge.success', data: { reference: 'card-1', channel: 'card' } })
  const signature = createHmac('sha512', secretKey).update(body).digest('hex')
  expect((await post(addresses.paystack, { body, headers: { 'x-paystack-signature': signature } })).status).toBe(200)
  const { kept } = await app.runtime.db.one<{ kept: number }>(sql`
    select count(*)::int as kept from collection_notifications where subject = 'card-1'`)
  expect(kept).toBe(0)
})

test('a request for the status of a Paystack account triggers a new query at its bank', async () => {
  const account = ok(await own.tryToOpen({ preferredProvider: 'paystack', customer }), 201)
  ok(await app.a.get(`${collectionPath}/accounts/${account.id}/status`, { token: own.token }))
  expect(simulator.paystack.requeried).toEqual([account.accountNumber])
})
