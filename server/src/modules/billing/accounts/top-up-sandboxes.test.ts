import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../../kernel/ids.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import { identifier, sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { charge, findBalances, issue, revoke } from '../../credits/index.ts'
import type { LedgerContext } from '../../credits/ledger.ts'
import { fillSandbox, findSandboxesToFill } from './top-up-sandboxes.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: '2026-03-02T09:00:00Z' })
})
afterAll(() => app.close())

const inTx = (body: (context: LedgerContext) => Promise<unknown>) =>
  app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })
const tenantOf = (organisationId: OrganisationId, mode: Mode = 'sandbox'): Tenant => ({ organisationId, mode })
const left = async (tenant: Tenant) => (await findBalances(app.runtime.db, tenant))?.available
const take = (tenant: Tenant, credits: bigint) => inTx((context) => revoke(context, tenant, credits, newId()))
const submit = (tenant: Tenant) => inTx((context) => charge(context, tenant, 'invoice.submit', newId()))
const fillAll = () => app.runJob('fill-sandboxes')

async function sandbox(): Promise<Tenant> {
  const { organisationId } = await app.person()
  await app.openAccount(organisationId)
  return tenantOf(organisationId)
}
const topUps = ({ organisationId }: Tenant) =>
  app.runtime.db.rows<object>(sql`
    select mode, amount, cause from credit_moves
     where organisation_id = ${organisationId} and type = 'grant' and cause <> 'opening' order by seq`)

test('a sandbox is topped up to 100,000 once a day in Lagos', async () => {
  const tenant = await sandbox()
  await submit(tenant)
  await fillAll()
  expect(await left(tenant)).toBe(100_000n)
  for (let again = 0; again < 3; again++) {
    await submit(tenant)
    await fillAll()
  }
  await Promise.all([fillAll(), fillAll(), fillAll()])
  expect(await left(tenant)).toBe(99_970n)
  app.clock.set('2026-03-02T22:59:59Z')
  await fillAll()
  expect(await left(tenant)).toBe(99_970n)
  app.clock.set('2026-03-02T23:00:00Z')
  await Promise.all([fillAll(), fillAll(), fillAll()])
  expect(await left(tenant)).toBe(100_000n)
  expect(await topUps(tenant)).toEqual([
    { mode: 'sandbox', amount: 10n, cause: 'daily:2026-03-02' },
    { mode: 'sandbox', amount: 30n, cause: 'daily:2026-03-03' },
  ])
})

test('a full sandbox, one with more than that, and live credits are left alone', async () => {
  const [full, rich] = [await sandbox(), await sandbox()]
  await inTx((context) => issue(context, rich, 'grant', 500n, 'gift'))
  const live = tenantOf(full.organisationId, 'live')
  await take(live, 20n)
  app.clock.advance({ days: 1 })
  await fillAll()
  expect([await left(full), await left(rich), await left(live)]).toEqual([100_000n, 100_500n, 30n])
  expect(await topUps(full)).toEqual([])
})

test('a concurrent change never leads to more than 100,000', async () => {
  const [spending, receiving] = [await sandbox(), await sandbox()]
  for (const tenant of [spending, receiving]) await take(tenant, 1_000n)
  app.clock.advance({ days: 1 })
  const found = await app.runner.run(findSandboxesToFill, {
    caller: systemCaller,
    origin,
    input: undefined,
  })
  await submit(spending)
  await inTx((context) => issue(context, receiving, 'grant', 900n, 'gift'))
  for (const input of found) await app.runner.run(fillSandbox, { caller: systemCaller, origin, input })
  expect([await left(spending), await left(receiving)]).toEqual([100_000n, 100_000n])
})

test('many batches of sandboxes are all topped up, each once', async () => {
  // More than the 200 of one batch.
  const many = 210
  await app.runtime.db.rows(sql`
    insert into organisations (id, name, country, created_at, updated_at)
    select gen_random_uuid(), 'Shop ' || n, 'NG', now(), now() from generate_series(1, ${many}) n`)
  const count = (table: string) =>
    app.runtime.db.one<{ count: number }>(sql`select count(*)::int as count from ${identifier(table)}`)
  while ((await count('billing_accounts')).count < (await count('organisations')).count)
    await app.runJob('open-missing-accounts')
  const all = await app.runtime.db.rows<{ organisationId: OrganisationId }>(
    sql`select a.organisation_id from billing_accounts a join organisations o on o.id = a.organisation_id
         where starts_with(o.name, 'Shop ')`,
  )
  expect(all).toHaveLength(many)
  app.clock.advance({ days: 1 })
  await inTx(async (context) => {
    for (const { organisationId } of all) await charge(context, tenantOf(organisationId), 'invoice.submit', newId())
  })
  await Promise.all([fillAll(), fillAll()])
  const today = `daily:${new Date(app.clock.now().getTime() + 3_600_000).toISOString().slice(0, 10)}`
  const filled = await app.runtime.db.rows<{ organisationId: string; available: bigint; tops: number }>(sql`
    select b.organisation_id, b.available, count(m.id)::int as tops
      from credit_balances b join credit_moves m using (organisation_id, mode)
      join organisations o on o.id = b.organisation_id
     where starts_with(o.name, 'Shop ') and b.mode = 'sandbox' and m.cause = ${today} group by 1, 2`)
  expect(filled).toHaveLength(many)
  expect(filled.filter(({ available, tops }) => available !== 100_000n || tops !== 1)).toEqual([])
})
