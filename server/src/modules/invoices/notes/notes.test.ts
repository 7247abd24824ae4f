import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path, payableMinor } from '../../../../../test/harness/issued.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const cement = {
  description: 'Bag of cement',
  hsnCode: '2523.29',
  unitCode: 'XBG',
  unitPrice: '4500.50',
  taxCategory: 'standard',
}
const bags = (quantity: string) => [{ ...cement, quantity }]
const debit = (id: string, more: object = {}) => life.act(id, 'debit-notes', { reason: 'Forgotten', ...more })
const remove = (id: string) => app.a.delete(`${path}/${id}`, { token: own.token })
const change = (id: string, body: object) => app.a.patch(`${path}/${id}`, { token: own.token, body })

test.each(['A', 'B'] as const)('the notes of an invoice are listed, and no others (form %s)', async (form) => {
  const original = await life.issued()
  const credit = ok(await life.credit(original.id, { lineItems: bags('1') }), 201)
  const added = ok(await debit(original.id, { lineItems: bags('1') }), 201)
  ok(await life.credit((await life.issued()).id), 201)
  const listed = async (token: string) => {
    const reply = await app.client(form).get(`${path}?originalInvoiceId=${original.id}`, { token })
    return [reply.body.meta.pagination.total, ok(reply).map(({ id }: { id: string }) => id)]
  }
  expect(await listed(own.token)).toEqual([2, [added.id, credit.id]])
  expect(await listed((await app.person()).token)).toEqual([0, []])
})

describe('a credit note', () => {
  test('without contents credits everything, and takes absent fields from its original', async () => {
    const original = await life.issued({
      paymentTerms: '30 days',
      notes: 'Thanks',
      buyerReference: 'R1',
      allowanceAmount: '100.00',
    })
    const before = await life.balance()
    const reply = await life.credit(original.id, { reason: 'Wrong goods' })
    const note = ok(reply, 201)
    expect(note).toMatchObject({
      invoiceType: 'credit_note',
      invoiceKind: 'B2B',
      status: 'draft',
      originalInvoiceId: original.id,
      originalInvoiceNumber: original.invoiceNumber,
      reason: 'Wrong goods',
      invoiceDate: '2026-11-15',
      dueDate: null,
      sellerId: own.sellerId,
      buyerId: own.buyerId,
      currency: 'NGN',
      netMinor: original.netMinor,
      allowanceMinor: 10_000,
      payableMinor: original.payableMinor,
      roundingMinor: 0,
      paymentTerms: null,
      notes: null,
      buyerReference: 'R1',
      lineItems: original.lineItems,
      taxes: original.taxes,
    })
    expect(note.invoiceNumber).toMatch(/^CN\d{6}$/)
    expect(reply.headers.get('location')).toBe(`${path}/${note.id}`)
    expect(reply.headers.get('etag')).toBe('"1"')
    expect(await life.get(note.id)).toEqual(note)
    expect(await life.balance()).toBe(before - 1)
    expect(await life.told(note.id)).toEqual(['invoice.created'])
    expect({ ...(await life.get(original.id)), warnings: [] }).toEqual(original)
  })

  test('of lines has their total, at the rates of the original', async () => {
    const { id } = await life.issued()
    expect(ok(await life.credit(id, { lineItems: bags('1') }), 201)).toMatchObject({
      netMinor: 450_050,
      taxMinor: 33_754,
      payableMinor: 483_804,
      roundingMinor: 0,
    })
  })

  test.each(['0.01', '1.00', '999.99', '14514.11'])('of %s comes to exactly that', async (amount) => {
    const { id } = await life.issued()
    const note = ok(await life.credit(id, { amount }), 201)
    expect(note.payableMinor).toBe(Math.round(Number(amount) * 100))
    expect(note.netMinor + note.taxMinor + note.roundingMinor).toBe(note.payableMinor)
  })

  test('after another credits the rest, with drafts included, until nothing is left', async () => {
    const { id } = await life.issued()
    const first = ok(await life.credit(id, { amount: '10000.00' }), 201)
    const refused = await life.credit(id, { amount: '4514.12' })
    expectRefusal(refused, 'invoice.note.too_much')
    expect([refused.status, refused.body.error.code, faultPaths(refused)]).toEqual([409, 'BIZ004', ['amount']])
    expect(refused.body.error.details[0].message).toBe('must be at most NGN 4,514.11, which is left to credit')
    const rest = ok(await life.credit(id), 201)
    expect(first.payableMinor + rest.payableMinor).toBe(payableMinor)
    expect(first.netMinor + rest.netMinor).toBe(1_350_150)
    for (const more of [{}, { amount: '0.01' }, { lineItems: bags('0.000001') }])
      expectRefusal(await life.credit(id, more), 'invoice.note.nothing_left')
    ok(await remove(first.id))
    expect(ok(await life.credit(id), 201).payableMinor).toBe(first.payableMinor)
  })

  test('of more lines than are left is refused, and costs nothing', async () => {
    const { id } = await life.issued()
    const before = await life.balance()
    const refused = await life.credit(id, { lineItems: bags('3.001') })
    expectRefusal(refused, 'invoice.note.too_much')
    expect(refused.body.error.details.map(({ message }: { message: string }) => message)).toEqual([
      'credit NGN 14,518.95, but only NGN 14,514.11 is left to credit',
      'credit NGN 13,506.00 of STANDARD_VAT, but only NGN 13,501.50 of it is left',
    ])
    expect(await life.balance()).toBe(before)
    ok(await life.credit(id, { lineItems: bags('3') }), 201)
    expectRefusal(await life.credit(id, { lineItems: bags('1') }), 'invoice.note.nothing_left')
  })

  test('cannot credit one tax group with the amount of another', async () => {
    const lineItems = [...bags('1'), { ...cement, quantity: '1', unitPrice: '100.00', taxCategory: 'exempt' }]
    const { id } = await life.issued({ lineItems })
    const credited = (unitPrice: string, taxCategory: string) =>
      life.credit(id, { lineItems: [{ ...cement, quantity: '1', unitPrice, taxCategory }] })
    expectRefusal(await credited('100.01', 'exempt'), 'invoice.note.too_much')
    expectRefusal(await credited('1.00', 'zero'), 'invoice.note.too_much')
    ok(await credited('100.00', 'exempt'), 201)
    expectRefusal(await credited('0.01', 'exempt'), 'invoice.note.too_much')
    expect(ok(await life.credit(id), 201).taxes).toEqual([
      { taxCategory: 'STANDARD_VAT', taxPercent: '7.5', taxableMinor: 450_050, taxMinor: 33_754 },
    ])
  })

  test.each([
    ['both lines and an amount', { lineItems: [{ ...cement, quantity: '1' }], amount: 1 }, ['amount']],
    ['no reason', { reason: undefined }, ['reason']],
    ['an empty reason', { reason: '' }, ['reason', 'reason']],
    ['no lines at all', { lineItems: [] }, ['lineItems']],
    ['an amount of nothing', { amount: 0 }, ['amount']],
    ['parts of a minor unit', { amount: '0.001' }, ['amount']],
    ['a strange unit', { lineItems: [{ ...cement, quantity: '1', unitCode: 'BAGS?' }] }, ['lineItems[0].unitCode']],
    ['a field that is none', { currency: 'USD' }, ['currency']],
  ])('with %s is refused', async (_, more, paths) => {
    const { id } = await once()
    const refused = await life.credit(id, more)
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual(paths)
  })
  let first: ReturnType<Life['issued']> | undefined
  const once = () => {
    first ??= life.issued()
    return first
  }

  test('line by line ends at exactly zero, although tax is rounded on every note', async () => {
    const { id } = await life.issued()
    const notes = []
    for (const each of ['1', '1', '1']) notes.push(ok(await life.credit(id, { lineItems: bags(each) }), 201))
    expect(notes.map((note) => [note.payableMinor, note.roundingMinor])).toEqual([
      [483_804, 0],
      [483_804, 0],
      [483_803, -1],
    ])
    expectRefusal(await life.credit(id), 'invoice.note.nothing_left')
  })

  test('can be changed only within what is left', async () => {
    const { id } = await life.issued()
    const other = ok(await life.credit(id, { lineItems: bags('1') }), 201)
    const note = ok(await life.credit(id, { lineItems: bags('1') }), 201)
    expectRefusal(await change(note.id, { lineItems: bags('2.1') }), 'invoice.note.too_much')
    expectRefusal(await change(note.id, { chargeAmount: '10000.00' }), 'invoice.note.too_much')
    expect(ok(await change(note.id, { lineItems: bags('2') }))).toMatchObject({ netMinor: 900_100, roundingMinor: -1 })
    ok(await remove(other.id))
    expect(ok(await change(note.id, { lineItems: bags('3') })).payableMinor).toBe(payableMinor)
  })

  test('of an amount keeps its total if only its texts change', async () => {
    const { id } = await life.issued()
    const note = ok(await life.credit(id, { amount: '0.03' }), 201)
    expect(ok(await change(note.id, { notes: 'As agreed' }))).toMatchObject({
      payableMinor: 3,
      roundingMinor: note.roundingMinor,
      notes: 'As agreed',
    })
  })

  test('cannot have another currency than its original', async () => {
    const { id } = await life.issued()
    const note = ok(await life.credit(id, { amount: 1 }), 201)
    const refused = await change(note.id, { currency: 'USD' })
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual(['currency'])
  })

  test('shows its current buyer, who may be archived', async () => {
    const buyerId = await life.buyer({ name: 'Before' })
    const { token } = own
    const { id } = await life.issued({ buyerId })
    ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token, body: { name: 'After' } }))
    const note = ok(await life.credit(id), 201)
    expect(note.buyer.name).toBe('After')
    expect(await life.get(note.id)).toEqual(note)
    expect(ok(await app.a.delete(`/i/v1/buyers/${buyerId}`, { token })).outcome).toBe('archived')
    expect(ok(await life.act(note.id, 'finalise'))).toMatchObject({ status: 'finalised', buyer: { name: 'After' } })
  })
})

describe('a debit note', () => {
  test('adds lines under its own number, and does not change its original', async () => {
    const original = await life.issued()
    const before = await life.balance()
    const note = ok(await debit(original.id, { lineItems: bags('100') }), 201)
    expect(note).toMatchObject({
      invoiceType: 'debit_note',
      netMinor: 45_005_000,
      originalInvoiceId: original.id,
      reason: 'Forgotten',
    })
    expect(note.invoiceNumber).toMatch(/^DN\d{6}$/)
    expect(await life.balance()).toBe(before - 1)
    expect(ok(await life.act(note.id, 'finalise'))).toMatchObject({ status: 'finalised', dueMinor: note.payableMinor })
    expect({ ...(await life.get(original.id)), warnings: [] }).toEqual(original)
  })

  test('needs lines, and accepts no amount', async () => {
    const { id } = await life.issued()
    expect(faultPaths(await debit(id))).toEqual(['lineItems'])
    expect(faultPaths(await debit(id, { lineItems: bags('1'), amount: 1 }))).toEqual(['amount'])
  })
})

describe('documents that cannot be corrected by notes', () => {
  test('are drafts, notes, and rejected or cancelled invoices', async () => {
    const tried = async (id: string) => [
      await life.credit(id, { amount: 1 }),
      await debit(id, { lineItems: bags('1') }),
    ]
    const { id } = await life.issued()
    const credit = ok(await life.credit(id, { amount: 1 }), 201)
    const more = ok(await debit(id, { lineItems: bags('1') }), 201)
    for (const note of [credit, more]) ok(await life.act(note.id, 'finalise'))
    const refused = [await tried((await life.draft()).id), await tried(credit.id), await tried(more.id)]
    for (const status of ['rejected', 'cancellation_pending', 'cancelled']) {
      await life.become(id, status)
      refused.push(await tried(id))
    }
    for (const reply of refused.flat()) {
      expectRefusal(reply, 'invoice.note.not_possible')
      expect([reply.status, reply.body.error.code]).toEqual([409, 'BIZ004'])
    }
    for (const reply of await tried(randomUUID())) expectRefusal(reply, 'resource.not_found')
    for (const status of ['queued', 'accepted', 'failed']) {
      await life.become(id, status)
      for (const reply of await tried(id)) ok(reply, 201)
    }
  })
})

test('the ledger is consistent', () => expectBooksInOrder(app))
