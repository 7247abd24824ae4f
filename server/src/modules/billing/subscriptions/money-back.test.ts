import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { active, opening, overdue, starter } from '../../../../../test/harness/subscriber.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'
import { lookAtPayment } from '../settling/look-at-payment.ts'
import { addMonths } from './periods.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())

const run = () => app.runJob('run-subscriptions')

test('the second payment of a period is refunded and grants nothing', async () => {
  const { who, id } = await overdue(app)
  const early = (await who.renew(id)).data.payment
  app.clock.advance({ hours: 2 })
  await app.runJob('sweep-payments')
  await who.paymentBecomes(early.id, { status: 'expired' })
  const late = (await who.renew(id)).data.payment
  expect(late.id).not.toBe(early.id)
  await app.checkout.control.act(late.id, 'paid')
  const paid = await who.becomes(id, { status: 'active', currentPeriod: { number: 2 } })

  await app.checkout.control.act(early.id, 'paid')
  await who.paymentBecomes(early.id, { status: 'refunded', refundedMinor: 750_000, credits: 0 })
  expect(await who.payment(late.id)).toMatchObject({ status: 'succeeded', refundedMinor: 0 })
  expect(await who.subscription(id)).toEqual(paid)
  expect(await who.balance()).toBe(opening + 800)
  expect((await who.renewals(id))[0]).toMatchObject({ number: 2, status: 'paid', paymentId: late.id })
})

test('a refund that has not started is requested again, and a pending one is not', async () => {
  const { db } = app.runtime
  const { who, id } = await overdue(app)
  const { payment } = (await who.renew(id)).data
  expect((await who.cancel(id)).data.status).toBe('expired')
  app.checkout.control.misbehave('silent')
  await app.stopWork()
  await app.checkout.control.act(payment.id, 'paid')
  const input = { organisationId: who.organisationId, paymentId: payment.id }
  for (const _ of 'day by day') {
    await app.runner.run(lookAtPayment, { caller: systemCaller, origin, input })
    app.clock.advance({ hours: 25 })
  }
  const asked = await db.rows<{ key: string | null }>(sql`select key from jobs where job = 'return-money'`)
  expect(asked).toEqual([{ key: `return-money:${payment.id}` }])
  app.checkout.control.misbehave(undefined)
  await app.startWork()
  await who.paymentBecomes(payment.id, { status: 'refunded', credits: 0 })
})

test('a payment for a plan that was cancelled while overdue is refunded', async () => {
  const { who, id } = await overdue(app)
  const { payment } = (await who.renew(id)).data
  expect((await who.cancel(id)).data.status).toBe('expired')
  await app.checkout.control.act(payment.id, 'paid')
  await who.paymentBecomes(payment.id, { status: 'refunded', credits: 0 })
  expect(await who.subscription(id)).toMatchObject({ status: 'expired', endReason: 'cancelled' })
  expect(await who.balance()).toBe(opening + 400)
})

describe.each(['NGN', 'USD'] as const)('in %s', (currency) => {
  const terms = { ...starter, currency }

  test('a full refund of the current period ends the plan and takes its credits', async () => {
    const { who, id, paymentId } = await active(app, terms)
    await app.checkout.control.refund(paymentId)
    await who.becomes(id, { status: 'expired', endReason: 'money_returned', window: null })
    expect(await who.payment(paymentId)).toMatchObject({ status: 'refunded' })
    expect(await who.balance()).toBe(opening)
    expect((await who.events()).slice(3)).toEqual(['subscription.expired', 'subscription_tier_changed'])
    expectRefusal(await who.get('/subscriptions/active'), 'resource.not_found')
    expect((await who.subscribe(terms)).status).toBe(201)
  })

  test('a partial refund takes its share of the credits, and the plan continues', async () => {
    const { who, id, paymentId } = await active(app, terms)
    await app.checkout.control.refund(paymentId, currency === 'NGN' ? 187_500n : 125n)
    await who.paymentBecomes(paymentId, { status: 'partially_refunded' })
    expect(await who.subscription(id)).toMatchObject({ status: 'active' })
    expect(await who.balance()).toBe(opening + 300)
  })

  test('a refund of an earlier period takes its credits, and the plan continues', async () => {
    const { who, id, paymentId } = await active(app, terms)
    app.clock.set((await who.subscription(id)).currentPeriod.endsAt)
    await run()
    await who.becomes(id, { status: 'active', currentPeriod: { number: 2 } })
    await app.checkout.control.refund(paymentId)
    await who.paymentBecomes(paymentId, { status: 'refunded' })
    expect(await who.subscription(id)).toMatchObject({ status: 'active', currentPeriod: { number: 2 } })
    expect(await who.balance()).toBe(opening + 400)
  })

  test('a dispute takes the credits and delays later months, and a won dispute grants all of them', async () => {
    const began = app.clock.now()
    const { who, id, paymentId } = await active(app, { ...terms, interval: 'yearly' })
    await app.checkout.control.openDispute(paymentId)
    await who.paymentBecomes(paymentId, { status: 'disputed' })
    expect(await who.balance()).toBe(opening)
    expect(await who.subscription(id)).toMatchObject({ status: 'active' })
    app.clock.set(addMonths(began, 1))
    await run()
    expect(await who.balance()).toBe(opening)

    await app.checkout.control.closeDispute(paymentId, true)
    await who.paymentBecomes(paymentId, { status: 'succeeded' })
    expect(await who.balance()).toBe(opening + 400)
    app.clock.advance({ hours: 7 })
    await run()
    expect(await who.balance()).toBe(opening + 800)
    await run()
    expect(await who.balance()).toBe(opening + 800)
  })

  test('a lost dispute ends the plan, and its credits are not returned', async () => {
    const { who, id, paymentId } = await active(app, terms)
    await app.checkout.control.openDispute(paymentId)
    await who.paymentBecomes(paymentId, { status: 'disputed' })
    await app.checkout.control.closeDispute(paymentId, false)
    await who.becomes(id, { status: 'expired', endReason: 'money_returned' })
    expect(await who.payment(paymentId)).toMatchObject({ status: 'charged_back' })
    expect(await who.balance()).toBe(opening)
  })
})

test('months that a dispute delayed are granted even if the year ended before it was won', async () => {
  const began = app.clock.now()
  const { who, id, paymentId } = await active(app, { ...starter, interval: 'yearly' })
  await app.checkout.control.openDispute(paymentId)
  await who.paymentBecomes(paymentId, { status: 'disputed' })
  await who.cancel(id)
  for (const month of [6, 12]) {
    app.clock.set(addMonths(began, month))
    await run()
  }
  expect(await who.subscription(id)).toMatchObject({ status: 'expired', endReason: 'cancelled' })
  expect(await who.balance()).toBe(opening)
  await app.checkout.control.closeDispute(paymentId, true)
  await who.paymentBecomes(paymentId, { status: 'succeeded', credits: 12 * 400 })
  expect(await who.balance()).toBe(opening + 12 * 400)
})
