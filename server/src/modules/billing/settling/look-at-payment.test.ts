import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import {
  becomes,
  buyer,
  currencies,
  eventsAbout,
  liveBalance,
  movesOf,
  order,
  paymentState,
  purchasePath,
  small,
} from '../../../../../test/harness/purchases.ts'
import { sessionAgain } from '../../../../../test/harness/session-again.ts'
import { type Caller, systemCaller } from '../../../kernel/callers.ts'
import type { Refusal } from '../../../kernel/refusals.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { ProviderName } from '../payments/checkout-provider.ts'
import type { PaymentId } from '../payments/payment.ts'
import { lookAtPayment } from './look-at-payment.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())
afterEach(async () => {
  app.checkout.control.misbehave(undefined)
  await expectBooksInOrder(app)
})

const told = async (id: string) => (await eventsAbout(app, id)).map(({ type }) => type)
const sweepAfter = async (passed: Parameters<TestApp['clock']['advance']>[0]) => {
  app.clock.advance(passed)
  await app.runJob('sweep-payments')
}
const buyAgain = async (person: Person, currency: string) =>
  app.a.post(purchasePath, {
    token: (await sessionAgain(app, person)).token,
    body: { packageId: small, currency },
  })

describe.each(currencies)('a payment in %s without any notification', (currency) => {
  const begin = async () => {
    const person = await buyer(app)
    return { person, id: await order(app, person, { currency }) }
  }

  test('is found by a lookup within minutes', async () => {
    const { person, id } = await begin()
    app.checkout.control.misbehave('silent')
    await app.checkout.control.act(id, 'paid')
    await sweepAfter({ minutes: 2 })
    expect(await paymentState(app, id)).toMatchObject({ status: 'succeeded', grantedCredits: 100n })
    await sweepAfter({ days: 1 })
    await sweepAfter({ days: 1 })
    expect(await movesOf(app, person.organisationId)).toEqual([['purchase', 100]])
    const { token } = await sessionAgain(app, person)
    const { data } = await app.a.get('/b/v1/billing-accounts/me', { token })
    expect(data.creditBalance).toBe(150)
  })

  test('is found later if the provider was unreachable at first', async () => {
    const { id } = await begin()
    app.checkout.control.misbehave('silent')
    await app.checkout.control.act(id, 'paid')
    for (const fault of ['down', 'nonsense', 'error_after'] as const) {
      app.checkout.control.misbehave(fault)
      await sweepAfter({ minutes: 60 })
      expect(await paymentState(app, id), fault).toMatchObject({ status: 'pending', grantedCredits: 0n })
    }
    app.checkout.control.misbehave('silent')
    await sweepAfter({ minutes: 60 })
    expect(await paymentState(app, id)).toMatchObject({ status: 'succeeded', grantedCredits: 100n })
  })

  test('and its refund are found within a day', async () => {
    const { id } = await begin()
    app.checkout.control.misbehave('silent')
    await app.checkout.control.act(id, 'paid')
    await sweepAfter({ minutes: 2 })
    const { amountMinor } = await paymentState(app, id)
    await app.checkout.control.refund(id, amountMinor / 2n)
    await sweepAfter({ hours: 24 })
    expect(await paymentState(app, id)).toMatchObject({ status: 'partially_refunded', grantedCredits: 50n })
    await app.checkout.control.openDispute(id)
    await sweepAfter({ hours: 24 })
    expect(await paymentState(app, id)).toMatchObject({ status: 'disputed', grantedCredits: 0n })
  })

  test('expires after an hour, and then the same can be bought again', async () => {
    const { person, id } = await begin()
    await sweepAfter({ minutes: 59 })
    expect(await paymentState(app, id)).toMatchObject({ status: 'pending' })
    const open = await buyAgain(person, currency)
    expect([open.status, open.data.payment.id]).toEqual([200, id])
    await sweepAfter({ minutes: 61 })
    expect(await paymentState(app, id)).toMatchObject({ status: 'expired', grantedCredits: 0n })
    expect(await told(id)).toEqual(['billing.payment.created', 'billing.payment.expired'])
    const fresh = await buyAgain(person, currency)
    expect(fresh.status).toBe(201)
    expect(fresh.data.payment.id).not.toBe(id)
    const { token } = await sessionAgain(app, person)
    const { data } = await app.b.get(`/b/v1/payments/${id}`, { token })
    expect([data.status, 'checkoutUrl' in data]).toEqual(['expired', false])
  })

  test('can be bought again after an hour, even before a lookup', async () => {
    const { person, id } = await begin()
    app.clock.advance({ minutes: 61 })
    const fresh = await buyAgain(person, currency)
    expect(fresh.status).toBe(201)
    expect(fresh.data.payment.id).not.toBe(id)
  })

  test('counts if it was paid in the last minute, even if the lookup is later', async () => {
    const { id } = await begin()
    app.checkout.control.misbehave('silent')
    app.clock.advance({ minutes: 59 })
    await app.checkout.control.act(id, 'paid')
    await sweepAfter({ minutes: 30 })
    expect(await paymentState(app, id)).toMatchObject({ status: 'succeeded', grantedCredits: 100n })
    expect(await told(id)).not.toContain('billing.payment.expired')
  })

  test('is paid after a declined try on the same page', async () => {
    const { person, id } = await begin()
    await app.checkout.control.act(id, 'failed')
    await becomes(app, id, { status: 'failed', grantedCredits: 0n })
    app.checkout.control.misbehave('silent')
    await app.checkout.control.act(id, 'paid')
    await sweepAfter({ hours: 6 })
    expect(await paymentState(app, id)).toMatchObject({ status: 'succeeded', grantedCredits: 100n })
    expect(await liveBalance(app, person.organisationId)).toMatchObject({ available: 150 })
    const row = sql`select paid_at, ended_at from payments where id = ${id}`
    expect(await app.runtime.db.one(row)).toEqual({ paidAt: app.clock.now(), endedAt: null })
    expect(await told(id)).toEqual([
      'billing.payment.created',
      'billing.payment.failed',
      'billing.payment.succeeded',
      'billing.credits.purchased',
    ])
  })

  test('is looked up for a limited time', async () => {
    const [{ id: paid }, { id: unpaid }] = [await begin(), await begin()]
    await app.checkout.control.act(paid, 'paid')
    await becomes(app, paid, { status: 'succeeded' })
    await sweepAfter({ days: 5 })
    await sweepAfter({ days: 1 })
    await sweepAfter({ days: 130 })
    const rows = sql`select look_at from payments where id in (${paid}, ${unpaid})`
    expect(await app.runtime.db.rows(rows)).toEqual([{ lookAt: null }, { lookAt: null }])
  })
})

test.each([
  ['and the provider tells us', false],
  ['and we find it by looking', true],
])('an expired checkout that is paid later, %s: the credits are granted', async (_how, silent) => {
  const person = await buyer(app)
  const id = await order(app, person)
  await sweepAfter({ minutes: 61 })
  expect(await paymentState(app, id)).toMatchObject({ status: 'expired' })
  if (silent) app.checkout.control.misbehave('silent')
  await app.checkout.control.act(id, 'paid')
  if (silent) await sweepAfter({ hours: 6 })
  await becomes(app, id, { status: 'succeeded', grantedCredits: 100n })
  expect(await told(id)).toEqual([
    'billing.payment.created',
    'billing.payment.expired',
    'billing.payment.succeeded',
    'billing.credits.purchased',
  ])
})

test('an expired checkout is expired at Stripe too, so that it cannot be paid', async () => {
  const person = await buyer(app)
  const id = await order(app, person, { currency: 'USD' })
  await sweepAfter({ minutes: 61 })
  await expect(app.checkout.control.act(id, 'paid')).rejects.toThrow(/expired/)
  await eventually(async () => expect(await paymentState(app, id)).toMatchObject({ status: 'expired' }))
})

test('a payment without a stored handle is found at Stripe by our reference', async () => {
  const person = await buyer(app)
  const id = await order(app, person, { currency: 'USD' })
  app.checkout.control.misbehave('silent')
  await app.checkout.control.act(id, 'paid')
  await app.runtime.db.run(sql`update payments set handle = null where id = ${id}`)
  const { requests } = app.checkout.control
  const before = requests.length
  await sweepAfter({ minutes: 2 })
  expect(requests.slice(before).map(({ path }) => path)).toContain('/v1/payment_intents/search')
  expect(await paymentState(app, id)).toMatchObject({ status: 'succeeded', grantedCredits: 100n })
})

test('concurrent sweeps grant once', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => buyer(app)))
  const ids = await Promise.all(people.map((person, at) => order(app, person, { currency: currencies[at % 2]! })))
  app.checkout.control.misbehave('silent')
  for (const id of ids) await app.checkout.control.act(id, 'paid')
  app.clock.advance({ minutes: 2 })
  await Promise.all(Array.from({ length: 8 }, () => app.runJob('sweep-payments')))
  for (const [at, id] of ids.entries()) {
    await becomes(app, id, { status: 'succeeded', grantedCredits: 100n })
    expect(await movesOf(app, people[at]!.organisationId)).toEqual([['purchase', 100]])
  }
})

test.each(currencies)('an outdated answer in %s changes nothing', async (currency) => {
  const person = await buyer(app)
  const id = (await order(app, person, { currency })) as PaymentId
  await app.checkout.control.act(id, 'paid')
  await becomes(app, id, { status: 'succeeded' })
  const inOperation = <Result>(body: (context: Inside<Caller>) => Promise<Result | Refusal>) =>
    app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

  // One look has its answer in flight …
  const ref = { organisationId: person.organisationId, paymentId: id }
  const intent = await inOperation((context) => lookAtPayment.intend(context, ref))
  const { provider, name } = intent as { provider: ProviderName; name: string }
  const signal = AbortSignal.timeout(10_000)
  const answer = await app.runtime.ports.checkoutProviders.named(provider)?.look(name, signal)
  expect(answer).toMatchObject({ state: 'paid', refundedMinor: 0n })
  // … when a refund happens, and another look sees the refund.
  await app.checkout.control.refund(id)
  await becomes(app, id, { status: 'refunded', grantedCredits: 0n })
  await inOperation((context) => lookAtPayment.settle(context, intent, { kind: 'answered', answer }))
  expect(await paymentState(app, id)).toMatchObject({ status: 'refunded', grantedCredits: 0n })
  expect(await movesOf(app, person.organisationId)).toEqual([
    ['purchase', 100],
    ['reversal', 100],
  ])
})
