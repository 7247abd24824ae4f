import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { active, opening, starter, type TakenSubscription } from '../../../../../test/harness/subscriber.ts'
import { sql } from '../../../platform/database/sql.ts'
import { addMonths } from './periods.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true, now: '2025-01-31T10:00:00Z' })
})
afterAll(() => app.close())

const run = () => app.runJob('run-subscriptions')
const months = async ({ who, id }: TakenSubscription) =>
  (
    await app.runtime.db.rows<{ startsAt: Date }>(sql`
      select starts_at from subscription_allocations
       where organisation_id = ${who.organisationId} and subscription_id = ${id} order by starts_at`)
  ).map(({ startsAt }) => startsAt)

describe.each(['NGN', 'USD'] as const)('in %s', (currency) => {
  test('the stored card pays each month, without gaps or drift', async () => {
    const began = app.clock.now()
    const { who, id, paymentId } = await active(app, { ...starter, currency })
    for (const number of [2, 3]) {
      app.clock.set(addMonths(began, number - 1))
      await run()
      const seen = await who.becomes(id, { status: 'active', currentPeriod: { number } })
      const startsAt = addMonths(began, number - 1).toISOString()
      const endsAt = addMonths(began, number).toISOString()
      expect(seen.currentPeriod).toEqual({ number, startsAt, endsAt })
      expect(seen.window).toEqual({ startsAt, endsAt, credits: 400 })
      expect(await who.balance()).toBe(opening + number * 400)
    }
    const periods = await who.renewals(id)
    const paid = { status: 'paid', paymentStatus: 'succeeded', attempts: 1, planCode: 'starter', subscriptionId: id }
    expect(periods).toMatchObject([
      { ...paid, number: 3, method: 'saved_card', endsAt: addMonths(began, 3).toISOString() },
      { ...paid, number: 2, method: 'saved_card', startsAt: addMonths(began, 1).toISOString() },
      { ...paid, number: 1, method: 'checkout', paymentId, startsAt: began.toISOString() },
    ])
    expect((await who.payment(periods[0].paymentId)).kind).toBe('renewal')
    const renewal = ['subscription.past_due', 'subscription.renewed']
    expect((await who.events()).slice(3)).toEqual([...renewal, ...renewal])
  })

  test('nothing happens before the end of a period', async () => {
    const { who, id } = await active(app, { ...starter, currency })
    const { endsAt } = (await who.subscription(id)).currentPeriod
    app.clock.set(new Date(Date.parse(endsAt) - 1))
    await run()
    expect(await who.subscription(id)).toMatchObject({ status: 'active', currentPeriod: { number: 1 } })
    expect(await who.renewals(id)).toHaveLength(1)
  })
})

describe('a yearly plan', () => {
  const yearly = { ...starter, interval: 'yearly' as const }

  test('grants the credits of each month once, for any number of concurrent runs', async () => {
    const began = app.clock.now()
    const taken = await active(app, yearly)
    for (let month = 1; month < 12; month++) {
      app.clock.set(addMonths(began, month))
      await Promise.all([run(), run(), run()])
      await run()
      expect(await taken.who.balance(), `after ${month} months`).toBe(opening + 400 * (month + 1))
      expect((await taken.who.subscription(taken.id)).window).toEqual({
        startsAt: addMonths(began, month).toISOString(),
        endsAt: addMonths(began, month + 1).toISOString(),
        credits: 400,
      })
    }
    expect(await months(taken)).toEqual(Array.from({ length: 12 }, (_, month) => addMonths(began, month)))
    expect((await taken.who.payment(taken.paymentId)).credits).toBe(12 * 400)
    expect(await taken.who.renewals(taken.id)).toHaveLength(1)
  })

  test('grants the missed months after an outage', async () => {
    const began = app.clock.now()
    const taken = await active(app, yearly)
    app.clock.set(addMonths(began, 3))
    await Promise.all([run(), run()])
    expect(await taken.who.balance()).toBe(opening + 4 * 400)
    expect(await months(taken)).toEqual([0, 1, 2, 3].map((month) => addMonths(began, month)))
  })

  test('grants the last months of a year even if the job ran only after its end', async () => {
    const began = app.clock.now()
    const taken = await active(app, yearly)
    app.clock.set(addMonths(began, 12))
    await run()
    await taken.who.becomes(taken.id, { status: 'active', currentPeriod: { number: 2 } })
    expect(await months(taken)).toEqual(Array.from({ length: 13 }, (_, month) => addMonths(began, month)))
    expect(await taken.who.balance()).toBe(opening + 13 * 400)
  })

  test('grants them even if the plan ends with that year', async () => {
    const began = app.clock.now()
    const taken = await active(app, yearly)
    await taken.who.cancel(taken.id)
    app.clock.set(addMonths(began, 12))
    await run()
    expect(await taken.who.subscription(taken.id)).toMatchObject({ status: 'expired', endReason: 'cancelled' })
    expect(await months(taken)).toHaveLength(12)
    expect(await taken.who.balance()).toBe(opening + 12 * 400)
  })

  test('is charged once for the next year by three concurrent runs', async () => {
    const taken = await active(app, yearly)
    app.clock.set((await taken.who.subscription(taken.id)).currentPeriod.endsAt)
    await Promise.all([run(), run(), run()])
    await taken.who.becomes(taken.id, { status: 'active', currentPeriod: { number: 2 } })
    await run()
    await eventually(async () => {
      expect(await taken.who.renewals(taken.id)).toMatchObject([{ number: 2, attempts: 1 }, { number: 1 }])
    })
  })
})

test('a subscription that fails does not delay the others', async () => {
  const broken = await active(app)
  const sound = await active(app)
  await app.owner.run(sql`
    delete from subscription_periods where organisation_id = ${broken.who.organisationId}`)
  app.clock.set((await sound.who.subscription(sound.id)).currentPeriod.endsAt)
  await expect(run()).rejects.toThrow('could not be brought on')
  await sound.who.becomes(sound.id, { status: 'active', currentPeriod: { number: 2 } })
  expect(await broken.who.subscription(broken.id)).toMatchObject({ status: 'active', currentPeriod: { number: 1 } })
})
