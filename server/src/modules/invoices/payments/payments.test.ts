import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path, payableMinor } from '../../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const listed = async (id: string) => ok(await app.a.get(`${path}/${id}/payments`, { token: own.token }))
const reverse = (id: string, paymentId: string) =>
  app.a.delete(`${path}/${id}/payments/${paymentId}`, { token: own.token })
const dataOf = async (id: string, type: string) =>
  (await eventsAbout(app, id)).filter((event) => event.type === type).map(({ data }) => data)

describe('a payment', () => {
  test('of a part lowers the amount due, and the last one makes the invoice paid', async () => {
    const { id } = await life.issued()
    const first = await life.pay(id, '4514.11', { method: 'transfer', reference: 'TRF-1' })
    expect(first.headers.get('location')).toBe(`${path}/${id}/payments`)
    expect(ok(first, 201)).toMatchObject({
      payment: {
        invoiceId: id,
        amountMinor: 451_411,
        paidOn: '2026-11-14',
        method: 'transfer',
        reference: 'TRF-1',
        recordedBy: { id: own.userId, type: 'user' },
        recordedAt: app.clock.now().toISOString(),
        reversedAt: null,
      },
      paidMinor: 451_411,
      dueMinor: 1_000_000,
      invoice: { paymentStatus: 'partially_paid', simpleStatus: 'part_paid' },
    })
    app.clock.advance({ seconds: 1 })
    const last = ok(await life.pay(id, 10_000), 201)
    expect(last).toMatchObject({
      paidMinor: payableMinor,
      dueMinor: 0,
      invoice: { paymentStatus: 'paid', simpleStatus: 'paid', status: 'finalised' },
    })
    expect((await life.get(id)).paidMinor).toBe(payableMinor)
    expect(await listed(id)).toEqual([first.data.payment, last.payment])
    expect(await life.told(id)).toEqual([
      'invoice.created',
      'invoice.finalised',
      'invoice.payment_recorded',
      'invoice.payment_recorded',
      'invoice.paid',
    ])
    expect(await dataOf(id, 'invoice.payment_recorded')).toMatchObject([
      {
        invoiceId: id,
        paymentId: first.data.payment.id,
        amountMinor: 451_411,
        paidOn: '2026-11-14',
        dueMinor: 1_000_000,
      },
      { amountMinor: 1_000_000, paidMinor: payableMinor, dueMinor: 0 },
    ])
    expect(await dataOf(id, 'invoice.paid')).toMatchObject([{ paidMinor: payableMinor, dueMinor: 0 }])
  })

  test('above the amount due is refused, with that amount', async () => {
    const { id } = await life.issued()
    ok(await life.pay(id, '14514.10'), 201)
    const refused = await life.pay(id, '0.02')
    expectRefusal(refused, 'invoice.pay.too_much')
    expect([refused.status, refused.body.error.code, faultPaths(refused)]).toEqual([409, 'BIZ004', ['amount']])
    expect(refused.body.error.details[0].message).toBe('must be at most NGN 0.01, which is due')
    ok(await life.pay(id, '0.01'), 201)
    expectRefusal(await life.pay(id, '0.01'), 'invoice.pay.too_much')
    expect(await listed(id)).toHaveLength(2)
  })

  test('is accepted for issued, uncancelled documents, except credit notes', async () => {
    const draft = await life.draft()
    const refused = await life.pay(draft.id, 1)
    expectRefusal(refused, 'invoice.pay.not_payable')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    const { id } = await life.issued()
    const note = ok(await life.act(ok(await life.credit(id, { amount: 1 }), 201).id, 'finalise'))
    expectRefusal(await life.pay(note.id, 1), 'invoice.pay.not_payable')
    await life.become(id, 'accepted')
    ok(await life.pay(id, 1), 201)
    await life.become(id, 'cancelled')
    expectRefusal(await life.pay(id, 1), 'invoice.pay.not_payable')
  })

  test('of a debit note does not affect its original', async () => {
    const { id } = await life.issued()
    const lineItems = [
      { description: 'Freight', hsnCode: '2523.29', unitCode: 'EA', quantity: 1, unitPrice: 10, taxCategory: 'zero' },
    ]
    const note = ok(await life.act(id, 'debit-notes', { reason: 'Freight', lineItems }), 201)
    ok(await life.act(note.id, 'finalise'))
    expect(ok(await life.pay(note.id, 10), 201)).toMatchObject({ dueMinor: 0, invoice: { paymentStatus: 'paid' } })
    expect((await life.get(id)).paidMinor).toBe(0)
  })

  test.each([
    ['a day that is none', { paidOn: '2026-02-30' }, ['paidOn']],
    ['a day in words', { paidOn: 'yesterday' }, ['paidOn']],
    ['nothing', { amount: 0 }, ['amount']],
    ['less than nothing', { amount: '-1' }, ['amount']],
    ['parts of a minor unit', { amount: '1.001' }, ['amount']],
    ['a number beyond all', { amount: '1e400' }, ['amount']],
    ['texts that are too long', { method: 'm'.repeat(51), reference: 'r'.repeat(101) }, ['method', 'reference']],
  ])('of %s is refused', async (_, more, paths) => {
    const { id } = await once()
    const refused = await life.act(id, 'payments', { amount: 1, paidOn: '2026-11-14', ...more })
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual(paths)
    expect(await listed(id)).toEqual([])
  })
  let first: ReturnType<Life['issued']> | undefined
  const once = () => {
    first ??= life.issued()
    return first
  }

  test('with one key is recorded once', async () => {
    const { id } = await life.issued()
    const pay = (amount: number) =>
      life.act(id, 'payments', { amount, paidOn: '2026-11-14' }, { 'idempotency-key': `pay-${id}` })
    const replies = await Promise.all([pay(5), pay(5), pay(5)])
    expect(new Set(replies.map((reply) => ok(reply, 201) && reply.text)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(2)
    expectRefusal(await pay(6), 'idempotency.body_differs')
    expect((await life.get(id)).paidMinor).toBe(500)
    expect(await listed(id)).toHaveLength(1)
  })
})

describe('reversing', () => {
  test('marks a payment as reversed, and keeps it in the list', async () => {
    const { id } = await life.issued()
    const { payment } = ok(await life.pay(id, '14514.11'), 201)
    app.clock.advance({ seconds: 1 })
    const reversedAt = app.clock.now().toISOString()
    expect(ok(await reverse(id, payment.id))).toMatchObject({
      payment: { ...payment, reversedAt },
      paidMinor: 0,
      dueMinor: payableMinor,
      invoice: { paymentStatus: 'unpaid', simpleStatus: 'issued' },
    })
    const again = await reverse(id, payment.id)
    expectRefusal(again, 'invoice.payment_reversed')
    expect([again.status, again.body.error.code]).toEqual([409, 'BIZ004'])
    ok(await life.pay(id, '14514.11'), 201)
    expect((await listed(id)).map((one: { reversedAt: string | null }) => one.reversedAt)).toEqual([reversedAt, null])
    expect(await dataOf(id, 'invoice.payment_reversed')).toMatchObject([
      { paymentId: payment.id, amountMinor: payableMinor, paidMinor: 0, dueMinor: payableMinor },
    ])
    expect((await life.told(id)).filter((type) => type === 'invoice.paid')).toHaveLength(2)
  })

  test('needs a payment of the same invoice', async () => {
    const [one, other] = [await life.issued(), await life.issued()]
    const { payment } = ok(await life.pay(one.id, 1), 201)
    expectRefusal(await reverse(other.id, payment.id), 'resource.not_found')
    expectRefusal(await reverse(one.id, randomUUID()), 'resource.not_found')
    expectRefusal(await reverse(randomUUID(), payment.id), 'resource.not_found')
    expect((await life.get(one.id)).paidMinor).toBe(100)
  })

  test('by many concurrent requests happens once', async () => {
    const { id } = await life.issued()
    ok(await life.pay(id, 3), 201)
    const { payment } = ok(await life.pay(id, 7), 201)
    const replies = await Promise.all(Array.from({ length: 8 }, () => reverse(id, payment.id)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    expect((await life.get(id)).paidMinor).toBe(300)
  })
})

test('thirty concurrent payments never exceed the amount due', async () => {
  const { id } = await life.issued()
  // Ten payments leave eleven minor units due, so ten fit and the eleventh does not.
  const replies = await Promise.all(Array.from({ length: 30 }, () => life.pay(id, '1451.40')))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), ...Array(20).fill(409)])
  for (const reply of replies) if (reply.status === 409) expectRefusal(reply, 'invoice.pay.too_much')
  expect(await life.get(id)).toMatchObject({ paidMinor: 1_451_400, dueMinor: 11 })
  expect(await listed(id)).toHaveLength(10)
  const closing = await Promise.all(Array.from({ length: 5 }, () => life.pay(id, '0.11')))
  expect(closing.filter(({ status }) => status === 201)).toHaveLength(1)
  expect((await life.told(id)).filter((type) => type === 'invoice.paid')).toHaveLength(1)
})

describe('a declared payment status', () => {
  test.each([
    ['paid', 'paid', 'paid', 0],
    ['partially_paid', 'partially_paid', 'part_paid', payableMinor],
    ['unpaid', 'unpaid', 'issued', payableMinor],
    ['overdue', 'unpaid', 'issued', payableMinor],
    [undefined, 'unpaid', 'issued', payableMinor],
  ])('%s is kept until a payment is recorded', async (paymentStatus, shown, simpleStatus, dueMinor) => {
    const { id } = await life.issued({ paymentStatus }, 'B')
    expect(await life.get(id)).toMatchObject({
      paymentStatus: shown,
      simpleStatus,
      paidMinor: 0,
      dueMinor,
    })
    const { payment } = ok(await life.pay(id, 1), 201)
    expect((await life.get(id)).paymentStatus).toBe('partially_paid')
    ok(await reverse(id, payment.id))
    expect((await life.get(id)).paymentStatus).toBe(shown)
  })

  test('an unpaid invoice is overdue from midnight in Lagos', async () => {
    const key = await app.key(own.organisationId)
    const made = async (paymentStatus: string) => (await life.issued({ paymentStatus }, 'B')).id
    const [unpaid, part, paid, due] = [
      await made('unpaid'),
      await made('partially_paid'),
      await made('paid'),
      await made('overdue'),
    ]
    const shown = async () => {
      const ids = [unpaid, part, paid, due]
      const replies = await Promise.all(ids.map((id) => app.b.get(`${path}/${id}`, { token: key })))
      return replies.map(({ data }) => [data.paymentStatus, data.overdue])
    }
    const before = app.clock.now()
    app.clock.set('2026-12-02T22:59:59.999Z')
    expect(await shown()).toEqual([
      ['unpaid', false],
      ['partially_paid', false],
      ['paid', false],
      ['unpaid', false],
    ])
    app.clock.set('2026-12-02T23:00:00Z')
    expect(await shown()).toEqual([
      ['overdue', true],
      ['overdue', true],
      ['paid', false],
      ['overdue', true],
    ])
    // The filter uses the same rule.
    const listed = ok(await app.b.get(`${path}?paymentStatus=overdue&limit=100`, { token: key }))
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([unpaid, part, due]))
    expect(new Set(listed.map(({ paymentStatus }: { paymentStatus: string }) => paymentStatus))).toEqual(
      new Set(['overdue']),
    )
    expect(ok(await app.b.get(`${path}/${unpaid}/status`, { token: key })).paymentStatus).toBe('overdue')
    expect(ok(await app.a.get(`${path}/${unpaid}`, { token: key }))).toMatchObject({
      paymentStatus: 'unpaid',
      overdue: true,
    })
    app.clock.set(before)
  })
})

test('the other form records no payments', async () => {
  const { id } = await life.issued()
  const { token } = own
  expectRefusal(
    await app.b.post(`${path}/${id}/payments`, { token, body: { amount: 1, paidOn: '2026-11-14' } }),
    'route.elsewhere',
  )
  expectRefusal(await app.b.get(`${path}/${id}/payments`, { token }), 'route.elsewhere')
})
