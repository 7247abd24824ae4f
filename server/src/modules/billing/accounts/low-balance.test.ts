import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../../kernel/ids.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { charge, hold, issue, release, revoke } from '../../credits/index.ts'
import { type LedgerContext, refund } from '../../credits/ledger.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const route = '/b/v1/billing-accounts/me/low-balance'
const subject = 'Your credits are running low'
const inTx = (body: (context: LedgerContext) => Promise<unknown>) =>
  app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })
const ledger = (organisationId: OrganisationId, mode: Mode = 'live'): Tenant => ({ organisationId, mode })
const submit = (tenant: Tenant, cause: string = newId()) =>
  inTx((context) => charge(context, tenant, 'invoice.submit', cause))
const fill = (tenant: Tenant, credits: bigint) => inTx((context) => issue(context, tenant, 'grant', credits, newId()))

async function customer(): Promise<Person> {
  const person = await app.person()
  await app.openAccount(person.organisationId)
  return person
}
const setLine = async ({ token }: Person, threshold: number) => {
  const set = await app.a.patch(route, { token, body: { threshold } })
  expect([set.status, set.data]).toEqual([200, { threshold }])
}
const lineOf = async ({ token }: Person) =>
  (await app.a.get('/b/v1/billing-accounts/me', { token })).data.lowBalanceThreshold

/** Waits until all background jobs are done. */
const quiet = () => app.quiet()
const lettersTo = async (...people: Person[]) => {
  await quiet()
  return await Promise.all(
    people.map(async ({ email }) => (await app.mailTo(email, 0)).filter((mail) => mail.subject === subject).length),
  )
}
const crossings = async (organisationId: OrganisationId) =>
  (
    await app.runtime.db.rows<{ data: object }>(sql`
      select data from events
       where organisation_id = ${organisationId} and type = 'billing.balance.low' and mode = 'live' order by position`)
  ).map(({ data }) => data)

describe.each(['A', 'B'] as const)('setting the limit through form %s', (form) => {
  test('the limit is a whole number from 0 to 100,000,000, and is shown with the account', async () => {
    const owner = await customer()
    for (const threshold of [100_000_000, 1, 0]) {
      const set = await app.client(form).patch(route, { token: owner.token, body: { threshold } })
      expect([set.status, set.data]).toEqual([200, { threshold }])
      expect(await lineOf(owner)).toBe(threshold)
    }
  })

  test('anything else is refused and changes nothing', async () => {
    const owner = await customer()
    await setLine(owner, 7)
    for (const threshold of [-1, 100_000_001, 1.5, 1e15, '7', '', null, true, [7], {}]) {
      const refused = await app.client(form).patch(route, { token: owner.token, body: { threshold } })
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused), JSON.stringify(threshold)).toEqual(['threshold'])
    }
    for (const [body, paths] of [
      [{}, ['threshold']],
      [{ threshold: 8, mode: 'sandbox' }, ['mode']],
    ] as const) {
      const refused = await app.client(form).patch(route, { token: owner.token, body })
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual(paths)
    }
    expect(await lineOf(owner)).toBe(7)
  })

  test('only people with the capability set the limit, never a key', async () => {
    const owner = await customer()
    const { organisationId } = owner
    const body = { threshold: 5 }
    const patch = (token: string) => app.client(form).patch(route, { token, body })
    for (const role of ['VIEWER', 'ACCOUNTANT', 'MEMBER'] as const)
      expectRefusal(await patch((await app.member(organisationId, role)).token), 'auth.capability_missing')
    expectRefusal(await patch(await app.key(organisationId, { mode: 'live' })), 'auth.users_only')
    expectRefusal(await app.client(form).patch(route, { body }), 'auth.token_missing')
    expect(await lineOf(owner)).toBe(0)
    const holder = await memberHolding(app, owner, 'billing.low_balance.configure')
    expect((await patch(holder.token)).status).toBe(200)
    expect(await lineOf(owner)).toBe(5)
  })
})

describe('the mail about a low balance', () => {
  test('is sent once for each crossing of the limit', async () => {
    const owner = await customer()
    const live = ledger(owner.organisationId)
    await setLine(owner, 30)
    await submit(live)
    await submit(live)
    // 30 are left, which is not below the threshold.
    expect(await lettersTo(owner)).toEqual([0])
    for (let charges = 0; charges < 3; charges++) await submit(live)
    expect(await lettersTo(owner)).toEqual([1])
    await fill(live, 29n)
    await submit(live)
    expect(await lettersTo(owner)).toEqual([1])
    await fill(live, 11n)
    await submit(live)
    expect(await lettersTo(owner)).toEqual([2])
    expect(await crossings(owner.organisationId)).toEqual([
      { creditBalance: 20, threshold: 30 },
      { creditBalance: 20, threshold: 30 },
    ])
    const [mail] = await app.mailTo(owner.email, 2)
    expect(mail?.text).toContain('20 credits are left now')
  })

  test('is sent after holds and refunds too', async () => {
    const owner = await customer()
    const live = ledger(owner.organisationId)
    await setLine(owner, 50)
    await inTx((context) => hold(context, live, 'buyer.verify_tax_id', 'asked'))
    await inTx((context) => release(context, live, 'buyer.verify_tax_id', 'asked'))
    await submit(live, 'sent')
    await inTx((context) => refund(context, live, 'invoice.submit', 'sent'))
    await inTx((context) => revoke(context, live, 20n, 'money went back'))
    expect(await crossings(owner.organisationId)).toEqual([
      { creditBalance: 45, threshold: 50 },
      { creditBalance: 40, threshold: 50 },
      { creditBalance: 30, threshold: 50 },
    ])
    expect(await lettersTo(owner)).toEqual([3])
  })

  test('is not sent for a limit of 0, in the sandbox, or for a new limit above the balance', async () => {
    const [silent, sandboxed, late] = [await customer(), await customer(), await customer()]
    await setLine(silent, 20)
    await setLine(silent, 0)
    await setLine(sandboxed, 99_995)
    await setLine(late, 60)
    for (let charges = 0; charges < 5; charges++) await submit(ledger(silent.organisationId))
    for (let charges = 0; charges < 2; charges++) await submit(ledger(sandboxed.organisationId, 'sandbox'))
    await submit(ledger(late.organisationId))
    expect(await lettersTo(silent, sandboxed, late)).toEqual([0, 0, 0])
  })

  test('goes only to the active members who may set the limit', async () => {
    const owner = await customer()
    const { organisationId } = owner
    const admin = await app.member(organisationId, 'ADMIN')
    const holder = await memberHolding(app, owner, 'billing.low_balance.configure')
    const viewer = await app.member(organisationId, 'VIEWER')
    const accountant = await app.member(organisationId, 'ACCOUNTANT')
    const suspended = await app.member(organisationId, 'ADMIN')
    const status = await app.b.patch(`/a/v1/organizations/me/users/${suspended.userId}/status`, {
      token: owner.token,
      body: { status: 'suspended' },
    })
    expect(status.status).toBe(200)
    const stranger = await customer()
    await setLine(owner, 45)
    await submit(ledger(organisationId))
    expect(await lettersTo(owner, admin, holder, viewer, accountant, suspended, stranger)).toEqual([
      1, 1, 1, 0, 0, 0, 0,
    ])
  })

  test('is sent once for many concurrent charges', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await customer()
      const live = ledger(owner.organisationId)
      await fill(live, 150n)
      await setLine(owner, 95)
      await Promise.all(Array.from({ length: 20 }, () => submit(live)))
      expect(await crossings(owner.organisationId)).toEqual([{ creditBalance: 90, threshold: 95 }])
      expect(await lettersTo(owner)).toEqual([1])
    }
  })

  test('is not sent for a charge that was rolled back', async () => {
    const owner = await customer()
    await setLine(owner, 45)
    const failing = inTx(async (context) => {
      await charge(context, ledger(owner.organisationId), 'invoice.submit', 'sent')
      throw new Error('the save failed')
    })
    await expect(failing).rejects.toThrow('the save failed')
    expect(await lettersTo(owner)).toEqual([0])
  })

  test('shows the balance at the time of writing, and is omitted if the limit was removed', async () => {
    const [owner, silent] = [await customer(), await customer()]
    const live = ledger(owner.organisationId)
    for (const person of [owner, silent]) await setLine(person, 45)
    await app.stopWork()
    await submit(live)
    await fill(live, 500n)
    await submit(ledger(silent.organisationId))
    await setLine(silent, 0)
    await app.startWork()
    expect(await lettersTo(owner, silent)).toEqual([1, 0])
    const [mail] = await app.mailTo(owner.email)
    expect(mail?.text).toContain('540 credits are left now')
  })
})
