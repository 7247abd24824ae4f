import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { becomes, buyer, currencies, liveBalance, order, paymentState } from '../../../../../test/harness/purchases.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
  app.checkout.control.misbehave('silent')
})
afterAll(() => app.close())

const permutations = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) => permutations(items.filter((one) => one !== item)).map((rest) => [item, ...rest]))
const orders = permutations([0, 1, 2, 3])
/** Many orders lead to the same sequence, so the ordinary run tries a third of them. */
const someOrders = orders.filter((_, at) => at % casesToTry(3, 1) === 0)

/** The provider's side, in its only possible order. A quarter is refunded. */
const happenings: readonly ((id: string, amount: bigint) => Promise<void>)[] = [
  (id) => app.checkout.control.act(id, 'paid'),
  (id, amount) => app.checkout.control.refund(id, amount / 4n),
  (id) => app.checkout.control.openDispute(id),
  (id) => app.checkout.control.closeDispute(id, true),
]

/** Makes one thing happen and returns the numbers of its notifications. */
async function happen(at: number, id: string, amount: bigint): Promise<number[]> {
  const { notifications } = app.checkout.control
  const from = notifications.length
  const done = (happenings[at] as (typeof happenings)[number])(id, amount)
  const told = Array.from({ length: notifications.length - from }, (_, more) => from + more)
  await done
  expect(told).not.toEqual([])
  return told
}

async function deliver(told: readonly number[]): Promise<void> {
  for (const index of told) expect(await app.checkout.control.resend(index)).toBe(200)
}

async function beginOrder(currency: (typeof currencies)[number]) {
  const person = await buyer(app)
  const id = await order(app, person, { currency })
  const { amountMinor } = await paymentState(app, id)
  return { organisationId: person.organisationId, id, amount: amountMinor }
}
type BegunOrder = Awaited<ReturnType<typeof beginOrder>>

/** The end never depends on the order: paid, a quarter refunded, the dispute won. */
async function expectSameEnd({ organisationId, id, amount }: BegunOrder, sequence: readonly number[]): Promise<void> {
  await becomes(app, id, { status: 'partially_refunded', refundedMinor: amount / 4n, grantedCredits: 75n })
  const row = sql`select status, refunded_minor, credits, granted_credits, paid_at, ended_at from payments where id = ${id}`
  const end = { status: 'partially_refunded', refundedMinor: amount / 4n, credits: 100n, grantedCredits: 75n }
  expect(await app.runtime.db.one(row), `${sequence}`).toEqual({ ...end, paidAt: app.clock.now(), endedAt: null })
  expect(await liveBalance(app, organisationId), `${sequence}`).toEqual({ available: 125, owed: 0, spent: 0 })
}

/** Waits until every stored notification is processed and no look is in progress. */
const settled = () =>
  eventually(async () => {
    const open = sql`select (select count(*) from provider_notifications where outcome is null)
                          + (select count(*) from exchanges where settled_at is null) + (select count(*) from jobs where queue <> 'schedule') as n`
    expect(await app.runtime.db.one(open)).toEqual({ n: 0n })
  })

describe.each(currencies)('notifications of payments in %s', (currency) => {
  test('lead to the same result in many orders', async () => {
    const begun = await Promise.all(someOrders.map(() => beginOrder(currency)))
    await Promise.all(
      someOrders.map(async (sequence, at) => {
        const { id, amount } = begun[at] as BegunOrder
        const told: number[][] = []
        for (const index of happenings.keys()) told.push(await happen(index, id, amount))
        for (const index of sequence) await deliver(told[index] as number[])
      }),
    )
    await settled()
    for (const [at, sequence] of someOrders.entries()) await expectSameEnd(begun[at] as BegunOrder, sequence)
    await expectBooksInOrder(app)
  })

  test('lead to the same result in many orders during further changes', async () => {
    const begun = await Promise.all(someOrders.map(() => beginOrder(currency)))
    await Promise.all(
      someOrders.map(async (sequence, at) => {
        const { id, amount } = begun[at] as BegunOrder
        const told: number[][] = []
        const waiting = [...sequence]
        const underway: Promise<void>[] = []
        for (const index of happenings.keys()) {
          told[index] = await happen(index, id, amount)
          // Sends every notification that is next in this order and exists by now, without waiting for the rest.
          while (waiting[0] !== undefined && told[waiting[0]])
            underway.push(deliver(told[waiting.shift() as number] as number[]))
        }
        await Promise.all(underway)
      }),
    )
    await settled()
    for (const [at, sequence] of someOrders.entries()) await expectSameEnd(begun[at] as BegunOrder, sequence)
    await expectBooksInOrder(app)
  })

  test('show every state in turn if each comes before the next change', async () => {
    const begun = await beginOrder(currency)
    const shown = [
      ['succeeded', 100n],
      ['partially_refunded', 75n],
      ['disputed', 0n],
      ['partially_refunded', 75n],
    ] as const
    for (const [index, [status, grantedCredits]] of shown.entries()) {
      await deliver(await happen(index, begun.id, begun.amount))
      await becomes(app, begun.id, { status, grantedCredits })
      await expectBooksInOrder(app)
    }
    await expectSameEnd(begun, [0, 1, 2, 3])
  })

  test('lead to the same result if only the last one arrives', async () => {
    const begun = await beginOrder(currency)
    let last: number[] = []
    for (const index of happenings.keys()) last = await happen(index, begun.id, begun.amount)
    await deliver(last)
    await expectSameEnd(begun, [3])
    await expectBooksInOrder(app)
  })
})
