import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { balance, emptyBooks } from '../../../../test/harness/credit-balances.ts'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { isUniqueViolation } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { openingCredits } from '../catalogue/index.ts'
import type { CreditBalances } from './credit-balances.ts'
import { findBalances } from './credits.store.ts'
import { issue, revoke } from './issuing.ts'
import { capture, charge, hold, type LedgerContext, refund, release } from './ledger.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const now = new Date('2026-03-02T09:00:00Z')
const inTx = <Result>(body: (context: LedgerContext) => Promise<Result>): Promise<Result> =>
  app.runtime.db.transaction((tx) => body({ tx, now, emit: () => {} }))

async function newTenant(credits: bigint): Promise<Tenant> {
  const { organisationId } = await app.person()
  const tenant: Tenant = { organisationId, mode: 'live' }
  await app.openAccount(organisationId)
  await inTx(async (context) => {
    await revoke(context, tenant, openingCredits.live, 'begin with nothing')
    if (credits > 0n) await issue(context, tenant, 'grant', credits, 'first')
  })
  return tenant
}

const balancesOf = async (tenant: Tenant): Promise<CreditBalances> => {
  const { available, held, spent, lent, owed, issued } = (await findBalances(app.runtime.db, tenant)) as CreditBalances
  return { available, held, spent, lent, owed, issued }
}

/** The sums of the entries, independent of the balance. */
const entriesOf = (tenant: Tenant) =>
  app.runtime.db.rows<{ type: string; amount: bigint; seq: bigint; availableAfter: bigint }>(sql`
    select type, amount, seq, available_after from credit_moves
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} order by seq`)

test('of concurrent charges as many succeed as there are credits, and the ledger balances', async () => {
  const tenant = await newTenant(300n)
  let charged = 0
  let refused = 0
  const caller = async () => {
    for (let tries = 0; tries < 8; tries++)
      await inTx((context) => charge(context, tenant, 'invoice.create', newId())).then(
        () => charged++,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Refusal)
          refused++
        },
      )
  }
  await Promise.all(Array.from({ length: 64 }, caller))
  expect([charged, refused]).toEqual([300, 212])
  const balances = await balancesOf(tenant)
  expect(balances).toEqual({ ...emptyBooks, spent: 300n, issued: 300n })
  const entries = await entriesOf(tenant)
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => BigInt(index + 1)))
  expect(entries.at(-1)?.availableAfter).toBe(0n)
})

test('a refused charge rolls back its effect, and a failed effect rolls back its charge', async () => {
  const tenant = await newTenant(1n)
  await expect(
    inTx(async (context) => {
      await charge(context, tenant, 'invoice.create', 'one')
      throw new Error('the save failed')
    }),
  ).rejects.toThrow('the save failed')
  expect((await balancesOf(tenant)).available).toBe(1n)
  await inTx((context) => charge(context, tenant, 'invoice.create', 'two'))
  await expect(inTx((context) => charge(context, tenant, 'invoice.create', 'three'))).rejects.toMatchObject({
    refusal: 'credits.insufficient',
  })
})

test('one cause moves credits once, in any order and number of repetitions', async () => {
  const tenant = await newTenant(20n)
  await inTx((context) => hold(context, tenant, 'tax_id.lookup', 'question'))
  await Promise.all(
    Array.from({ length: 10 }, () => inTx((context) => capture(context, tenant, 'tax_id.lookup', 'question'))),
  )
  await inTx((context) => release(context, tenant, 'tax_id.lookup', 'question'))
  await inTx((context) => release(context, tenant, 'tax_id.lookup', 'never asked'))
  expect(await balancesOf(tenant)).toMatchObject({ available: 18n, held: 0n, spent: 2n })
  await Promise.all(
    Array.from({ length: 10 }, () => inTx((context) => issue(context, tenant, 'purchase', 100n, 'payment 1'))),
  )
  expect((await balancesOf(tenant)).available).toBe(118n)
  await inTx((context) => charge(context, tenant, 'invoice.create', 'invoice'))
  await Promise.all(
    Array.from({ length: 5 }, () => inTx((context) => refund(context, tenant, 'invoice.create', 'invoice'))),
  )
  expect((await balancesOf(tenant)).available).toBe(118n)
})

test('credits that were spent before a reversal are owed, and later purchases settle the debt first', async () => {
  const tenant = await newTenant(0n)
  await inTx((context) => issue(context, tenant, 'purchase', 50n, 'payment'))
  for (const cause of ['a', 'b', 'c']) await inTx((context) => charge(context, tenant, 'invoice.submit', cause))
  await inTx((context) => revoke(context, tenant, 50n, 'charge-back'))
  await inTx((context) => revoke(context, tenant, 50n, 'charge-back'))
  expect(await balancesOf(tenant)).toMatchObject({ available: 0n, owed: 30n, spent: 30n, issued: 0n })
  await inTx((context) => issue(context, tenant, 'purchase', 40n, 'next payment'))
  expect(await balancesOf(tenant)).toMatchObject({ available: 10n, owed: 0n, issued: 40n })
})

test('the database refuses an unbalanced ledger, a negative balance and a changed entry', async () => {
  const tenant = await newTenant(5n)
  const change = (text: string, db = app.runtime.db) =>
    db.pool.query(`${text} where organisation_id = '${tenant.organisationId}'`)
  await expect(change('update credit_balances set available = available + 1')).rejects.toThrow('credit_books_balance')
  await expect(change('update credit_balances set available = -1, issued = -1')).rejects.toThrow('check constraint')
  // The service has no right to change an entry, and a trigger stops even the owner of the tables.
  for (const text of ['update credit_moves set amount = 1', 'delete from credit_moves']) {
    await expect(change(text)).rejects.toThrow('permission denied')
    await expect(change(text, app.owner)).rejects.toThrow('append-only')
  }
})

test('any interleaving of connections ends with the balance of the entries', async () => {
  const seed = Date.now() & 0x7fffffff
  const step = fc.record({
    kind: fc.constantFrom('charge', 'hold', 'capture', 'release', 'refund', 'purchase', 'revoke'),
    cause: fc.nat(5).map(String),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const tenant = await newTenant(12n)
      await Promise.all(
        steps.map(({ kind, cause }) =>
          inTx(async (context) => {
            if (kind === 'charge') await charge(context, tenant, 'buyer.create', cause)
            if (kind === 'hold') await hold(context, tenant, 'tax_id.lookup', cause)
            if (kind === 'capture') await capture(context, tenant, 'tax_id.lookup', cause)
            if (kind === 'release') await release(context, tenant, 'tax_id.lookup', cause)
            if (kind === 'refund') await refund(context, tenant, 'buyer.create', cause)
            if (kind === 'purchase') await issue(context, tenant, 'purchase', 7n, cause)
            if (kind === 'revoke') await revoke(context, tenant, 7n, cause)
          }).catch((error: unknown) => {
            // The index refuses a cause that is already charged or held. No other error is allowed.
            if (!(error instanceof Refusal) && !isUniqueViolation(error)) throw error
          }),
        ),
      )
      const balances = await balancesOf(tenant)
      expect(balance(balances)).toBe(true)
      const sum =
        (...types: string[]) =>
        async () =>
          (await entriesOf(tenant)).filter((e) => types.includes(e.type)).reduce((total, e) => total + e.amount, 0n)
      expect(balances.spent).toBe((await sum('charge', 'capture')()) - (await sum('refund')()))
      expect(balances.held).toBe((await sum('hold')()) - (await sum('capture', 'release')()))
      expect(balances.issued).toBe((await sum('grant', 'purchase', 'settlement')()) - (await sum('reversal', 'debt')()))
    }),
    { numRuns: casesToTry(12, 40), seed },
  )
})
