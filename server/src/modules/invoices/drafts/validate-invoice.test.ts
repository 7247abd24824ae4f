import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { leaveCredits, tracesOf } from '../../../../../test/harness/drafts.ts'
import { buyerDetails, type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  // Before that, a background job may overwrite our rows with the profile.
  await app.quiet()
  // As if the authority had verified both.
  await app.runtime.db.run(sql`update buyers set tax_id_status = 'verified' where id = ${own.buyerId}`)
  await app.runtime.db.run(sql`
    update sellers set email = 'billing@eze.test', tax_id = '20198222-0002', tax_id_normal = '201982220002',
                       address = '{"line1": "8 Alausa Road", "city": "Ikeja", "state": "Lagos", "country": "NG"}'
     where id = ${own.sellerId}`)
})
afterAll(() => app.close())

type FormName = 'A' | 'B'
interface Problem {
  readonly path: string
  readonly rule: string
  readonly message: string
}
const path = '/i/v1/invoices'
const route = `${path}/validate`
const goods = { description: 'Bag of cement', hsnCode: '2523.29', unitCode: 'XBG' }

async function report(form: FormName, more: object = {}) {
  const reply = await app.client(form).post(route, { token: own.token, body: invoiceBody[form](own, more) })
  expect(reply.status, reply.text).toBe(200)
  const problems: Problem[] = reply.data.problems
  for (const { message } of problems) expect(message).toMatch(/\S/)
  expect(reply.data[form === 'A' ? 'ready' : 'valid']).toBe(problems.length === 0)
  return { ...reply.data, paths: problems.map((problem) => problem.path) }
}
const newBuyer = async (body: object): Promise<string> => {
  const made = await app.a.post('/i/v1/buyers', { token: own.token, body })
  expect(made.status, made.text).toBe(201)
  return made.data.id
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('validation returns the amounts of a draft, without saving or charging', async () => {
    const before = await tracesOf(app, own)
    for (let round = 0; round < 3; round++)
      expect(await report(form, { invoiceNumber: 'ANY1' })).toMatchObject({
        netMinor: 1_350_150,
        taxMinor: 101_261,
        payableMinor: 1_451_411,
      })
    expect(await tracesOf(app, own)).toEqual(before)
    const made = await app.client(form).post(path, { token: own.token, body: invoiceBody[form](own) })
    expect(made.data).toMatchObject({ netMinor: 1_350_150, taxMinor: 101_261, payableMinor: 1_451_411 })
  })

  test('validation needs no credits', async () => {
    const poor = await issuer(app)
    await leaveCredits(app, poor, 0)
    const sending = { token: poor.token, body: invoiceBody[form](poor) }
    expect((await app.client(form).post(route, sending)).status).toBe(200)
    expectRefusal(await app.client(form).post(path, sending), 'credits.insufficient')
  })

  test('validation needs only its own capability', async () => {
    const key = await app.key(own.organisationId, { capabilities: ['invoice.validate'] })
    expect((await app.client(form).post(route, { token: key, body: invoiceBody[form](own) })).status).toBe(200)
    const other = await app.key(own.organisationId, { capabilities: ['invoice.create'] })
    const refused = await app.client(form).post(route, { token: other, body: invoiceBody[form](own) })
    expectRefusal(refused, 'auth.capability_missing')
  })

  test('validation lists the faults of the buyer', async () => {
    expect((await report(form)).paths).toEqual([])
    const { taxId: _, ...withoutNumber } = buyerDetails
    const bare = await newBuyer({ name: 'Somebody', partyType: 'government' })
    const lacks = await report(form, { buyerId: bare })
    expect(lacks.paths).toEqual(expect.arrayContaining(['buyer.email', 'buyer.address', 'buyer.taxId']))
    const unnumbered = await newBuyer({ ...withoutNumber, partyType: 'government' })
    expect((await report(form, { buyerId: unnumbered })).paths).toEqual(['buyer.taxId'])
    const stateless = { ...buyerDetails.address, state: 'Atlantis' }
    const lost = await newBuyer({
      ...buyerDetails,
      taxId: form === 'A' ? '12345678-0002' : '12345678-0003',
      address: stateless,
    })
    expect((await report(form, { buyerId: lost })).paths).toEqual(['buyer.address.state', 'buyer.taxId'])
  })

  test('validation lists the faults of the document', async () => {
    const { paths } = await report(form, { invoiceDate: '2026-11-16', dueDate: null })
    expect(paths, 'tomorrow is too early').toEqual(['invoiceDate'])
    const rated = form === 'A' ? { taxCategory: 'standard' } : { taxPercent: 5 }
    const line = { ...goods, quantity: 1, unitPrice: 1, ...rated }
    const unlisted = await report(form, { lineItems: [line, { ...line, hsnCode: '2523.98' }] })
    expect(unlisted.paths).toContain('lineItems[1].productCategory')
    expect(unlisted.paths.includes('lineItems[0].taxCategory'), 'no law knows 5 per cent today').toBe(form === 'B')
  })
})

test('validation returns advice about the law and likely slips, which blocks nothing', async () => {
  const rice = {
    description: 'Rice',
    hsnCode: '1006.30',
    productCategory: 'Rice',
    unitCode: 'XBG',
    quantity: 1,
    unitPrice: 5,
  }
  const advised = async (form: FormName, more: object, line: object) => {
    const body = { lineItems: [{ ...rice, ...line }], ...more }
    const { paths, advice } = await report(form, body)
    expect(paths).toEqual([])
    return advice.map(({ path: at, rule }: Problem) => `${at} ${rule}`)
  }
  const slip = 'lineItems[0].taxCategory law.tax_category'
  const unregistered = 'seller.registrationNumber law.registration_number'
  expect(await advised('A', {}, { taxCategory: 'exempt' })).toEqual([unregistered, slip])
  expect(await advised('B', {}, { taxPercent: 0 })).toEqual([unregistered])
  const day = { supplyDate: '2025-12-31' }
  expect(await advised('A', day, { taxCategory: 'exempt' }), 'before the Act').toEqual([])
  expect(await advised('B', { supplyDate: '2026-12-24' }, { taxPercent: 0 })).toEqual([
    unregistered,
    'supplyDate law.supply_date',
  ])
  const registered = await app.a.patch(`/i/v1/sellers/${own.sellerId}`, {
    token: own.token,
    body: { registrationNumber: 'RC 1401999' },
  })
  expect(registered.status, registered.text).toBe(200)
  expect(await advised('A', {}, { taxCategory: 'zero' })).toEqual([])
})

test.each(['A', 'B'] as const)('through form %s it names letters that the PDF cannot draw', async (form) => {
  const tax = form === 'A' ? { taxCategory: 'standard' } : { taxPercent: 7.5 }
  const line = {
    description: 'Rice 中文 شركة 𐎠',
    quantity: 1,
    unitCode: 'EA',
    unitPrice: 5,
    hsnCode: '1006.30',
    ...tax,
  }
  const { advice } = await report(form, { lineItems: [line], notes: 'ꦏ and ꦏ' })
  expect(advice.filter(({ rule }: Problem) => rule === 'document.letters')).toEqual([
    { path: 'notes', rule: 'document.letters', message: 'has characters that the PDF shows as boxes: ꦏ (U+A98F)' },
    {
      path: 'lineItems[0].description',
      rule: 'document.letters',
      message: 'has characters that the PDF shows as boxes: 𐎠 (U+103A0)',
    },
  ])
})

test('a draft without buyer and codes has a problem for each', async () => {
  const line = { description: 'Something', quantity: 1, unitCode: 'EA', unitPrice: 5, taxCategory: 'standard' }
  const { paths } = await report('A', { buyerId: null, lineItems: [line] })
  expect(paths).toEqual(['buyerId', 'lineItems[0].hsnCode'])
  const consumer = await report('A', { buyerId: null, invoiceKind: 'B2C', lineItems: [line] })
  expect(consumer.paths, 'consumers stay unnamed').toEqual(['lineItems[0].hsnCode'])
})

test('a number that the authority cannot represent is a problem', async () => {
  const { paths } = await report('B', { invoiceNumber: 'Réf 7' })
  expect(paths).toEqual(['invoiceNumber'])
})

test('a note is checked against its original, as on saving', async () => {
  const { token } = own
  const made = await app.a.post(path, { token, body: invoiceBody.A(own) })
  const number = made.data.invoiceNumber as string
  const note = (more: object = {}) =>
    invoiceBody.B(own, { invoiceType: 'credit_note', originalInvoiceNumber: number, ...more })
  const line = { ...goods, quantity: 4, unitPrice: 4500.5, taxPercent: 7.5 }
  const both = async (body: object) => {
    const replies = [await app.b.post(route, { token, body }), await app.b.post(path, { token, body })] as const
    expect(replies[0].body.error).toEqual(replies[1].body.error)
    return replies
  }
  for (const reply of await both(note())) expectRefusal(reply, 'invoice.original_unknown')
  await app.a.post(`/i/v1/invoices/${made.data.id}/finalise`, { token })
  for (const reply of await both(note({ lineItems: [line] }))) expectRefusal(reply, 'invoice.note.too_much')
  for (const reply of await both(note({ currency: 'USD' }))) expectRefusal(reply, 'request.invalid')
  expect((await app.b.post(route, { token, body: note() })).data.problems).toContainEqual(
    expect.objectContaining({ path: 'originalInvoiceNumber', rule: 'original.irn' }),
  )
  const saved = await app.b.post(path, { token, body: note() })
  expect(saved.status, saved.text).toBe(201)
  for (const reply of await both(note())) expectRefusal(reply, 'invoice.note.too_much')
  await app.b.post(`/i/v1/invoices/${saved.data.id}/finalise`, { token })
  const onNote = note({ originalInvoiceNumber: saved.data.invoiceNumber })
  for (const reply of await both(onNote)) expectRefusal(reply, 'invoice.note.not_possible')
})
