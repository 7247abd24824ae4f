import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { operation } from '../../../platform/operations/operation.ts'
import type { BillableAction } from '../../catalogue/index.ts'
import { capture, charge, hold, issue, release, revoke } from '../../credits/index.ts'
import { type LedgerContext, refund } from '../../credits/ledger.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(() => app.clock.set('2026-01-05T09:00:00Z'))

const account = '/b/v1/billing-accounts/me'
const inTx = (body: (context: LedgerContext) => Promise<unknown>) =>
  app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

async function customer(): Promise<{ live: Tenant; token: string }> {
  const { organisationId } = await app.person()
  const live: Tenant = { organisationId, mode: 'live' }
  await app.openAccount(organisationId)
  await inTx((context) => issue(context, live, 'purchase', 450n, 'payment'))
  return { live, token: await app.key(organisationId, { mode: 'live' }) }
}

async function spend(tenant: Tenant, at: string, action: BillableAction, cause: string = newId()): Promise<void> {
  app.clock.set(at)
  await inTx((context) => charge(context, tenant, action, cause))
}

describe.each(['A', 'B'] as const)('usage through form %s', (form) => {
  const read = (token: string, query = '') => app.client(form).get(`${account}/usage${query}`, { token })

  test('sums credits by action and day, and returns lower the day of the return', async () => {
    const { live, token } = await customer()
    await spend(live, '2026-03-01T10:00:00Z', 'invoice.create', 'first')
    await spend(live, '2026-03-01T11:00:00Z', 'invoice.create')
    await spend(live, '2026-03-01T12:00:00Z', 'invoice.submit', 'sent')
    app.clock.set('2026-03-02T10:00:00Z')
    await inTx((context) => hold(context, live, 'buyer.verify_tax_id', 'asked'))
    await inTx((context) => hold(context, live, 'tax_id.lookup', 'unanswered'))
    app.clock.set('2026-03-03T10:00:00Z')
    await inTx((context) => capture(context, live, 'buyer.verify_tax_id', 'asked'))
    await inTx((context) => release(context, live, 'tax_id.lookup', 'unanswered'))
    await inTx((context) => refund(context, live, 'invoice.create', 'first'))
    const { status, data } = await read(token)
    expect([status, data]).toEqual([
      200,
      {
        mode: 'live',
        from: '2026-02-02',
        to: '2026-03-03',
        totalCredits: 16,
        actions: expect.any(Array),
        days: [
          { date: '2026-03-01', credits: 12 },
          { date: '2026-03-03', credits: 4 },
        ],
      },
    ])
    const byName = (one: { action: string }, other: { action: string }) => one.action.localeCompare(other.action)
    expect(data.actions.toSorted(byName)).toEqual([
      { action: 'buyer.verify_tax_id', credits: 5, count: 1 },
      { action: 'invoice.create', credits: 1, count: 1 },
      { action: 'invoice.submit', credits: 10, count: 1 },
    ])
    expect((await read(token, '?from=2026-03-03')).data).toMatchObject({
      from: '2026-03-03',
      to: '2026-03-03',
      totalCredits: 4,
    })
  })

  test('uses days in Lagos: credits used at 23:30 UTC belong to the next day', async () => {
    const { live, token } = await customer()
    await spend(live, '2026-03-01T22:59:59.999Z', 'invoice.create')
    await spend(live, '2026-03-01T23:30:00Z', 'invoice.submit')
    expect((await read(token)).data).toMatchObject({
      to: '2026-03-02',
      days: [
        { date: '2026-03-01', credits: 1 },
        { date: '2026-03-02', credits: 10 },
      ],
    })
    expect((await read(token, '?from=2026-03-02&to=2026-03-02')).data.totalCredits).toBe(10)
    expect((await read(token, '?from=2026-03-01&to=2026-03-01')).data.totalCredits).toBe(1)
  })

  test('covers the last 30 days by default, both ends included', async () => {
    const { live, token } = await customer()
    await spend(live, '2026-01-30T22:59:59Z', 'invoice.submit')
    await spend(live, '2026-01-30T23:00:00Z', 'buyer.verify_tax_id')
    await spend(live, '2026-03-01T22:59:59Z', 'tax_id.lookup')
    expect((await read(token)).data).toMatchObject({ from: '2026-01-31', to: '2026-03-01', totalCredits: 7 })
    expect((await read(token, '?to=2026-02-28')).data).toMatchObject({
      from: '2026-01-30',
      to: '2026-02-28',
      totalCredits: 15,
    })
    app.clock.set('2026-03-01T23:00:00Z')
    expect((await read(token)).data).toMatchObject({ from: '2026-02-01', to: '2026-03-02', totalCredits: 2 })
  })

  test('covers at most 366 days, and its end is not before its start', async () => {
    const { token } = await customer()
    for (const query of ['?from=2025-01-01&to=2026-01-01', '?from=2026-01-05', '?from=2024-02-29&to=2024-02-29'])
      expect((await read(token, query)).status, query).toBe(200)
    for (const [query, paths] of [
      ['?from=2025-01-01&to=2026-01-02', ['from']],
      ['?from=2026-01-03&to=2026-01-02', ['from']],
      ['?from=2026-01-06', ['from']],
      ['?from=2026-02-29', ['from']],
      ['?from=x&to=y', ['from', 'to']],
      ['?day=2026-01-01', ['day']],
      ['?to=0000-01-05', ['to']],
    ] as const) {
      const refused = await read(token, query)
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused), query).toEqual(paths)
    }
  })
})

describe.each(['A', 'B'] as const)('stats through form %s', (form) => {
  const read = (token: string) => app.client(form).get(`${account}/stats`, { token })

  test('have the balance and the lifetime totals', async () => {
    const { live, token } = await customer()
    await spend(live, '2026-01-06T10:00:00Z', 'invoice.submit', 'sent')
    await spend(live, '2026-01-06T11:00:00Z', 'invoice.submit', 'sent too')
    await inTx((context) => refund(context, live, 'invoice.submit', 'sent'))
    await inTx((context) => hold(context, live, 'buyer.verify_tax_id', 'asked'))
    await inTx((context) => revoke(context, live, 500n, 'money went back'))
    await inTx((context) => issue(context, live, 'purchase', 40n, 'next payment'))
    const { status, data } = await read(token)
    expect([status, data]).toEqual([
      200,
      {
        mode: 'live',
        creditBalance: 25,
        heldCredits: 5,
        owedCredits: 0,
        lifetime: {
          grantedCredits: 50,
          purchasedCredits: 490,
          returnedCredits: 500,
          receivedFromParentCredits: 0,
          consumedCredits: 10,
        },
        last30Days: expect.objectContaining({ totalCredits: 10, days: [{ date: '2026-01-06', credits: 10 }] }),
      },
    ])
  })

  test('count the last 30 days exactly, and the whole lifetime', async () => {
    const { live, token } = await customer()
    await spend(live, '2026-02-01T11:59:59.999Z', 'invoice.submit')
    await spend(live, '2026-02-01T12:00:00.000Z', 'buyer.verify_tax_id')
    await spend(live, '2026-03-03T12:00:00.000Z', 'invoice.create')
    const { data } = await read(token)
    expect(data.last30Days).toMatchObject({
      from: '2026-02-01T12:00:00.000Z',
      totalCredits: 6,
      days: [
        { date: '2026-02-01', credits: 5 },
        { date: '2026-03-03', credits: 1 },
      ],
    })
    expect(data.lifetime.consumedCredits).toBe(16)
    app.clock.advance({ days: 31 })
    const later = (await read(token)).data
    expect([later.last30Days.totalCredits, later.lifetime.consumedCredits]).toEqual([0, 16])
  })

  test('use the mode of the token, or one that a person names', async () => {
    const person = await app.person()
    await app.openAccount(person.organisationId)
    for (const [query, mode, creditBalance] of [
      ['', 'sandbox', 100_000],
      ['?mode=live', 'live', 50],
    ] as const)
      expect((await app.client(form).get(`${account}/stats${query}`, { token: person.token })).data).toMatchObject({
        mode,
        creditBalance,
        lifetime: { grantedCredits: creditBalance },
      })
  })
})
