import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { archivedBuyer, eventsOf, tracesOf } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { loadList } from '../../reference/index.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
})
afterAll(() => app.close())

type FormName = 'A' | 'B'
const path = '/i/v1/invoices'
const at = ({ id }: { id: string }) => `${path}/${id}`

async function draft(form: FormName, more: object = {}) {
  const made = await app.client(form).post(path, { token: own.token, body: invoiceBody[form](own, more) })
  expect(made.status, made.text).toBe(201)
  return made.data
}
const change = (form: FormName, { id }: { id: string }, body: object, version?: string): Promise<Reply> =>
  app.client(form).patch(`${path}/${id}`, {
    token: own.token,
    body,
    headers: version === undefined ? {} : { 'if-match': version },
  })
async function changed(form: FormName, made: { id: string }, body: object) {
  const reply = await change(form, made, body)
  expect(reply.status, reply.text).toBe(200)
  const read = await app.client(form).get(at(made), { token: own.token })
  expect(read.data, 'what was answered is what was kept').toEqual(reply.data)
  expect(read.headers.get('etag')).toBe(reply.headers.get('etag'))
  return reply.data
}
const told = async ({ id }: { id: string }) =>
  (await eventsOf(app, id)).slice(1).map(({ type, data }) => [type, data.changed])

const goods = { description: 'Bag of cement', hsnCode: '2523.29', unitCode: 'XBG' }
const lineOf = {
  A: (more: object = {}) => ({ ...goods, quantity: '1', unitPrice: '100', taxCategory: 'standard', ...more }),
  B: (more: object = {}) => ({ ...goods, quantity: 1, unitPrice: 100, taxPercent: 7.5, ...more }),
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const amount = (text: string) => (form === 'A' ? text : Number(text))

  test('an absent field is unchanged, and null clears it', async () => {
    const full = { allowanceAmount: amount('10'), chargeAmount: amount('5'), paymentTerms: 'Net 30', notes: 'Thanks' }
    const made = await draft(form, full)
    const one = await changed(form, made, { notes: 'Thank you' })
    const { updatedAt: _, ...rest } = made
    expect(one).toMatchObject({ ...rest, notes: 'Thank you' })
    const cleared = await changed(form, made, {
      allowanceAmount: null,
      chargeAmount: null,
      paymentTerms: null,
      notes: null,
      dueDate: null,
    })
    expect(cleared).toMatchObject({
      allowanceMinor: 0,
      chargeMinor: 0,
      paymentTerms: null,
      notes: null,
      dueDate: null,
      payableMinor: 1_451_411,
      invoiceDate: made.invoiceDate,
      buyerId: own.buyerId,
      lineItems: made.lineItems,
    })
    expect(await told(made)).toEqual([
      ['invoice.updated', ['notes']],
      [
        'invoice.updated',
        expect.arrayContaining(['notes', 'paymentTerms', 'dueDate', 'allowanceMinor', 'payableMinor']),
      ],
    ])
  })

  test('lines that are sent replace every line, and the totals follow', async () => {
    const made = await draft(form)
    const lineItems = [lineOf[form](), lineOf[form]({ description: 'Sand', discountAmount: amount('50') })]
    const after = await changed(form, made, { lineItems })
    expect(after.lineItems.map((line: { description: string }) => line.description)).toEqual(['Bag of cement', 'Sand'])
    expect(after).toMatchObject({ netMinor: 15_000, taxMinor: 1_125, payableMinor: 16_125, currency: 'NGN' })
    expect(await changed(form, made, { currency: 'USD' })).toMatchObject({ currency: 'USD', payableMinor: 16_125 })
  })

  test('a change costs nothing, and an empty change is no change', async () => {
    const made = await draft(form, { notes: 'as it is' })
    const before = await tracesOf(app, own)
    const { invoiceDate, dueDate, currency } = made
    for (const body of [
      {},
      { notes: 'as it is' },
      { invoiceDate, dueDate, currency, allowanceAmount: null, paymentTerms: null },
      { lineItems: invoiceBody[form](own).lineItems, chargeAmount: amount('0') },
    ]) {
      const same = await change(form, made, body)
      expect([same.status, same.headers.get('etag'), same.data]).toEqual([200, '"1"', made])
    }
    expect(await tracesOf(app, own)).toEqual(before)
    await changed(form, made, { notes: 'another' })
    expect(await tracesOf(app, own)).toMatchObject({ credits: before.credits, moves: before.moves })
  })

  test('If-Match accepts only the version that was read', async () => {
    const made = await draft(form)
    const first = await change(form, made, { notes: 'one' }, '"1"')
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"'])
    expectRefusal(await change(form, made, { notes: 'two' }, '"1"'), 'version.stale')
    expectRefusal(await change(form, made, { notes: 'two' }, '"99"'), 'version.stale')
    expect((await change(form, made, { notes: 'three' }, '"2"')).headers.get('etag')).toBe('"3"')
    expect((await change(form, made, { notes: 'four' })).headers.get('etag')).toBe('"4"')
  })

  test('of 32 who read the same version, exactly one wins', async () => {
    const made = await draft(form)
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, nth) => change(form, made, { notes: `by ${nth}` }, '"1"')),
    )
    const won = replies.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, 'version.stale')
    const read = await app.client(form).get(at(made), { token: own.token })
    expect([read.headers.get('etag'), read.data.notes]).toEqual(['"2"', won[0]?.data.notes])
    expect(await told(made)).toEqual([['invoice.updated', ['notes']]])
  })

  test('changes with faults are refused with every fault, and change nothing', async () => {
    const made = await draft(form, { dueDate: '2026-11-10', allowanceAmount: amount('100') })
    const before = await tracesOf(app, own)
    const faults: [body: object, paths: string[]][] = [
      [{ invoiceDate: '2026-11-11' }, ['dueDate']],
      [{ dueDate: '2026-11-01', currency: 'EUR' }, ['dueDate']],
      [{ lineItems: [lineOf[form]({ unitPrice: amount('50') })] }, ['allowanceAmount']],
      [{ lineItems: [] }, ['lineItems']],
      [
        { lineItems: [lineOf[form]({ quantity: amount('0') }), lineOf[form]({ colour: 1 })] },
        ['lineItems[0].quantity', 'lineItems[1].colour'],
      ],
      [
        { lineItems: [lineOf[form]({ unitCode: 'ZZZ', discountAmount: amount('101') })] },
        ['allowanceAmount', 'lineItems[0].discountAmount', 'lineItems[0].unitCode'],
      ],
      [{ invoiceDate: null, currency: null, lineItems: null }, ['currency', 'invoiceDate', 'lineItems']],
      [{ invoiceType: 'credit_note', status: 'accepted' }, ['invoiceType', 'status']],
      [{ notes: 'x'.repeat(2001), paymentTerms: 'bad \ud800' }, ['paymentTerms']],
    ]
    for (const [body, paths] of faults) {
      const refused = await change(form, made, body)
      expectRefusal(refused, 'request.invalid')
      expect([...new Set(faultPaths(refused))], refused.text).toEqual(paths)
    }
    expect(await tracesOf(app, own)).toEqual(before)
    expect((await app.client(form).get(at(made), { token: own.token })).data).toEqual(made)
  })

  test('only drafts can be changed and deleted', async () => {
    const made = await draft(form)
    expect((await app.client(form).post(`${at(made)}/finalise`, { token: own.token })).status).toBe(200)
    const before = await tracesOf(app, own)
    expectRefusal(await change(form, made, { notes: 'too late' }), 'invoice.edit.not_draft')
    expectRefusal(await change(form, made, {}), 'invoice.edit.not_draft')
    expectRefusal(await app.client(form).delete(at(made), { token: own.token }), 'invoice.delete.not_draft')
    expect(await tracesOf(app, own)).toEqual(before)
  })

  test('an unknown id, and one of another organisation or mode, is not found', async () => {
    const made = await draft(form)
    const stranger = await app.person()
    const live = await app.key(own.organisationId, { mode: 'live' })
    for (const [token, id] of [
      [own.token, newId()],
      [stranger.token, made.id],
      [live, made.id],
    ] as const) {
      const refusals = await Promise.all([
        app.client(form).get(`${path}/${id}`, { token }),
        app.client(form).patch(`${path}/${id}`, { token, body: { notes: 'mine' } }),
        app.client(form).delete(`${path}/${id}`, { token }),
      ])
      for (const refused of refusals) expectRefusal(refused, 'resource.not_found')
    }
  })

  test('deleting a draft emits an event; its number stays taken', async () => {
    const made = await draft(form)
    const before = await tracesOf(app, own)
    const gone = await app.client(form).delete(at(made), { token: own.token })
    expect(gone.data).toEqual({ id: made.id, invoiceNumber: made.invoiceNumber, deleted: true })
    for (const again of [
      await app.client(form).get(at(made), { token: own.token }),
      await app.client(form).delete(at(made), { token: own.token }),
      await change(form, made, { notes: 'x' }),
    ])
      expectRefusal(again, 'resource.not_found')
    expect((await told(made)).map(([type]) => type)).toEqual(['invoice.deleted'])
    expect(await tracesOf(app, own)).toMatchObject({
      invoices: (before.invoices as number) - 1,
      numbers: before.numbers,
      credits: before.credits,
    })
    const body = invoiceBody.B(own, { invoiceNumber: made.invoiceNumber })
    expectRefusal(await app.b.post(path, { token: own.token, body }), 'invoice.number_taken')
  })

  test('legal rates follow the day of supply or issue; a rate that was sent stays', async () => {
    const old = { invoiceDate: '2020-02-01', dueDate: null }
    const line = form === 'A' ? lineOf.A() : lineOf.B({ taxPercent: 7.5 })
    const made = await draft(form, { ...old, lineItems: [line] })
    const earlier = await changed(form, made, { invoiceDate: '2020-01-31' })
    expect(earlier).toMatchObject({ taxMinor: 500, payableMinor: 10_500, taxes: [{ taxPercent: '5' }] })
    expect(await changed(form, made, { invoiceDate: '2026-11-01' })).toMatchObject({ taxMinor: 750 })
    // The rate of the day of supply applies, if one is named.
    expect(await changed(form, made, { supplyDate: '2020-01-31' })).toMatchObject({ taxMinor: 500 })
    expect(await changed(form, made, { notes: 'still' })).toMatchObject({ taxMinor: 500 })
    expect(await changed(form, made, { supplyDate: null })).toMatchObject({ taxMinor: 750 })
    const supplied = { ...old, supplyDate: '2020-01-31', lineItems: [lineOf.A()] }
    expect(await draft('A', supplied)).toMatchObject({ taxMinor: 500, taxes: [{ taxPercent: '5' }] })
    const sent = await draft('B', { ...old, lineItems: [lineOf.B({ taxPercent: 6 })] })
    expect(await changed(form, sent, { invoiceDate: '2020-01-31' })).toMatchObject({ taxMinor: 600 })
    expect(await changed(form, sent, { notes: 'still' })).toMatchObject({ taxMinor: 600, taxes: [{ taxPercent: '6' }] })
  })
})

test('fields of one form are changed and cleared too', async () => {
  const full = {
    issueTime: '13:05:30',
    supplyDate: '2026-10-30',
    purchaseOrderReference: 'PO-77',
    buyerReference: 'Store 4',
    accountingCost: '4711',
    buyerId: own.buyerId,
  }
  const made = await draft('A', { buyerId: null, invoiceKind: 'B2C' })
  expect(await changed('A', made, { ...full, invoiceKind: 'B2G', sellerId: own.sellerId })).toMatchObject({
    ...full,
    invoiceKind: 'B2G',
    buyer: { name: 'Chidi Stores Limited' },
  })
  const none = Object.fromEntries(Object.keys(full).map((name) => [name, null]))
  expect(await changed('A', made, none)).toMatchObject({ ...none, buyer: null, invoiceKind: 'B2G' })
  const supplied = await draft('B', { supplyDate: '2026-10-30' })
  expect(await changed('B', supplied, { notes: 'still' })).toMatchObject({ supplyDate: '2026-10-30' })
  expect(await changed('B', supplied, { supplyDate: null })).toMatchObject({ supplyDate: null })
  const paid = await draft('B')
  expect(await changed('B', paid, { paymentStatus: 'paid' })).toMatchObject({ paymentStatus: 'paid' })
  expect(await changed('B', paid, { paymentStatus: 'overdue' })).toMatchObject({ paymentStatus: 'unpaid' })
})

test('parties can be changed to those that a new draft may name', async () => {
  const made = await draft('A')
  const archived = await archivedBuyer(app, own)
  expectRefusal(await change('A', made, { buyerId: newId() }), 'invoice.buyer_unknown')
  expectRefusal(await change('A', made, { buyerId: archived }), 'invoice.buyer_archived')
  expectRefusal(await change('A', made, { sellerId: newId() }), 'invoice.seller_unknown')
  const line = { itemId: newId(), quantity: 1 }
  expectRefusal(await change('A', made, { lineItems: [line] }), 'invoice.item_unknown')
})

test.each(['sellerId', 'invoiceNumber', 'invoiceType', 'originalInvoiceNumber'])(
  '%s cannot be changed where it is immutable',
  async (name) => {
    const made = await draft('B')
    const refused = await change('B', made, { [name]: name.endsWith('Id') ? newId() : 'X1' })
    expectRefusal(refused, 'request.invalid')
    expect(refused.body.error.details).toMatchObject([{ path: name, rule: 'unknown' }])
  },
)

test('an immutable buyer can be changed only after the authority rejected the invoice', async () => {
  const made = await draft('B')
  const refused = await change('B', made, { buyerId: newId() })
  expectRefusal(refused, 'request.invalid')
  expect(refused.body.error.details).toMatchObject([{ path: 'buyerId', rule: 'immutable' }])
  await changed('B', made, { buyerId: made.buyerId })
})

test('a new number is claimed and the old one stays taken; a draft may return to it', async () => {
  const made = await draft('A', { invoiceNumber: 'OLD1' })
  expect(await changed('A', made, { invoiceNumber: 'NEW1' })).toMatchObject({ invoiceNumber: 'NEW1' })
  const other = await draft('A')
  for (const invoiceNumber of ['OLD1', 'NEW1', 'old1'])
    expectRefusal(await change('A', other, { invoiceNumber }), 'invoice.number_taken')
  expect(await changed('A', made, { invoiceNumber: 'new1' }), 'another spelling').toMatchObject({
    invoiceNumber: 'new1',
  })
  expect(await changed('A', made, { invoiceNumber: 'OLD1' })).toMatchObject({ invoiceNumber: 'OLD1' })
  expect((await told(made)).map(([, names]) => names)).toEqual([['number'], ['number'], ['number']])
  const replies = await Promise.all(
    [made, other, await draft('A')].map((one) => change('A', one, { invoiceNumber: 'WANTED' })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
})

test('a note finds its invoice by the current number, not by a former one', async () => {
  const made = await draft('A', { invoiceNumber: 'WAS1' })
  await changed('A', made, { invoiceNumber: 'IS1' })
  await app.a.post(`${at(made)}/finalise`, { token: own.token })
  const note = (originalInvoiceNumber: string) =>
    app.b.post(path, {
      token: own.token,
      body: invoiceBody.B(own, { invoiceType: 'debit_note', originalInvoiceNumber }),
    })
  expectRefusal(await note('WAS1'), 'invoice.original_unknown')
  expect((await note('is-1')).data).toMatchObject({ originalInvoiceId: made.id, originalInvoiceNumber: 'IS1' })
})

test('a code that its list has lost stays valid on the lines that have it, and on no others', async () => {
  const made = await draft('A')
  const before = app.runtime.ports.codeLists.list('NG', 'units')
  const entries = before.entries.filter(({ code }) => code !== 'XBG')
  const bagless = { type: 'units', version: 'without bags', effectiveFrom: '2026-11-01', source: 'import' } as const
  const input = { ...bagless, country: 'NG', entries }
  await app.runner.run(loadList, { caller: systemCaller, origin, input })
  await app.runtime.ports.codeLists.refresh()
  expect(await changed('A', made, { notes: 'Thank you' })).toMatchObject({
    notes: 'Thank you',
    payableMinor: made.payableMinor,
  })
  const again = await change('A', made, { lineItems: invoiceBody.A(own).lineItems })
  expectRefusal(again, 'request.invalid')
  expect(again.body.error.details).toMatchObject([{ path: 'lineItems[0].unitCode', rule: 'code' }])
})
