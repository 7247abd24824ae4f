import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { balance } from '../../../../test/harness/credit-balances.ts'
import { systemCaller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { sql } from '../../platform/database/sql.ts'
import { operation } from '../../platform/operations/operation.ts'
import { type BillableAction, costs } from '../catalogue/index.ts'
import type { CreditBalances } from './credit-balances.ts'
import { findBalances, saveLowBalanceThreshold } from './credits.store.ts'
import { issue, revoke } from './issuing.ts'
import { capture, charge, hold, type LedgerContext, refund, release } from './ledger.ts'
import { sumIncoming } from './ledger-entries.store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Like the server: events come with the moves, and a transaction that conflicts is retried. */
const inTx = <Result>(body: (context: LedgerContext) => Promise<Result>): Promise<Result> =>
  app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

const balancesOf = async (tenant: Tenant): Promise<CreditBalances> =>
  (await findBalances(app.runtime.db, tenant)) as CreditBalances
const availableOf = async (...tenants: Tenant[]) =>
  await Promise.all(tenants.map(async (tenant) => (await balancesOf(tenant)).available))
const submit = (tenant: Tenant, cause: string = newId()) =>
  inTx((context) => charge(context, tenant, 'invoice.submit', cause))
const refused = { refusal: 'credits.insufficient' }

/** Sets both ledgers to this many credits. */
async function fund(organisationId: OrganisationId, credits: bigint): Promise<void> {
  await app.openAccount(organisationId)
  for (const mode of ['live', 'sandbox'] as const)
    await inTx(async (context) => {
      const { available } = (await findBalances(context.tx, { organisationId, mode })) as CreditBalances
      if (available > 0n) await revoke(context, { organisationId, mode }, available, 'begin with nothing')
      if (credits > 0n) await issue(context, { organisationId, mode }, 'grant', credits, 'first')
    })
}

async function setPool({ token }: Person, body: object): Promise<void> {
  const set = await app.b.patch('/a/v1/organizations/me/credit-pool-config', { token, body })
  expect(set.status, set.text).toBe(200)
}

interface Relative {
  readonly owner: Person
  readonly live: Tenant
}
const relative = (owner: Person): Relative => ({ owner, live: { organisationId: owner.organisationId, mode: 'live' } })
const inMode = ({ live }: Relative, mode: Mode): Tenant => ({ ...live, mode })

async function parentWith(credits: bigint, pool: object = { primaryCoversSecondary: true }): Promise<Relative> {
  const parent = relative(await app.person())
  await fund(parent.live.organisationId, credits)
  await setPool(parent.owner, pool)
  return parent
}

async function childOf(parent: Relative, credits: bigint, pool: object = { fallbackToPrimary: true }) {
  const body = { businessName: 'Branch', email: 'branch@eze.ng', asChild: true }
  const made = await app.b.post('/a/v1/organizations', { token: parent.owner.token, body })
  expect(made.status, made.text).toBe(201)
  const child = relative(await app.member(made.data.id, 'OWNER'))
  await fund(child.live.organisationId, credits)
  await setPool(child.owner, pool)
  return child
}

const movesOf = ({ organisationId, mode }: Tenant) =>
  app.runtime.db.rows<{ type: string; amount: bigint; cause: string }>(sql`
    select type, amount, cause from credit_moves
     where organisation_id = ${organisationId} and mode = ${mode} and starts_with(type, 'pool') order by seq`)
const lowEventsOf = async ({ organisationId }: Tenant) =>
  (
    await app.runtime.db.rows<{ data: object }>(sql`
      select data from events where organisation_id = ${organisationId} and type = 'billing.balance.low' order by position`)
  ).map(({ data }) => data)

test('a parent with a pool pays exactly what an enrolled child lacks', async () => {
  const parent = await parentWith(100n)
  const child = await childOf(parent, 13n)
  await submit(child.live)
  expect(await availableOf(parent.live, child.live)).toEqual([100n, 3n])
  await submit(child.live)
  expect(await availableOf(parent.live, child.live)).toEqual([93n, 0n])
  await submit(child.live)
  expect(await availableOf(parent.live, child.live)).toEqual([83n, 0n])
  expect(await balancesOf(parent.live)).toMatchObject({ lent: 17n, spent: 0n })
  expect(await balancesOf(child.live)).toMatchObject({ spent: 30n, issued: 30n })
  const [lent, received] = [await movesOf(parent.live), await movesOf(child.live)]
  expect(lent.map(({ type, amount }) => [type, amount])).toEqual([
    ['pool_out', 7n],
    ['pool_out', 10n],
  ])
  expect(received.map(({ cause }) => cause)).toEqual(lent.map(({ cause }) => cause))
})

test('the parent pays down to its reserve, and not one credit below', async () => {
  const parent = await parentWith(35n, { primaryCoversSecondary: true, minimumReserve: 25 })
  const child = await childOf(parent, 0n)
  await submit(child.live)
  await expect(submit(child.live)).rejects.toMatchObject(refused)
  expect(await availableOf(parent.live, child.live)).toEqual([25n, 0n])
  // The reserve limits the children, not the parent itself.
  await submit(parent.live)
  expect(await availableOf(parent.live)).toEqual([15n])
})

test('if the parent could pay only a part, it pays nothing and the child keeps its credits', async () => {
  const parent = await parentWith(6n)
  const child = await childOf(parent, 3n)
  await expect(submit(child.live)).rejects.toMatchObject(refused)
  expect(await availableOf(parent.live, child.live)).toEqual([6n, 3n])
  expect([await movesOf(parent.live), await movesOf(child.live)]).toEqual([[], []])
})

test.each([
  ['the parent does not offer', { primaryCoversSecondary: false }, { fallbackToPrimary: true }],
  ['the child did not ask', { primaryCoversSecondary: true }, { fallbackToPrimary: false }],
  ['both have it the wrong way round', { fallbackToPrimary: true }, { primaryCoversSecondary: true }],
])('the parent does not pay if %s', async (_, offer, wish) => {
  const parent = await parentWith(100n, offer)
  const child = await childOf(parent, 9n, wish)
  await expect(submit(child.live)).rejects.toMatchObject(refused)
  expect(await availableOf(parent.live, child.live)).toEqual([100n, 9n])
})

test('children do not pay for their parent or for each other', async () => {
  const parent = await parentWith(0n, { primaryCoversSecondary: true, fallbackToPrimary: true })
  const [rich, poor] = [await childOf(parent, 100n), await childOf(parent, 0n)]
  await setPool(rich.owner, { primaryCoversSecondary: true })
  await parentWith(1000n)
  for (const { live } of [parent, poor]) await expect(submit(live)).rejects.toMatchObject(refused)
  expect(await availableOf(rich.live)).toEqual([100n])
})

test('a grandparent does not pay for a grandchild', async () => {
  const both = { primaryCoversSecondary: true, fallbackToPrimary: true }
  const grandparent = await parentWith(100n, both)
  const parent = await childOf(grandparent, 4n, both)
  const child = await childOf(parent, 4n, both)
  await expect(submit(child.live)).rejects.toMatchObject(refused)
  expect(await availableOf(grandparent.live, parent.live, child.live)).toEqual([100n, 4n, 4n])
  await submit(parent.live)
  expect(await availableOf(grandparent.live, parent.live)).toEqual([94n, 0n])
})

test('credits of the pool pay in their own mode', async () => {
  const parent = await parentWith(10n)
  const child = await childOf(parent, 0n)
  await submit(inMode(child, 'sandbox'))
  expect(await availableOf(inMode(parent, 'sandbox'), parent.live)).toEqual([0n, 10n])
  await expect(submit(inMode(child, 'sandbox'))).rejects.toMatchObject(refused)
  await submit(child.live)
  expect(await availableOf(parent.live)).toEqual([0n])
})

test('a returned charge goes back to the parent, once', async () => {
  const parent = await parentWith(100n)
  const child = await childOf(parent, 4n)
  await submit(child.live, 'invoice')
  expect(await availableOf(parent.live, child.live)).toEqual([94n, 0n])
  await Promise.all(
    Array.from({ length: 5 }, () => inTx((context) => refund(context, child.live, 'invoice.submit', 'invoice'))),
  )
  expect(await availableOf(parent.live, child.live)).toEqual([100n, 4n])
  expect(await balancesOf(parent.live)).toMatchObject({ lent: 0n })
  expect(await balancesOf(child.live)).toMatchObject({ spent: 0n, issued: 4n })
  expect(await sumIncoming(app.runtime.db, child.live)).toMatchObject({ received: 0n })
  await submit(child.live, 'another invoice')
  expect(await sumIncoming(app.runtime.db, child.live)).toMatchObject({ received: 6n })
})

test('a released hold returns credits to the parent, and a captured one does not', async () => {
  const parent = await parentWith(100n)
  const child = await childOf(parent, 1n)
  const [action, cause]: [BillableAction, string] = ['buyer.verify_tax_id', 'question']
  await inTx((context) => hold(context, child.live, action, cause))
  expect([await availableOf(parent.live, child.live), (await balancesOf(child.live)).held]).toEqual([[96n, 0n], 5n])
  for (let again = 0; again < 3; again++) await inTx((context) => release(context, child.live, action, cause))
  expect(await availableOf(parent.live, child.live)).toEqual([100n, 1n])
  await inTx((context) => hold(context, child.live, action, 'another'))
  await inTx((context) => capture(context, child.live, action, 'another'))
  await inTx((context) => release(context, child.live, action, 'another'))
  expect(await availableOf(parent.live, child.live)).toEqual([96n, 0n])
  expect(await balancesOf(child.live)).toMatchObject({ held: 0n, spent: 5n })
})

test('credits go back even after the agreement ended', async () => {
  const parent = await parentWith(100n)
  const child = await childOf(parent, 0n)
  await submit(child.live, 'invoice')
  await setPool(parent.owner, { primaryCoversSecondary: false })
  await setPool(child.owner, { fallbackToPrimary: false })
  await inTx((context) => refund(context, child.live, 'invoice.submit', 'invoice'))
  expect(await availableOf(parent.live, child.live)).toEqual([100n, 0n])
})

test('a parent that parted from a child pays no more, and still gets returns', async () => {
  const parent = await parentWith(100n)
  const [child, sibling] = [await childOf(parent, 0n), await childOf(parent, 0n)]
  for (const cause of ['invoice', 'kept']) await submit(child.live, cause)
  await inTx((context) => hold(context, child.live, 'buyer.verify_tax_id', 'question'))
  expect(await availableOf(parent.live, child.live)).toEqual([75n, 0n])
  const path = `/a/v1/organizations/me/children/${child.live.organisationId}`
  expect((await app.b.delete(path, { token: parent.owner.token })).status).toBe(200)
  for (let again = 0; again < 2; again++) {
    await expect(submit(child.live)).rejects.toMatchObject(refused)
    // Setting the option again does not bring the parent back.
    await setPool(child.owner, { fallbackToPrimary: true })
  }
  await submit(sibling.live)
  expect(await availableOf(parent.live, child.live)).toEqual([65n, 0n])
  await inTx((context) => refund(context, child.live, 'invoice.submit', 'invoice'))
  await inTx((context) => release(context, child.live, 'buyer.verify_tax_id', 'question'))
  expect(await availableOf(parent.live, child.live)).toEqual([80n, 0n])
  expect(await balancesOf(parent.live)).toMatchObject({ lent: 20n })
})

test('a save that fails after the parent paid rolls back both moves', async () => {
  const parent = await parentWith(100n)
  const child = await childOf(parent, 0n)
  const failed = inTx(async (context) => {
    await charge(context, child.live, 'invoice.submit', 'invoice')
    throw new Error('the save failed')
  })
  await expect(failed).rejects.toThrow('the save failed')
  expect([await movesOf(parent.live), await movesOf(child.live)]).toEqual([[], []])
})

test('of 64 concurrent charges of four children, as many succeed as there are credits above the reserve', async () => {
  const parent = await parentWith(307n, { primaryCoversSecondary: true, minimumReserve: 25 })
  const children = await Promise.all([13n, 0n, 8n, 25n].map((credits) => childOf(parent, credits)))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 64 }, (_, index) => submit((children[index % 4] as Relative).live)),
  )
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  for (const failure of failures) expect(failure).toBeInstanceOf(Refusal)
  for (const failure of failures) expect(failure).toMatchObject(refused)
  // 3 come from the children's own credits; parts of 7, 2 and 5 complete what they had, and the rest is in tens.
  expect(outcomes.length - failures.length).toBe(3 + 3 + Math.floor((307 - 25 - (7 + 2 + 5)) / 10))
  const family = await Promise.all([parent, ...children].map(({ live }) => balancesOf(live)))
  for (const balances of family) expect(balance(balances)).toBe(true)
  const [own, ...others] = family as [CreditBalances, ...CreditBalances[]]
  const sum = (place: keyof CreditBalances) => others.reduce((total, balances) => total + balances[place], 0n)
  expect(own.available).toBeGreaterThanOrEqual(25n)
  // What one side lost, the other received; the sum of the family is unchanged.
  expect(own.lent).toBe(sum('issued') - 46n)
  expect(own.available + own.spent + sum('available') + sum('spent')).toBe(307n + 46n)
  expect(sum('spent')).toBe(BigInt(outcomes.length - failures.length) * costs['invoice.submit'].credits)
})

test('concurrent charges, returns and spending of the parent do not deadlock', async () => {
  const parent = await parentWith(1000n)
  const children = await Promise.all([1, 2, 3, 4].map(() => childOf(parent, 5n)))
  const round = async ({ live }: Relative, cause: string) => {
    await submit(live, cause)
    await inTx((context) => refund(context, live, 'invoice.submit', cause))
  }
  await Promise.all(
    Array.from({ length: 48 }, (_, index) => {
      const cause = `round ${index}`
      return index % 6 === 5 ? round(parent, cause) : round(children[index % 4] as Relative, cause)
    }),
  )
  expect(await availableOf(parent.live)).toEqual([1000n])
  for (const { live } of children)
    expect(await balancesOf(live)).toMatchObject({ available: 5n, held: 0n, spent: 0n, issued: 5n })
  expect(await balancesOf(parent.live)).toMatchObject({ lent: 0n, spent: 0n })
})

test('a parent that falls below its limit by lending gets one mail', async () => {
  const parent = await parentWith(50n)
  const child = await childOf(parent, 0n)
  await inTx(({ tx }) => saveLowBalanceThreshold(tx, parent.live, 35n))
  for (let charges = 0; charges < 3; charges++) await submit(child.live)
  expect(await lowEventsOf(parent.live)).toEqual([{ creditBalance: 30, threshold: 35 }])
})

test('a child below its limit gets no repeated mails while its parent pays', async () => {
  const parent = await parentWith(100n)
  const child = await childOf(parent, 12n)
  await inTx(({ tx }) => saveLowBalanceThreshold(tx, child.live, 8n))
  for (const cause of ['one', 'two', 'three']) await submit(child.live, cause)
  for (const cause of ['three', 'two']) await inTx((context) => refund(context, child.live, 'invoice.submit', cause))
  await inTx((context) => hold(context, child.live, 'buyer.verify_tax_id', 'question'))
  await inTx((context) => release(context, child.live, 'buyer.verify_tax_id', 'question'))
  expect(await availableOf(parent.live, child.live)).toEqual([100n, 2n])
  expect(await lowEventsOf(child.live)).toEqual([{ creditBalance: 2, threshold: 8 }])
})
