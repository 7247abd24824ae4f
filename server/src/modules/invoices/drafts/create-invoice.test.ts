import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventsOf } from '../../../../../test/harness/drafts.ts'
import { buyerDetails, type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
})
afterAll(() => app.close())

const path = '/i/v1/invoices'
const balance = async ({ token }: Pick<Issuer, 'token'>) =>
  (await app.a.get('/b/v1/billing-accounts/me', { token })).data.creditBalance as number

async function created(form: 'A' | 'B', more: object = {}) {
  const reply = await app.client(form).post(path, { token: own.token, body: invoiceBody[form](own, more) })
  expect(reply.status, reply.text).toBe(201)
  const read = await app.client(form).get(`${path}/${reply.data.id}`, { token: own.token })
  expect(read.data, 'what was answered is what was kept').toEqual(reply.data)
  return reply.data
}

const goods = { description: 'Bag of cement', hsnCode: '2523.29', unitCode: 'XBG' }
const lineOf = {
  A: (more: object = {}) => ({ ...goods, quantity: '1', unitPrice: '100', taxCategory: 'standard', ...more }),
  B: (more: object = {}) => ({ ...goods, quantity: 1, unitPrice: 100, taxPercent: 7.5, ...more }),
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('a draft is saved with its amounts, and charged as one creation', async () => {
    const before = await balance(own)
    const reply = await app.client(form).post(path, { token: own.token, body: invoiceBody[form](own) })
    expect(reply.status, reply.text).toBe(201)
    expect(reply.data).toMatchObject({
      status: 'draft',
      simpleStatus: 'draft',
      invoiceType: 'standard',
      paymentStatus: 'unpaid',
      sellerId: own.sellerId,
      buyerId: own.buyerId,
      buyer: { name: 'Chidi Stores Limited', taxId: '12345678-0001' },
      netMinor: 1_350_150,
      taxMinor: 101_261,
      payableMinor: 1_451_411,
      dueMinor: 1_451_411,
      createdBy: { id: own.userId, type: 'user' },
      taxes: [{ taxCategory: 'STANDARD_VAT', taxPercent: '7.5', taxableMinor: 1_350_150, taxMinor: 101_261 }],
    })
    expect(reply.headers.get('etag')).toBe('"1"')
    expect(reply.headers.get('location')).toMatch(new RegExp(`/i/v1/invoices/${reply.data.id}$`))
    expect(await balance(own)).toBe(before - 1)
    expect(await eventsOf(app, reply.data.id)).toEqual([
      {
        type: 'invoice.created',
        data: expect.objectContaining({
          invoiceId: reply.data.id,
          invoiceNumber: reply.data.invoiceNumber,
          invoiceKind: 'B2B',
          status: 'draft',
          jurisdiction: 'NG',
          payableMinor: 1_451_411,
        }),
      },
    ])
  })

  test('lines keep every field, and codes get the spelling of their lists', async () => {
    const lines = [
      lineOf[form]({
        hsnCode: '252329',
        productCategory: 'Portland cement',
        unitCode: 'xbg',
        quantity: form === 'A' ? '2.500000' : 2.5,
        unitPrice: form === 'A' ? '4500.1234' : 4500.1234,
        discountAmount: form === 'A' ? '100.5' : 100.5,
      }),
      lineOf[form]({ hsnCode: undefined, isicCode: '6201', serviceCategory: 'Programming', unitCode: 'HUR' }),
      lineOf[form]({ hsnCode: null, isicCode: '6201', unitCode: 'HUR' }),
    ]
    const { lineItems, netMinor } = await created(form, { lineItems: lines })
    const shown = (text: string) => (form === 'A' ? text : Number(text))
    expect(lineItems[0]).toMatchObject({
      description: 'Bag of cement',
      hsnCode: '2523.29',
      isicCode: null,
      productCategory: 'Portland cement',
      unitCode: 'XBG',
      quantity: shown('2.5'),
      unitPrice: shown('4500.1234'),
      discountAmount: shown('100.50'),
      taxCategory: 'STANDARD_VAT',
      taxPercent: shown('7.5'),
      // 11,250.31 (half a kobo rounds up) less the discount
      netMinor: 1_114_981,
    })
    const category = form === 'A' ? 'productCategory' : 'serviceCategory'
    expect(lineItems[1]).toMatchObject({ hsnCode: null, isicCode: '6201', [category]: 'Programming' })
    expect(lineItems[2][category], 'a category that is left out is what the code stands for').toMatch(/software/i)
    expect(netMinor).toBe(1_114_981 + 20_000)
  })

  test('allowance and charge count before tax; null and absent mean none', async () => {
    const amount = (text: string) => (form === 'A' ? text : Number(text))
    expect(
      await created(form, {
        lineItems: [lineOf[form]()],
        allowanceAmount: amount('10'),
        chargeAmount: amount('5.55'),
        dueDate: null,
        paymentTerms: 'Within 30 days',
        notes: 'Thank you · E ṣé · 谢谢 🙏',
      }),
    ).toMatchObject({
      netMinor: 10_000,
      allowanceMinor: 1_000,
      chargeMinor: 555,
      taxMinor: 717,
      payableMinor: 10_272,
      dueDate: null,
      paymentTerms: 'Within 30 days',
      notes: 'Thank you · E ṣé · 谢谢 🙏',
    })
    const bare = { lineItems: [lineOf[form]()], allowanceAmount: null, chargeAmount: null, paymentTerms: null }
    expect(await created(form, { ...bare, notes: null, dueDate: undefined })).toMatchObject({
      allowanceMinor: 0,
      chargeMinor: 0,
      payableMinor: 10_750,
      paymentTerms: null,
      notes: null,
      dueDate: null,
    })
  })

  test('500 lines and the widest amounts are accepted, and their sums are exact', async () => {
    const amount = (text: string) => (form === 'A' ? text : Number(text))
    const cheap = lineOf[form]({ quantity: amount('0.01'), unitPrice: amount('0.5') })
    const dear = lineOf[form]({ unitPrice: amount('999999999999.99') })
    const { lineItems, netMinor } = await created(form, { lineItems: [dear, ...Array(499).fill(cheap)] })
    expect(lineItems).toHaveLength(500)
    // Half a kobo each: rounded up line by line.
    expect(netMinor).toBe(99_999_999_999_999 + 499)
  })

  test.each(['NGN', 'USD', 'EUR', 'GBP'])('%s is a currency to invoice in', async (currency) => {
    expect(await created(form, { currency })).toMatchObject({ currency, payableMinor: 1_451_411 })
  })
})

test('fields of one form are kept, and absent fields are null', async () => {
  const full = await created('A', {
    sellerId: own.sellerId,
    invoiceKind: 'G2B',
    invoiceType: 'standard',
    issueTime: '13:05',
    supplyDate: '2026-10-30',
    purchaseOrderReference: 'PO-77',
    buyerReference: 'Store 4',
    accountingCost: '4711',
    lineItems: [lineOf.A({ itemName: 'Cement', feeAmount: '12.5', taxCategory: 'exempt' })],
  })
  expect(full).toMatchObject({
    invoiceKind: 'G2B',
    issueTime: '13:05:00',
    supplyDate: '2026-10-30',
    purchaseOrderReference: 'PO-77',
    buyerReference: 'Store 4',
    accountingCost: '4711',
    lineItems: [{ itemName: 'Cement', feeAmount: '12.50', taxCategory: 'EXEMPTED', taxPercent: '0', netMinor: 11_250 }],
  })
  const least = { buyerId: undefined, dueDate: undefined, invoiceKind: 'B2C' }
  const nulls = Object.fromEntries(
    ['issueTime', 'supplyDate', 'purchaseOrderReference', 'buyerReference', 'accountingCost'].map((name) => [
      name,
      null,
    ]),
  )
  for (const more of [least, { ...least, ...nulls, buyerId: null }])
    expect(await created('A', more)).toMatchObject({
      ...nulls,
      buyerId: null,
      buyer: null,
      dueDate: null,
      sellerId: own.sellerId,
      lineItems: [{ itemId: null, itemName: null, feeAmount: '0.00', discountAmount: '0.00' }],
    })
})

test.each([
  ['zero', 'ZERO_VAT'],
  ['Exempt', 'EXEMPTED'],
  ['zero_vat', 'ZERO_VAT'],
])('a tax category may be named %s', async (taxCategory, code) => {
  const draft = await created('A', { lineItems: [lineOf.A({ taxCategory })] })
  expect(draft).toMatchObject({ taxMinor: 0, payableMinor: 10_000, lineItems: [{ taxCategory: code }] })
})

test.each([
  [0, 'ZERO_VAT', 0],
  [7.5, 'STANDARD_VAT', 750],
  [5, 'STANDARD_VAT', 500],
  [100, 'STANDARD_VAT', 10_000],
  [0.0001, 'STANDARD_VAT', 0],
])('%d per cent is kept as it was sent, as %s', async (taxPercent, taxCategory, taxMinor) => {
  expect(await created('B', { lineItems: [lineOf.B({ taxPercent })] })).toMatchObject({
    taxMinor,
    lineItems: [{ taxPercent, taxCategory }],
    taxes: [{ taxCategory, taxPercent: String(taxPercent) }],
  })
})

test('the default kind follows from the buyer', async () => {
  const newBuyer = async (body: object) => (await app.a.post('/i/v1/buyers', { token: own.token, body })).data.id
  const { taxId: _, ...withoutNumber } = buyerDetails
  const buyers = {
    B2G: await newBuyer({ ...withoutNumber, partyType: 'government' }),
    B2C: await newBuyer(withoutNumber),
    B2B: own.buyerId,
  }
  for (const [kind, buyerId] of Object.entries(buyers)) {
    const { id } = await created('B', { buyerId })
    expect((await app.a.get(`${path}/${id}`, { token: own.token })).data.invoiceKind).toBe(kind)
  }
})

test('a draft can have another seller, be a prepayment, and be declared as paid', async () => {
  const { data: seller } = await app.b.post('/i/v1/sellers', {
    token: own.token,
    body: {
      partyName: 'Eze Transport',
      taxNumber: '50000001-0001',
      email: 't@eze.ng',
      phoneNumber: '0801',
      postalAddress: { line1: '1 Marina', city: 'Lagos', country: 'NG' },
    },
  })
  expect(await created('B', { currency: undefined, sellerId: seller.id })).toMatchObject({
    currency: 'NGN',
    invoiceType: 'standard',
    sellerId: seller.id,
    paymentStatus: 'unpaid',
  })
  expect(await created('B', { invoiceType: 'prepayment' })).toMatchObject({ invoiceType: 'prepayment' })
  for (const paymentStatus of ['unpaid', 'partially_paid', 'paid'])
    expect(await created('B', { paymentStatus })).toMatchObject({ paymentStatus, paidMinor: 0 })
  expect(await created('B', { paymentStatus: 'overdue' }), 'time makes it overdue, not a word').toMatchObject({
    paymentStatus: 'unpaid',
  })
})

test('an API key creates as itself, and live drafts are separate from sandbox drafts', async () => {
  const key = await app.key(own.organisationId)
  const made = await app.a.post(path, { token: key, body: invoiceBody.A(own) })
  expect(made.data.createdBy).toMatchObject({ type: 'api_key' })
  const live = await app.key(own.organisationId, { mode: 'live' })
  expect((await app.a.get(`${path}/${made.data.id}`, { token: live })).status).toBe(404)
  const first = await app.a.post(path, { token: live, body: invoiceBody.A(own, { buyerId: null }) })
  expect(first.data.invoiceNumber, 'each mode has its own series').toBe('INV000001')
})
