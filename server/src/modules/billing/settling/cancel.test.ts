import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import {
  active,
  awaiting,
  newSubscriber,
  opening,
  overdue,
  starter,
  type TakenSubscription,
} from '../../../../../test/harness/subscriber.ts'
import type { SystemRoleName } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CheckoutProvider } from '../payments/checkout-provider.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())
afterEach(() => app.checkout.control.misbehave(undefined))

async function atPeriodEnd({ who, id }: TakenSubscription): Promise<void> {
  app.clock.set((await who.subscription(id)).currentPeriod.endsAt)
  await app.runJob('run-subscriptions')
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('a cancelled active plan ends with its period, and grants no more credits', async () => {
    const taken = await active(app, starter, app.client(form))
    const { who, id } = taken
    const cancelled = await who.cancel(id, { reason: 'Too dear' })
    expect(cancelled.status).toBe(200)
    expect(cancelled.data).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, cancelReason: 'Too dear' })
    expect((await who.get('/subscriptions/active')).data).toEqual(cancelled.data)

    await atPeriodEnd(taken)
    expect(await who.subscription(id)).toMatchObject({
      status: 'expired',
      endReason: 'cancelled',
      endedAt: app.clock.now().toISOString(),
      window: null,
    })
    app.clock.advance({ days: 40 })
    await app.runJob('run-subscriptions')
    expect(await who.balance()).toBe(opening + 400)
    expect((await who.get('/payments/history')).data).toHaveLength(1)
    expectRefusal(await who.get('/subscriptions/active'), 'resource.not_found')
    expect((await who.events()).slice(3)).toEqual([
      'subscription.cancelled',
      'subscription.expired',
      'subscription_tier_changed',
    ])
    const again = await who.cancel(id)
    expectRefusal(again, 'subscription.not_cancellable')
    expect([again.status, again.body.error.code]).toEqual([409, 'BIZ004'])
    expectRefusal(await who.resume(id), 'subscription.not_cancelled')
  })

  test('a second cancellation changes nothing, and resuming undoes it', async () => {
    const taken = await active(app, starter, app.client(form))
    const { who, id } = taken
    expectRefusal(await who.resume(id), 'subscription.not_cancelled')
    const first = await who.cancel(id, { reason: 'x'.repeat(500) })
    expect(first.data.cancelReason).toHaveLength(500)
    const second = await who.cancel(id, { reason: 'another' })
    expect([second.status, second.data]).toEqual([200, first.data])
    const resumed = await who.resume(id)
    expect([resumed.status, resumed.data]).toMatchObject([
      200,
      { status: 'active', cancelAtPeriodEnd: false, cancelReason: null },
    ])
    const again = await who.resume(id)
    expectRefusal(again, 'subscription.not_cancelled')
    expect([again.status, again.body.error.code]).toEqual([409, 'BIZ004'])
    expect((await who.events()).slice(3)).toEqual(['subscription.cancelled', 'subscription.resumed'])
    await atPeriodEnd(taken)
    await who.becomes(id, { status: 'active', currentPeriod: { number: 2 } })
  })

  test('the reason is a short text, and other fields are refused', async () => {
    const { who, id } = await active(app, starter, app.client(form))
    for (const [body, paths] of [
      [{ reason: 'x'.repeat(501) }, ['reason']],
      [{ reason: 5 }, ['reason']],
      [{ reason: 'ok', atOnce: true }, ['atOnce']],
    ] as const) {
      const reply = await who.cancel(id, body)
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(paths)
    }
    expect(await who.subscription(id)).toMatchObject({ cancelAtPeriodEnd: false, cancelReason: null })
  })

  test('cancelling and resuming need the capability, in the own organisation', async () => {
    const client = app.client(form)
    const { who, id } = await active(app, starter, client)
    const stranger = await newSubscriber(app, client)
    for (const other of [id, randomUUID()])
      for (const act of [stranger.cancel, stranger.resume, stranger.renew])
        expectRefusal(await act(other), 'resource.not_found')
    expectRefusal(await stranger.get(`/subscriptions/${id}`), 'resource.not_found')
    const roles: SystemRoleName[] = ['ACCOUNTANT', 'DEVELOPER', 'MEMBER', 'VIEWER']
    for (const role of roles) {
      const { token } = await app.member(who.organisationId, role, { mode: 'live' })
      expectRefusal(
        await client.put(`/b/v1/subscriptions/${id}/cancel`, { token, body: {} }),
        'auth.capability_missing',
      )
      expectRefusal(await client.put(`/b/v1/subscriptions/${id}/resume`, { token }), 'auth.capability_missing')
    }
    const key = await app.key(who.organisationId, { mode: 'live' })
    expectRefusal(await client.put(`/b/v1/subscriptions/${id}/cancel`, { token: key, body: {} }), 'auth.users_only')
    // Cancelling moves no money, so a sandbox session may do it.
    const admin = await app.member(who.organisationId, 'ADMIN', { mode: 'sandbox' })
    const cancelled = await client.put(`/b/v1/subscriptions/${id}/cancel`, { token: admin.token, body: {} })
    expect(cancelled.data).toMatchObject({ cancelAtPeriodEnd: true, cancelReason: null })
  })

  test('an overdue plan ends at once', async () => {
    const { who, id } = await overdue(app, starter, app.client(form))
    const cancelled = await who.cancel(id, { reason: 'No longer needed' })
    expect(cancelled.data).toMatchObject({
      status: 'expired',
      endReason: 'cancelled',
      cancelReason: 'No longer needed',
      endedAt: app.clock.now().toISOString(),
    })
    app.clock.advance({ days: 6 })
    await app.runJob('run-subscriptions')
    expect(await who.renewals(id)).toMatchObject([{ number: 2, status: 'unpaid', attempts: 1 }, { number: 1 }])
    expect((await who.subscribe()).status).toBe(201)
  })
})

test('a payment after the cancellation, on a page that cannot be closed, is refunded', async () => {
  const { who, id, paymentId } = await awaiting(app, { ...starter, currency: 'NGN' })
  await who.cancel(id)
  await app.checkout.control.act(paymentId, 'paid')
  await eventually(async () => {
    await app.runJob('sweep-payments')
    expect(await who.payment(paymentId)).toMatchObject({ status: 'refunded', credits: 0 })
  })
  expect(await who.subscription(id)).toMatchObject({ status: 'expired', endReason: 'cancelled' })
  expect(await who.balance()).toBe(opening)
})

test('a refund that is confirmed after a sweep gave up is made once', async () => {
  const { who, id, paymentId } = await awaiting(app, { ...starter, currency: 'NGN' })
  await who.cancel(id)
  const { checkoutProviders } = app.runtime.ports
  const named = checkoutProviders.named
  const confirmed = Promise.withResolvers<void>()
  let asked = 0
  const slowly = vi.spyOn(checkoutProviders, 'named').mockImplementation((name) => {
    const provider = named(name)
    const refund: CheckoutProvider['refund'] = async (...order) => {
      asked++
      await confirmed.promise
      await provider?.refund(...order)
    }
    return provider && { ...provider, refund }
  })
  try {
    await app.checkout.control.act(paymentId, 'paid')
    await eventually(async () => expect(asked).toBe(1))
    // The first caller counts as dead, and the provider knows of no refund.
    const exchange = async () =>
      await app.runtime.db.one<{ outcome: string | null; isLate: boolean }>(sql`
        select outcome, late_at is not null as is_late from exchanges
         where name = 'return-money' and intent ->> 'paymentId' = ${paymentId}`)
    await app.owner.run(sql`
      update exchanges set abandoned_after = now() - interval '1 second' where name = 'return-money' and settled_at is null`)
    await app.runJob('settle-exchanges')
    expect(await exchange()).toEqual({ outcome: 'unknown', isLate: false })
    expect(await who.payment(paymentId)).not.toMatchObject({ status: 'refunded' })
    confirmed.resolve()
    await eventually(async () => expect(await exchange()).toEqual({ outcome: 'unknown', isLate: true }))
  } finally {
    confirmed.resolve()
    slowly.mockRestore()
  }
  await eventually(async () => {
    await app.runJob('sweep-payments')
    expect(await who.payment(paymentId)).toMatchObject({ status: 'refunded', credits: 0 })
  })
  await app.runJob('settle-exchanges')
  await app.quiet()
  const returned = app.checkout.control.notifications.filter(
    ({ type, body }) => type === 'refund.processed' && body.includes(paymentId),
  )
  expect([asked, returned.length, await who.balance()]).toEqual([1, 1, opening])
})

describe.each(['NGN', 'USD'] as const)('while the first payment is awaited in %s', (currency) => {
  const terms = { ...starter, currency }

  test('an unpaid plan and its checkout end now', async () => {
    const { who, id, paymentId } = await awaiting(app, terms)
    const cancelled = await who.cancel(id, { reason: 'Wrong plan' })
    expect(cancelled.status, cancelled.text).toBe(200)
    expect(cancelled.data).toMatchObject({ status: 'expired', endReason: 'cancelled', cancelReason: 'Wrong plan' })
    expect(await who.payment(paymentId)).toMatchObject({ status: 'expired' })
    const page = app.checkout.control.act(paymentId, 'abandoned')
    if (currency === 'USD') await expect(page).rejects.toThrow('expired')
    else await page
    expectRefusal(await who.cancel(id), 'subscription.not_cancellable')
    expect((await who.subscribe({ ...terms, planCode: 'growth' })).status).toBe(201)
  })

  test('a plan whose payment the provider reports as paid is not cancelled, and starts', async () => {
    const { who, id, paymentId } = await awaiting(app, terms)
    const before = await who.subscription(id)
    app.checkout.control.misbehave('silent')
    await app.checkout.control.act(paymentId, 'paid')
    const refused = await who.cancel(id, { reason: 'Changed my mind' })
    expectRefusal(refused, 'subscription.already_paid')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    const begun = await who.becomes(id, { status: 'active' })
    expect(begun).toEqual({ ...before, status: 'active', currentPeriod: expect.anything(), window: expect.anything() })
    expect(await who.balance()).toBe(opening + 400)
    expect((await who.cancel(id)).data).toMatchObject({ cancelAtPeriodEnd: true, cancelReason: null })
  })

  test('without an answer of the provider, nothing changes', async () => {
    const { who, id, paymentId } = await awaiting(app, terms)
    const before = await who.subscription(id)
    for (const fault of ['down', 'nonsense'] as const) {
      app.checkout.control.misbehave(fault)
      expectRefusal(await who.cancel(id, { reason: 'Changed my mind' }), 'dependency.unavailable')
      expect(await who.subscription(id)).toEqual(before)
      expect((await who.payment(paymentId)).status).toBe('pending')
    }
    app.checkout.control.misbehave(undefined)
    expect((await who.cancel(id)).data).toMatchObject({ status: 'expired', cancelReason: null })
  })
})
