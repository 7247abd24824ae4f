import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())
afterEach(() => {
  app.authority.control.misbehave(undefined)
  app.authority.control.behave({})
})

const path = '/i/v1/inbound-invoices'
const sandbox = '/sandbox/v1/received-invoices'

interface Item {
  readonly id: string
  readonly authorityReference: string
  readonly invoiceNumber: string
  readonly accessPoint: string
  readonly currency: string
  readonly validation: { readonly valid: boolean }
  readonly inputVat: object
}

interface Receiver extends Person {
  readonly taxId: string
}

async function connect({ token }: Person, businessId: string, keys?: { apiKey: string; apiSecret: string }) {
  const body = {
    authorityIdentifiers: { businessId, serviceId: '94ND90NR' },
    consent: { accepted: true, textVersion: '2026-11' },
    ...(keys ? { credentials: keys } : {}),
  }
  const reply = await app.a.post('/i/v1/tax-connection', { token, body })
  expect(reply.status, reply.text).toBe(201)
  return reply.data.taxId as string
}

/** Somebody who is connected, and whose feed was read once. */
async function receiver(businessId = randomUUID().replace(/....$/, '7d11')): Promise<Receiver> {
  const person = await app.person()
  const taxId = await connect(person, businessId)
  await app.quiet()
  return { ...person, taxId }
}

type Form = 'A' | 'B'
const list = async ({ token }: Person, query = '', form: Form = 'A') => {
  const reply = await app.client(form).get(`${path}${query}`, { token })
  expect(reply.status, reply.text).toBe(200)
  return reply
}
const items = async (person: Person, query = '', form: Form = 'A'): Promise<Item[]> =>
  (await list(person, query, form)).data.items
const get = ({ token }: Person, id: string, form: Form = 'A') => app.client(form).get(`${path}/${id}`, { token })

/** Has somebody send an invoice to them, and waits until it is there and acknowledged. */
async function sent({ token, ...person }: Person, body: object = {}, form: Form = 'A'): Promise<Item> {
  const reply = await app.client(form).post(sandbox, { token, body })
  expect(reply.status, reply.text).toBe(201)
  const { authorityReference } = reply.data
  return await arrived({ token, ...person }, authorityReference)
}

const arrived = (person: Person, reference: string): Promise<Item> =>
  eventually(async () => {
    const found = (await items(person, '?limit=100')).find((one) => one.authorityReference === reference)
    expect(found).toMatchObject({ transmissionStatus: 'acknowledged' })
    return found as Item
  })

/** What the authority knows of the invoices that it was asked to send: the whole document in its own words. */
const documentTo = (buyerTin: string, changes: object = {}) => {
  const party = (party_name: string, tin: string) => ({
    party_name,
    tin,
    email: 'accounts@oke.example',
    telephone: '+2348001234567',
    business_description: 'Wood works',
    postal_address: { street_name: '1 Market Street', city_name: 'Lagos', postal_zone: '100001', country: 'NG' },
  })
  return {
    business_id: randomUUID(),
    irn: `DOC${randomUUID().slice(0, 6).toUpperCase()}-59854B81-20261110`,
    issue_date: '2026-11-10',
    invoice_type_code: '381',
    invoice_kind: 'B2B',
    payment_status: 'PENDING',
    document_currency_code: 'NGN',
    tax_currency_code: 'NGN',
    accounting_supplier_party: party('Oke Wood Works', '20198222-0002'),
    accounting_customer_party: party('Eze Stores', buyerTin),
    tax_total: [
      {
        tax_amount: 75,
        tax_subtotal: [{ taxable_amount: 1000, tax_amount: 75, tax_category: { id: 'STANDARD_VAT', percent: 7.5 } }],
      },
    ],
    legal_monetary_total: {
      line_extension_amount: 1000,
      tax_exclusive_amount: 1000,
      tax_inclusive_amount: 1075,
      payable_amount: 1075,
    },
    invoice_line: [
      {
        hsn_code: '9403.60',
        product_category: 'Furniture',
        discount_rate: 0,
        discount_amount: 0,
        fee_rate: 0,
        fee_amount: 0,
        invoiced_quantity: 1,
        line_extension_amount: 1000,
        item: { name: 'Table', description: 'Table' },
        price: { price_amount: 1000, base_quantity: 1, price_unit: 'EA' },
      },
    ],
    ...changes,
  }
}

/** Lets the feeds be read as the schedule would. */
async function poll() {
  await app.runJob('follow-feeds')
  await app.quiet()
}

describe.each(['A', 'B'] as const)('spoken as %s', (form) => {
  test('an invoice of another business comes through the feed, is judged, kept and acknowledged', async () => {
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
    const asked = await app.client(form).post(sandbox, { token: person.token, body })
    expect(asked.status, asked.text).toBe(201)
    expect(asked.data).toMatchObject({ status: 'on_its_way' })
    expect(asked.headers.get('location')).toContain(`${path}/${asked.data.authorityReference}`)
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
    expect(whole.meta.pagination).toEqual({ page: 1, limit: 25, total: 1, totalPages: 1 })
    const one = await get(person, item.id, form)
    expect(one.data).toMatchObject({ ...item, document: { irn: item.authorityReference, issue_date: '2026-11-14' } })
    expect((await get(person, item.authorityReference, form)).data).toEqual(one.data)
    const [event] = await eventsAbout(app, item.id)
    expect(event).toMatchObject({
      type: 'inbound_invoice.received',
      data: { inboundInvoiceId: item.id, authorityReference: item.authorityReference, inputTaxClaimable: true },
    })
  })

  test('what is wrong in a body or a query is told, all of it', async () => {
    const { token } = await receiver()
    const client = app.client(form)
    const body = { lineItems: [{ quantity: 0, unitPrice: 'much' }], invoiceType: 'receipt', colour: 'red' }
    const wrong = await client.post(sandbox, { token, body })
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
    const asked = await client.get(`${path}${query}`, { token })
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
    for (const where of [path, `${path}/analytics`]) {
      const ranged = await client.get(`${where}${ranges}`, { token })
      expectRefusal(ranged, 'request.invalid')
      expect(faultPaths(ranged).sort()).toEqual(['amountMin', 'issueDateFrom', 'receivedFrom', 'taxId'])
    }
    // What no authority would sign is not sent either.
    expectRefusal(await client.post(sandbox, { token, body: { sellerTaxId: 'x' } }), 'request.invalid')
  })

  test('only sandbox tokens of those who are connected have something sent to them', async () => {
    const client = app.client(form)
    const live = await app.person({ mode: 'live' })
    expectRefusal(await client.post(sandbox, { token: live.token, body: {} }), 'sandbox.only')
    const { token } = await app.person()
    expectRefusal(await client.post(sandbox, { token, body: {} }), 'authority.not_connected')
    const { data } = await list({ token } as Person, '', form)
    expect(data).toEqual({
      items: [],
      taxpayer: { taxIds: [] },
      sync: { connected: false, syncing: false, lastSyncedAt: null, error: null },
    })
    expectRefusal(await client.post(`${path}/load-older`, { token }), 'authority.not_connected')
  })

  test('figures are told per currency, with credit notes as less', async () => {
    const person = await receiver()
    const client = app.client(form)
    const nothing = (await client.get(`${path}/analytics`, { token: person.token })).data
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
    const { data } = await client.get(`${path}/analytics`, { token: person.token })
    expect(data).toMatchObject({
      reportingCurrency: 'NGN',
      count: 3,
      creditNotes: 1,
      netMinor: 130_000,
      taxMinor: 9_750,
      payableMinor: 139_750,
      overdueCount: 1,
      overdueMinor: 107_500,
      claimableTaxMinor: 11_250,
      byCurrency: [
        { currency: 'NGN', count: 3, payableMinor: 139_750 },
        { currency: 'USD', count: 1, payableMinor: 8_600 },
      ],
    })
    const dollars = await client.get(`${path}/analytics?currency=USD`, { token: person.token })
    expect(dollars.data).toMatchObject({ reportingCurrency: 'USD', count: 1, byCurrency: [{ currency: 'USD' }] })
  })
})

test('every filter and every sort', async () => {
  const owner = await receiver()
  // Days pass, and sessions with them.
  const person = { ...owner, token: await app.key(owner.organisationId) }
  const line = (unitPrice: number) => [{ description: 'Tables', unitPrice, hsnCode: '9403.60' }]
  const one = await sent(person, {
    sellerName: 'Ọ̀kẹ́ Wood Works',
    sellerTaxId: '20198222-0002',
    invoiceNumber: 'A1',
    invoiceDate: '2026-10-01',
    dueDate: '2026-10-31',
    lineItems: line(1000),
  })
  app.clock.set('2026-11-16T09:00:00Z')
  const two = await sent(person, {
    sellerName: 'Bello Foods',
    sellerTaxId: '31111111-0001',
    invoiceNumber: 'B2',
    invoiceDate: '2026-11-02',
    dueDate: '2026-12-31',
    lineItems: line(2000),
  })
  app.clock.set('2026-11-17T23:30:00Z')
  const three = await sent(person, {
    sellerName: 'Bello Foods',
    sellerTaxId: '31111111-0001',
    invoiceNumber: 'C3',
    invoiceDate: '2026-11-01',
    currency: 'USD',
    lineItems: line(1500),
  })
  const numbers = async (query: string) => (await items(person, query)).map((item) => item.invoiceNumber)
  expect(await numbers('')).toEqual(['C3', 'B2', 'A1'])
  const sorts = {
    '-receivedAt': ['C3', 'B2', 'A1'],
    receivedAt: ['A1', 'B2', 'C3'],
    issueDate: ['A1', 'C3', 'B2'],
    '-issueDate': ['B2', 'C3', 'A1'],
    amount: ['A1', 'C3', 'B2'],
    '-amount': ['B2', 'C3', 'A1'],
  }
  for (const [sort, expected] of Object.entries(sorts)) expect(await numbers(`?sort=${sort}`), sort).toEqual(expected)
  const point = encodeURIComponent(one.accessPoint)
  const filters: Record<string, string[]> = {
    'seller=oke': ['A1'],
    'seller=3111': ['C3', 'B2'],
    'seller=31111111-0': ['C3', 'B2'],
    'seller=1111': [],
    'paymentStatus=unpaid': ['C3', 'B2', 'A1'],
    'paymentStatus=overdue': ['A1'],
    'paymentStatus=paid': [],
    'transmissionStatus=acknowledged': ['C3', 'B2', 'A1'],
    'transmissionStatus=transmitted': [],
    'issueDateFrom=2026-11-01&issueDateTo=2026-11-01': ['C3'],
    // The 18th has begun in Lagos half an hour before.
    'receivedFrom=2026-11-18': ['C3'],
    'receivedFrom=2026-11-16&receivedTo=2026-11-16': ['B2'],
    'receivedTo=2026-11-17T23:30:00Z': ['B2', 'A1'],
    'receivedFrom=2026-11-17T23:30:00Z': ['C3'],
    'amountMin=1075&amountMax=1612.50': ['C3', 'A1'],
    'currency=USD': ['C3'],
    'q=bello': ['C3', 'B2'],
    'q=b2': ['B2'],
    [`q=${one.authorityReference.slice(0, 12)}`]: ['A1'],
    [`taxId=${person.taxId}`]: ['C3', 'B2', 'A1'],
    'accessPoint=Nobody': [],
    'currency=NGN&seller=bello&amountMax=9999': ['B2'],
  }
  for (const [query, expected] of Object.entries(filters)) expect(await numbers(`?${query}`), query).toEqual(expected)
  expect(await numbers(`?accessPoint=${point}`)).toContain('A1')
  const page = await list(person, '?limit=2&page=2')
  expect(page.data.items).toMatchObject([{ invoiceNumber: 'A1', overdue: true }])
  expect(page.body.meta.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 })
  expect([two.currency, three.currency]).toEqual(['NGN', 'USD'])
})

describe('kept once', () => {
  test('however often the feed names it, and callbacks, forged or repeated, change nothing', async () => {
    const person = await receiver()
    app.authority.control.behave({ callbacks: 'twice' })
    const item = await sent(person)
    const ring = (body: string) =>
      fetch(`${app.url}/notifications/authority/NG/sandbox`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    const told = JSON.stringify({ irn: item.authorityReference, message: 'TRANSMITTING' })
    for (let times = 0; times < 3; times++) expect((await ring(told)).status).toBe(200)
    const forged = JSON.stringify({ irn: 'NEVER-94ND90NR-20261115', message: 'ACKNOWLEDGED' })
    expect((await ring(forged)).status).toBe(200)
    for (const body of ['', '<html>', '{"irn":', '{"irn":12}', '[]', '{}'])
      expect((await ring(body)).status, body).toBe(400)
    const elsewhere = await fetch(`${app.url}/notifications/authority/XX/sandbox`, { method: 'POST', body: told })
    expect(elsewhere.status).toBe(404)
    await app.quiet()
    await poll()
    expect(await items(person)).toEqual([item])
    expect((await eventsAbout(app, item.id)).length).toBe(1)
  })

  test('the same number of the same supplier under another reference is told beside the first', async () => {
    const person = await receiver()
    const supplier = { sellerName: 'Oke', sellerTaxId: '20198222-0002', invoiceNumber: 'SAME1' }
    const first = await sent(person, { ...supplier, invoiceDate: '2026-11-10' })
    const { data } = await app.a.post(sandbox, {
      token: person.token,
      body: { ...supplier, invoiceDate: '2026-11-11' },
    })
    await eventually(async () =>
      expect(await items(person)).toMatchObject([{ id: first.id, duplicates: [data.authorityReference] }]),
    )
    // A note has numbers of its own.
    const note = { ...supplier, invoiceType: 'credit_note', correctsReference: first.authorityReference }
    await sent(person, { ...note, invoiceDate: '2026-11-12' })
    expect(await items(person)).toHaveLength(2)
  })
})

describe('whose it is', () => {
  test('is said by the number of the buyer; two of the sandbox may be one business, and nobody else sees it', async () => {
    const business = randomUUID().replace(/....$/, '7d11')
    const [one, twin, other] = [await receiver(business), await receiver(business), await receiver()]
    const item = await sent(one)
    const same = await arrived(twin, item.authorityReference)
    expect(same.id).not.toBe(item.id)
    expect(await items(other)).toEqual([])
    expectRefusal(await get(other, item.id), 'resource.not_found')
    // Our keys would open it; it is not theirs.
    expectRefusal(await get(other, item.authorityReference), 'resource.not_found')
    expectRefusal(await get(twin, item.id), 'resource.not_found')
  })

  test('what came before somebody was connected is there when they are, and nothing comes after they revoke', async () => {
    const business = randomUUID().replace(/....$/, '7d11')
    const early = await receiver(business)
    const { taxId } = early
    const before = await sent(early)
    const late = await app.person()
    await connect(late, business)
    await arrived(late, before.authorityReference)
    expect((await app.a.delete('/i/v1/tax-connection', { token: late.token, body: {} })).status).toBe(200)
    const irn = app.authority.control.receive({ buyerTin: taxId })
    await arrived(early, irn)
    await poll()
    const { data } = await list(late)
    expect(data.items).toMatchObject([{ authorityReference: before.authorityReference }])
    expect(data.sync).toMatchObject({ connected: false, syncing: false })
    expect(data.taxpayer.taxIds).toEqual([taxId])
  })

  test('an organisation with keys of its own follows what these may see', async () => {
    const keys = { apiKey: '0a0b0c0d-1111-4222-8333-444455556666', apiSecret: 'their-own-secret' }
    app.authority.control.admit(keys)
    const person = await app.person()
    await connect(person, randomUUID().replace(/....$/, '7d11'), keys)
    await app.quiet()
    const item = await sent(person)
    expect(item.validation.valid).toBe(true)
    const feeds = await app.machine.db.rows(sql`select access from received_feeds where access <> 'installation'`)
    expect(feeds).toHaveLength(1)
  })
})

describe('an authority that does not answer, or answers nonsense', () => {
  test.each(['down', 'nonsense', 'truncated'] as const)(
    '%s: what is held is shown, and sync says so; it is taken up afterwards',
    async (fault) => {
      const person = await receiver()
      const item = await sent(person)
      app.authority.control.misbehave(fault)
      const irn = app.authority.control.receive({ buyerTin: person.taxId })
      await eventually(async () => {
        await poll()
        expect((await list(person)).data.sync.error).toMatch(/could not be read/)
      })
      const { data } = await list(person)
      expect(data.items).toEqual([item])
      expect(data.sync.lastSyncedAt).not.toBeNull()
      expect((await get(person, item.id)).status).toBe(200)
      // A row never held cannot be told from one that is not there.
      const away = await get(person, irn)
      expectRefusal(away, 'inbound.unavailable')
      expect(away.status).toBe(503)
      expectRefusal(await get(person, randomUUID()), 'inbound.unavailable')
      expectRefusal(await app.a.post(`${path}/load-older`, { token: person.token }), 'inbound.unavailable')
      app.authority.control.misbehave(undefined)
      await poll()
      await arrived(person, irn)
      expect((await list(person)).data.sync.error).toBeNull()
      expectRefusal(await get(person, randomUUID()), 'resource.not_found')
      expectRefusal(await get(person, 'NEVER1-94ND90NR-20261115'), 'resource.not_found')
    },
    30_000,
  )

  test('a document that has not come through is asked for by its reference', async () => {
    const person = await receiver()
    await app.stopWork()
    try {
      const irn = app.authority.control.receive({ buyerTin: person.taxId })
      const { data } = await get(person, irn)
      expect(data).toMatchObject({ authorityReference: irn, document: { irn } })
      expect(await items(person)).toMatchObject([{ id: data.id, transmissionStatus: 'transmitted' }])
    } finally {
      await app.startWork()
    }
  })

  test('a worker that stands still is told of', async () => {
    const person = await receiver()
    await app.stopWork()
    try {
      app.clock.advance({ minutes: 10 })
      expect((await list(await app.member(person.organisationId, 'VIEWER'))).data.sync.error).toBeNull()
      app.clock.advance({ minutes: 10 })
      const viewer = await app.member(person.organisationId, 'VIEWER')
      expect((await list(viewer)).data.sync.error).toMatch(/has not been read/)
    } finally {
      await app.startWork()
    }
  })
})

describe('judged', () => {
  const judge = async (changes: object) => {
    const person = await receiver()
    const document = documentTo(person.taxId, changes)
    const irn = app.authority.control.receive({ document })
    return await arrived(person, irn)
  }

  test('by our own rules: what does not fit is told of, and its tax cannot be claimed', async () => {
    const item = await judge({ due_date: '2026-11-01' })
    expect(item.validation).toMatchObject({ valid: false, faults: [{ path: 'dueDate', rule: 'copy.due_date' }] })
    expect(item.inputVat).toMatchObject({ claimable: false, reason: 'faulty', claimableUntil: null })
  })

  test('by the law: tax on services of before 2026 is lost, and so is what is too old', async () => {
    const service = { isic_code: '6201', service_category: 'Software' }
    const { hsn_code: _, product_category: __, ...line } = documentTo('').invoice_line[0] as Record<string, unknown>
    const old = await judge({
      irn: `OLD${randomUUID().slice(0, 6).toUpperCase()}-59854B81-20251231`,
      issue_date: '2025-12-31',
      invoice_line: [{ ...line, ...service }],
    })
    expect(old.inputVat).toMatchObject({ claimable: false, reason: 'services_before_2026' })
    const goods = await judge({})
    expect(goods.inputVat).toMatchObject({ claimable: true, claimableUntil: '2031-11-10' })
    await app.machine.db.run(sql`update received_invoices set claim_until = '2026-01-01' where id = ${goods.id}`)
    const { tenant } = await app.machine.db.one<{ tenant: string }>(
      sql`select organisation_id as tenant from received_invoices where id = ${goods.id}`,
    )
    const reader = await app.member(tenant as Person['organisationId'], 'VIEWER')
    expect((await get(reader, goods.id)).data.inputVat).toMatchObject({ claimable: false, reason: 'too_old' })
  })
})

test('older ones are read page by page', async () => {
  const person = await receiver()
  await app.stopWork()
  const irns: string[] = []
  try {
    for (let at = 0; at < 30; at++)
      irns.push(app.authority.control.receive({ buyerTin: person.taxId, number: `OLD${at}` }))
    const load = async () => (await app.a.post(`${path}/load-older`, { token: person.token })).data
    const first = await load()
    expect(first).toMatchObject({ hasMore: true })
    expect((await list(person)).body.meta.pagination.total).toBe(first.loaded)
    let last = first
    for (let pages = 0; last.hasMore && pages < 10; pages++) last = await load()
    expect(last.hasMore).toBe(false)
    expect((await list(person)).body.meta.pagination.total).toBe(30)
    expect(await load()).toEqual({ loaded: 0, hasMore: false })
  } finally {
    await app.startWork()
  }
}, 30_000)
