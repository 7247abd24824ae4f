import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { collectionPath, ownBankAccount } from '../../../../test/harness/collection.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { ok, payableMinor } from '../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../test/harness/reporters.ts'

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

/** What the authority says of the payment of a document. */
async function standing(id: string): Promise<string | undefined> {
  const { report } = await own.status(id)
  const answer = await app.machine.ports.jurisdictions
    .authority('NG', 'sandbox')
    ?.lookup(report.reference, AbortSignal.timeout(5_000))
  return answer?.kind === 'found' ? answer.paymentStatus : undefined
}
const becomes = (id: string, status: string) => eventually(async () => expect(await standing(id)).toBe(status))

test('what is paid by transfer, and what goes back, is told to the authority', async () => {
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

test('what was paid before it was accepted is told then, in either way of paying', async () => {
  const issued = await own.life.issued()
  ok(await own.life.pay(issued.id, payableMinor / 100), 201)
  ok(await own.life.act(issued.id, 'submit'), 202)
  await own.until(issued.id, 'accepted')
  await becomes(issued.id, 'paid')
})
