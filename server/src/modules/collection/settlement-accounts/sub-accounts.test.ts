import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { type Collector, collectionPath, collector, ownBankAccount } from '../../../../../test/harness/collection.ts'
import {
  manyBankAccounts,
  type ProvidersApp,
  payer,
  startProvidersApp,
} from '../../../../../test/harness/collection-providers.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { issuer } from '../../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { SellerId } from '../../sellers/index.ts'
import { collectionMetrics } from '../notifications/collection-metrics.ts'
import { confirmSubAccount } from './confirm-sub-account.ts'
import { listSubAccountsToFollow, lockSubAccount, saveSubAccountAnswer } from './sub-accounts.store.ts'

let run: ProvidersApp
beforeAll(async () => {
  run = await startProvidersApp()
})
afterAll(() => run.close())
afterEach(() => {
  run.simulator.misbehave(undefined)
  for (const { ledger } of [run.simulator.monnify, run.simulator.paystack]) ledger.subAccountsOff = false
  run.app.bank.control.behave({})
})

const path = `${collectionPath}/settlement-accounts`
const numbers = manyBankAccounts(40)
const nextAccount = () => numbers.shift() as (typeof numbers)[number]
const names = ['monnify', 'paystack', 'sandbox'] as const

const codesAt = ({ simulator, app }: ProvidersApp, accountNumber: string) => {
  const of = (all: readonly { code: string; accountNumber: string }[]) =>
    all.filter((one) => one.accountNumber === accountNumber).map(({ code }) => code)
  return {
    monnify: of(simulator.monnify.ledger.subAccounts),
    paystack: of(simulator.paystack.ledger.subAccounts),
    sandbox: of(app.bank.control.subAccounts()),
  }
}
const settle = (own: { token: string }, body: object, form: 'A' | 'B' = 'A') =>
  run.app.client(form).post(path, { token: own.token, body })
const settlementOf = async (own: { token: string; sellerId: string }, form: 'A' | 'B' = 'A') =>
  ok(await run.app.client(form).get(`${path}/${own.sellerId}`, { token: own.token }))
const stateOf = async (own: { token: string; sellerId: string }, provider: string) =>
  (await settlementOf(own)).providers.find((one: { provider: string }) => one.provider === provider)
/** Moves the clock, so that failed attempts are due again. */
const later = async (...jobs: string[]) => {
  const now = run.app.clock.now()
  run.app.clock.set(new Date(now.getTime() + 7 * 3_600_000))
  for (const job of jobs) await run.app.runJob(job)
  run.app.clock.set(now)
}
const openAt = (own: Collector, provider: string, form: 'A' | 'B' = 'A', more: object = {}) =>
  own.tryToOpen({ preferredProvider: provider, customer: payer, ...more }, form)
/** Where a provider sends the money of an account. */
const ledTo = (provider: (typeof names)[number], accountNumber: string): string | null | undefined =>
  provider === 'sandbox'
    ? JSON.parse(
        run.app.bank.control.requests.filter(({ path: one }) => /\/(accounts|split)$/.test(one)).at(-1)?.body ?? '{}',
      ).subAccount
    : run.simulator[provider].ledger.accounts.find(({ number }) => number === accountNumber)?.split?.subAccount

describe.each(['A', 'B'] as const)('form %s', (form) => {
  test('a registration creates one sub-account at every provider in use', async () => {
    const account = nextAccount()
    const own = await issuer(run.app)
    const registered = ok(await settle(own, { sellerId: own.sellerId, ...account }, form), 201)
    const codes = codesAt(run, account.accountNumber)
    expect(registered.providers.map((one: { provider: string }) => one.provider)).toEqual([...names])
    for (const one of registered.providers)
      expect(one).toMatchObject({
        status: 'confirmed',
        reason: null,
        subAccountCode: codes[one.provider as keyof typeof codes][0],
        settlesToEnding: account.accountNumber.slice(-4),
        accountsWaiting: 0,
      })
    expect(await settlementOf(own, form)).toEqual(registered)
    // Repeating it creates no second one, and neither does another seller with the same bank account.
    ok(await settle(own, { sellerId: own.sellerId, ...account }, form), 201)
    const second = await lifeOf(run.app, own).seller()
    ok(await settle(own, { sellerId: second, ...account }, form), 201)
    expect(codesAt(run, account.accountNumber)).toEqual(codes)
    for (const name of names) expect(codes[name]).toHaveLength(1)
  })

  test('no account is opened before the provider confirmed, and the refusal states the reason', async () => {
    const account = nextAccount()
    run.simulator.monnify.ledger.subAccountsOff = true
    const own = await collector(run.app, account)
    expect(await stateOf(own, 'monnify')).toMatchObject({ status: 'refused', subAccountCode: null })
    const waiting = /risiti_collection_sub_accounts_waiting\{provider="monnify"\} [1-9]/
    expect(await collectionMetrics(run.app.runtime.db)).toMatch(waiting)
    const refused = await openAt(own, 'monnify', form)
    expectRefusal(refused, 'collection.not_settled_to')
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toMatch(/Monnify has not enabled sub-accounts.+The operator must ask Monnify/)
    // The other providers continue.
    ok(await openAt(own, 'paystack', form), 201)
    // Once enabled, it is confirmed automatically.
    run.simulator.monnify.ledger.subAccountsOff = false
    await later('sweep-sub-accounts')
    expect(await stateOf(own, 'monnify')).toMatchObject({ status: 'confirmed', reason: null })
    ok(await openAt(own, 'monnify', form), 201)
  })
})

test('after a lost reply the sweep finds the one sub-account', async () => {
  const account = nextAccount()
  const own = await issuer(run.app)
  run.simulator.misbehave('lost_reply')
  const registered = ok(await settle(own, { sellerId: own.sellerId, ...account }), 201)
  run.simulator.misbehave(undefined)
  const status = (provider: string) =>
    registered.providers.find((one: { provider: string }) => one.provider === provider)
  expect(status('monnify')).toMatchObject({ status: 'pending', reason: 'monnify did not answer' })
  expect(status('sandbox').status).toBe('confirmed')
  await later('sweep-sub-accounts')
  for (const name of names) {
    expect((await stateOf(own, name)).status).toBe('confirmed')
    expect(codesAt(run, account.accountNumber)[name]).toHaveLength(1)
  }
})

test('a provider that is configured later gets the existing settlement accounts, even if one fails', async () => {
  const [first, second] = [nextAccount(), nextAccount()]
  const own = await collector(run.app, first)
  const other = await collector(run.app, second)
  const account = ok(await openAt(own, 'paystack'), 201)
  // As if Paystack and sub-accounts had not existed when the account was opened.
  const db = run.app.owner
  const ids = [own.organisationId, other.organisationId]
  await db.run(
    sql`delete from collection_sub_accounts where provider = 'paystack' and organisation_id = any (${ids}::uuid[])`,
  )
  await db.run(sql`update virtual_accounts set sub_account_code = null where id = ${account.id}`)
  const opened = run.simulator.paystack.ledger.accounts.find(({ number }) => number === account.accountNumber)
  if (opened) opened.split = null
  // Paystack does not know this bank, so that one stays pending and delays nobody.
  await db.run(
    sql`update settlement_accounts set bank_code = '999999', bank_network_code = null where organisation_id = ${other.organisationId}`,
  )
  await run.app.runJob('sweep-sub-accounts')
  expect((await stateOf(own, 'paystack')).status).toBe('confirmed')
  expect(await stateOf(other, 'paystack')).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('does not settle to'),
  })
  await run.app.runJob('sweep-splits')
  expect(ledTo('paystack', account.accountNumber)).toBe((await stateOf(own, 'paystack')).subAccountCode)
})

describe.each(names)('a changed bank account at %s', (name) => {
  test('moves the existing accounts after the provider confirmed, and earlier money goes to the previous bank account', async () => {
    const [first, second] = [nextAccount(), nextAccount()]
    const own = await collector(run.app, first)
    const account = ok(await openAt(own, name), 201)
    const before = (await stateOf(own, name)).subAccountCode
    expect(ledTo(name, account.accountNumber)).toBe(before)
    const changed = ok(await settle(own, { sellerId: own.sellerId, ...second }), 201)
    const now = changed.providers.find((one: { provider: string }) => one.provider === name)
    expect(now).toMatchObject({
      status: 'confirmed',
      settlesToEnding: second.accountNumber.slice(-4),
      accountsWaiting: 1,
    })
    expect(now.subAccountCode).not.toBe(before)
    expect(ledTo(name, account.accountNumber)).toBe(before)
    await run.app.runJob('sweep-splits')
    expect(await stateOf(own, name)).toMatchObject({ accountsWaiting: 0 })
    expect(ledTo(name, account.accountNumber)).toBe(now.subAccountCode)
    // Other sellers with the first bank account keep it: a sub-account never changes.
    expect(codesAt(run, first.accountNumber)[name]).toEqual([before])
  })
})

test('while a new bank account is unconfirmed, no account is opened and the old bank account is shown', async () => {
  const [first, second] = [ownBankAccount, nextAccount()]
  const own = await collector(run.app, first)
  const account = ok(await openAt(own, 'monnify'), 201)
  const { subAccountCode: before } = await stateOf(own, 'monnify')
  run.simulator.misbehave('down')
  ok(await settle(own, { sellerId: own.sellerId, ...second }), 201)
  run.simulator.misbehave(undefined)
  expect(await stateOf(own, 'monnify')).toMatchObject({
    status: 'pending',
    subAccountCode: before,
    settlesToEnding: first.accountNumber.slice(-4),
  })
  const refused = await openAt(own, 'monnify')
  expectRefusal(refused, 'collection.not_settled_to')
  expect(refused.body.error.message).toContain('has not confirmed')
  expect(ledTo('monnify', account.accountNumber)).toBe(before)
  await later('sweep-sub-accounts', 'sweep-splits')
  expect(await stateOf(own, 'monnify')).toMatchObject({
    status: 'confirmed',
    settlesToEnding: second.accountNumber.slice(-4),
    accountsWaiting: 0,
  })
  expect(ledTo('monnify', account.accountNumber)).not.toBe(before)
})

test('an account that cannot be moved does not delay the others, and is retried', async () => {
  const own = await collector(run.app, ownBankAccount)
  const accounts = [ok(await openAt(own, 'monnify'), 201), ok(await openAt(own, 'monnify'), 201)]
  const at = (nth: number) =>
    run.simulator.monnify.ledger.accounts.find(({ number }) => number === accounts[nth].accountNumber)
  const stuck = at(0)
  if (!stuck) throw new Error('the account is there')
  stuck.closed = true
  const second = nextAccount()
  ok(await settle(own, { sellerId: own.sellerId, ...second }), 201)
  await run.app.runJob('sweep-splits')
  const { subAccountCode } = await stateOf(own, 'monnify')
  expect(at(1)?.split?.subAccount).toBe(subAccountCode)
  expect(stuck.split?.subAccount).not.toBe(subAccountCode)
  expect(await stateOf(own, 'monnify')).toMatchObject({ accountsWaiting: 1 })
  stuck.closed = false
  await later('sweep-splits')
  expect(stuck.split?.subAccount).toBe(subAccountCode)
  expect(await stateOf(own, 'monnify')).toMatchObject({ accountsWaiting: 0 })
})

test('a bank account that changes during the move of accounts gets the accounts too', async () => {
  const [first, second, third] = [nextAccount(), nextAccount(), nextAccount()]
  const own = await collector(run.app, first)
  const account = ok(await openAt(own, 'monnify'), 201)
  ok(await settle(own, { sellerId: own.sellerId, ...second }), 201)
  const { subAccountCode: toSecond } = await stateOf(own, 'monnify')
  // Monnify already has the third bank account from another seller.
  await collector(run.app, third)
  const toThird = codesAt(run, third.accountNumber).monnify[0] as string
  const db = run.app.owner
  const tenant = { organisationId: own.organisationId, mode: 'sandbox' as const }
  const key = { sellerId: own.sellerId as SellerId, provider: 'monnify' as const }
  const sweep = await db.transaction(async (tx) => {
    await lockSubAccount(tx, tenant, key)
    const swept = run.app.runJob('sweep-splits')
    // The account now uses the second bank account, and the sweep is about to save that nothing is left.
    await eventually(async () => {
      expect(ledTo('monnify', account.accountNumber)).toBe(toSecond)
      expect(await listLockWaits(db, /collection_sub_accounts/)).not.toEqual([])
    })
    const confirmed = { kind: 'confirmed' as const, code: toThird }
    const now = run.app.clock.now()
    await saveSubAccountAnswer(tx, tenant, key, third, confirmed, { now, isNewBankAccount: true })
    return { swept }
  })
  await sweep.swept
  await run.app.runJob('sweep-splits')
  expect(ledTo('monnify', account.accountNumber)).toBe(toThird)
  expect(await stateOf(own, 'monnify')).toMatchObject({ subAccountCode: toThird, accountsWaiting: 0 })
})

test('a bank account that is changed and changed back never gets the sub-account of the other', async () => {
  const [first, second] = [nextAccount(), nextAccount()]
  const own = await collector(run.app, second)
  const { organisationId, sellerId } = own
  const asking = {
    ...run.app.runtime,
    caller: systemCaller,
    now: run.app.clock.now(),
    origin: { requestId: 'test', address: '', userAgent: '' },
    signal: AbortSignal.timeout(10_000),
  }
  // The intent was written for the first bank account; the second one is registered when the provider is asked.
  const intent = { organisationId, mode: 'sandbox', sellerId, provider: 'monnify', ...first }
  const before = run.simulator.requests.length
  const answer = await confirmSubAccount.call(asking as unknown as Parameters<typeof confirmSubAccount.call>[0], intent)
  expect(answer).toMatchObject({ kind: 'pending' })
  expect(run.simulator.requests.slice(before)).toEqual([])
})

test.each(['A', 'B'] as const)(
  'form %s: a bank that Paystack lacks is not reported as a fault of the caller',
  async (form) => {
    const own = await collector(run.app, nextAccount())
    run.simulator.paystack.offersNoBank = true
    try {
      const reply = await openAt(own, 'paystack', form)
      expectRefusal(reply, 'collection.provider_away')
      expect(reply.status).toBe(503)
      expect(reply.body.error.message).toMatch(/The operator must ask Paystack/)
    } finally {
      run.simulator.paystack.offersNoBank = false
    }
  },
)

test('after many changes the settlements of the latest bank accounts are still requested', async () => {
  const own = await collector(run.app, nextAccount())
  const tenant = { organisationId: own.organisationId, mode: 'sandbox' as const }
  const key = { sellerId: own.sellerId as SellerId, provider: 'monnify' as const }
  const codes = Array.from({ length: 25 }, (_, nth) => `CODE-${nth}`)
  const now = run.app.clock.now()
  for (const code of codes)
    await run.app.owner.transaction((tx) =>
      saveSubAccountAnswer(
        tx,
        tenant,
        key,
        ownBankAccount,
        { kind: 'confirmed', code },
        { now, isNewBankAccount: true },
      ),
    )
  const all = await listSubAccountsToFollow(run.app.owner, { provider: 'monnify', mode: 'sandbox' }, 1_000)
  const followed = all.find(({ organisationId }) => organisationId === own.organisationId)?.codes ?? []
  expect(followed.toSorted()).toEqual(codes.slice(-21).toSorted())
})

test('after a process died during registration, the same request completes it', async () => {
  const account = nextAccount()
  const own = await issuer(run.app)
  const body = { sellerId: own.sellerId, ...account }
  const db = run.app.owner
  const send = () => run.app.a.post(path, { token: own.token, body })
  ok(await send(), 201)
  // As if the process had died between the provider's answer and our write.
  await db.run(sql`delete from collection_sub_accounts where organisation_id = ${own.organisationId}`)
  await db.run(sql`delete from settlement_accounts where organisation_id = ${own.organisationId}`)
  await db.run(sql`
    update exchanges set settled_at = null, outcome = null, abandoned_after = now() - interval '1 second'
     where name = 'register-settlement-account' and organisation_id = ${own.organisationId}`)
  await run.app.runJob('settle-exchanges')
  const found = await settlementOf(own)
  expect(found.accountNumber).toBe(account.accountNumber)
  for (const one of found.providers) expect(one.status).toBe('confirmed')
  for (const name of names) expect(codesAt(run, account.accountNumber)[name]).toHaveLength(1)
})

test('a seller with a settlement account cannot be deleted', async () => {
  const own = await issuer(run.app)
  const sellerId = await lifeOf(run.app, own).seller()
  ok(await settle(own, { sellerId, ...nextAccount() }), 201)
  expectRefusal(await run.app.b.delete(`/i/v1/sellers/${sellerId}`, { token: own.token }), 'seller.in_use')
})
