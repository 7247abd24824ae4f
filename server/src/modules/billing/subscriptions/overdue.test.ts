import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { sessionAgain } from '../../../../../test/harness/session-again.ts'
import { active, awaiting, opening, overdue, starter } from '../../../../../test/harness/subscriber.ts'
import { businessDay } from '../../../kernel/days.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())

const run = () => app.runJob('run-subscriptions')
const subjects = async (email: string, atLeast: number) =>
  (await app.mailTo(email, atLeast)).map(({ subject }) => subject).reverse()
const failed = 'Your plan could not be renewed'

describe.each(['NGN', 'USD'] as const)('a card that is declined in %s', (currency) => {
  test('makes the plan overdue, with tries on days 0, 5 and 10, and the plan ends after 14 days', async () => {
    const taken = await overdue(app, { ...starter, currency })
    const { who, id } = taken
    const began = app.clock.now()
    const after = (days: number, ms = 0) => new Date(began.getTime() + days * 86_400_000 + ms)
    const seen = (await who.get('/subscriptions/active')).data
    expect(seen).toMatchObject({
      id,
      status: 'past_due',
      window: null,
      currentPeriod: { number: 2, startsAt: began.toISOString() },
    })
    expect((await who.events()).slice(3)).toEqual(['subscription.past_due', 'subscription.payment_failed'])
    const [first] = await app.mailTo(who.email)
    expect(first?.subject).toBe(failed)
    expect(first?.text).toContain(businessDay(after(14), 'Africa/Lagos'))

    const attemptsAt = async (moment: Date, attempts: number) => {
      app.clock.set(moment)
      await run()
      await eventually(async () => {
        const [latest] = await who.renewals(id)
        expect(latest).toMatchObject({ number: 2, status: 'unpaid', attempts, paymentStatus: 'failed' })
      })
    }
    await attemptsAt(after(5, -1), 1)
    await attemptsAt(after(5), 2)
    await attemptsAt(after(10, -1), 2)
    await attemptsAt(after(10), 3)
    await attemptsAt(after(14, -1), 3)
    expect(await who.subscription(id)).toMatchObject({ status: 'past_due' })
    expect(await subjects(who.email, 3)).toEqual([failed, failed, failed])

    app.clock.set(after(14))
    await run()
    expect(await who.subscription(id)).toMatchObject({
      status: 'expired',
      endReason: 'overdue',
      endedAt: after(14).toISOString(),
    })
    expect(await subjects(who.email, 4)).toEqual([failed, failed, failed, 'Your plan has ended'])
    expect((await who.events()).slice(4)).toEqual([
      'subscription.payment_failed',
      'subscription.payment_failed',
      'subscription.payment_failed',
      'subscription.payment_failed_final',
      'subscription.expired',
      'subscription_tier_changed',
    ])
    expect(await who.balance()).toBe(opening + 400)
    expectRefusal(await who.renew(id), 'subscription.not_overdue')
  })

  test('can be paid by hand, and the period counts from its due date', async () => {
    const { who, id } = await overdue(app, { ...starter, currency })
    const due = (await who.subscription(id)).currentPeriod
    app.clock.advance({ days: 3 })
    const started = await who.renew(id, { returnPath: '/billing' })
    expect(started.status, started.text).toBe(201)
    const { payment, checkoutUrl, subscription } = started.data
    expect(subscription).toMatchObject({ id, status: 'past_due' })
    expect(payment).toMatchObject({ kind: 'renewal', status: 'pending', subscriptionId: id, checkoutUrl })
    expect(started.headers.get('location')).toBe(`${started.form.prefix}/b/v1/payments/${payment.id}`)
    const again = await who.renew(id)
    expect([again.status, again.data.payment.id]).toEqual([200, payment.id])

    await app.checkout.control.act(payment.id, 'paid')
    const renewed = await who.becomes(id, { status: 'active' })
    expect(renewed.currentPeriod).toEqual(due)
    expect(renewed.window).toEqual({ startsAt: due.startsAt, endsAt: due.endsAt, credits: 400 })
    expect(await who.balance()).toBe(opening + 800)
    expect(await who.renewals(id)).toMatchObject([
      { number: 2, status: 'paid', method: 'checkout', paymentId: payment.id, attempts: 2 },
      { number: 1, status: 'paid' },
    ])
    expect((await who.events()).at(-1)).toBe('subscription.renewed')

    // From now on the card of the new checkout is the saved one.
    app.clock.set(due.endsAt)
    await run()
    await who.becomes(id, { status: 'active', currentPeriod: { number: 3, startsAt: due.endsAt } })
    expect((await who.renewals(id))[0]).toMatchObject({ number: 3, method: 'saved_card', attempts: 1 })
  })
})

describe.each(['A', 'B'] as const)('paying by hand through form %s', (form) => {
  test('can be paid by hand only while overdue', async () => {
    const running = await active(app, starter, app.client(form))
    const waiting = await awaiting(app, starter, app.client(form))
    for (const { who, id } of [running, waiting]) {
      const refused = await who.renew(id)
      expectRefusal(refused, 'subscription.not_overdue')
      expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    }
  })

  test('needs a live session with the capability and valid input, and a repeated key gets the same reply', async () => {
    const client = app.client(form)
    const { who, id } = await overdue(app, starter, client)
    const route = `/b/v1/subscriptions/${id}/renew`
    const owner = await app.member(who.organisationId, 'OWNER', { mode: 'sandbox' })
    expectRefusal(await client.post(route, { token: owner.token, body: {} }), 'live_mode.session_needed')
    const viewer = await app.member(who.organisationId, 'VIEWER', { mode: 'live' })
    expectRefusal(await client.post(route, { token: viewer.token, body: {} }), 'auth.capability_missing')
    const key = await app.key(who.organisationId, { mode: 'live' })
    expectRefusal(await client.post(route, { token: key, body: {} }), 'auth.users_only')
    const bad = await who.renew(id, { returnPath: 'http://evil.test', period: 3 })
    expectRefusal(bad, 'request.invalid')
    expect(faultPaths(bad)).toEqual(['period', 'returnPath'])

    const { token } = await sessionAgain(app, owner)
    const headers = { 'idempotency-key': randomUUID() }
    const first = await client.post(route, { token, body: {}, headers })
    const again = await client.post(route, { token, body: {}, headers })
    expect([first.status, again.status, again.data]).toEqual([201, 201, first.data])
    const other = await client.post(route, { token, body: { returnPath: '/x' }, headers })
    expectRefusal(other, 'idempotency.body_differs')
    expect(other.body.error.code).toBe('BIZ107')
  })
})

test('cannot be paid by hand while the provider is down, and the plan stays overdue', async () => {
  const { who, id } = await overdue(app)
  app.checkout.control.misbehave('down')
  expectRefusal(await who.renew(id), 'dependency.unavailable')
  app.checkout.control.misbehave(undefined)
  expect(await who.subscription(id)).toMatchObject({ status: 'past_due' })
  expect((await who.renew(id)).status).toBe(201)
})

test('the card is not charged during a payment by hand', async () => {
  const { who, id } = await overdue(app)
  app.clock.advance({ days: 4, hours: 23, minutes: 30 })
  const { payment } = (await who.renew(id)).data
  app.clock.advance({ minutes: 31 })
  await run()
  expect((await who.renewals(id))[0]).toMatchObject({ attempts: 2, paymentId: payment.id, paymentStatus: 'pending' })
  app.clock.advance({ hours: 2 })
  await app.runJob('sweep-payments')
  await who.paymentBecomes(payment.id, { status: 'expired' })
  await run()
  await eventually(async () =>
    expect((await who.renewals(id))[0]).toMatchObject({ attempts: 3, paymentStatus: 'failed' }),
  )
})

test('without a stored card, a mail asks for payment', async () => {
  const { who, id } = await active(app)
  await app.runtime.db.run(sql`
    update subscriptions set sealed_authorisation = null where organisation_id = ${who.organisationId} and id = ${id}`)
  app.clock.set((await who.subscription(id)).currentPeriod.endsAt)
  await run()
  expect(await who.subscription(id)).toMatchObject({ status: 'past_due' })
  expect(await subjects(who.email, 1)).toEqual([failed])
  app.clock.advance({ days: 5 })
  await run()
  expect(await subjects(who.email, 2)).toEqual([failed, failed])
  expect(await who.renewals(id)).toMatchObject([{ number: 2, attempts: 0, method: null, paymentId: null }, {}])
  const { payment } = (await who.renew(id)).data
  await app.checkout.control.act(payment.id, 'paid')
  await who.becomes(id, { status: 'active', currentPeriod: { number: 2 } })
})

test('an expired checkout for a payment by hand is not returned again', async () => {
  const { who, id } = await overdue(app, { ...starter, currency: 'USD' })
  const { payment } = (await who.renew(id)).data
  // The sweep of the current minute would find it first.
  await app.stopWork()
  app.clock.advance({ minutes: 60 })
  expectRefusal(await who.renew(id), 'state.changed')
  await app.startWork()
  await who.paymentBecomes(payment.id, { status: 'expired' })
  const again = await who.renew(id)
  expect([again.status, again.data.subscription.status]).toEqual([201, 'past_due'])
})

test('mails show dates of Lagos', async () => {
  app.clock.set('2028-01-31T23:30:00Z')
  const { who } = await overdue(app)
  expect(app.clock.now()).toEqual(new Date('2028-02-29T23:30:00Z'))
  const [mail] = await app.mailTo(who.email)
  expect(mail?.text).toContain('began on 2028-03-01')
  expect(mail?.text).toContain('before 2028-03-15')
})
