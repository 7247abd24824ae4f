import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { active, awaiting, newSubscriber, opening, starter } from '../../../../../test/harness/subscriber.ts'
import type { SystemRoleName } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'
import { currencies, intervals, plans } from '../../catalogue/index.ts'
import { addMonths } from './periods.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())

const everyTerms = currencies.flatMap((currency) => intervals.map((interval) => ({ currency, interval })))
/** Number of requests to the provider other than reads. */
const started = () => app.checkout.control.requests.filter(({ method }) => method === 'POST').length
const route = '/b/v1/subscriptions/subscribe'

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test.each(everyTerms)('a plan in $currency, $interval, starts when it is paid', async (chosen) => {
    const terms = { planCode: 'growth', ...chosen }
    const price = plans
      .find(({ code }) => code === 'growth')
      ?.prices.find((one) => one.currency === chosen.currency && one.interval === chosen.interval)
    const who = await newSubscriber(app, app.client(form))
    const started = await who.subscribe({ ...terms, returnPath: '/billing/plans' })
    expect(started.status, started.text).toBe(201)
    const { subscription, payment, checkoutUrl } = started.data
    expect(started.headers.get('location')).toBe(`${started.form.prefix}/b/v1/subscriptions/${subscription.id}`)
    const amountMinor = Number(price?.amountMinor)
    expect(subscription).toMatchObject({
      ...terms,
      amountMinor,
      monthlyCredits: 2000,
      status: 'pending_payment',
      endReason: null,
      currentPeriod: null,
      window: null,
    })
    expect(payment).toMatchObject({
      kind: 'subscription',
      status: 'pending',
      amountMinor,
      currency: chosen.currency,
      provider: chosen.currency === 'NGN' ? 'paystack' : 'stripe',
      subscriptionId: subscription.id,
      checkoutUrl,
    })
    expect((await fetch(checkoutUrl)).status).toBe(200)
    expectRefusal(await who.get('/subscriptions/active'), 'resource.not_found')
    expect(await who.balance()).toBe(opening)

    const paidAt = app.clock.now()
    await app.checkout.control.act(payment.id, 'paid')
    const begun = await who.becomes(subscription.id, { status: 'active' })
    const startsAt = paidAt.toISOString()
    const monthEnd = addMonths(paidAt, 1).toISOString()
    const endsAt = addMonths(paidAt, chosen.interval === 'monthly' ? 1 : 12).toISOString()
    expect(begun.currentPeriod).toEqual({ number: 1, startsAt, endsAt })
    expect(begun.window).toEqual({ startsAt, endsAt: monthEnd, credits: 2000 })
    expect((await who.get('/subscriptions/active')).data).toEqual(begun)
    expect(await who.balance()).toBe(opening + 2000)
    expect(await who.payment(payment.id)).toMatchObject({ status: 'succeeded', credits: 2000, paidAt: startsAt })
    expect(await who.events()).toEqual(['subscription.created', 'subscription.activated', 'subscription_tier_changed'])
  })

  test('an unpaid plan returns the same checkout, and blocks other plans', async () => {
    const { who, id, paymentId } = await awaiting(app, starter, app.client(form))
    const again = await who.subscribe(starter)
    expect([again.status, again.data.payment.id, again.data.subscription.id]).toEqual([200, paymentId, id])
    for (const change of [{ planCode: 'growth' }, { interval: 'yearly' }, { currency: 'USD' }]) {
      const other = await who.subscribe({ ...starter, ...change })
      expectRefusal(other, 'subscription.exists')
      expect([other.status, other.body.error.code]).toEqual([409, 'BIZ004'])
    }
    expect((await who.get('/subscriptions/history')).data).toHaveLength(1)
  })

  test('an active plan blocks every other plan, also the same one', async () => {
    const { who } = await active(app, starter, app.client(form))
    expectRefusal(await who.subscribe(starter), 'subscription.exists')
    expectRefusal(await who.subscribe({ ...starter, planCode: 'growth' }), 'subscription.exists')
    expect((await who.get('/payments/history')).data).toHaveLength(1)
  })

  test('invalid input is refused with every fault before any request to a provider', async () => {
    const who = await newSubscriber(app, app.client(form))
    const asked = started()
    const tries: [object, string[]][] = [
      [{}, ['currency', 'interval', 'planCode']],
      [{ ...starter, planCode: 'unheard-of' }, ['planCode']],
      [{ ...starter, planCode: 'free' }, ['planCode']],
      [{ ...starter, planCode: 'x'.repeat(51) }, ['planCode']],
      [{ ...starter, interval: 'weekly' }, ['interval']],
      [{ ...starter, currency: 'EUR' }, ['currency']],
      [{ ...starter, currency: 'ngn' }, ['currency']],
      [{ ...starter, returnPath: 'https://evil.test/' }, ['returnPath']],
      [{ ...starter, returnPath: '//evil.test' }, ['returnPath']],
      [{ ...starter, returnPath: '/\\evil.test' }, ['returnPath']],
      [{ ...starter, amountMinor: 1 }, ['amountMinor']],
      [
        { planCode: 7, interval: 'daily', currency: 'EUR', returnPath: 'billing', coupon: 'x' },
        ['coupon', 'currency', 'interval', 'planCode', 'returnPath'],
      ],
    ]
    for (const [body, paths] of tries) {
      const reply = await who.subscribe(body)
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply), JSON.stringify(body)).toEqual(paths)
    }
    expect(started()).toBe(asked)
    expect((await who.get('/subscriptions/history')).data).toEqual([])
  })

  test('only people with the capability can subscribe, in live mode, and keys cannot', async () => {
    const client = app.client(form)
    const sandboxed = await app.person()
    await app.openAccount(sandboxed.organisationId)
    const fromSandbox = await client.post(route, { token: sandboxed.token, body: starter })
    expectRefusal(fromSandbox, 'live_mode.session_needed')
    expect([fromSandbox.status, fromSandbox.body.error.code]).toEqual([403, 'PERM003'])
    const { organisationId } = await app.person({ mode: 'live' })
    const key = await app.key(organisationId, { mode: 'live' })
    expectRefusal(await client.post(route, { token: key, body: starter }), 'auth.users_only')
    const mayNot: SystemRoleName[] = ['ACCOUNTANT', 'DEVELOPER', 'MEMBER', 'VIEWER']
    for (const role of mayNot) {
      const { token } = await app.member(organisationId, role, { mode: 'live' })
      expectRefusal(await client.post(route, { token, body: starter }), 'auth.capability_missing')
    }
    const admin = await app.member(organisationId, 'ADMIN', { mode: 'live' })
    expect((await client.post(route, { token: admin.token, body: starter })).status).toBe(201)
  })

  test('a repeated Idempotency-Key gets the original reply, and is refused with another body', async () => {
    const who = await newSubscriber(app, app.client(form))
    const key = { 'idempotency-key': randomUUID() }
    const first = await who.subscribe(starter, key)
    expect(first.status).toBe(201)
    const again = await who.subscribe(starter, key)
    expect([again.status, again.data]).toEqual([201, first.data])
    const other = await who.subscribe({ ...starter, planCode: 'growth' }, key)
    expectRefusal(other, 'idempotency.body_differs')
    expect([other.status, other.body.error.code]).toEqual([409, 'BIZ107'])
    expect((await who.get('/payments/history')).data).toHaveLength(1)
  })
})

test('two concurrent subscriptions share a checkout', async () => {
  const who = await newSubscriber(app)
  const replies = await Promise.all([who.subscribe(), who.subscribe(), who.subscribe()])
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const reply of replies.filter(({ status }) => status !== 201))
    if (reply.status !== 200) expectRefusal(reply, 'state.changed')
  expect((await who.get('/subscriptions/history')).data).toHaveLength(1)
})

test('every change of the plan emits an event', async () => {
  const { who, id, paymentId } = await active(app, { ...starter, planCode: 'business' })
  await app.checkout.control.refund(paymentId)
  await who.becomes(id, { status: 'expired' })
  const told = await app.runtime.db.rows<{ data: object; mode: string | null }>(sql`
    select data, mode from events
     where organisation_id = ${who.organisationId} and type = 'organization.subscription_tier_changed' order by position`)
  expect(told).toEqual([
    { data: { planCode: 'business' }, mode: null },
    { data: { planCode: 'free' }, mode: null },
  ])
})
