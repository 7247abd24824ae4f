import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { tracesOf } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'

let app: TestApp
let own: Issuer
let before: Record<string, unknown>
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  await app.a.post(path, { token: own.token, body: invoiceBody.A(own) })
  before = await tracesOf(app, own)
})
afterAll(async () => {
  expect(await tracesOf(app, own), 'nothing of all this was kept or charged').toEqual(before)
  await app.close()
})

type FormName = 'A' | 'B'
const path = '/i/v1/invoices'
const goods = { description: 'Bag of cement', hsnCode: '2523.29', unitCode: 'XBG' }
const lineOf = {
  A: { ...goods, quantity: '3', unitPrice: '4500.50', taxCategory: 'standard' },
  B: { ...goods, quantity: 3, unitPrice: 4500.5, taxPercent: 7.5 },
}

/** Both routes that take a new draft give the same refusal. */
async function refused(form: FormName, body: unknown): Promise<Reply> {
  const [saved, validated] = await Promise.all(
    [path, `${path}/validate`].map((at) => app.client(form).post(at, { token: own.token, body })),
  )
  expect(validated?.status).toBe(saved?.status)
  expect(validated?.body.error).toEqual(saved?.body.error)
  return saved as Reply
}
async function faulty(form: FormName, body: unknown, paths: readonly string[]): Promise<void> {
  const reply = await refused(form, body)
  expectRefusal(reply, 'request.invalid')
  expect([...new Set(faultPaths(reply))], reply.text).toEqual(paths.toSorted())
}
const withLine = (form: FormName, line: object) => invoiceBody[form](own, { lineItems: [{ ...lineOf[form], ...line }] })

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const text = form === 'A' ? String : Number
  const line = lineOf[form]

  test.each([
    ['quantity', '0'],
    ['quantity', '-1'],
    ['quantity', '1.0000001'],
    ['quantity', '0.0000001'],
    ['quantity', '1000000000.1'],
    ['quantity', '1000000000000000'],
    ['unitPrice', '-0.01'],
    ['unitPrice', '1.00001'],
    ['unitPrice', '1000000000000000'],
    ['discountAmount', '-1'],
    ['discountAmount', '0.001'],
    ['discountAmount', '1000000000000000'],
    ['discountAmount', '13501.51'],
    [form === 'A' ? 'feeAmount' : 'taxPercent', '-1'],
    [form === 'A' ? 'feeAmount' : 'taxPercent', '1000000000000000'],
  ])('a line with %s %s is refused', async (name, value) => {
    await faulty(form, withLine(form, { [name]: text(value) }), [`lineItems[0].${name}`])
  })

  test.each(['1e400', '-1e400', '1e309'])('%s is no amount', async (number) => {
    const body = JSON.stringify(withLine(form, { unitPrice: 4242 })).replace('4242', number)
    await faulty(form, body, ['lineItems[0].unitPrice'])
  })

  test.each([
    ['unitCode', 'ZZZ'],
    ['unitCode', 'EACH-ONE-OF'],
    ['hsnCode', '0000.00'],
    ['hsnCode', 'cement'],
    ['isicCode', '99999'],
    ['isicCode', '6201'],
    ['description', ''],
    ['description', '   '],
    ['description', 'x'.repeat(501)],
    ['description', null],
    ['productCategory', 'x'.repeat(501)],
    ['quantity', true],
    ['quantity', null],
    ['quantity', ['3']],
    ['unitPrice', {}],
    ['colour', 'grey'],
  ])('a line with %s %j is refused', async (name, value) => {
    const more = name === 'isicCode' && value !== '6201' ? { hsnCode: null } : {}
    await faulty(form, withLine(form, { ...more, [name]: value }), [`lineItems[0].${name}`])
  })

  test('a line is either goods or a service, with one category', async () => {
    const both = { productCategory: 'Cement', serviceCategory: 'Building' }
    await faulty(form, withLine(form, both), ['lineItems[0].serviceCategory'])
    await faulty(form, withLine(form, { isicCode: '6201' }), ['lineItems[0].isicCode'])
  })

  test.each([
    ['dueDate', '2026-11-01'],
    ['dueDate', '2026-02-30'],
    ['invoiceDate', '2026-02-30'],
    ['invoiceDate', '2026-2-3'],
    ['invoiceDate', '0000-01-01'],
    ['invoiceDate', '02/11/2026'],
    ['invoiceDate', 20261102],
    ['invoiceDate', null],
    ['currency', 'XXX'],
    ['currency', 'ngn'],
    ['currency', ''],
    ['allowanceAmount', text('13501.51')],
    ['allowanceAmount', text('-1')],
    ['allowanceAmount', text('1.001')],
    ['chargeAmount', text('-1')],
    ['chargeAmount', text('1000000000000000')],
    ['buyerId', 'me'],
    ['sellerId', 7],
    ['invoiceType', 'proforma'],
    ['paymentTerms', 'x'.repeat(501)],
    ['notes', 'x'.repeat(2001)],
    ['notes', 5],
    ['lineItems', []],
    ['lineItems', {}],
    ['lineItems', null],
    ['id', '0199a000-0000-7000-8000-000000000100'],
    ['status', 'accepted'],
  ])('a draft with %s %j is refused', async (name, value) => {
    const dueDate = name === 'invoiceDate' ? { dueDate: null } : {}
    await faulty(form, invoiceBody[form](own, { ...dueDate, [name]: value }), [name])
  })

  test.each([['\0'], ['half a pair \ud83d'], ['\udc14 the other half']])('text with %j is refused', async (bad) => {
    const body = { ...withLine(form, { description: `Cement ${bad}` }), notes: bad }
    await faulty(form, body, ['lineItems[0].description', 'notes'])
  })

  test('501 lines are too many, and 500 lines can exceed the largest total', async () => {
    await faulty(form, invoiceBody[form](own, { lineItems: Array(501).fill(line) }), ['lineItems'])
    const dear = { ...line, quantity: text('1'), unitPrice: text('1000000000000') }
    await faulty(form, invoiceBody[form](own, { lineItems: Array(500).fill(dear) }), ['lineItems'])
    const dearest = { quantity: text('1000000000'), unitPrice: text('1000000000000') }
    await faulty(form, withLine(form, dearest), ['lineItems[0]'])
  })

  test('every fault is listed: first those of the shape, then those of the contents', async () => {
    const lines = [line, { ...line, quantity: text('0') }, { ...line, unitPrice: text('-1'), colour: 'grey' }]
    const shape = { lineItems: lines, dueDate: '2026-13-01', allowanceAmount: text('0.001'), payTo: 'me' }
    await faulty(form, invoiceBody[form](own, shape), [
      'allowanceAmount',
      'dueDate',
      'lineItems[1].quantity',
      'lineItems[2].colour',
      'lineItems[2].unitPrice',
      'payTo',
    ])
    const contents = {
      dueDate: '2026-11-01',
      allowanceAmount: text('999999'),
      lineItems: [
        { ...line, unitCode: 'ZZZ' },
        { ...line, hsnCode: 'no' },
        { ...line, discountAmount: text('20000') },
      ],
    }
    await faulty(form, invoiceBody[form](own, contents), [
      'allowanceAmount',
      'dueDate',
      'lineItems[0].unitCode',
      'lineItems[1].hsnCode',
      'lineItems[2].discountAmount',
    ])
  })

  test('an empty body lists everything that is missing', async () => {
    const needed = ['invoiceDate', 'lineItems']
    const more = form === 'A' ? ['currency', 'invoiceKind'] : ['buyerId', 'invoiceNumber', 'sellerId']
    await faulty(form, {}, [...needed, ...more])
    const ofLine = ['description', 'quantity', 'taxPercent', 'unitCode', 'unitPrice', 'hsnCode']
    await faulty(
      form,
      invoiceBody[form](own, { lineItems: [{}] }),
      (form === 'A' ? ['quantity'] : ofLine).map((name) => `lineItems[0].${name}`),
    )
    if (form === 'A')
      await faulty(
        form,
        invoiceBody.A(own, { lineItems: [{ quantity: 1 }] }),
        ['description', 'taxCategory', 'unitCode', 'unitPrice'].map((name) => `lineItems[0].${name}`),
      )
  })

  test('two million bytes are too many', async () => {
    const body = { ...invoiceBody[form](own), notes: 'x'.repeat(2 * 1024 * 1024) }
    expectRefusal(await refused(form, body), 'request.too_large')
    const long = invoiceBody[form](own, { notes: 'x'.repeat(1024 * 1024 + 1) })
    await faulty(form, long, ['notes'])
  })
})

test.each([
  ['invoiceKind', 'X2Y'],
  ['invoiceKind', 'b2b'],
  ['invoiceKind', null],
  ['issueTime', '25:00'],
  ['issueTime', '12:60'],
  ['issueTime', '9:05'],
  ['issueTime', '12:30:61'],
  ['issueTime', ''],
  ['supplyDate', '2026-02-30'],
  ['supplyDate', ''],
  ['purchaseOrderReference', 'x'.repeat(101)],
  ['buyerReference', 'x'.repeat(101)],
  ['accountingCost', 'x'.repeat(101)],
  ['invoiceType', 'credit_note'],
  ['paymentStatus', 'paid'],
  ['originalInvoiceNumber', 'INV000001'],
])('%s %j is refused where it has no place', async (name, value) => {
  await faulty('A', invoiceBody.A(own, { [name]: value }), [name])
})

test.each([
  ['taxCategory', 'nope'],
  ['taxCategory', '7.5'],
  ['taxCategory', 'WITHHOLDING_TAX'],
  ['taxCategory', ''],
  ['itemName', 'x'.repeat(256)],
  ['itemId', 'broiler'],
  ['taxPercent', 7.5],
  ['quantity', '+3'],
  ['quantity', ' 3'],
  ['quantity', '3,5'],
  ['quantity', '1e3'],
  ['quantity', '0x10'],
  ['quantity', '٣'],
  ['quantity', ''],
  ['unitPrice', `1.${'0'.repeat(50)}`],
])('a line with %s %j cannot be read', async (name, value) => {
  await faulty('A', withLine('A', { [name]: value }), [`lineItems[0].${name}`])
})

test.each([
  ['quantity', 0.0009],
  ['quantity', '3'],
  ['taxPercent', 100.01],
  ['taxPercent', 7.50001],
  ['taxPercent', undefined],
  ['hsnCode', undefined],
  ['feeAmount', 1],
  ['itemId', '0199a000-0000-7000-8000-000000000100'],
])('a line with %s %j cannot be read there', async (name, value) => {
  await faulty('B', withLine('B', { [name]: value }), [`lineItems[0].${name}`])
})

test.each([
  [{ invoiceKind: 'B2B' }, ['invoiceKind']],
  [{ issueTime: '12:00' }, ['issueTime']],
  [{ paymentStatus: 'payment_failed' }, ['paymentStatus']],
  [{ invoiceType: 'credit_note' }, ['originalInvoiceNumber']],
  [{ originalInvoiceNumber: 'INV000001' }, ['originalInvoiceNumber']],
])('%j cannot be said there', async (more, paths) => {
  await faulty('B', invoiceBody.B(own, more), paths)
})
