import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { capturedLog, origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../../test/harness/client.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import {
  becomes,
  buyer,
  currencies,
  eventsAbout,
  liveBalance,
  movesOf,
  order,
  purchasePath,
  small,
} from '../../../../../test/harness/purchases.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import type { PaymentId } from './payment.ts'
import { purchaseCredits } from './purchase-credits.ts'

let app: TestApp
const logged = capturedLog()
beforeAll(async () => {
  app = await startTestApp({ checkout: true, log: logged.log })
})
afterAll(() => app.close())
afterEach(async () => {
  app.checkout.control.misbehave(undefined)
  app.patience()
  await expectBooksInOrder(app)
})

type Currency = (typeof currencies)[number]
const buy = ({ token }: Person, currency: Currency, headers: Record<string, string> = {}): Promise<Reply> =>
  app.b.post(purchasePath, { token, body: { packageId: small, currency }, headers })
const paymentsOf = ({ organisationId }: Person) =>
  app.runtime.db.rows<{ id: string; status: string; checkoutUrl: string | null; lookAt: Date | null }>(sql`
    select id, status, checkout_url, look_at from payments where organisation_id = ${organisationId} order by id`)

/** Nothing was charged, and the payment has failed. */
async function expectNotStarted(person: Person, reply: Reply): Promise<void> {
  expectRefusal(reply, 'dependency.unavailable')
  expect([reply.status, reply.body.error.code]).toEqual([503, 'DEP001'])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  const [payment, ...others] = await paymentsOf(person)
  expect([payment, others]).toMatchObject([{ status: 'failed', checkoutUrl: null, lookAt: null }, []])
  expect(await movesOf(app, person.organisationId)).toEqual([])
  const told = (await eventsAbout(app, payment?.id as string)).map(({ type }) => type)
  expect(told).toEqual(['billing.payment.created', 'billing.payment.failed'])
  expect(logged.text()).toContain('checkout.not_started')
}

async function expectNextTryWorks(person: Person, currency: Currency, headers = {}): Promise<void> {
  const next = await buy(person, currency, headers)
  expect(next.status).toBe(201)
  await app.checkout.control.act(next.data.payment.id, 'paid')
  await becomes(app, next.data.payment.id, { status: 'succeeded', grantedCredits: 100n })
  expect(await liveBalance(app, person.organisationId)).toMatchObject({ available: 150 })
}

describe.each(['down', 'error_after', 'nonsense'] as const)('a provider that is %s', (fault) => {
  test.each(currencies)('starts no checkout in %s, and the next try works', async (currency) => {
    const person = await buyer(app)
    app.checkout.control.misbehave(fault)
    await expectNotStarted(person, await buy(person, currency))
    app.checkout.control.misbehave(undefined)
    await expectNextTryWorks(person, currency)
    expect((await paymentsOf(person)).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  })
})

test('the wait for a provider is limited', async () => {
  expect(purchaseCredits.deadlineMs).toBe(20_000)
  const people = await Promise.all(currencies.map(() => buyer(app)))
  app.checkout.control.misbehave('late_reply')
  app.patience(500)
  const replies = await Promise.all(people.map((person, at) => buy(person, currencies[at] as Currency)))
  app.checkout.control.misbehave(undefined)
  app.patience()
  for (const [at, person] of people.entries()) {
    await expectNotStarted(person, replies[at] as Reply)
    await expectNextTryWorks(person, currencies[at] as Currency)
  }
})

test('the Idempotency-Key of a checkout that was not started can be used again', async () => {
  const person = await buyer(app)
  const headers = { 'idempotency-key': randomUUID() }
  app.checkout.control.misbehave('down')
  await expectNotStarted(person, await buy(person, 'USD', headers))
  app.checkout.control.misbehave(undefined)
  await expectNextTryWorks(person, 'USD', headers)
})

test('a checkout whose start we missed still counts if it is paid', async () => {
  const person = await buyer(app)
  app.checkout.control.misbehave('error_after')
  expect((await buy(person, 'USD')).status).toBe(503)
  app.checkout.control.misbehave(undefined)
  const [payment] = await paymentsOf(person)
  await app.checkout.control.act(payment?.id as string, 'paid')
  await becomes(app, payment?.id as string, { status: 'succeeded', grantedCredits: 100n })
})

describe('a process that dies while it starts a checkout', () => {
  /** The state after a crash: a payment without a URL, and the stored exchange. */
  async function dieWhileStarting(person: Person): Promise<string> {
    const paymentId = await order(app, person)
    const { organisationId } = person
    await app.runtime.db.run(
      sql`update payments set checkout_url = null, handle = null where id = ${paymentId} and status = 'pending'`,
    )
    await app.runtime.db.run(sql`
      insert into exchanges (id, name, organisation_id, mode, caller, intent, abandoned_after)
      values (${randomUUID()}, 'purchase-credits', ${organisationId}, 'live', '{"kind":"user"}'::jsonb,
              ${JSON.stringify({ organisationId, paymentId, again: false })}::jsonb, now() - interval '1 second')`)
    return paymentId
  }

  test('leaves a payment that fails by itself, and blocks the same purchase until then', async () => {
    const person = await buyer(app)
    const paymentId = await dieWhileStarting(person)
    expectRefusal(await buy(person, 'NGN'), 'state.changed')
    await app.runJob('settle-exchanges')
    await becomes(app, paymentId, { status: 'failed', grantedCredits: 0n })
    await expectNextTryWorks(person, 'NGN')
  })

  test('and was only slow: its URL is not returned, and a payment there still counts', async () => {
    const person = await buyer(app)
    const paymentId = await dieWhileStarting(person)
    await app.runJob('settle-exchanges')
    await becomes(app, paymentId, { status: 'failed' })
    const intent = { organisationId: person.organisationId, paymentId: paymentId as PaymentId, again: false }
    const answer = { url: 'https://example.test/pay', handle: paymentId }
    const late = operation({ needs: [], refuses: ['dependency.unavailable'] }, (context) =>
      purchaseCredits.settle(context, intent, { kind: 'answered', answer, late: true }),
    )
    const settling = app.runner.run(late, { caller: systemCaller, origin, input: undefined })
    await expect(settling).rejects.toMatchObject({ refusal: 'dependency.unavailable' })
    const [payment] = await app.runtime.db.rows(
      sql`select status, checkout_url, handle from payments where id = ${paymentId}`,
    )
    expect(payment).toEqual({ status: 'failed', checkoutUrl: null, handle: paymentId })
    await app.checkout.control.act(paymentId, 'paid')
    await becomes(app, paymentId, { status: 'succeeded', grantedCredits: 100n })
  })

  test('leads to a lookup of the checkout', async () => {
    const person = await buyer(app)
    const paymentId = await dieWhileStarting(person)
    await app.checkout.control.act(paymentId, 'paid')
    const { inquire } = purchaseCredits
    if ('none' in inquire) throw new Error('a checkout can be inquired about')
    const now = app.clock.now()
    const times = { now, realNow: now, nowOf: async () => now }
    const context = { ...app.runtime, caller: systemCaller, origin, ...times, throttle: async () => {} }
    const intent = { organisationId: person.organisationId, paymentId, again: false }
    expect(await inquire({ ...context, signal: AbortSignal.timeout(10_000) }, intent)).toMatchObject({ state: 'paid' })
  })

  test('does not undo later changes of the payment', async () => {
    const person = await buyer(app)
    const paymentId = await dieWhileStarting(person)
    await app.checkout.control.act(paymentId, 'paid')
    await becomes(app, paymentId, { status: 'succeeded', grantedCredits: 100n })
    await app.runJob('settle-exchanges')
    const left = sql`select count(*)::int as n from exchanges where settled_at is null and name = 'purchase-credits' and intent ->> 'paymentId' = ${paymentId}`
    expect(await app.runtime.db.one(left)).toEqual({ n: 0 })
    await becomes(app, paymentId, { status: 'succeeded', grantedCredits: 100n })
    expect(await liveBalance(app, person.organisationId)).toMatchObject({ available: 150 })
    expect((await eventsAbout(app, paymentId)).map(({ type }) => type)).not.toContain('billing.payment.failed')
  })
})
