import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { invoicesPath, type Life, lifeOf, ok } from '../../../../../test/harness/issued.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const history = (id: string, what: 'payments' | 'emails', form: 'A' | 'B' = 'A', query = '') =>
  app.client(form).get(`/i/v1/buyers/${id}/${what}${query}`, { token: own.token })

test('the payments on all invoices of a buyer, newest first and by page, in both forms', async () => {
  const [buyerId, other] = [await life.buyer(), await life.buyer()]
  const [one, two] = [await life.issued({ buyerId }), await life.issued({ buyerId })]
  const elsewhere = await life.issued({ buyerId: other })
  const first = ok(await life.pay(one.id, '100', { method: 'cash' }), 201)
  const second = ok(await life.pay(two.id, '200', { reference: 'NIP 7' }), 201)
  ok(await life.pay(elsewhere.id, '300'), 201)
  ok(await app.a.delete(`${invoicesPath}/${one.id}/payments/${first.payment.id}`, { token: own.token }))
  const expected = [
    { ...second.payment, invoiceNumber: two.invoiceNumber, currency: 'NGN', source: 'recorded' },
    {
      ...first.payment,
      reversedAt: app.clock.now().toISOString(),
      invoiceNumber: one.invoiceNumber,
      currency: 'NGN',
      source: 'recorded',
    },
  ]
  for (const form of ['A', 'B'] as const) expect(ok(await history(buyerId, 'payments', form))).toEqual(expected)
  const paged = await history(buyerId, 'payments', 'A', '?limit=1')
  expect(paged.data).toEqual([expected[0]])
  expect(paged.body.meta.pagination).toMatchObject({ total: 2, hasMore: true })
  const after = paged.body.meta.pagination.nextCursor
  expect(ok(await history(buyerId, 'payments', 'A', `?limit=1&after=${after}`))).toEqual([expected[1]])
})

test('a reopened document stays in the lists of its buyer', async () => {
  const [buyerId, other] = [await life.buyer({ email: 'shop@history.test' }), await life.buyer()]
  const { id, invoiceNumber } = await life.issued({ buyerId })
  ok(await app.a.post(`${invoicesPath}/${id}/send`, { token: own.token }))
  ok(await life.pay(id, '100'), 201)
  await life.become(id, 'rejected')
  await app.quiet()
  ok(await life.act(id, 'reopen'))
  for (const what of ['payments', 'emails'] as const)
    expect(ok(await history(buyerId, what))).toMatchObject([{ invoiceNumber }])
  expect(ok(await history(other, 'payments'))).toEqual([])
  ok(await life.act(id, 'finalise'))
  expect(ok(await history(buyerId, 'payments', 'B'))).toMatchObject([{ invoiceNumber }])
})

test('the emails to a buyer say what was sent, and to whom', async () => {
  const buyerId = await life.buyer({ email: 'shop@history.test' })
  expect(ok(await history(buyerId, 'emails'))).toEqual([])
  const { id, invoiceNumber } = await life.issued({ buyerId })
  ok(await app.a.post(`${invoicesPath}/${id}/send`, { token: own.token }))
  app.clock.advance({ seconds: 1 })
  ok(await app.a.post(`${invoicesPath}/${id}/remind`, { token: own.token }))
  const sent = { invoiceId: id, invoiceNumber, to: 'shop@history.test', statement: null }
  app.clock.advance({ seconds: 1 })
  const period = { from: '2026-11-01', to: '2026-11-15' }
  ok(await app.a.post(`/i/v1/buyers/${buyerId}/statement-of-account/send`, { token: own.token, body: period }), 202)
  for (const form of ['A', 'B'] as const)
    expect(ok(await history(buyerId, 'emails', form))).toMatchObject([
      {
        kind: 'statement_of_account',
        invoiceId: null,
        invoiceNumber: null,
        statement: { currency: 'NGN', ...period },
        to: 'shop@history.test',
        sentAt: app.clock.now().toISOString(),
      },
      { ...sent, kind: 'reminder' },
      { ...sent, kind: 'document' },
    ])
})

test('a buyer of another organisation is not found', async () => {
  const stranger = await issuer(app)
  const buyerId = await life.buyer()
  for (const what of ['payments', 'emails'] as const)
    expectRefusal(await app.a.get(`/i/v1/buyers/${buyerId}/${what}`, { token: stranger.token }), 'resource.not_found')
})
