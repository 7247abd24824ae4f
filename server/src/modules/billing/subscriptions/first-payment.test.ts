import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { awaiting, newSubscriber, opening, starter } from '../../../../../test/harness/subscriber.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import type { PaymentId } from '../payments/payment.ts'
import { subscribe } from './subscribe.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())
afterEach(() => app.checkout.control.misbehave(undefined))

describe.each(['NGN', 'USD'] as const)('in %s', (currency) => {
  const terms = { ...starter, currency }

  test.each(['down', 'nonsense', 'error_after'] as const)(
    'if the provider is “%s”, the plan ends before its start and can be taken again',
    async (fault) => {
      const who = await newSubscriber(app)
      app.checkout.control.misbehave(fault)
      const refused = await who.subscribe(terms)
      expectRefusal(refused, 'dependency.unavailable')
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      app.checkout.control.misbehave(undefined)
      const [ended] = (await who.get('/subscriptions/history')).data
      expect(ended).toMatchObject({ status: 'expired', endReason: 'not_paid', endedAt: expect.any(String) })
      expect((await who.get('/payments/history')).data).toMatchObject([{ status: 'failed', paidAt: null }])
      expect(await who.events()).toEqual(['subscription.created', 'subscription.expired'])

      const again = await who.subscribe(terms)
      expect(again.status, again.text).toBe(201)
      expect(again.data.subscription.id).not.toBe(ended.id)
      await app.checkout.control.act(again.data.payment.id, 'paid')
      await who.becomes(again.data.subscription.id, { status: 'active' })
      expect(await who.balance()).toBe(opening + 400)
    },
  )

  test('a declined first payment ends the plan, and a later payment on the same page starts it', async () => {
    const { who, id, paymentId } = await awaiting(app, terms)
    await app.checkout.control.act(paymentId, 'failed')
    await who.becomes(id, { status: 'expired', endReason: 'not_paid', endedAt: expect.any(String) })
    expect(await who.payment(paymentId)).toMatchObject({ status: 'failed', paidAt: null })
    expect(await who.balance()).toBe(opening)
    expectRefusal(await who.get('/subscriptions/active'), 'resource.not_found')

    await app.checkout.control.act(paymentId, 'paid')
    await who.becomes(id, { status: 'active', endReason: null, endedAt: null })
    expect(await who.payment(paymentId)).toMatchObject({ status: 'succeeded', credits: 400 })
    expect(await who.balance()).toBe(opening + 400)
    expect(await who.events()).toEqual([
      'subscription.created',
      'subscription.expired',
      'subscription.activated',
      'subscription_tier_changed',
    ])
  })

  test('a checkout without payment within an hour ends, and so does its plan', async () => {
    const { who, id, paymentId } = await awaiting(app, terms)
    app.clock.advance({ minutes: 59 })
    await app.runJob('sweep-payments')
    expect(await who.subscription(id)).toMatchObject({ status: 'pending_payment' })
    app.clock.advance({ minutes: 60 })
    await app.runJob('sweep-payments')
    await who.becomes(id, { status: 'expired', endReason: 'not_paid' })
    expect(await who.payment(paymentId)).toMatchObject({ status: 'expired' })
    const again = await who.subscribe(terms)
    expect([again.status, again.data.payment.id === paymentId]).toEqual([201, false])
  })

  test('an expired checkout is not returned again, even before a lookup', async () => {
    const { who, id, paymentId } = await awaiting(app, terms)
    app.checkout.control.misbehave('silent')
    app.clock.advance({ minutes: 60 })
    expectRefusal(await who.subscribe(terms), 'state.changed')
    await who.becomes(id, { status: 'expired', endReason: 'not_paid' })
    expect(await who.payment(paymentId)).toMatchObject({ status: 'expired' })
    expect((await who.subscribe(terms)).status).toBe(201)
  })

  test('a payment in the last minute is found before another checkout starts', async () => {
    const { who, id, paymentId } = await awaiting(app, terms)
    app.checkout.control.misbehave('silent')
    await app.checkout.control.act(paymentId, 'paid')
    app.clock.advance({ minutes: 60 })
    expectRefusal(await who.subscribe(terms), 'state.changed')
    await who.becomes(id, { status: 'active' })
    expectRefusal(await who.subscribe(terms), 'subscription.exists')
  })
})

test('a page that Paystack leaves open can still be paid after its plan ended', async () => {
  const { who, id, paymentId } = await awaiting(app)
  app.clock.advance({ minutes: 120 })
  await app.runJob('sweep-payments')
  await who.becomes(id, { status: 'expired' })
  const paidAt = app.clock.now().toISOString()
  await app.checkout.control.act(paymentId, 'paid')
  expect((await who.becomes(id, { status: 'active', endReason: null })).currentPeriod.startsAt).toBe(paidAt)
  expect(await who.balance()).toBe(opening + 400)
})

test('a payment for an ended plan is refunded if another plan was taken since', async () => {
  const { who, id, paymentId } = await awaiting(app)
  await app.checkout.control.act(paymentId, 'failed')
  await who.becomes(id, { status: 'expired' })
  const other = (await who.subscribe({ ...starter, planCode: 'growth' })).data
  await app.checkout.control.act(other.payment.id, 'paid')
  const current = await who.becomes(other.subscription.id, { status: 'active' })

  await app.checkout.control.act(paymentId, 'paid')
  await who.paymentBecomes(paymentId, { status: 'refunded', refundedMinor: 750_000, credits: 0 })
  expect(await who.subscription(id)).toMatchObject({ status: 'expired', endReason: 'not_paid' })
  expect(await who.subscription(other.subscription.id)).toEqual(current)
  expect(await who.balance()).toBe(opening + 2000)
  expect((await who.payment(other.payment.id)).status).toBe('succeeded')
})

test('without any notification the sweep finds the payment', async () => {
  const { who, id, paymentId } = await awaiting(app)
  app.checkout.control.misbehave('silent')
  await app.checkout.control.act(paymentId, 'paid')
  app.clock.advance({ minutes: 3 })
  await app.runJob('sweep-payments')
  expect(await who.subscription(id)).toMatchObject({ status: 'active' })
  expect(await who.balance()).toBe(opening + 400)
})

test('repeated notifications start the plan once', async () => {
  const { who, id, paymentId } = await awaiting(app, { ...starter, currency: 'USD' })
  app.checkout.control.misbehave('twice')
  await app.checkout.control.act(paymentId, 'paid')
  await who.becomes(id, { status: 'active' })
  await app.checkout.control.settled()
  await eventually(async () => {
    const open = await app.runtime.db.rows(sql`select id from provider_notifications where settled_at is null`)
    expect(open).toEqual([])
  })
  expect(await who.balance()).toBe(opening + 400)
  expect((await who.events()).filter((type) => type === 'subscription.activated')).toHaveLength(1)
})

test('an abandoned start ends only its own plan, never a later one', async () => {
  const { who, id, paymentId } = await awaiting(app)
  await app.checkout.control.act(paymentId, 'failed')
  await who.becomes(id, { status: 'expired' })
  const other = (await who.subscribe()).data
  const intent = {
    organisationId: who.organisationId,
    paymentId: paymentId as PaymentId,
    again: false,
    returnPath: '/',
  }
  const settle = operation({ needs: [], refuses: ['dependency.unavailable'] }, (context) =>
    subscribe.settle(context, intent, { kind: 'unknown', reason: 'the process that asked has ended' }),
  )
  const origin = { requestId: 'test', address: '', userAgent: '' }
  await expect(app.runner.run(settle, { caller: systemCaller, origin, input: undefined })).rejects.toThrow()
  expect(await who.subscription(other.subscription.id)).toMatchObject({ status: 'pending_payment', endReason: null })
})
