import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { openingCredits } from '../catalogue/index.ts'
import { findBalances } from './credits.store.ts'
import { issue, revoke } from './issuing.ts'
import { capture, charge, hold, type LedgerContext, refund, release } from './ledger.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const price = 5n
const action = 'buyer.verify_tax_id' as const

/** The expected books by the business rules alone, without ledger, places and entries. */
class Model {
  available = openingCredits.live
  held = 0n
  spent = 0n
  owed = 0n
  readonly charged = new Set<string>()
  readonly open = new Set<string>()
  readonly refunded = new Set<string>()
  readonly came = new Set<string>()
  readonly went = new Set<string>()

  charge(cause: string): boolean {
    if (this.available < price) return false
    this.available -= price
    this.spent += price
    this.charged.add(cause)
    return true
  }
  hold(cause: string): boolean {
    if (this.available < price) return false
    this.available -= price
    this.held += price
    this.open.add(cause)
    return true
  }
  end(cause: string, paid: boolean): void {
    if (!this.open.delete(cause)) return
    this.held -= price
    if (paid) this.spent += price
    else this.available += price
  }
  refund(cause: string): void {
    if (!this.charged.has(cause) || this.refunded.has(cause)) return
    this.refunded.add(cause)
    this.spent -= price
    this.available += price
  }
  comes(cause: string, amount: bigint): void {
    if (this.came.has(cause)) return
    this.came.add(cause)
    const settled = amount < this.owed ? amount : this.owed
    this.owed -= settled
    this.available += amount - settled
  }
  goes(cause: string, amount: bigint): void {
    if (this.went.has(cause)) return
    this.went.add(cause)
    const taken = amount < this.available ? amount : this.available
    this.available -= taken
    this.owed += amount - taken
  }
}

const kinds = ['charge', 'hold', 'capture', 'release', 'refund', 'purchase', 'revoke'] as const
type Step = { readonly kind: (typeof kinds)[number]; readonly cause: number; readonly amount: bigint }

/** One step on the ledger and on the model. Both must agree whether it is possible. */
async function take(
  context: LedgerContext,
  tenant: Tenant,
  model: Model,
  step: Step,
  fresh: () => string,
): Promise<void> {
  const known = String(step.cause)
  const draw = async (drawn: Promise<void>, expected: boolean) =>
    expect(
      await drawn.then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          return false
        },
      ),
    ).toBe(expected)
  switch (step.kind) {
    case 'charge': {
      // Callers charge or hold a cause once. Half of the steps use a cause that others refer to.
      const cause = model.charged.has(known) ? fresh() : known
      return await draw(charge(context, tenant, action, cause), model.charge(cause))
    }
    case 'hold': {
      const cause = fresh()
      const drawn = hold(context, tenant, action, cause)
      return await draw(drawn, model.hold(cause))
    }
    case 'capture':
    case 'release': {
      const [cause = known] = [...model.open].slice(step.cause % Math.max(model.open.size, 1))
      await (step.kind === 'capture' ? capture : release)(context, tenant, action, cause)
      return model.end(cause, step.kind === 'capture')
    }
    case 'refund':
      await refund(context, tenant, action, known)
      return model.refund(known)
    case 'revoke':
      await revoke(context, tenant, step.amount, known)
      return model.goes(known, step.amount)
    case 'purchase':
      await issue(context, tenant, 'purchase', step.amount, known)
      return model.comes(known, step.amount)
  }
}

const steps = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), cause: fc.nat(60), amount: fc.bigInt({ min: 1n, max: 40n }) }),
  { minLength: 1, maxLength: 4 },
)

test('any sequence of ledger moves equals a model in memory', async () => {
  const seed = Date.now() & 0x7fffffff
  const cases = fc.sample(steps, { numRuns: casesToTry(256, 4096), seed })
  let names = 0
  for (let from = 0; from < cases.length; from += 256) {
    const { organisationId } = await app.person()
    await app.openAccount(organisationId)
    const tenant: Tenant = { organisationId, mode: 'live' }
    const model = new Model()
    await app.runtime.db.transaction(async (tx) => {
      const context: LedgerContext = { tx, now: new Date('2026-03-02T09:00:00Z'), emit: () => {} }
      for (const [at, tried] of cases.slice(from, from + 256).entries()) {
        for (const step of tried) await take(context, tenant, model, step, () => `own-${names++}`)
        const { available, held, spent, owed } = (await findBalances(tx, tenant)) as Exclude<
          Awaited<ReturnType<typeof findBalances>>,
          undefined
        >
        expect({ available, held, spent, owed }, `seed ${seed}, case ${from + at}`).toEqual({
          available: model.available,
          held: model.held,
          spent: model.spent,
          owed: model.owed,
        })
      }
    })
  }
})
