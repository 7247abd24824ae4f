import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { becomes, buyer, medium, order } from '../../../../../test/harness/purchases.ts'

let app: TestApp
let person: Person
/** Oldest first. */
let made: string[]
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
  person = await buyer(app)
  made = []
  const orders = [{}, { currency: 'USD' }, { packageId: medium }, { currency: 'USD', packageId: medium }] as const
  for (const one of orders) {
    made.push(await order(app, person, one))
    app.clock.advance({ seconds: 1 })
  }
  const [paid, failed] = made as [string, string]
  await app.checkout.control.act(paid, 'paid')
  await app.checkout.control.act(failed, 'failed')
  await becomes(app, paid, { status: 'succeeded' })
  await becomes(app, failed, { status: 'failed' })
})
afterAll(() => app.close())

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const history = (query = '', token = person.token) =>
    app.client(form).get(`/b/v1/payments/history${query}`, { token })
  const idsOf = async (query: string) => {
    const { data, status } = await history(query)
    expect(status).toBe(200)
    return data.map(({ id }: { id: string }) => id)
  }

  test('payments are listed newest first, without checkout URLs', async () => {
    const { data, body } = await history()
    expect(data.map(({ id }: { id: string }) => id)).toEqual(made.toReversed())
    expect(body.meta.pagination).toMatchObject({ page: 1, limit: 50, total: 4, totalPages: 1 })
    expect(data[0]).toMatchObject({ status: 'pending', credits: 500, currency: 'USD', amountMinor: 900 })
    expect(data.some((one: object) => 'checkoutUrl' in one)).toBe(false)
  })

  test('the list is paged', async () => {
    expect(await idsOf('?limit=3')).toEqual(made.toReversed().slice(0, 3))
    expect(await idsOf('?limit=3&page=2')).toEqual(made.slice(0, 1))
    expect(await idsOf('?limit=3&page=3')).toEqual([])
    const { body } = await history('?limit=3&page=2')
    expect(body.meta.pagination).toMatchObject({ page: 2, limit: 3, total: 4, totalPages: 2 })
  })

  test('the list is filtered by status and kind', async () => {
    const [paid, failed, third, fourth] = made
    expect(await idsOf('?status=succeeded')).toEqual([paid])
    expect(await idsOf('?status=failed')).toEqual([failed])
    expect(await idsOf('?status=pending')).toEqual([fourth, third])
    expect(await idsOf('?status=refunded')).toEqual([])
    expect(await idsOf('?kind=credit_purchase')).toEqual(made.toReversed())
    expect(await idsOf('?kind=renewal')).toEqual([])
    expect(await idsOf('?kind=credit_purchase&status=failed&limit=1')).toEqual([failed])
  })

  test.each([
    ['?status=paid', 'status'],
    ['?kind=gift', 'kind'],
    ['?page=0', 'page'],
    ['?limit=101', 'limit'],
    ['?currency=NGN', 'currency'],
  ])('an invalid filter is refused: %s', async (query, path) => {
    const reply = await history(query)
    expectRefusal(reply, 'request.invalid')
    expect(faultPaths(reply)).toEqual([path])
  })

  test('a payment has its checkout URL only while it is pending', async () => {
    const get = async (id: string | undefined) =>
      (await app.client(form).get(`/b/v1/payments/${id}`, { token: person.token })).data
    const [paid, failed, open] = await Promise.all([get(made[0]), get(made[1]), get(made[2])])
    expect(open).toMatchObject({ id: made[2], status: 'pending', checkoutUrl: expect.stringContaining('/checkout/') })
    expect(paid).toMatchObject({ id: made[0], status: 'succeeded', provider: 'paystack', refundedMinor: 0 })
    expect(failed).toMatchObject({ id: made[1], status: 'failed', provider: 'stripe', paidAt: null })
    for (const one of [paid, failed]) expect(one).not.toHaveProperty('checkoutUrl')
  })

  test('payments of another organisation and unknown ids are not found', async () => {
    const stranger = await buyer(app)
    for (const [id, token] of [
      [made[0], stranger.token],
      [randomUUID(), person.token],
    ] as const) {
      const reply = await app.client(form).get(`/b/v1/payments/${id}`, { token })
      expectRefusal(reply, 'resource.not_found')
      expect([reply.status, reply.body.error.code]).toEqual([404, 'RES001'])
    }
    expect((await history('', stranger.token)).data).toEqual([])
    expectRefusal(await app.client(form).get('/b/v1/payments/me', { token: person.token }), 'resource.not_found')
  })

  test('people and keys with the capability see payments, and a member does not', async () => {
    const { organisationId } = person
    for (const token of [
      (await app.member(organisationId, 'VIEWER')).token,
      (await app.member(organisationId, 'ACCOUNTANT')).token,
      await app.key(organisationId, { mode: 'live', capabilities: ['billing.payment.read'] }),
    ]) {
      expect((await history('', token)).body.meta.pagination.total).toBe(4)
      expect((await app.client(form).get(`/b/v1/payments/${made[0]}`, { token })).data.id).toBe(made[0])
    }
    const { token } = await app.member(organisationId, 'MEMBER')
    expectRefusal(await history('', token), 'auth.capability_missing')
    expectRefusal(await app.client(form).get(`/b/v1/payments/${made[0]}`, { token }), 'auth.capability_missing')
  })

  test('a sandbox key sees no live payments', async () => {
    const { organisationId } = person
    const token = await app.key(organisationId, { mode: 'sandbox', capabilities: ['billing.payment.read'] })
    const listed = await history('?limit=3&page=2', token)
    expect([listed.status, listed.data]).toEqual([200, []])
    expect(listed.body.meta.pagination).toMatchObject({ page: 2, limit: 3, total: 0, totalPages: 0 })
    expectRefusal(await app.client(form).get(`/b/v1/payments/${made[0]}`, { token }), 'resource.not_found')
    // A user sees both modes from either mode.
    const viewer = await app.member(organisationId, 'VIEWER', { mode: 'sandbox' })
    expect((await history('', viewer.token)).body.meta.pagination.total).toBe(4)
  })
})
