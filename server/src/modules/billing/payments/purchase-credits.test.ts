import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { becomes, buyer, medium, movesOf, order, purchasePath, small } from '../../../../../test/harness/purchases.ts'
import { systemRoleNames } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())
afterEach(() => expectBooksInOrder(app))

const body = { packageId: small, currency: 'NGN' }
const paymentsOf = (organisationId: string): Promise<{ id: string; status: string }[]> =>
  app.runtime.db.rows(
    sql`select id, status from payments where organisation_id = ${organisationId} order by created_at`,
  )
const checkoutsStarted = () =>
  app.checkout.control.requests.filter(({ path }) => /initialize$|checkout\/sessions$/.test(path)).length

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test.each(['NGN', 'USD'] as const)(
    'credits are bought in %s and granted when the provider confirms',
    async (currency) => {
      const { token } = await buyer(app)
      const client = app.client(form)
      const started = await client.post(purchasePath, { token, body: { packageId: small, currency } })
      expect(started.status).toBe(201)
      const { payment, checkoutUrl } = started.data
      expect(payment).toMatchObject({ kind: 'credit_purchase', status: 'pending', credits: 100, currency })
      expect(started.headers.get('location')).toContain(`/b/v1/payments/${payment.id}`)
      expect(checkoutUrl).toBe(payment.checkoutUrl)
      expect((await fetch(checkoutUrl)).status).toBe(200)

      const again = await client.post(purchasePath, { token, body: { packageId: small, currency } })
      expect([again.status, again.data.payment.id]).toEqual([200, payment.id])

      await app.checkout.control.act(payment.id, 'paid')
      await eventually(async () => {
        const { data } = await client.get(`/b/v1/payments/${payment.id}`, { token })
        expect(data).toMatchObject({ status: 'succeeded', paidAt: expect.any(String) })
        expect(data.checkoutUrl).toBeUndefined()
      })
      const account = await client.get('/b/v1/billing-accounts/me', { token })
      expect(account.data.creditBalance).toBe(150)
    },
  )

  test('a sandbox session cannot buy', async () => {
    const { organisationId } = await buyer(app)
    const { token } = await app.member(organisationId, 'OWNER', { mode: 'sandbox' })
    const reply = await app.client(form).post(purchasePath, { token, body })
    expectRefusal(reply, 'live_mode.session_needed')
    expect([reply.status, reply.body.error.code]).toEqual([403, 'PERM003'])
    expect(await paymentsOf(organisationId)).toEqual([])
  })

  test('neither a key nor an anonymous caller can buy', async () => {
    const { organisationId } = await buyer(app)
    const token = await app.key(organisationId, { mode: 'live' })
    expectRefusal(await app.client(form).post(purchasePath, { token, body }), 'auth.users_only')
    expect((await app.client(form).post(purchasePath, { body })).status).toBe(401)
    expect(await paymentsOf(organisationId)).toEqual([])
  })

  test('owners and administrators can buy, and others are refused with the missing capability', async () => {
    const { organisationId } = await buyer(app)
    for (const role of systemRoleNames) {
      const { token } = await app.member(organisationId, role, { mode: 'live' })
      const reply = await app.client(form).post(purchasePath, { token, body })
      if (role === 'OWNER' || role === 'ADMIN') expect([200, 201], role).toContain(reply.status)
      else expectRefusal(reply, 'auth.capability_missing')
    }
    expect(await paymentsOf(organisationId)).toHaveLength(1)
  })
})

test('one capability is enough in a live session', async () => {
  const owner = await buyer(app)
  const member = await memberHolding(app, owner, 'billing.credits.purchase', 'live_mode.use')
  const { data } = await app.b.post('/a/v1/auth/mode', { token: member.token, body: { mode: 'live' } })
  expect((await app.b.post(purchasePath, { token: data.accessToken, body })).status).toBe(201)
})

test('an unsupported currency is refused, and no payment is stored', async () => {
  const without = await startTestApp()
  try {
    const { token, organisationId } = await buyer(without)
    for (const client of [without.a, without.b]) {
      const reply = await client.post(purchasePath, { token, body })
      expectRefusal(reply, 'checkout.currency_not_routed')
      expect([reply.status, reply.body.error.code]).toEqual([422, 'BIZ101'])
    }
    const count = sql`select count(*)::int as n from payments where organisation_id = ${organisationId}`
    expect(await without.runtime.db.one(count)).toEqual({ n: 0 })
  } finally {
    await without.close()
  }
})

test('invalid input is refused before any request to a provider', async () => {
  const { token } = await buyer(app)
  const asked = app.checkout.control.requests.length
  const tries = [
    [{ packageId: small, currency: 'EUR' }, ['currency']],
    [{ packageId: 'small', currency: 'NGN' }, ['packageId']],
    [{ packageId: small, currency: 'NGN', returnPath: 'https://evil.test/' }, ['returnPath']],
    [{ packageId: small, currency: 'NGN', returnPath: '//evil.test' }, ['returnPath']],
    [{ packageId: small, currency: 'NGN', returnPath: '/\\evil.test' }, ['returnPath']],
    [{ packageId: small, currency: 'NGN', credits: 5 }, ['credits']],
    [{}, ['currency', 'packageId']],
  ] as const
  for (const [sent, paths] of tries) {
    const reply = await app.a.post(purchasePath, { token, body: sent })
    expectRefusal(reply, 'request.invalid')
    expect(faultPaths(reply)).toEqual(paths)
  }
  const unknown = { packageId: '0199a000-0000-7000-8000-000000000999', currency: 'NGN' }
  expectRefusal(await app.a.post(purchasePath, { token, body: unknown }), 'resource.not_found')
  expect(app.checkout.control.requests.length).toBe(asked)
})

describe('an Idempotency-Key', () => {
  const buy = (token: string, key: string, sent: object = body): Promise<Reply> =>
    app.a.post(purchasePath, { token, body: sent, headers: { 'idempotency-key': key } })

  test('repeats the same bytes, even after the payment', async () => {
    const { token, organisationId } = await buyer(app)
    const key = randomUUID()
    const first = await buy(token, key)
    expect(first.status).toBe(201)
    const second = await buy(token, key)
    expect([second.status, second.text]).toEqual([201, first.text])
    await app.checkout.control.act(first.data.payment.id, 'paid')
    await becomes(app, first.data.payment.id, { status: 'succeeded' })
    const third = await buy(token, key)
    expect([third.status, third.text]).toEqual([201, first.text])
    expect(await paymentsOf(organisationId)).toHaveLength(1)
    expect(await movesOf(app, organisationId)).toEqual([['purchase', 100]])
  })

  test('is refused with another body', async () => {
    const { token, organisationId } = await buyer(app)
    const key = randomUUID()
    expect((await buy(token, key)).status).toBe(201)
    for (const other of [
      { ...body, currency: 'USD' },
      { ...body, packageId: medium },
      { ...body, returnPath: '/elsewhere' },
    ]) {
      const reply = await buy(token, key, other)
      expectRefusal(reply, 'idempotency.body_differs')
      expect([reply.status, reply.body.error.code]).toEqual([409, 'BIZ107'])
    }
    expect(await paymentsOf(organisationId)).toHaveLength(1)
  })

  test('makes one payment of concurrent requests, with one reply', async () => {
    const { token, organisationId } = await buyer(app)
    const key = randomUUID()
    const started = checkoutsStarted()
    const replies = await Promise.all(Array.from({ length: 20 }, () => buy(token, key)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect(await paymentsOf(organisationId)).toHaveLength(1)
    expect(checkoutsStarted()).toBe(started + 1)
  })
})

test('twenty concurrent purchases of one package share a checkout', async () => {
  const { organisationId } = await buyer(app)
  const people = await Promise.all(
    Array.from({ length: 20 }, () => app.member(organisationId, 'ADMIN', { mode: 'live' })),
  )
  const started = checkoutsStarted()
  const replies = await Promise.all(people.map(({ token }) => app.b.post(purchasePath, { token, body })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const reply of replies.filter(({ status }) => status >= 300)) expectRefusal(reply, 'state.changed')
  const [payment, ...others] = await paymentsOf(organisationId)
  expect([payment?.status, others]).toEqual(['pending', []])
  for (const { data } of replies.filter(({ status }) => status < 300)) expect(data.payment.id).toBe(payment?.id)
  expect(checkoutsStarted()).toBe(started + 1)
})

test('an open checkout is reused for the same purchase, and not after payment', async () => {
  const person = await buyer(app)
  const first = await order(app, person)
  const others = [await order(app, person, { currency: 'USD' }), await order(app, person, { packageId: medium })]
  expect(new Set([first, ...others]).size).toBe(3)
  await app.checkout.control.act(first, 'abandoned')
  const again = await app.a.post(purchasePath, { token: person.token, body })
  expect([again.status, again.data.payment.id]).toEqual([200, first])
  await app.checkout.control.act(first, 'paid')
  await becomes(app, first, { status: 'succeeded' })
  expect([first, ...others]).not.toContain(await order(app, person))
})

test('the browser returns to a dashboard path with the payment id', async () => {
  const { token } = await buyer(app)
  const sent = { ...body, returnPath: '/billing/done?from=shop#top' }
  const { data } = await app.a.post(purchasePath, { token, body: sent })
  const form = new URLSearchParams({ outcome: 'paid' })
  const paid = await fetch(data.checkoutUrl, { method: 'POST', body: form, redirect: 'manual' })
  const back = new URL(paid.headers.get('location') as string)
  expect([back.origin, back.pathname, back.hash]).toEqual(['http://dashboard.test', '/billing/done', '#top'])
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ from: 'shop', payment: data.payment.id })
})
