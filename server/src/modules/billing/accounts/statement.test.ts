import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { isUniqueViolation } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { capture, charge, hold, issue, release, revoke } from '../../credits/index.ts'
import { type LedgerContext, refund } from '../../credits/ledger.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(() => app.clock.set('2026-03-10T09:00:00Z'))

const route = '/b/v1/billing-accounts/me/statement'
const inTx = (body: (context: LedgerContext) => Promise<unknown>) =>
  app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

async function customer(): Promise<{ live: Tenant; token: string }> {
  const { organisationId } = await app.person()
  await app.openAccount(organisationId)
  return { live: { organisationId, mode: 'live' }, token: await app.key(organisationId, { mode: 'live' }) }
}
async function submitAt(tenant: Tenant, at: string, cause: string): Promise<void> {
  app.clock.set(at)
  await inTx((context) => charge(context, tenant, 'invoice.submit', cause))
}

interface Entry {
  readonly amount: number
  readonly balanceAfter: number
  readonly reference: string
  readonly createdAt: string
}
const referencesIn = (data: { entries: Entry[] }) => data.entries.map(({ reference }) => reference)
const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

describe.each(['A', 'B'] as const)('a statement through form %s', (form) => {
  const read = (token: string, query = '') => app.client(form).get(`${route}${query}`, { token })

  test('has the balances before and after, and every entry between them, oldest first', async () => {
    const { live, token } = await customer()
    await submitAt(live, '2026-03-10T10:00:00Z', 'one')
    await submitAt(live, '2026-03-11T10:00:00Z', 'two')
    await submitAt(live, '2026-03-12T10:00:00Z', 'three')
    const { status, data } = await read(token, '?from=2026-03-11&to=2026-03-12')
    expect([status, data]).toEqual([
      200,
      expect.objectContaining({
        mode: 'live',
        from: '2026-03-11',
        to: '2026-03-12',
        openingBalance: 40,
        closingBalance: 20,
      }),
    ])
    expect(data.entries[0]).toEqual({
      id: expect.any(String),
      type: 'charge',
      action: 'invoice.submit',
      amount: -10,
      credits: 10,
      balanceAfter: 30,
      reference: 'two',
      createdAt: '2026-03-11T10:00:00.000Z',
    })
    expect(referencesIn(data)).toEqual(['two', 'three'])
    const { id } = (await app.client(form).get('/b/v1/billing-accounts/me', { token })).data
    expect(data.accountId).toBe(id)
    // Days without entries, before the first and after the last.
    const bare = { openingBalance: 0, closingBalance: 0, entries: [] }
    expect((await read(token, '?from=2026-03-01&to=2026-03-09')).data).toMatchObject(bare)
    expect((await read(token, '?from=2026-03-13&to=2026-03-14')).data).toMatchObject({
      openingBalance: 20,
      closingBalance: 20,
      entries: [],
    })
  })

  test('covers the current month in Lagos by default', async () => {
    const { live, token } = await customer()
    await submitAt(live, '2026-03-31T22:59:59Z', 'still March')
    expect((await read(token)).data).toMatchObject({ from: '2026-03-01', to: '2026-03-31', closingBalance: 40 })
    await submitAt(live, '2026-03-31T23:30:00Z', 'already April')
    const april = (await read(token)).data
    expect(april).toMatchObject({ from: '2026-04-01', to: '2026-04-01', openingBalance: 40, closingBalance: 30 })
    expect(referencesIn(april)).toEqual(['already April'])
    const march = (await read(token, '?to=2026-03-31')).data
    expect([march.from, ...referencesIn(march)]).toEqual(['2026-03-01', 'opening', 'still March'])
  })

  test('covers at most 366 days, and its end is not before its start', async () => {
    const { token } = await customer()
    expect((await read(token, '?from=2025-03-11&to=2026-03-11')).status).toBe(200)
    for (const [query, path] of [
      ['?from=2025-03-10&to=2026-03-11', 'from'],
      ['?from=2026-03-11&to=2026-03-10', 'from'],
      ['?from=2026-03-11', 'from'],
      ['?to=2026-02-30', 'to'],
      ['?to=0000-01-05', 'to'],
      ['?page=1', 'page'],
    ] as const) {
      const refused = await read(token, query)
      expectRefusal(refused, 'request.invalid')
      expect([refused.status, refused.body.error.code, faultPaths(refused)], query).toEqual([400, 'VAL001', [path]])
    }
  })

  test('is CSV on request, and JSON by default', async () => {
    const { live, token } = await customer()
    await submitAt(live, '2026-03-11T10:00:00Z', '=HYPERLINK("http://evil.test")')
    await submitAt(live, '2026-03-11T11:00:00Z', 'plain, with a comma')
    const ask = async (accept?: string, query = '') => {
      const headers = { authorization: `Bearer ${token}`, ...(accept === undefined ? {} : { accept }) }
      const reply = await fetch(`${app.client(form).url}${route}${query}`, { headers })
      return {
        status: reply.status,
        type: reply.headers.get('content-type'),
        headers: reply.headers,
        text: await reply.text(),
      }
    }
    for (const accept of [
      'text/csv',
      'text/csv, application/json;q=0.5',
      'application/json;q=0.2, text/*;q=0.3',
      'TEXT/CSV',
    ]) {
      const { status, type, headers, text } = await ask(accept)
      expect([status, type, headers.get('vary')], accept).toEqual([200, 'text/csv; charset=utf-8', 'accept'])
      const lines = text.split('\r\n')
      expect(lines.pop()).toBe('')
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      expect(lines.map((line) => line.replace(/^[0-9a-f-]{36},/, ''))).toEqual([
        'id,createdAt,type,action,amount,credits,balanceAfter,reference',
        '2026-03-10T09:00:00.000Z,grant,,50,50,50,opening',
        `2026-03-11T10:00:00.000Z,charge,invoice.submit,-10,10,40,"'=HYPERLINK(""http://evil.test"")"`,
        '2026-03-11T11:00:00.000Z,charge,invoice.submit,-10,10,30,"plain, with a comma"',
      ])
    }
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      'text/csv;q=0.1, application/json',
      'text/csv;q=0',
      'image/png',
    ]) {
      const { status, type, text } = await ask(accept)
      expect([status, type], accept).toEqual([200, 'application/json; charset=utf-8'])
      expect(JSON.parse(text).data.closingBalance).toBe(30)
    }
    // An empty table still has its header, and a refusal is always JSON.
    expect((await ask('text/csv', '?from=2026-03-01&to=2026-03-02')).text).toMatch(/^id,createdAt,[^\n]*reference\r\n$/)
    const refused = await ask('text/csv', '?from=2026-03-12')
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([400, 'VAL001'])
  })
})

test('an entry with an earlier day than its predecessor counts on its own day', async () => {
  const { live, token } = await customer()
  await submitAt(live, '2026-03-11T23:00:00.005Z', 'began after midnight, wrote first')
  await submitAt(live, '2026-03-11T22:59:59.995Z', 'began before midnight, wrote second')
  app.clock.set('2026-03-13T09:00:00Z')
  const read = async (day: string) => (await app.a.get(`${route}?from=${day}&to=${day}`, { token })).data
  const [before, after, later] = [await read('2026-03-11'), await read('2026-03-12'), await read('2026-03-13')]
  const balances = (data: Record<string, unknown>) => [data.openingBalance, data.closingBalance]
  expect([balances(before), referencesIn(before)]).toEqual([[50, 40], ['began before midnight, wrote second']])
  expect([balances(after), referencesIn(after)]).toEqual([[40, 30], ['began after midnight, wrote first']])
  expect([balances(later), referencesIn(later)]).toEqual([[30, 30], []])
})

/** Moves at random times over some days. A transaction that began earlier may write later. */
const moment = fc.record({
  kind: fc.constantFrom('charge', 'hold', 'capture', 'release', 'refund', 'purchase', 'revoke'),
  cause: fc.nat(6).map(String),
  /** Time since the previous move: a number of half hours, or until midnight in Lagos. */
  after: fc.oneof(fc.constant(0), fc.constant('midnight' as const), fc.nat(16)),
  /** Seconds by which the entry's time lies before its place in the ledger. */
  late: fc.oneof(fc.constant(0), fc.nat(1500)),
})

const dayMs = 86_400_000
const nextMidnight = (at: number) => Math.ceil((at + 3_600_001) / dayMs) * dayMs - 3_600_000

test('opening balance plus all amounts is the closing balance, for any days', async () => {
  const seed = Date.now() & 0x7fffffff
  const begin = Date.parse('2026-03-10T22:00:00Z')
  const dayAt = (index: number) => new Date(begin + index * dayMs).toISOString().slice(0, 10)
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 10, maxLength: 50 }), async (moments) => {
      app.clock.set(new Date(begin))
      const { live, token } = await customer()
      let at = begin
      for (const { kind, cause, after, late } of moments) {
        at = after === 'midnight' ? nextMidnight(at) : at + after * 1_800_000
        app.clock.set(new Date(at - late * 1000))
        await inTx(async (context) => {
          if (kind === 'charge') await charge(context, live, 'invoice.submit', cause)
          if (kind === 'hold') await hold(context, live, 'tax_id.lookup', cause)
          if (kind === 'capture') await capture(context, live, 'tax_id.lookup', cause)
          if (kind === 'release') await release(context, live, 'tax_id.lookup', cause)
          if (kind === 'refund') await refund(context, live, 'invoice.submit', cause)
          if (kind === 'purchase') await issue(context, live, 'purchase', 17n, newId())
          if (kind === 'revoke') await revoke(context, live, 9n, newId())
        }).catch((error: unknown) => {
          // The index refuses a cause that is already charged or held. No other error is allowed.
          if (!(error instanceof Refusal) && !isUniqueViolation(error)) throw error
        })
      }
      app.clock.set(new Date(at))
      const read = async (from: string, to: string) =>
        (await app.a.get(`${route}?from=${from}&to=${to}`, { token })).data
      const days = Math.ceil((at - begin) / dayMs) + 1
      const whole = await read(dayAt(-1), dayAt(days))
      const { creditBalance } = (await app.a.get('/b/v1/billing-accounts/me', { token })).data
      expect([whole.openingBalance, whole.closingBalance]).toEqual([0, creditBalance])
      expect(sumOf(whole.entries)).toBe(creditBalance)
      const listed: Entry[] = []
      let left = 0
      for (let day = -1; day <= days; day++) {
        const one = await read(dayAt(day), dayAt(day))
        expect(one.openingBalance, one.from).toBe(left)
        left += sumOf(one.entries)
        expect(one.closingBalance, one.from).toBe(left)
        listed.push(...one.entries)
      }
      expect(left).toBe(creditBalance)
      expect(listed.length).toBe(whole.entries.length)
    }),
    { numRuns: casesToTry(4, 12), seed },
  )
})

test('a statement with too many entries is refused with a remedy', async () => {
  const { live, token } = await customer()
  await app.runtime.db.run(sql`
    insert into credit_moves (organisation_id, mode, id, seq, type, from_place, to_place, amount, cause, available_after, created_at)
    select ${live.organisationId}, 'live', gen_random_uuid(), 1000 + n, 'charge', 'available', 'spent', 1, 'many:' || n, 0, '2026-03-05T09:00:00Z'
      from generate_series(1, 10001) n`)
  const refused = await app.a.get(`${route}?from=2026-03-05&to=2026-03-05`, { token })
  expectRefusal(refused, 'request.invalid')
  expect(refused.body.error.details[0].message).toContain('read the ledger page by page')
})
