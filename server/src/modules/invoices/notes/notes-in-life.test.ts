import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path, payableMinor } from '../../../../../test/harness/issued.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const finalise = (id: string) => life.act(id, 'finalise')

describe('once a credit note is issued', () => {
  test('the amount due of its original falls, and rises again when the note is reopened', async () => {
    const { id } = await life.issued()
    const note = ok(await life.credit(id, { amount: '4514.11' }), 201)
    expect(await life.get(id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor })
    ok(await finalise(note.id))
    expect(await life.get(id)).toMatchObject({
      status: 'finalised',
      creditedMinor: 451_411,
      dueMinor: 1_000_000,
      refundOwedMinor: 0,
      paymentStatus: 'unpaid',
    })
    ok(await life.act(note.id, 'reopen'))
    expect(await life.get(id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor })
    // The draft still reserves its amount.
    expectRefusal(await life.credit(id, { amount: '14514.11' }), 'invoice.note.too_much')
    ok(await app.a.delete(`${path}/${note.id}`, { token: own.token }))
    ok(await life.credit(id, { amount: '14514.11' }), 201)
  })

  test('payments beyond the new total are owed back', async () => {
    const { id } = await life.issued()
    ok(await life.pay(id, '14514.11'), 201)
    ok(await finalise(ok(await life.credit(id, { amount: '14.11' }), 201).id))
    expect(await life.get(id)).toMatchObject({
      creditedMinor: 1_411,
      dueMinor: 0,
      refundOwedMinor: 1_411,
      paymentStatus: 'paid',
    })
    expectRefusal(await life.pay(id, '0.01'), 'invoice.pay.too_much')
    ok(await finalise(ok(await life.credit(id), 201).id))
    expect(await life.get(id)).toMatchObject({ creditedMinor: payableMinor, refundOwedMinor: payableMinor })
    expect((await life.told(id)).filter((type) => type === 'invoice.paid')).toHaveLength(1)
  })

  test('a partly paid invoice is paid when the rest is credited, and an event says so', async () => {
    const { id } = await life.issued()
    ok(await life.pay(id, '10000.00'), 201)
    const note = ok(await life.credit(id, { amount: '4514.11' }), 201)
    expect(await life.told(id)).not.toContain('invoice.paid')
    ok(await finalise(note.id))
    expect(await life.get(id)).toMatchObject({
      dueMinor: 0,
      refundOwedMinor: 0,
      paymentStatus: 'paid',
      simpleStatus: 'paid',
    })
    expect((await life.told(id)).filter((type) => type === 'invoice.paid')).toHaveLength(1)
  })

  test('payments are accepted up to what is left', async () => {
    const { id } = await life.issued()
    ok(await finalise(ok(await life.credit(id, { amount: '4514.11' }), 201).id))
    expectRefusal(await life.pay(id, '10000.01'), 'invoice.pay.too_much')
    expect(ok(await life.pay(id, '10000.00'), 201).invoice).toMatchObject({ paymentStatus: 'paid', dueMinor: 0 })
  })

  test('the note can be sent, shared and viewed as a separate document', async () => {
    const { id } = await life.issued()
    const note = ok(await life.credit(id), 201)
    ok(await finalise(note.id))
    ok(await life.act(note.id, 'send'))
    ok(await life.act(note.id, 'share'), 201)
    const refused = await life.act(note.id, 'reopen')
    expectRefusal(refused, 'invoice.reopen.not_possible')
    expect(faultPaths(refused)).toEqual(['sentAt', 'sharedAt'])
    expect(await life.get(id)).toMatchObject({ creditedMinor: payableMinor, sentAt: null })
    expect(await life.told(note.id)).toEqual(['invoice.created', 'invoice.finalised', 'invoice.sent', 'invoice.shared'])
  })
})

describe('numbers', () => {
  test('run separately for each type of document', async () => {
    const fresh = lifeOf(app, await issuer(app))
    const { id, invoiceNumber } = await fresh.issued()
    const lineItems = [
      { description: 'Freight', hsnCode: '2523.29', unitCode: 'EA', quantity: 1, unitPrice: 1, taxCategory: 'zero' },
    ]
    const numbers = [invoiceNumber]
    for (const amount of [1, 2]) numbers.push(ok(await fresh.credit(id, { amount }), 201).invoiceNumber)
    for (const reason of ['x', 'y'])
      numbers.push(ok(await fresh.act(id, 'debit-notes', { reason, lineItems }), 201).invoiceNumber)
    numbers.push((await fresh.draft()).invoiceNumber)
    expect(numbers).toEqual(['INV000001', 'CN000001', 'CN000002', 'DN000001', 'DN000002', 'INV000002'])
  })
})

describe('a note that names its original by number', () => {
  const line = { description: 'Bag of cement', hsnCode: '2523.29', unitCode: 'XBG', unitPrice: 4500.5, taxPercent: 7.5 }
  const note = (originalInvoiceNumber: string | undefined, more: object = {}) =>
    app.b.post(path, {
      token: own.token,
      body: invoiceBody.B(own, { invoiceType: 'credit_note', originalInvoiceNumber, dueDate: undefined, ...more }),
    })

  test('is created, charged as one creation, and lowers the amount due once it is issued', async () => {
    const original = await life.issued({}, 'B')
    const before = await life.balance()
    const made = ok(await note(original.invoiceNumber, { lineItems: [{ ...line, quantity: 1 }] }), 201)
    expect(made).toMatchObject({
      invoiceType: 'credit_note',
      originalInvoiceId: original.id,
      originalInvoiceNumber: original.invoiceNumber,
      payableMinor: 483_804,
    })
    expect(await life.balance()).toBe(before - 1)
    ok(await app.b.post(`${path}/${made.id}/finalise`, { token: own.token }))
    expect(await life.get(original.id)).toMatchObject({ creditedMinor: 483_804 })
  })

  test('is found by any spelling that reads the same', async () => {
    const original = await life.issued({ invoiceNumber: 'A-77/b' }, 'B')
    const made = ok(await note('a77B'), 201)
    expect(made).toMatchObject({ originalInvoiceId: original.id, originalInvoiceNumber: 'A-77/b' })
  })

  test('is refused if there is none, or only a draft', async () => {
    const draft = await life.draft({}, 'B')
    for (const number of ['NONE-1', draft.invoiceNumber]) {
      const before = await life.balance()
      const refused = await note(number)
      expectRefusal(refused, 'invoice.original_unknown')
      expect([refused.status, refused.body.error.code]).toEqual([404, 'RES001'])
      expect(await life.balance()).toBe(before)
    }
  })

  test("is refused when it names another organisation's, or none", async () => {
    const theirs = await lifeOf(app, await issuer(app)).issued({}, 'B')
    expectRefusal(await note(theirs.invoiceNumber), 'invoice.original_unknown')
    expect(faultPaths(await note(undefined))).toEqual(['originalInvoiceNumber'])
    const standard = await note('X1', { invoiceType: 'standard' })
    expect(faultPaths(standard)).toEqual(['originalInvoiceNumber'])
  })

  test('may name the archived buyer of its original, and no other archived one', async () => {
    const buyerId = await life.buyer()
    const original = await life.issued({ buyerId }, 'B')
    const other = await life.issued({}, 'B')
    ok(await app.a.delete(`/i/v1/buyers/${buyerId}`, { token: own.token }))
    expectRefusal(await note(other.invoiceNumber, { buyerId }), 'invoice.buyer_archived')
    const made = ok(await note(original.invoiceNumber, { buyerId }), 201)
    expect(ok(await finalise(made.id)).buyerId).toBe(buyerId)
  })

  test('is in the currency of its original', async () => {
    const original = await life.issued({ currency: 'USD' }, 'B')
    const refused = await note(original.invoiceNumber)
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual(['currency'])
    ok(await note(original.invoiceNumber, { currency: 'USD' }), 201)
  })

  test('never credits more than is left', async () => {
    const original = await life.issued({}, 'B')
    ok(await note(original.invoiceNumber, { lineItems: [{ ...line, quantity: 2 }] }), 201)
    const refused = await note(original.invoiceNumber, { lineItems: [{ ...line, quantity: 1.001 }] })
    expectRefusal(refused, 'invoice.note.too_much')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ004'])
    ok(await note(original.invoiceNumber, { lineItems: [{ ...line, quantity: 1 }] }), 201)
  })

  test('is refused on a note and on a cancelled invoice', async () => {
    const original = await life.issued({}, 'B')
    const made = ok(await note(original.invoiceNumber, { lineItems: [{ ...line, quantity: 1 }] }), 201)
    ok(await finalise(made.id))
    expectRefusal(await note(made.invoiceNumber), 'invoice.note.not_possible')
    await life.become(original.id, 'cancelled')
    const refused = await note(original.invoiceNumber)
    expectRefusal(refused, 'invoice.note.not_possible')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ004'])
  })

  test('may be a debit note, which adds', async () => {
    const original = await life.issued({}, 'B')
    const made = ok(
      await note(original.invoiceNumber, { invoiceType: 'debit_note', lineItems: [{ ...line, quantity: 900 }] }),
      201,
    )
    expect(made.invoiceType).toBe('debit_note')
    ok(await finalise(made.id))
    expect(await life.get(original.id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor })
  })
})
