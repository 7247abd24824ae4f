import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { type Collector, collectionPath, collector, ownBankAccount } from '../../../../../test/harness/collection.ts'
import {
  manyBankAccounts,
  type ProvidersApp,
  payer,
  startProvidersApp,
} from '../../../../../test/harness/collection-providers.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { lifeOf, ok } from '../../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { sql } from '../../../platform/database/sql.ts'
import { takeSettlement } from './take-settlement.ts'

let run: ProvidersApp
beforeAll(async () => {
  run = await startProvidersApp()
})
afterAll(() => run.close())
afterEach(() => {
  for (const { ledger } of [run.simulator.monnify, run.simulator.paystack]) ledger.emptyBalance = false
  run.app.bank.control.behave({})
})

const day = 86_400_000
const names = ['sandbox', 'monnify', 'paystack'] as const
type Name = (typeof names)[number]
/** The simulated providers' fee on 1,000.00. */
const fees: Record<Name, number> = { sandbox: 500, monnify: 1_000, paystack: 1_000 }

/** Runs work as if this much time had passed. */
async function at<T>(laterMs: number, work: () => Promise<T>): Promise<T> {
  const now = run.app.clock.now()
  run.app.clock.set(new Date(now.getTime() + laterMs))
  try {
    return await work()
  } finally {
    run.app.clock.set(now)
  }
}
const open = async (own: Collector, name: Name, more: object = {}) =>
  ok(await own.tryToOpen({ preferredProvider: name, customer: payer, ...more }), 201)

/** A payer pays, and the payment is recorded. */
async function paid(own: Collector, name: Name, accountNumber: string, amountMinor: number): Promise<ListedPayment> {
  const { ledger } = run.simulator[name === 'sandbox' ? 'monnify' : name]
  const reference =
    name === 'sandbox'
      ? run.app.bank.control.receive({ accountNumber, amountMinor }).reference
      : ledger.receive({ number: accountNumber, amountMinor }).reference
  await run.app.runJob('sweep-collection')
  return await own.payment(reference)
}
interface ListedPayment {
  readonly id: string
  readonly providerReference: string
}
const payOut = (name: Name): void => {
  if (name === 'sandbox') run.app.bank.control.settle()
  else run.simulator[name].settle()
}
const read = async (own: Collector, path: string, form: 'A' | 'B' = 'A') =>
  ok(await run.app.client(form).get(`${collectionPath}${path}`, { token: own.token }))
const settlementEvents = (own: Collector) =>
  run.app.runtime.db.rows<{ data: Record<string, unknown> }>(sql`
    select data from events where organisation_id = ${own.organisationId} and type = 'collection.settlement_updated' order by position`)
/** Exceptions about payouts. */
const exceptions = async (own: Collector, form: 'A' | 'B' = 'A') => {
  const found: { id: string; differences: { kind: string }[] }[] = await read(own, '/exceptions', form)
  return found.flatMap(({ id, differences }) => differences.map((difference) => ({ id, ...difference })))
}

describe.each(names)('%s', (name) => {
  test('a payout is found, emits an event, and explains the payments of its day, in both forms', async () => {
    const own = await collector(run.app)
    const { accountNumber } = await open(own, name)
    const payment = await paid(own, name, accountNumber, 100_000)
    const waiting = (await read(own, '/settlements/days'))[0]
    expect(waiting).toMatchObject({
      sellerId: own.sellerId,
      provider: name,
      paymentCount: 1,
      receivedMinor: 100_000,
      settledMinor: 0,
      outstandingMinor: 100_000,
      status: 'waiting',
    })
    payOut(name)
    await at(60_000, () => run.app.runJob('follow-sandbox-settlements'))
    const fee = fees[name]
    for (const form of ['A', 'B'] as const) {
      const [settlement, ...more] = await eventually(async () => {
        const found = await read(own, '/settlements', form)
        expect(found).not.toEqual([])
        return found
      })
      expect(more).toEqual([])
      expect(settlement).toMatchObject({
        sellerId: own.sellerId,
        provider: name,
        status: 'settled',
        currency: 'NGN',
        amountMinor: 100_000 - fee,
        feeMinor: fee,
        paymentCount: 1,
        settledAt: expect.any(String),
      })
      expect(await read(own, `/settlements/days?sellerId=${own.sellerId}`, form)).toEqual([
        { ...waiting, settledMinor: 100_000 - fee, feeMinor: fee, outstandingMinor: 0, status: 'settled' },
      ])
    }
    const told = (await settlementEvents(own)).map(({ data }) => data).filter(({ change }) => change === 'settled')
    expect(told).toEqual([
      expect.objectContaining({ provider: name, status: 'settled', amountMinor: 100_000 - fee, feeMinor: fee }),
    ])
    // A second run changes nothing.
    await at(60_000, () => run.app.runJob('follow-sandbox-settlements'))
    expect(await read(own, '/settlements')).toHaveLength(1)

    const refunded = ok(await own.act(`/payments/${payment.id}/refund`, { amount: 100 }))
    expect(refunded.refund.paidFrom).toMatch(
      /was paid out to the seller’s bank account on \d{4}-\d{2}-\d{2}, so the refund is paid from the operator’s balance at /,
    )
  })

  test.each(['A', 'B'] as const)(
    'form %s: a refund without funds is refused with a remedy, and moves no money',
    async (form) => {
      const own = await collector(run.app)
      const { accountNumber } = await open(own, name)
      const payment = await paid(own, name, accountNumber, 100_000)
      payOut(name)
      await at(60_000, () => run.app.runJob('follow-sandbox-settlements'))
      if (name === 'sandbox') run.app.bank.control.behave({ emptyBalance: true })
      else run.simulator[name].ledger.emptyBalance = true
      const refused = await own.act(`/payments/${payment.id}/refund`, { amount: 200 }, form)
      expectRefusal(refused, 'collection.refund.no_balance')
      expect(refused.body.error.message).toMatch(
        /balance at .+ is too low to pay this refund.+(Insufficient|not enough)/,
      )
      expect(refused.body.error.message).toMatch(/The operator must top the balance up/)
      expect(refused.body.error.message).toMatch(/was paid out to the seller’s bank account on/)
      expect(await own.payment(payment.providerReference)).toMatchObject({ refundedMinor: 0, unmatchedMinor: 100_000 })
    },
  )

  test('another amount, a late payout and a reversal are exceptions until they are explained', async () => {
    const own = await collector(run.app)
    const { accountNumber } = await open(own, name)
    const payment = await paid(own, name, accountNumber, 100_000)
    await at(3 * day, () => run.app.runJob('compare-settlements'))
    expect(await exceptions(own)).toEqual([])
    await at(5 * day, () => run.app.runJob('compare-settlements'))
    for (const form of ['A', 'B'] as const)
      expect(await exceptions(own, form)).toEqual([
        expect.objectContaining({ id: payment.id, kind: 'not_settled', oursMinor: 100_000, theirsMinor: 0 }),
      ])
    expect((await read(own, '/settlements/days'))[0]).toMatchObject({ exceptionCount: 1, status: 'exception' })
    // The daily reconciliation does not close it.
    await at(30 * 60_000, () => run.app.runJob('reconcile-collection'))
    expect(await exceptions(own)).toHaveLength(1)

    payOut(name)
    await at(60_000, () => run.app.runJob('follow-sandbox-settlements'))
    await eventually(async () => expect(await read(own, '/settlements')).toHaveLength(1))
    await run.app.runJob('compare-settlements')
    expect(await exceptions(own)).toEqual([])
    expect((await read(own, '/settlements/days'))[0]).toMatchObject({ exceptionCount: 0, status: 'settled' })

    await run.app.owner.run(sql`
      update collection_settled_transfers set amount_minor = amount_minor - 700
       where organisation_id = ${own.organisationId}`)
    await run.app.runJob('compare-settlements')
    expect(await exceptions(own)).toEqual([
      expect.objectContaining({ id: payment.id, kind: 'settled_amount', oursMinor: 100_000, theirsMinor: 99_300 }),
    ])
    await run.app.owner.run(sql`
      update received_payments set reversed_at = now() where organisation_id = ${own.organisationId}`)
    await run.app.runJob('compare-settlements')
    expect(await exceptions(own)).toEqual([expect.objectContaining({ id: payment.id, kind: 'settled_reversed' })])
  })

  test('a payout that comes weeks late is found, and closes the exception', async () => {
    const own = await collector(run.app)
    const { accountNumber } = await open(own, name)
    const payment = await paid(own, name, accountNumber, 100_000)
    await at(5 * day, () => run.app.runJob('compare-settlements'))
    expect(await exceptions(own)).toEqual([expect.objectContaining({ id: payment.id, kind: 'not_settled' })])
    await at(40 * day, async () => payOut(name))
    await at(41 * day, async () => {
      await run.app.runJob('follow-sandbox-settlements')
      await run.app.runJob('compare-settlements')
    })
    expect(await read(own, '/settlements')).toHaveLength(1)
    expect(await exceptions(own)).toEqual([])
  })

  test('payments before a change of the bank account are followed to the previous bank account', async () => {
    const own = await collector(run.app)
    const { accountNumber } = await open(own, name)
    await paid(own, name, accountNumber, 100_000)
    payOut(name)
    const [elsewhere] = manyBankAccounts(1)
    ok(await own.act('/settlement-accounts', { sellerId: own.sellerId, ...elsewhere }), 201)
    await run.app.runJob('sweep-splits')
    await at(60_000, () => run.app.runJob('follow-sandbox-settlements'))
    await eventually(async () => expect(await read(own, '/settlements')).toHaveLength(1))
  })
})

test('a Monnify notification triggers a lookup at once', async () => {
  const own = await collector(run.app)
  const { accountNumber } = await open(own, 'monnify')
  await paid(own, 'monnify', accountNumber, 100_000)
  const [settlement] = run.simulator.monnify
    .settle()
    .filter(({ transfers }) => transfers.some(({ transfer }) => transfer.account.number === accountNumber))
  if (!settlement) throw new Error('it was paid out')
  const { body, headers } = run.simulator.monnify.noticeOfSettlement(settlement)
  const address = `${run.app.url}/notifications/collection/monnify/sandbox`
  expect((await fetch(address, { method: 'POST', body, headers })).status).toBe(200)
  await eventually(async () => expect(await read(own, '/settlements')).toHaveLength(1))
})

test('a settlement whose transfer was replaced by another of the same amount is updated', async () => {
  const own = await collector(run.app)
  const { accountNumber } = await open(own, 'monnify')
  const [first, second] = [
    await paid(own, 'monnify', accountNumber, 100_000),
    await paid(own, 'monnify', accountNumber, 100_000),
  ]
  const { handle } = await run.app.owner.one<{ handle: string }>(sql`
    select handle from virtual_accounts where organisation_id = ${own.organisationId}`)
  const says = (reference: string) =>
    takeSettlement(
      run.app.runtime,
      run.app.runner,
      { provider: 'monnify', mode: 'sandbox' },
      {
        reference: `SETTLEMENT-OF-${own.organisationId}`,
        status: 'settled',
        currency: 'NGN',
        settledAt: run.app.clock.now(),
        transfers: [{ reference, handle, amountMinor: 99_000n, feeMinor: 1_000n }],
      },
    )
  const notSettled = async () => {
    await at(5 * day, () => run.app.runJob('compare-settlements'))
    return (await exceptions(own)).map(({ id, kind }) => [id, kind])
  }
  await says(first.providerReference)
  expect(await notSettled()).toEqual([[second.id, 'not_settled']])
  await says(second.providerReference)
  expect(await notSettled()).toEqual([[first.id, 'not_settled']])
  expect(await read(own, '/settlements')).toMatchObject([{ amountMinor: 99_000, paymentCount: 1 }])
  // A repeated answer changes nothing and emits no event.
  const told = (await settlementEvents(own)).length
  await says(second.providerReference)
  expect(await settlementEvents(own)).toHaveLength(told)
  // The first one comes back.
  await says(first.providerReference)
  expect(await notSettled()).toEqual([[second.id, 'not_settled']])
})

test('each run asks Monnify once about every waiting transfer', async () => {
  const [before, after] = manyBankAccounts(2)
  const own = await collector(run.app, before)
  const { accountNumber } = await open(own, 'monnify')
  const { ledger } = run.simulator.monnify
  const references = Array.from(
    { length: 25 },
    () => ledger.receive({ number: accountNumber, amountMinor: 50_000 }).reference,
  )
  await run.app.runJob('sweep-collection')
  for (const reference of references) await own.payment(reference)
  // With a former bank account there are two sub-accounts.
  ok(await own.act('/settlement-accounts', { sellerId: own.sellerId, ...after }), 201)
  const asked = () =>
    run.simulator.requests.flatMap(({ query }) => {
      const reference = new URLSearchParams(query).get('transactionReference')
      return reference !== null && references.includes(reference) ? [reference] : []
    })
  await at(60_000, () => run.app.runJob('follow-sandbox-settlements'))
  expect(asked()).toHaveLength(20)
  expect(new Set(asked()).size).toBe(20)
  await at(120_000, () => run.app.runJob('follow-sandbox-settlements'))
  expect(new Set(asked()).size).toBe(25)
})

test.each(['monnify', 'paystack'] as const)(
  'a refund that fails late at %s shows the reason and the remedy',
  async (name) => {
    const own = await collector(run.app)
    const { accountNumber } = await open(own, name)
    const payment = await paid(own, name, accountNumber, 100_000)
    const { ledger } = run.simulator[name]
    const asked = ok(await own.act(`/payments/${payment.id}/refund`, { amount: 100 })).refund
    expect(asked.status).toBe('pending')
    for (const refund of ledger.refunds)
      if (refund.transfer.reference === payment.providerReference) refund.state = 'failed'
    await at(10 * 60_000, () => run.app.runJob('sweep-collection'))
    const failed = (await eventsAbout(run.app, payment.id)).find(({ type }) => type === 'collection.refund_failed')
    expect(failed?.data.reason).toMatch(/took the order and could not carry it out.+Ask for the refund again/)
  },
)

test('sellers with the same bank account see only their own part of a settlement', async () => {
  const [own, other] = [await collector(run.app), await collector(run.app)]
  const second = await lifeOf(run.app, own).seller()
  ok(await own.act('/settlement-accounts', { sellerId: second, ...ownBankAccount }), 201)
  const accounts = [await open(own, 'paystack'), await open(own, 'paystack', { sellerId: second })]
  await paid(own, 'paystack', accounts[0].accountNumber, 100_000)
  await paid(own, 'paystack', accounts[1].accountNumber, 200_000)
  await paid(other, 'paystack', (await open(other, 'paystack')).accountNumber, 300_000)
  payOut('paystack')
  await at(60_000, () => run.app.runJob('follow-sandbox-settlements'))
  const seen = async (who: Collector) =>
    (await read(who, '/settlements'))
      .map((one: { sellerId: string; amountMinor: number }) => [one.sellerId, one.amountMinor])
      .sort((a: [string, number], b: [string, number]) => a[1] - b[1])
  expect(await seen(own)).toEqual([
    [own.sellerId, 99_000],
    [second, 198_000],
  ])
  expect(await seen(other)).toEqual([[other.sellerId, 297_000]])
  expect(await read(own, `/settlements?sellerId=${second}`)).toHaveLength(1)
})

test('a part of a settlement that cannot be stored does not delay the others, and is stored later', async () => {
  const [own, other] = [await collector(run.app), await collector(run.app)]
  await paid(own, 'paystack', (await open(own, 'paystack')).accountNumber, 123_000)
  await paid(other, 'paystack', (await open(other, 'paystack')).accountNumber, 100_000)
  payOut('paystack')
  const { owner } = run.app
  await owner.run(
    sql`create function refuse_one() returns trigger language plpgsql as 'begin raise exception ''poisoned''; end'`,
  )
  // A trigger's condition takes no parameters.
  await owner.run(sql`
    create trigger refuse_one before insert on collection_settlements for each row when (new.amount_minor = 121770)
    execute function refuse_one()`)
  await at(60_000, () => run.app.runJob('follow-sandbox-settlements'))
  expect(await read(own, '/settlements')).toEqual([])
  expect(await read(other, '/settlements')).toHaveLength(1)
  await owner.run(sql`drop trigger refuse_one on collection_settlements`)
  await at(120_000, () => run.app.runJob('follow-sandbox-settlements'))
  for (const who of [own, other]) expect(await read(who, '/settlements')).toHaveLength(1)
})

describe.each(['A', 'B'] as const)('form %s', (form) => {
  test('days: invalid input', async () => {
    const own = await collector(run.app)
    const ask = (query: string) =>
      run.app.client(form).get(`${collectionPath}/settlements/days?${query}`, { token: own.token })
    for (const [query, paths] of [
      ['from=2026-02-02&to=2026-02-01', ['from']],
      ['from=2026-01-01&to=2026-06-01', ['from']],
      ['from=0001-01-01&to=0001-01-31', ['from', 'to']],
      ['to=9999-12-31', ['to']],
    ] as const) {
      const reply = await ask(query)
      expect([reply.status, faultPaths(reply)]).toEqual([400, paths])
    }
    expect(ok(await ask('from=2026-01-01&to=2026-01-31'))).toEqual([])
  })
})
