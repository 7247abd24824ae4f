import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { capturedLog, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import {
  becomes,
  buyer,
  currencies,
  eventsAbout,
  movesOf,
  order,
  paymentState,
} from '../../../../../test/harness/purchases.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
const logged = capturedLog()
beforeAll(async () => {
  app = await startTestApp({ checkout: true, log: logged.log })
})
afterAll(() => app.close())
afterEach(() => expectBooksInOrder(app))

/** Error log lines about a payment. */
const complaints = (id: string): { level: string; reason: string }[] =>
  logged
    .text()
    .split('\n')
    .filter((line) => line.includes('payment.contradicted') && line.includes(id))
    .map((line) => JSON.parse(line))

async function expectNothingMoved(organisationId: OrganisationId, id: string, reason: string): Promise<void> {
  await eventually(async () => expect(complaints(id)[0]).toMatchObject({ level: 'error', reason }))
  expect(await paymentState(app, id)).toMatchObject({ status: 'pending', grantedCredits: 0n })
  expect(await movesOf(app, organisationId)).toEqual([])
  expect((await eventsAbout(app, id)).map(({ type }) => type)).toEqual(['billing.payment.created'])
}

describe.each(currencies)('a payment in %s that does not match the order', (currency) => {
  const other = currency === 'NGN' ? 'USD' : 'NGN'

  test.each([
    [
      'less was paid',
      (id: string) => sql`update payments set amount_minor = amount_minor + 1 where id = ${id}`,
      'amount',
    ],
    [
      'more was paid',
      (id: string) => sql`update payments set amount_minor = amount_minor - 1 where id = ${id}`,
      'amount',
    ],
    ['other money was paid', (id: string) => sql`update payments set currency = ${other} where id = ${id}`, 'currency'],
  ])('%s: no credits move, and the log reports it', async (_what, change, reason) => {
    const person = await buyer(app)
    const id = await order(app, person, { currency })
    await app.runtime.db.run(change(id))
    await app.checkout.control.act(id, 'paid')
    await expectNothingMoved(person.organisationId, id, reason)
  })

  test('test money for a live order grants nothing until it is corrected', async () => {
    const person = await buyer(app)
    const id = await order(app, person, { currency })
    const provider = app.runtime.ports.checkoutProviders.forCurrency(currency) as { live: boolean }
    provider.live = true
    try {
      await app.checkout.control.act(id, 'paid')
      await expectNothingMoved(person.organisationId, id, 'mode')
    } finally {
      provider.live = false
    }
    app.clock.advance({ minutes: 10 })
    await app.runJob('sweep-payments')
    await becomes(app, id, { status: 'succeeded', grantedCredits: 100n })
  })
})

test('another payment under the same reference grants nothing', async () => {
  const [person, other] = [await buyer(app), await buyer(app)]
  const [id, paid] = [await order(app, person, { currency: 'USD' }), await order(app, other, { currency: 'USD' })]
  await app.checkout.control.act(paid, 'paid')
  await becomes(app, paid, { status: 'succeeded' })
  const { handle } = await app.runtime.db.one<{ handle: string }>(sql`select handle from payments where id = ${paid}`)
  await app.runtime.db.run(sql`update payments set handle = ${handle} where id = ${id}`)
  await app.checkout.control.act(id, 'paid')
  await expectNothingMoved(person.organisationId, id, 'reference')
  expect(await movesOf(app, other.organisationId)).toEqual([['purchase', 100]])
})

test('a paid payment keeps its credits if later answers contradict it', async () => {
  const person = await buyer(app)
  const id = await order(app, person)
  await app.checkout.control.act(id, 'paid')
  await becomes(app, id, { status: 'succeeded', grantedCredits: 100n })
  await app.runtime.db.run(sql`update payments set amount_minor = amount_minor + 1 where id = ${id}`)
  await app.checkout.control.refund(id)
  await eventually(async () => expect(complaints(id)[0]).toMatchObject({ reason: 'amount' }))
  expect(await paymentState(app, id)).toMatchObject({ status: 'succeeded', grantedCredits: 100n, refundedMinor: 0n })
})
