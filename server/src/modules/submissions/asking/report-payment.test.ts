import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { collectionPath, ownBankAccount } from '../../../../../test/harness/collection.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok, payableMinor } from '../../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Reporter
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], bank: true })
  own = await reporter(app)
  const { token, sellerId } = own
  const body = { sellerId, ...ownBankAccount }
  ok(await app.a.post(`${collectionPath}/settlement-accounts`, { token, body }), 201)
})
afterAll(() => app.close())

/** The payment status that the authority shows for a document. */
async function standing(id: string): Promise<string | undefined> {
  const { report } = await own.status(id)
  const answer = await app.runtime.ports.jurisdictions
    .authority('NG', 'sandbox')
    ?.lookup(report.reference, AbortSignal.timeout(5_000))
  return answer?.kind === 'found' ? answer.paymentStatus : undefined
}
const becomes = (id: string, status: string) => eventually(async () => expect(await standing(id)).toBe(status))

test('transfers and refunds are reported to the authority', async () => {
  const { id } = await own.submitted()
  await own.until(id, 'accepted')
  expect(await standing(id)).toBe('pending')
  const { token, sellerId } = own
  const body = {
    mode: 'dynamic',
    jurisdiction: 'NG',
    sellerId,
    reference: id,
    customer: { name: 'Chidi' },
    invoiceId: id,
    amount: payableMinor / 100,
  }
  const account = ok(await app.a.post(`${collectionPath}/accounts`, { token, body }), 201)
  const send = async (amount: number) => {
    const transfer = { accountNumber: account.accountNumber, amount }
    return ok(await app.a.post('/sandbox/v1/transfers', { token, body: transfer }), 201).providerReference
  }
  await send(100)
  await becomes(id, 'partial')
  const last = await send(payableMinor / 100 - 100)
  await becomes(id, 'paid')
  const payments = ok(await app.a.get(`${collectionPath}/payments`, { token }))
  const paid = payments.find((one: { providerReference: string }) => one.providerReference === last)
  ok(await app.a.post(`${collectionPath}/payments/${paid.id}/refund`, { token, body: {} }))
  await becomes(id, 'partial')
})

test('payments before acceptance are reported on acceptance, for both ways of paying', async () => {
  const issued = await own.life.issued()
  ok(await own.life.pay(issued.id, payableMinor / 100), 201)
  ok(await own.life.act(issued.id, 'submit'), 202)
  await own.until(issued.id, 'accepted')
  await becomes(issued.id, 'paid')
})

const toldOf = async (id: string) => app.authority.control.paymentsOf((await own.status(id)).report.reference)
/** Waits until every change has been reported. */
const settled = async (id: string) => {
  await app.quiet()
  return await toldOf(id)
}
/** Delays the authority's answers until the document was changed. */
async function whileOnItsWay(id: string, change: () => Promise<void>): Promise<void> {
  app.authority.control.misbehave('held')
  ok(await own.life.act(id, 'submit'), 202)
  await eventually(async () =>
    expect(app.authority.control.requests.filter(({ path }) => path.endsWith('/sign')).length).toBeGreaterThan(0),
  )
  await change()
  app.authority.control.misbehave(undefined)
  await own.until(id, 'accepted')
}

describe('the reported status follows every change', () => {
  test('a declared payment is not in the bytes, so it is reported, and so are later recorded payments', async () => {
    const { id } = await own.submitted({ paymentStatus: 'paid' }, 'B')
    await own.until(id, 'accepted')
    expect((await toldOf(id)).document).toBe('PENDING')
    await becomes(id, 'paid')
    ok(await own.life.pay(id, 100), 201)
    await becomes(id, 'partial')
    ok(await own.life.pay(id, payableMinor / 100 - 100), 201)
    await becomes(id, 'paid')
  })

  test('a declared partial payment has no amount and is not reported', async () => {
    const { id } = await own.submitted({ paymentStatus: 'partially_paid' }, 'B')
    await own.until(id, 'accepted')
    expect(await settled(id)).toEqual({ document: 'PENDING', updates: [], status: 'PENDING' })
  })

  test('a payment that is reversed during the submission is reported on acceptance', async () => {
    const { id } = await own.life.issued()
    ok(await own.life.pay(id, payableMinor / 100), 201)
    const [payment] = ok(await app.a.get(`/i/v1/invoices/${id}/payments`, { token: own.token }))
    await whileOnItsWay(id, async () => {
      const undo = await app.a.delete(`/i/v1/invoices/${id}/payments/${payment.id}`, { token: own.token })
      expect(undo.status, undo.text).toBeLessThan(300)
    })
    expect((await toldOf(id)).document).toBe('PAID')
    await becomes(id, 'pending')
  })

  test('a payment update without a reply is corrected if the payment is reversed before the next try', async () => {
    const { id } = await own.submitted()
    await own.until(id, 'accepted')
    await app.quiet()
    app.authority.control.misbehave('truncated')
    ok(await own.life.pay(id, payableMinor / 100), 201)
    await eventually(async () => expect((await toldOf(id)).updates).toEqual([{ status: 'PAID', amount: null }]))
    const [payment] = ok(await app.a.get(`/i/v1/invoices/${id}/payments`, { token: own.token }))
    const undo = await app.a.delete(`/i/v1/invoices/${id}/payments/${payment.id}`, { token: own.token })
    expect(undo.status, undo.text).toBeLessThan(300)
    app.authority.control.misbehave(undefined)
    await eventually(async () => {
      // The next try would wait for its time.
      await app.runtime.db.run(
        sql`update jobs set due_at = now() where job = 'tell-payment' and given_up_at is null and due_at > now()`,
      )
      expect((await toldOf(id)).status).toBe('PENDING')
    })
  })

  test('a partly paid invoice is paid once the rest is credited, and partly paid again once the credit note is reopened', async () => {
    const { id } = await own.submitted()
    await own.until(id, 'accepted')
    ok(await own.life.pay(id, 10_000), 201)
    await becomes(id, 'partial')
    const note = ok(await own.life.credit(id, { amount: 4_514.11 }), 201)
    ok(await own.life.act(note.id, 'finalise'))
    await becomes(id, 'paid')
    ok(await own.life.act(note.id, 'reopen'))
    await becomes(id, 'partial')
  })

  test('a full credit note does not make an unpaid invoice paid, and a credit note is never paid', async () => {
    const { id } = await own.submitted()
    await own.until(id, 'accepted')
    ok(await own.life.act(id, 'cancel', { reason: 'Ordered twice' }), 202)
    await own.until(id, 'cancelled')
    const notes = ok(await app.a.get('/i/v1/invoices?invoiceType=credit_note', { token: own.token }))
    const note = notes.find(({ originalInvoiceId }: { originalInvoiceId: string }) => originalInvoiceId === id)
    for (const one of [id, note.id])
      expect(await settled(one)).toEqual({ document: 'PENDING', updates: [], status: 'PENDING' })
  })
})
