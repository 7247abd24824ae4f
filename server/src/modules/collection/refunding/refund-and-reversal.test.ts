import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { brokenMoney, type Collector, collector } from '../../../../../test/harness/collection.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok, payableMinor } from '../../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'

let app: TestApp
let own: Collector
beforeAll(async () => {
  app = await startTestApp({ bank: true })
  own = await collector(app)
})
afterAll(() => app.close())
afterEach(async () => {
  app.bank.control.behave({})
  expect(await brokenMoney(app)).toEqual([])
})

const due = payableMinor / 100

async function paidInvoice() {
  const invoice = await own.life.issued({ buyerId: await own.life.buyer() })
  const account = await own.open({ mode: 'dynamic', invoiceId: invoice.id, amount: due })
  const reference = await own.transfer(account.accountNumber, due)
  return { invoice, reference, payment: await own.payment(reference) }
}

/** Runs the sweep as if ten minutes had passed, then turns the clock back, because sessions expire. */
async function sweepLater() {
  const now = app.clock.now()
  app.clock.set(new Date(now.getTime() + 10 * 60_000))
  await app.runJob('sweep-collection')
  app.clock.set(now)
}

async function reverse(reference: string) {
  app.bank.control.reverse(reference)
  await eventually(async () => expect((await own.payment(reference)).reversedAt).not.toBeNull())
}

const sentFor = (reference: string) => app.bank.control.refunds().filter(({ transfer }) => transfer === reference)
const gone = { refundedMinor: payableMinor, appliedMinor: 0, creditedMinor: 0, unmatchedMinor: 0 }

describe.each(['A', 'B'] as const)('a refund and a reversal of the same transfer, form %s', (form) => {
  const refund = (id: string, body?: object) => own.act(`/payments/${id}/refund`, body, form)

  test('a pending refund that the bank refuses after a reversal restores no money', async () => {
    const { invoice, reference, payment } = await paidInvoice()
    app.bank.control.behave({ outage: true })
    expect(ok(await refund(payment.id, { amount: 4_000 })).refund.status).toBe('pending')
    app.bank.control.behave({})
    await reverse(reference)
    app.bank.control.behave({ refusesRefunds: true })
    await sweepLater()
    const told = await eventsAbout(app, payment.id)
    expect(told.filter(({ type }) => type === 'collection.refund_failed')).toHaveLength(1)
    expect(await own.payment(reference)).toMatchObject(gone)
    expect(await own.life.get(invoice.id)).toMatchObject({ paidMinor: 0, paymentStatus: 'unpaid' })
  })

  test('a refund that never reached the bank is not sent after a reversal', async () => {
    const { invoice, reference, payment } = await paidInvoice()
    app.bank.control.behave({ outage: true })
    expect(ok(await refund(payment.id, { amount: 4_000 })).refund.status).toBe('pending')
    app.bank.control.behave({})
    await reverse(reference)
    await sweepLater()
    expect(sentFor(reference)).toEqual([])
    expect(await own.payment(reference)).toMatchObject(gone)
    expect(await own.life.get(invoice.id)).toMatchObject({ paidMinor: 0, paymentStatus: 'unpaid' })
    const failed = (await eventsAbout(app, payment.id)).find(({ type }) => type === 'collection.refund_failed')
    expect(failed?.data).toMatchObject({ reason: expect.stringContaining('took the transfer back') })
  })

  test('a refund with a lost reply before the reversal ends as sent, and the ledger is unchanged', async () => {
    const { invoice, reference, payment } = await paidInvoice()
    app.bank.control.behave({ lostReplies: 1 })
    expect(ok(await refund(payment.id, { amount: 4_000 })).refund.status).toBe('pending')
    app.bank.control.behave({})
    await reverse(reference)
    await sweepLater()
    expect(sentFor(reference)).toHaveLength(1)
    expect((await eventsAbout(app, payment.id)).map(({ type }) => type)).toContain('collection.payment_refunded')
    expect(await own.payment(reference)).toMatchObject(gone)
    expect(await own.life.get(invoice.id)).toMatchObject({ paidMinor: 0, paymentStatus: 'unpaid' })
  })

  test('a partial refund and then a reversal leave nothing to refund', async () => {
    const { invoice, reference, payment } = await paidInvoice()
    expect(ok(await refund(payment.id, { amount: 4_000 })).refund.status).toBe('sent')
    await reverse(reference)
    expect(await own.payment(reference)).toMatchObject(gone)
    expect(await own.life.get(invoice.id)).toMatchObject({ paidMinor: 0, paymentStatus: 'unpaid' })
    expectRefusal(await refund(payment.id, { amount: 1 }), 'collection.refund.too_much')
  })

  test('a refused refund and then a reversal take the restored money', async () => {
    const { invoice, reference, payment } = await paidInvoice()
    app.bank.control.behave({ refusesRefunds: true })
    expectRefusal(await refund(payment.id, { amount: 4_000 }), 'collection.provider_refused')
    app.bank.control.behave({})
    expect((await own.life.get(invoice.id)).paymentStatus).toBe('paid')
    await reverse(reference)
    expect(await own.payment(reference)).toMatchObject(gone)
    expect(await own.life.get(invoice.id)).toMatchObject({ paidMinor: 0, paymentStatus: 'unpaid' })
  })
})

describe.each(['A', 'B'] as const)('a refund of a transfer that paid two invoices, form %s', (form) => {
  /** A buyer's two invoices, both paid by one transfer. */
  async function twoPaid() {
    const buyerId = await own.life.buyer()
    const account = await own.open({ buyerId })
    const first = await own.life.issued({ buyerId, invoiceDate: '2026-10-01' })
    const second = await own.life.issued({ buyerId, invoiceDate: '2026-11-03' })
    const payment = await own.payment(await own.transfer(account.accountNumber, (2 * due).toFixed(2)))
    expect(payment).toMatchObject({ appliedMinor: 2 * payableMinor })
    return { first, second, payment }
  }
  const credit = async (id: string, more: object = {}) => {
    const note = ok(await own.life.credit(id, more), 201)
    ok(await own.life.act(note.id, 'finalise'))
  }
  const refund = (id: string, amount: string) => own.act(`/payments/${id}/refund`, { amount }, form)
  const amounts = async (id: string) => {
    const { paidMinor, dueMinor, refundOwedMinor } = await own.life.get(id)
    return { paidMinor, dueMinor, refundOwedMinor }
  }
  const paid = { paidMinor: payableMinor, dueMinor: 0, refundOwedMinor: 0 }

  test('takes the money first from the invoice that owes a refund, not from the latest', async () => {
    const { first, second, payment } = await twoPaid()
    await credit(first.id)
    expect(await amounts(first.id)).toEqual({ paidMinor: payableMinor, dueMinor: 0, refundOwedMinor: payableMinor })
    ok(await refund(payment.id, due.toFixed(2)))
    expect(await amounts(first.id)).toEqual({ paidMinor: 0, dueMinor: 0, refundOwedMinor: 0 })
    expect(await amounts(second.id)).toEqual(paid)
  })

  test('takes no more than is owed from that invoice, and the rest from the latest', async () => {
    const { first, second, payment } = await twoPaid()
    await credit(first.id, { amount: '100.00' })
    ok(await refund(payment.id, '130.00'))
    expect(await amounts(first.id)).toEqual({ paidMinor: payableMinor - 10_000, dueMinor: 0, refundOwedMinor: 0 })
    expect(await amounts(second.id)).toEqual({
      paidMinor: payableMinor - 3_000,
      dueMinor: 3_000,
      refundOwedMinor: 0,
    })
  })

  test('takes from both invoices if the latest is the one that owes a refund', async () => {
    const { first, second, payment } = await twoPaid()
    await credit(second.id, { amount: '100.00' })
    ok(await refund(payment.id, (due + 50).toFixed(2)))
    expect(await amounts(first.id)).toEqual({
      paidMinor: payableMinor - 5_000,
      dueMinor: 5_000,
      refundOwedMinor: 0,
    })
    expect(await amounts(second.id)).toEqual({ paidMinor: 0, dueMinor: payableMinor - 10_000, refundOwedMinor: 0 })
  })
})
