import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { capture, charge, hold, issue, release, revoke } from '../../credits/index.ts'
import { type LedgerContext, refund } from '../../credits/ledger.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(() => app.clock.set('2026-03-02T09:00:00Z'))

const account = '/b/v1/billing-accounts/me'
const inTx = (body: (context: LedgerContext) => Promise<unknown>) =>
  app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

/** An organisation with its account and an API key, which stays valid when the clock moves. */
async function customer(): Promise<{ live: Tenant; token: string }> {
  const { organisationId } = await app.person()
  await app.openAccount(organisationId)
  return { live: { organisationId, mode: 'live' }, token: await app.key(organisationId, { mode: 'live' }) }
}

/** One move of every kind, an hour apart. */
async function everyMove(tenant: Tenant): Promise<void> {
  const moves: ((context: LedgerContext) => Promise<unknown>)[] = [
    (context) => charge(context, tenant, 'invoice.submit', 'invoice 1'),
    (context) => refund(context, tenant, 'invoice.submit', 'invoice 1'),
    (context) => hold(context, tenant, 'buyer.verify_tax_id', 'buyer 1'),
    (context) => capture(context, tenant, 'buyer.verify_tax_id', 'buyer 1'),
    (context) => hold(context, tenant, 'tax_id.lookup', 'lookup 1'),
    (context) => release(context, tenant, 'tax_id.lookup', 'lookup 1'),
    (context) => revoke(context, tenant, 60n, 'money went back'),
    (context) => issue(context, tenant, 'purchase', 40n, 'payment 1'),
  ]
  for (const move of moves) {
    app.clock.advance({ hours: 1 })
    await inTx(move)
  }
}

const shape = ({ data }: Reply) =>
  data.map(({ type, action, amount, credits, balanceAfter, reference }: Record<string, unknown>) => [
    type,
    action,
    amount,
    credits,
    balanceAfter,
    reference,
  ])

describe.each(['A', 'B'] as const)('the ledger through form %s', (form) => {
  test('has every entry, newest first, with its amount and the balance after it', async () => {
    const { live, token } = await customer()
    await everyMove(live)
    const reply = await app.client(form).get(`${account}/ledger`, { token })
    expect(shape(reply)).toEqual([
      ['purchase', null, 25, 25, 25, 'payment 1'],
      ['settlement', null, 0, 15, 0, 'payment 1'],
      ['debt', null, 0, 15, 0, 'money went back'],
      ['reversal', null, -45, 45, 0, 'money went back'],
      ['release', 'tax_id.lookup', 2, 2, 45, 'lookup 1'],
      ['hold', 'tax_id.lookup', -2, 2, 43, 'lookup 1'],
      ['capture', 'buyer.verify_tax_id', 0, 5, 45, 'buyer 1'],
      ['hold', 'buyer.verify_tax_id', -5, 5, 45, 'buyer 1'],
      ['refund', 'invoice.submit', 10, 10, 50, 'invoice 1'],
      ['charge', 'invoice.submit', -10, 10, 40, 'invoice 1'],
      ['grant', null, 50, 50, 50, 'opening'],
    ])
    expect(reply.data[0].createdAt).toBe('2026-03-02T17:00:00.000Z')
    expect(new Set(reply.data.map(({ id }: { id: string }) => id)).size).toBe(11)
    expect(reply.body.meta).toMatchObject({
      mode: 'live',
      pagination: { page: 1, limit: 50, total: 11, totalPages: 1 },
    })
  })

  test('is read in pages without repeated or missing entries', async () => {
    const { live, token } = await customer()
    for (let index = 1; index <= 24; index++)
      await inTx((context) => charge(context, live, 'invoice.create', `invoice ${index}`))
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => app.client(form).get(`${account}/ledger?page=${page}&limit=10`, { token })),
    )
    expect(pages.map(({ data }) => data.length)).toEqual([10, 10, 5, 0])
    expect(pages.map(({ body }) => body.meta.pagination.total)).toEqual([25, 25, 25, 25])
    const references = pages.flatMap(({ data }) => data.map((entry: { reference: string }) => entry.reference))
    expect(references).toEqual([...Array.from({ length: 24 }, (_, index) => `invoice ${24 - index}`), 'opening'])
  })

  test('is filtered by type, action and day, and so is the total', async () => {
    const { live, token } = await customer()
    await everyMove(live)
    app.clock.set('2026-03-03T22:59:59.999Z')
    await inTx((context) => charge(context, live, 'buyer.create', 'the last of the 3rd in Lagos'))
    app.clock.set('2026-03-03T23:00:00Z')
    await inTx((context) => charge(context, live, 'buyer.create', 'the first of the 4th in Lagos'))
    const references = async (query: string) => {
      const { data, body } = await app.client(form).get(`${account}/ledger?${query}`, { token })
      expect(body.meta.pagination.total).toBe(data.length)
      return data.map((entry: { reference: string }) => entry.reference)
    }
    expect(await references('type=hold')).toEqual(['lookup 1', 'buyer 1'])
    expect(await references('action=tax_id.lookup')).toEqual(['lookup 1', 'lookup 1'])
    expect(await references('action=tax_id.lookup&type=release')).toEqual(['lookup 1'])
    expect(await references('action=nothing')).toEqual([])
    expect(await references('from=2026-03-04')).toEqual(['the first of the 4th in Lagos'])
    expect(await references('from=2026-03-03&to=2026-03-03')).toEqual(['the last of the 3rd in Lagos'])
    expect(await references('to=2026-03-02')).toHaveLength(11)
    expect(await references('to=2026-03-01')).toEqual([])
    expect(await references('from=0001-01-01&to=9999-12-31')).toHaveLength(13)
  })

  test('of the other mode is separate, and a person may read it', async () => {
    const person = await app.person({ mode: 'live' })
    const { organisationId, token } = person
    await app.openAccount(organisationId)
    await inTx((context) => charge(context, { organisationId, mode: 'sandbox' }, 'invoice.create', 'tried'))
    expect(shape(await app.client(form).get(`${account}/ledger?mode=sandbox`, { token }))).toEqual([
      ['charge', 'invoice.create', -1, 1, 99_999, 'tried'],
      ['grant', null, 100_000, 100_000, 100_000, 'opening'],
    ])
    expect(shape(await app.client(form).get(`${account}/ledger`, { token }))).toEqual([
      ['grant', null, 50, 50, 50, 'opening'],
    ])
  })

  test('refuses invalid filters', async () => {
    const { token } = await customer()
    for (const query of [
      'type=gift',
      'type=',
      'action=',
      `action=${'a'.repeat(51)}`,
      'from=yesterday',
      'from=2026-02-30',
      'to=2026-3-1',
      'to=2026-03-01T00:00:00Z',
      'page=0',
      'limit=101',
      'mode=test',
      'sort=asc',
    ]) {
      const refused = await app.client(form).get(`${account}/ledger?${query}`, { token })
      expectRefusal(refused, 'request.invalid')
      expect([...new Set(faultPaths(refused))], query).toEqual([query.split('=')[0]])
    }
    const backwards = await app.client(form).get(`${account}/ledger?from=2026-03-02&to=2026-03-01`, { token })
    expectRefusal(backwards, 'request.invalid')
    expect(faultPaths(backwards)).toEqual(['from'])
  })
})

test('credits that change without use emit an event in the same transaction', async () => {
  const { live } = await customer()
  const since = await app.runtime.db.one<{ position: bigint }>(sql`
    select coalesce(max(position), 0) as position from events where organisation_id = ${live.organisationId}`)
  await everyMove(live)
  const failing = inTx(async (context) => {
    await issue(context, live, 'purchase', 5n, 'payment 2')
    throw new Error('the save failed')
  })
  await expect(failing).rejects.toThrow('the save failed')
  const events = await app.runtime.db.rows<object>(sql`
    select type, mode, object_id, data from events
     where organisation_id = ${live.organisationId} and position > ${since.position} and starts_with(type, 'billing.') order by position`)
  const told = (change: number, creditBalance: number) => ({
    type: 'billing.balance.updated',
    mode: 'live',
    objectId: live.organisationId,
    data: { change, creditBalance },
  })
  expect(events).toEqual([told(-45, 0), told(25, 25)])
})
