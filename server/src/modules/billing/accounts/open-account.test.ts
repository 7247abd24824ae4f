import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const me = '/b/v1/billing-accounts/me'

/** Runs a body while no job can open an account. */
const whileNoneOpens = <Result>(body: () => Promise<Result>): Promise<Result> =>
  app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`lock table billing_accounts in exclusive mode`)
    return await body()
  })

const accountsOf = (organisationId: OrganisationId) =>
  app.runtime.db.rows<{ id: string }>(sql`select id from billing_accounts where organisation_id = ${organisationId}`)
const movesOf = (organisationId: OrganisationId) =>
  app.runtime.db.rows<object>(sql`
    select mode, type, amount, cause from credit_moves where organisation_id = ${organisationId} order by mode`)
const openingEvents = (organisationId: OrganisationId) =>
  app.runtime.db.rows<object>(sql`
    select type, mode, object_id, data from events
     where organisation_id = ${organisationId} and starts_with(type, 'billing.') order by position`)

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('an organisation has no account until a job has opened it, and then one with its first credits', async () => {
    const client = app.client(form)
    const { token, organisationId } = await whileNoneOpens(async () => {
      const person = await app.person()
      const key = await app.key(person.organisationId)
      for (const token of [person.token, key]) {
        for (const path of [
          '/me',
          '/me/check-balance?credits=1',
          '/me/stats',
          '/me/usage',
          '/me/ledger',
          '/me/statement',
        ])
          expectRefusal(await client.get(`/b/v1/billing-accounts${path}`, { token }), 'billing.not_provisioned')
      }
      const body = { threshold: 10 }
      expectRefusal(await client.patch(`${me}/low-balance`, { token: person.token, body }), 'billing.not_provisioned')
      return person
    })
    const account = await eventually(async () => {
      const reply = await client.get(me, { token })
      expect(reply.status).toBe(200)
      return reply.data
    })
    expect(account).toMatchObject({
      organizationId: organisationId,
      mode: 'sandbox',
      creditBalance: 100_000,
      lowBalanceThreshold: 0,
      balances: [
        { mode: 'sandbox', creditBalance: 100_000, heldCredits: 0, owedCredits: 0 },
        { mode: 'live', creditBalance: 50, heldCredits: 0, owedCredits: 0 },
      ],
    })
    expect(await accountsOf(organisationId)).toEqual([{ id: account.id }])
  })
})

test('a missing account is a 404 with RES101', async () => {
  const reply = await whileNoneOpens(async () => app.a.get(me, { token: (await app.person()).token }))
  expect([reply.status, reply.body.error.code]).toEqual([404, 'RES101'])
})

test('a charge before the account is open is a 503 with Retry-After, and never a lack of credits', async () => {
  const reply = await whileNoneOpens(async () =>
    app.a.post('/i/v1/buyers', { token: (await app.person()).token, body: { name: 'Chidi Stores' } }),
  )
  expect([reply.status, reply.body.error.code, reply.headers.get('retry-after')]).toEqual([503, 'DEP001', '1'])
})

test('ten concurrent requests open one account', async () => {
  const { organisationId } = await app.person()
  await Promise.all(Array.from({ length: 10 }, () => app.openAccount(organisationId)))
  const [account, ...more] = await accountsOf(organisationId)
  expect(more).toEqual([])
  expect(await movesOf(organisationId)).toEqual([
    { mode: 'live', type: 'grant', amount: 50n, cause: 'opening' },
    { mode: 'sandbox', type: 'grant', amount: 100_000n, cause: 'opening' },
  ])
  const balance = (mode: string, credits: number) => ({
    type: 'billing.balance.updated',
    mode,
    objectId: organisationId,
    data: { change: credits, creditBalance: credits },
  })
  expect(await openingEvents(organisationId)).toEqual([
    balance('sandbox', 100_000),
    balance('live', 50),
    { type: 'billing.account.status_changed', mode: null, objectId: account?.id, data: { status: 'active' } },
  ])
})

test('a repeated request leaves the account unchanged', async () => {
  const person = await app.person()
  await app.openAccount(person.organisationId)
  const before = (await app.a.get(me, { token: person.token })).data
  app.clock.advance({ minutes: 1 })
  await app.openAccount(person.organisationId)
  await app.runJob('open-missing-accounts')
  expect((await app.a.get(me, { token: person.token })).data).toEqual(before)
  expect(await movesOf(person.organisationId)).toHaveLength(2)
})

test('a scheduled job opens accounts whose event was lost', async () => {
  await app.stopWork()
  const people = await Promise.all(Array.from({ length: 5 }, () => app.person({ mode: 'live' })))
  await app.runJob('open-missing-accounts')
  for (const { token } of people)
    expect((await app.a.get(me, { token })).data).toMatchObject({ mode: 'live', creditBalance: 50 })
  // The events arrive late, and nothing is opened or granted twice.
  await app.startWork()
  await app.quiet()
  for (const { organisationId } of people) {
    expect(await accountsOf(organisationId)).toHaveLength(1)
    expect(await movesOf(organisationId)).toHaveLength(2)
  }
})
