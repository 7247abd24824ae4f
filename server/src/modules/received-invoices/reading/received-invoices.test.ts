import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { receivedPath, receivers, sendingPath } from '../../../../../test/harness/receivers.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())
afterEach(() => {
  app.authority.control.misbehave(undefined)
  app.authority.control.behave({})
})

const { arrived, get, list, receiver, sent } = receivers(() => app)

describe.each(['A', 'B'] as const)('spoken as %s', (form) => {
  test('an invoice of another business arrives through the feed, is checked, stored and acknowledged', async () => {
    const person = await receiver()
    const lineItems = [
      { description: 'Office tables', quantity: '4', unitPrice: '45000.50', hsnCode: '9403.60' },
      { description: 'Delivery', unitPrice: 2000, isicCode: '4923' },
    ]
    const body = {
      sellerName: 'Oke Wood Works',
      sellerTaxId: '20198222-0002',
      invoiceNumber: `OW-77${form}`,
      invoiceDate: '2026-11-14',
      dueDate: '2026-11-20',
      lineItems,
    }
    const asked = await app.client(form).post(sendingPath, { token: person.token, body })
    expect(asked.status, asked.text).toBe(201)
    expect(asked.data).toMatchObject({ status: 'on_its_way' })
    expect(asked.headers.get('location')).toContain(`${receivedPath}/${asked.data.authorityReference}`)
    const item = await arrived(person, asked.data.authorityReference)
    expect(item).toMatchObject({
      invoiceNumber: `OW77${form}`,
      invoiceType: 'standard',
      issueDate: '2026-11-14',
      dueDate: '2026-11-20',
      currency: 'NGN',
      seller: { name: 'Oke Wood Works', taxId: '20198222-0002' },
      buyer: { taxId: person.taxId },
      netMinor: 18_200_200,
      taxMinor: 1_365_015,
      payableMinor: 19_565_215,
      paymentStatus: 'unpaid',
      overdue: false,
      accessPoint: expect.stringMatching(/\S/),
      validation: { valid: true, faults: [] },
      inputVat: { claimable: true, reason: 'claimable', claimableUntil: '2031-11-14' },
    })
    const { data, body: whole } = await list(person, '', form)
    expect(data).toMatchObject({
      items: [{ id: item.id }],
      taxpayer: { taxIds: [person.taxId] },
      sync: { connected: true, syncing: false, error: null, lastSyncedAt: expect.any(String) },
    })
    expect(whole.meta.pagination).toMatchObject({ page: 1, limit: 25, total: 1, totalPages: 1 })
    const one = await get(person, item.id, form)
    expect(one.data).toMatchObject({ ...item, document: { irn: item.authorityReference, issue_date: '2026-11-14' } })
    expect((await get(person, item.authorityReference, form)).data).toEqual(one.data)
    const [event] = await eventsAbout(app, item.id)
    expect(event).toMatchObject({
      type: 'inbound_invoice.received',
      data: { inboundInvoiceId: item.id, authorityReference: item.authorityReference, inputTaxClaimable: true },
    })
  })

  test('all faults of a body or query are listed', async () => {
    const { token } = await receiver()
    const client = app.client(form)
    const body = { lineItems: [{ quantity: 0, unitPrice: 'much' }], invoiceType: 'receipt', colour: 'red' }
    const wrong = await client.post(sendingPath, { token, body })
    expectRefusal(wrong, 'request.invalid')
    expect(faultPaths(wrong)).toEqual(
      expect.arrayContaining([
        'lineItems[0].description',
        'lineItems[0].quantity',
        'lineItems[0].unitPrice',
        'invoiceType',
        'colour',
      ]),
    )
    const query =
      '?limit=0&sort=colour&paymentStatus=late&issueDateFrom=today&receivedFrom=2026-13-01&amountMin=-1&amountMax=1.234&seller=' +
      'x'.repeat(101)
    const asked = await client.get(`${receivedPath}${query}`, { token })
    expectRefusal(asked, 'request.invalid')
    expect(faultPaths(asked).sort()).toEqual([
      'amountMax',
      'amountMin',
      'issueDateFrom',
      'limit',
      'paymentStatus',
      'receivedFrom',
      'seller',
      'sort',
    ])
    const ranges =
      '?issueDateFrom=2026-02-01&issueDateTo=2026-01-01&receivedFrom=2026-02-01&receivedTo=2026-01-01&amountMin=2&amountMax=1&taxId=11111111-0001'
    for (const where of [receivedPath, `${receivedPath}/analytics`]) {
      const ranged = await client.get(`${where}${ranges}`, { token })
      expectRefusal(ranged, 'request.invalid')
      expect(faultPaths(ranged).sort()).toEqual(['amountMin', 'issueDateFrom', 'receivedFrom', 'taxId'])
    }
    // The simulator refuses a document that no authority would sign.
    expectRefusal(await client.post(sendingPath, { token, body: { sellerTaxId: 'x' } }), 'request.invalid')
  })

  test('only connected sandbox organisations can request a test invoice', async () => {
    const client = app.client(form)
    const live = await app.person({ mode: 'live' })
    expectRefusal(await client.post(sendingPath, { token: live.token, body: {} }), 'sandbox.only')
    const { token } = await app.person()
    expectRefusal(await client.post(sendingPath, { token, body: {} }), 'authority.not_connected')
    const { data } = await list({ token } as Person, '', form)
    expect(data).toEqual({
      items: [],
      taxpayer: { taxIds: [] },
      sync: { connected: false, syncing: false, lastSyncedAt: null, error: null },
    })
    expectRefusal(await client.post(`${receivedPath}/load-older`, { token }), 'authority.not_connected')
  })

  test('figures are per currency, with credit notes subtracted', async () => {
    const person = await receiver()
    const client = app.client(form)
    const nothing = (await client.get(`${receivedPath}/analytics`, { token: person.token })).data
    expect(nothing).toMatchObject({ reportingCurrency: null, count: 0, payableMinor: 0, byCurrency: [] })
    const line = (unitPrice: number) => [{ description: 'Tables', unitPrice, hsnCode: '9403.60' }]
    const first = await sent(person, { lineItems: line(1000), dueDate: '2026-11-14', invoiceDate: '2026-11-01' })
    await sent(person, { lineItems: line(500) })
    await sent(person, { lineItems: line(80), currency: 'USD' })
    await sent(person, {
      lineItems: line(200),
      invoiceType: 'credit_note',
      correctsReference: first.authorityReference,
    })
    const { data } = await client.get(`${receivedPath}/analytics`, { token: person.token })
    expect(data).toMatchObject({
      reportingCurrency: 'NGN',
      count: 3,
      creditNotes: 1,
      netMinor: 130_000,
      taxMinor: 9_750,
      payableMinor: 139_750,
      overdueCount: 1,
      overdueMinor: 107_500,
      claimableTaxMinor: 9_750,
      byCurrency: [
        { currency: 'NGN', count: 3, payableMinor: 139_750 },
        { currency: 'USD', count: 1, payableMinor: 8_600 },
      ],
    })
    const dollars = await client.get(`${receivedPath}/analytics?currency=USD`, { token: person.token })
    expect(dollars.data).toMatchObject({ reportingCurrency: 'USD', count: 1, byCurrency: [{ currency: 'USD' }] })
  })
})

test('older invoices are read in pages', async () => {
  const person = await receiver()
  await app.stopWork()
  const irns: string[] = []
  try {
    for (let at = 0; at < 30; at++)
      irns.push(app.authority.control.receive({ buyerTin: person.taxId, number: `OLD${at}` }))
    const load = async () => (await app.a.post(`${receivedPath}/load-older`, { token: person.token })).data
    const first = await load()
    expect(first).toMatchObject({ hasMore: true })
    expect((await list(person)).body.meta.pagination.total).toBe(first.loaded)
    let last = first
    for (let pages = 0; last.hasMore && pages < 10; pages++) last = await load()
    expect(last.hasMore).toBe(false)
    expect((await list(person)).body.meta.pagination.total).toBe(30)
    expect(await load()).toEqual({ loaded: 0, hasMore: false })
    const again = await app.b.post(`${receivedPath}/load-older`, { token: person.token })
    expect(again.data).toEqual({ loaded: 0, hasMore: false })
  } finally {
    await app.startWork()
  }
})
