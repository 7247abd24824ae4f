import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { emitChanges, followAllLists, followLists } from '../../../../../test/harness/follow-lists.ts'
import { invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { ok } from '../../../../../test/harness/issued.ts'
import {
  chance,
  changeAtRandom,
  insertRandomInvoices,
  makeWorld,
  pick,
  type World,
} from '../../../../../test/harness/random-invoices.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Database } from '../../../platform/database/database.ts'
import { joined, sql } from '../../../platform/database/sql.ts'
import { type StatisticsFilter, sumByAge, sumByMonth, sumByStatus, summing } from './statistics.store.ts'

const seed = Math.floor(Math.random() * 1e9)
const next = chance(seed)
let app: TestApp
let db: Database
let tenant: Tenant
let world: World
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  await app.stopWork()
  db = app.runtime.db
  tenant = { organisationId: (await app.person()).organisationId, mode: 'sandbox' }
  world = await makeWorld(db, tenant)
  ids = await insertRandomInvoices(db, tenant, world, 80, next)
})
afterAll(() => app.close())

/** The plain meaning: reads every invoice. */
function addedUp({ from, to }: StatisticsFilter) {
  const conditions = [sql`organisation_id = ${tenant.organisationId}`, sql`mode = ${tenant.mode}`]
  if (from !== undefined) conditions.push(sql`issue_date >= ${from}`)
  if (to !== undefined) conditions.push(sql`issue_date <= ${to}`)
  return db.rows(sql`
    select status, type, currency, count(*)::int as count, sum(net_minor)::bigint as net_minor, sum(tax_minor)::bigint as tax_minor,
           sum(payable_minor)::bigint as payable_minor, sum(paid_minor)::bigint as paid_minor
      from invoices where ${joined(conditions, ' and ')} group by status, type, currency
     order by status || ' ' || type || ' ' || currency collate "C"`)
}

/** The same by month of issue. */
const addedUpByMonth = (from: string) =>
  db.rows(sql`
    select to_char(issue_date, 'YYYY-MM-01') as month, status, type, currency, count(*)::int as count, sum(payable_minor)::bigint as payable_minor
      from invoices where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and issue_date >= ${from}
     group by 1, 2, 3, 4 order by 1, status || ' ' || type || ' ' || currency collate "C"`)
const byMonth = async (from: string) =>
  (await sumByMonth(db, tenant, from))
    .map(({ month, status, type, currency, count, payableMinor }) => ({
      month,
      status,
      type,
      currency,
      count,
      payableMinor,
    }))
    .sort((one, other) => (Object.values(one).join(' ') < Object.values(other).join(' ') ? -1 : 1))

/** The amount due of each open document, one by one, by instalments. Without a due day it is never late. */
const addedUpByAge = (today: string) =>
  db.rows(sql`
    select case when age >= 61 then 61 when age >= 1 then 1 else -1 end as step, currency, count(distinct id)::int as count, sum(due)::bigint as due_minor
      from (select id, ${today}::date - part.due_date as age, currency, part.due
              from invoices i cross join lateral (
                select p.due_date, p.due_minor as due from open_instalments(i.instalments, payable_minor - credited_minor - paid_minor) as p
                union all
                select i.due_date, payable_minor - credited_minor - paid_minor where i.instalments is null) as part
             where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and type <> 'credit_note'
               and status not in ('draft', 'rejected', 'cancelled') and payable_minor - credited_minor > paid_minor
               and (paid_minor > 0 or coalesce(declared_payment_status, 'unpaid') <> 'paid')) as open
     group by 1, 2 order by 1, 2`)
const byAge = async (today: string) =>
  (await sumByAge(db, tenant, today, [1, 61])).sort(
    (one, other) => one.step - other.step || (one.currency < other.currency ? -1 : 1),
  )

const dayAt = (at: number): string => new Date(Date.UTC(2025, 11, 1) + at * 86_400_000).toISOString().slice(0, 10)
function someRange(): StatisticsFilter {
  const [one, other] = [Math.floor(next() * 260), Math.floor(next() * 260)].sort((a, b) => a - b) as [number, number]
  return pick(next, [
    {},
    { from: dayAt(one) },
    { to: dayAt(other) },
    { from: dayAt(one), to: dayAt(other) },
    { from: dayAt(one), to: dayAt(one) },
    { from: '2026-02-01', to: '2026-04-30' },
  ])
}

test('sums equal the plain addition after any changes, processed or not', async () => {
  for (let round = 0; round < 12; round++) {
    for (let at = 0; at < 8; at++) await changeAtRandom(db, tenant, world, pick(next, ids), next)
    if (round % 3 === 0) ids.push(...(await insertRandomInvoices(db, tenant, world, 6, next)))
    await followLists(db, 1 + Math.floor(next() * 40))
    for (const range of [{}, someRange(), someRange()])
      expect({ seed, range, sums: await sumByStatus(db, tenant, range) }).toEqual({
        seed,
        range,
        sums: await addedUp(range),
      })
    const day = dayAt(Math.floor(next() * 300))
    expect({ seed, day, ages: await byAge(day) }).toEqual({ seed, day, ages: await addedUpByAge(day) })
    const from = `${day.slice(0, -2)}01`
    expect({ seed, from, months: await byMonth(from) }).toEqual({ seed, from, months: await addedUpByMonth(from) })
  }
  await followAllLists(db, 50)
  expect({ seed, sums: await sumByStatus(db, tenant, {}) }).toEqual({ seed, sums: await addedUp({}) })
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Rows of a table that a plan read. */
const met = (plan: Plan, table: string): number =>
  (plan['Relation Name'] === table
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + met(inner, table), 0)

test('only invoices that changed since are read', async () => {
  await followAllLists(db, 1_000)
  const all = await db.one<{ n: number }>(sql`select count(*)::int as n from invoices`)
  expect(all.n).toBeGreaterThan(60)
  const looked = async () => {
    const { text, values } = summing(tenant, { from: '2026-01-15', to: '2026-05-15' })
    const explain = { text: `explain (analyze, format json) ${text}`, values, name: undefined }
    const row = await db.one<Record<string, [{ Plan: Plan }]>>(explain)
    const [{ Plan: plan }] = Object.values(row)[0] as [{ Plan: Plan }]
    return [met(plan, 'invoices'), met(plan, 'invoice_listing')]
  }
  expect(await looked()).toEqual([0, 0])
  await emitChanges(db, tenant, ids.slice(-2))
  expect(Math.max(...(await looked()))).toBeLessThanOrEqual(2)
})

test('a sum beyond the database’s largest integer is returned', async () => {
  const other: Tenant = { organisationId: (await app.person()).organisationId, mode: 'sandbox' }
  const made = await insertRandomInvoices(db, other, await makeWorld(db, other), 3, next)
  await db.run(sql`
    update invoices set status = 'draft', type = 'standard', currency = 'NGN', original_id = null, finalised_at = null, paid_minor = 0,
           credited_minor = 0, instalments = null, net_minor = 9e18, tax_minor = 0, payable_minor = 9e18
     where organisation_id = ${other.organisationId}`)
  await emitChanges(db, other, made)
  const expected = [expect.objectContaining({ count: 3, netMinor: 27n * 10n ** 18n })]
  expect(await sumByStatus(db, other, {})).toEqual(expected)
  await followAllLists(db, 100)
  expect(await sumByStatus(db, other, {})).toEqual(expected)
})

test.each(['A', 'B'] as const)('sums beyond binary numbers are returned exactly, in form %s', async (form) => {
  const own = await issuer(app)
  const [line] = invoiceBody.A(own).lineItems as [object]
  const body = invoiceBody.A(own, {
    lineItems: [{ ...line, quantity: 9, unitPrice: '999999999999.99', taxCategory: 'zero' }],
  })
  for (let made = 0; made < 11; made++) ok(await app.a.post('/i/v1/invoices', { token: own.token, body }), 201)
  const { text } = await app.client(form).get('/i/v1/invoices/statistics', { token: own.token })
  expect(text).toContain('"payableMinor":9899999999999901,')
})
