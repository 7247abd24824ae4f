import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path, payableMinor } from '../../../../test/harness/issued.ts'
import { eventsAbout, versionsEmitted } from '../../../../test/harness/purchases.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

test('every change of an invoice emits one event, with the invoice after the change', async () => {
  const { token } = own
  const { id, invoiceNumber } = await life.draft()
  ok(await app.a.patch(`${path}/${id}`, { token, body: { notes: 'Thanks' } }))
  ok(await life.act(id, 'finalise'))
  ok(await life.act(id, 'reopen'))
  ok(await life.act(id, 'finalise'))
  ok(await life.act(id, 'send'))
  ok(await life.act(id, 'share'), 201)
  ok(await app.a.delete(`${path}/${id}/share`, { token }))
  const { payment } = ok(await life.pay(id, '14514.11'), 201)
  ok(await app.a.delete(`${path}/${id}/payments/${payment.id}`, { token }))
  // Reads and empty changes emit no event.
  ok(await app.a.get(`${path}/${id}/status`, { token }))
  ok(await app.a.delete(`${path}/${id}/share`, { token }))
  const payload = await eventsAbout(app, id)
  const always = {
    invoiceId: id,
    invoiceNumber,
    invoiceType: 'standard',
    invoiceKind: 'B2B',
    buyerId: own.buyerId,
    currency: 'NGN',
    payableMinor,
    taxMinor: 101_261,
    originalInvoiceId: null,
    jurisdiction: 'NG',
    authorityReference: null,
    submittedAt: null,
  }
  const money = { paymentId: payment.id, amountMinor: payableMinor }
  expect(payload.map(({ type, data }) => [type, data])).toEqual([
    ['invoice.created', { ...always, status: 'draft', itemUses: {} }],
    ['invoice.updated', { ...always, status: 'draft', changed: ['notes'], itemUses: {} }],
    ['invoice.finalised', { ...always, status: 'finalised' }],
    ['invoice.reopened', { ...always, status: 'draft' }],
    ['invoice.finalised', { ...always, status: 'finalised' }],
    ['invoice.sent', { ...always, status: 'finalised', to: 'accounts@chidi.test' }],
    ['invoice.shared', { ...always, status: 'finalised' }],
    ['invoice.unshared', { ...always, status: 'finalised' }],
    [
      'invoice.payment_recorded',
      {
        ...always,
        status: 'finalised',
        ...money,
        paidOn: '2026-11-14',
        paidMinor: payableMinor,
        dueMinor: 0,
        nextDueDate: null,
      },
    ],
    ['invoice.paid', { ...always, status: 'finalised', paidMinor: payableMinor, dueMinor: 0, nextDueDate: null }],
    [
      'invoice.payment_reversed',
      { ...always, status: 'finalised', ...money, paidMinor: 0, dueMinor: payableMinor, nextDueDate: '2026-12-02' },
    ],
  ])
  for (const { mode, organisationId } of payload)
    expect([mode, organisationId]).toEqual(['sandbox', own.organisationId])
  // Every change has a higher version; two events of one change have the same.
  const versions = (await versionsEmitted(app, id)).map(({ objectVersion }) => objectVersion)
  expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10])
})

test('a note emits events as a document of its own that names its original', async () => {
  const { id } = await life.issued()
  const note = ok(await life.credit(id, { amount: 1 }), 201)
  ok(await app.a.delete(`${path}/${note.id}`, { token: own.token }))
  const payload = await eventsAbout(app, note.id)
  const said = {
    invoiceId: note.id,
    invoiceNumber: note.invoiceNumber,
    invoiceType: 'credit_note',
    originalInvoiceId: id,
  }
  expect(payload.map(({ type, data }) => ({ type, data }))).toMatchObject([
    { type: 'invoice.created', data: { ...said, payableMinor: 100 } },
    { type: 'invoice.deleted', data: { ...said, status: 'draft' } },
  ])
  expect((await versionsEmitted(app, note.id)).map(({ objectVersion }) => objectVersion)).toEqual([1, 2])
  expect(await life.told(id)).toEqual(['invoice.created', 'invoice.finalised'])
})
