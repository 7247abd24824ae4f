import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { inCopies } from '../../../../../test/harness/cluster.ts'
import { expectBooksInOrder, ledgerFaults, ledgerTables } from '../../../../../test/harness/ledger-faults.ts'
import {
  becomes,
  buyer,
  currencies,
  eventsAbout,
  medium,
  order,
  paymentState,
  spend,
} from '../../../../../test/harness/purchases.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())
afterEach(() => expectBooksInOrder(app))

/** The live balance as the API returns it. */
async function shown({ token }: Person) {
  const account = await app.a.get('/b/v1/billing-accounts/me', { token })
  const live = account.data.balances.find(({ mode }: { mode: string }) => mode === 'live')
  return { available: live.creditBalance, owed: live.owedCredits }
}
/** Type, credits and balance of each entry, newest first. */
async function ledger({ token }: Person): Promise<[type: string, credits: number, balanceAfter: number][]> {
  const { data } = await app.b.get('/b/v1/billing-accounts/me/ledger?limit=100', { token })
  return data
    .filter(({ type }: { type: string }) => type !== 'charge')
    .map((entry: Record<string, unknown>) => [entry.type, entry.credits, entry.balanceAfter])
}
const status = async ({ token }: Person, id: string) => (await app.a.get(`/b/v1/payments/${id}`, { token })).data

async function bought(currency: (typeof currencies)[number] = 'NGN', packageId?: string) {
  const person = await buyer(app)
  const id = await pay(person, currency, packageId)
  return { person, id, amount: (await paymentState(app, id)).amountMinor }
}
async function pay(person: Person, currency: (typeof currencies)[number] = 'NGN', packageId?: string) {
  const id = await order(app, person, { currency, ...(packageId === undefined ? {} : { packageId }) })
  await app.checkout.control.act(id, 'paid')
  await becomes(app, id, { status: 'succeeded' })
  return id
}

describe.each(currencies)('of a purchase in %s', (currency) => {
  test('a partial refund takes the same share of the credits', async () => {
    const { person, id, amount } = await bought(currency)
    await app.checkout.control.refund(id, amount / 4n)
    await becomes(app, id, { status: 'partially_refunded', grantedCredits: 75n })
    expect(await status(person, id)).toMatchObject({ status: 'partially_refunded', refundedMinor: Number(amount / 4n) })
    expect(await shown(person)).toEqual({ available: 125, owed: 0 })
    await app.checkout.control.refund(id, 1n)
    await becomes(app, id, { status: 'partially_refunded', grantedCredits: 74n })
    await app.checkout.control.refund(id)
    await becomes(app, id, { status: 'refunded', grantedCredits: 0n })
    expect(await shown(person)).toEqual({ available: 50, owed: 0 })
    expect((await ledger(person)).map(([type, credits]) => [type, credits])).toEqual([
      ['reversal', 74],
      ['reversal', 1],
      ['reversal', 25],
      ['purchase', 100],
      ['grant', 50],
    ])
  })

  test('a full refund takes all credits', async () => {
    const { person, id, amount } = await bought(currency)
    await app.checkout.control.refund(id)
    await becomes(app, id, { status: 'refunded', refundedMinor: amount, grantedCredits: 0n })
    expect(await shown(person)).toEqual({ available: 50, owed: 0 })
    expect((await ledger(person))[0]).toEqual(['reversal', 100, 50])
  })

  test('a dispute takes the credits, and a won dispute returns them', async () => {
    const { person, id } = await bought(currency)
    await app.checkout.control.openDispute(id)
    await becomes(app, id, { status: 'disputed', grantedCredits: 0n })
    expect(await shown(person)).toEqual({ available: 50, owed: 0 })
    await app.checkout.control.closeDispute(id, true)
    await becomes(app, id, { status: 'succeeded', grantedCredits: 100n })
    expect(await shown(person)).toEqual({ available: 150, owed: 0 })
    expect((await ledger(person)).map(([type]) => type)).toEqual(['purchase', 'reversal', 'purchase', 'grant'])
  })

  test('a lost dispute does not return them', async () => {
    const { person, id } = await bought(currency)
    await app.checkout.control.openDispute(id)
    await becomes(app, id, { status: 'disputed' })
    await app.checkout.control.closeDispute(id, false)
    await becomes(app, id, { status: 'charged_back', grantedCredits: 0n })
    expect((await status(person, id)).status).toBe('charged_back')
    expect(await shown(person)).toEqual({ available: 50, owed: 0 })
    expect((await ledger(person)).map(([type]) => type)).toEqual(['reversal', 'purchase', 'grant'])
  })
})

describe('credits that were spent before the refund', () => {
  test('are owed, and the next purchase settles the debt first', async () => {
    const { person, id } = await bought()
    await spend(app, person.organisationId, 120)
    await app.checkout.control.refund(id)
    await becomes(app, id, { status: 'refunded', grantedCredits: 0n })
    expect(await shown(person)).toEqual({ available: 0, owed: 70 })
    await expectBooksInOrder(app)
    await pay(person)
    expect(await shown(person)).toEqual({ available: 30, owed: 0 })
    expect(await ledger(person)).toEqual([
      ['purchase', 30, 30],
      ['settlement', 70, 0],
      ['debt', 70, 0],
      ['reversal', 30, 0],
      ['purchase', 100, 150],
      ['grant', 50, 50],
    ])
  })

  test('stay partly owed after a small purchase, and are owed again after its refund', async () => {
    const { person, id } = await bought('USD', medium)
    await spend(app, person.organisationId, 550)
    await app.checkout.control.openDispute(id)
    await becomes(app, id, { status: 'disputed', grantedCredits: 0n })
    expect(await shown(person)).toEqual({ available: 0, owed: 500 })
    const next = await pay(person, 'NGN')
    expect(await shown(person)).toEqual({ available: 0, owed: 400 })
    await app.checkout.control.refund(next)
    await becomes(app, next, { status: 'refunded' })
    expect(await shown(person)).toEqual({ available: 0, owed: 500 })
    await app.checkout.control.closeDispute(id, true)
    await becomes(app, id, { status: 'succeeded', grantedCredits: 500n })
    expect(await shown(person)).toEqual({ available: 0, owed: 0 })
  })

  test('block spending while they are owed', async () => {
    const { person, id } = await bought()
    await spend(app, person.organisationId, 150)
    await app.checkout.control.openDispute(id)
    await becomes(app, id, { status: 'disputed' })
    await expect(spend(app, person.organisationId, 10)).rejects.toMatchObject({ refusal: 'credits.insufficient' })
    const check = await app.a.get('/b/v1/billing-accounts/me/check-balance?credits=1', { token: person.token })
    expect(check.data).toMatchObject({ sufficient: false, creditBalance: 0 })
  })
})

describe('the events of a payment', () => {
  const types = async (id: string) => (await eventsAbout(app, id)).map(({ type }) => type)

  test('are emitted once each, with all data', async () => {
    const { person, id, amount } = await bought('USD')
    await app.checkout.control.refund(id, amount / 2n)
    await becomes(app, id, { status: 'partially_refunded' })
    await app.checkout.control.openDispute(id)
    await becomes(app, id, { status: 'disputed' })
    await app.checkout.control.closeDispute(id, false)
    await becomes(app, id, { status: 'charged_back' })
    const told = await eventsAbout(app, id)
    expect(told.map(({ type, data }) => [type, data.status, data.refundedMinor])).toEqual([
      ['billing.payment.created', 'pending', 0],
      ['billing.payment.succeeded', 'succeeded', 0],
      ['billing.credits.purchased', 'succeeded', 0],
      ['billing.payment.refunded', 'partially_refunded', 100],
      ['billing.payment.disputed', 'disputed', 100],
      ['billing.payment.charged_back', 'charged_back', 100],
    ])
    const always = { paymentId: id, kind: 'credit_purchase', amountMinor: 200, currency: 'USD', credits: 100 }
    for (const { data, mode, organisationId } of told) {
      expect([mode, organisationId]).toEqual(['live', person.organisationId])
      expect(data).toEqual({ ...always, status: data.status, refundedMinor: data.refundedMinor })
    }
  })

  test('include each further refund', async () => {
    const { id } = await bought()
    await app.checkout.control.refund(id, 100n)
    await becomes(app, id, { refundedMinor: 100n })
    await app.checkout.control.refund(id, 100n)
    await becomes(app, id, { refundedMinor: 200n })
    expect((await types(id)).filter((type) => type === 'billing.payment.refunded')).toHaveLength(2)
  })

  test('include the balance after the purchase and after the refund', async () => {
    const { person, id } = await bought()
    await app.checkout.control.refund(id)
    await becomes(app, id, { status: 'refunded' })
    const told = (await eventsAbout(app, person.organisationId)).filter(
      ({ type, mode }) => type === 'billing.balance.updated' && mode === 'live',
    )
    expect(told.map(({ data }) => data)).toEqual([
      { change: 50, creditBalance: 50 },
      { change: 100, creditBalance: 150 },
      { change: -100, creditBalance: 50 },
    ])
  })
})

test('the ledger check finds errors', async () => {
  const { person, id } = await bought()
  const granted = (credits: bigint) =>
    app.runtime.db.run(sql`update payments set granted_credits = ${credits} where id = ${id}`)
  await granted(99n)
  const faults = () => inCopies(app.owner, ledgerTables, ledgerFaults)
  expect(await faults()).toEqual([expect.stringContaining(`payment ${id} (succeeded) shows 99 granted`)])
  await granted(100n)
  const shift = (by: bigint) =>
    app.runtime.db.run(sql`
      update credit_balances set available = available + ${by}, issued = issued + ${by}
       where organisation_id = ${person.organisationId} and mode = 'live'`)
  await shift(1n)
  expect((await faults()).sort()).toEqual([
    expect.stringContaining('live shows 151 available, its moves add up to 150'),
    expect.stringContaining('live shows 151 issued, its moves add up to 150'),
  ])
  await shift(-1n)
})
