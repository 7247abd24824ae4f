import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { validationFailed } from './envelope.ts'
import { failed, failureIn, keyHeaders, startClient, type TestClient } from './test-client.ts'

const businessId = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const sign = '/api/v1/invoice/sign'
const party = (tin: string) => ({
  party_name: 'Zuma Farms',
  tin,
  email: 'billing@zuma.example',
  telephone: '+2348025409900',
  postal_address: { street_name: '8 Alausa Road', city_name: 'Ikeja', country: 'NG' },
})
const line = {
  hsn_code: '8471.30',
  product_category: 'Portable computers',
  invoiced_quantity: 2,
  line_extension_amount: 400,
  item: { name: 'Laptop', description: 'Laptop' },
  price: { price_amount: 200, base_quantity: 1, price_unit: 'EA' },
}
const invoice = (number: number, more: object = {}) => ({
  business_id: businessId,
  irn: `INV${number}-F6B4C898-20261114`,
  issue_date: '2026-11-14',
  invoice_type_code: '381',
  invoice_kind: 'B2B',
  document_currency_code: 'NGN',
  tax_currency_code: 'NGN',
  accounting_supplier_party: party('20198222-0002'),
  accounting_customer_party: party('00311855-0001'),
  tax_total: [
    {
      tax_amount: 30,
      tax_subtotal: [{ taxable_amount: 400, tax_amount: 30, tax_category: { id: 'STANDARD_VAT', percent: 7.5 } }],
    },
  ],
  legal_monetary_total: {
    line_extension_amount: 400,
    tax_exclusive_amount: 400,
    tax_inclusive_amount: 430,
    payable_amount: 430,
  },
  invoice_line: [line],
  ...more,
})
const detailsOf = async (client: TestClient, body: object) => {
  const answer = failureIn(await client.post(sign, body)) as { error: { details: string } }
  expect(answer).toEqual(
    failed(400, { handler: 'invoice_actions', details: answer.error.details, public_message: validationFailed }),
  )
  return answer.error.details
}

test('says the first fault alone, in its own grammar', async () => {
  await using client = await startClient()
  const at = 'invoicerequest.invoice'
  const cases: [object, string][] = [
    [{ business_id: 'x' }, 'invalid UUID length: 1'],
    [{ irn: 'INV-1' }, 'irn validation failed for this business, refer to the template and try again'],
    [{ issue_date: '2026-11-15' }, 'irn validation failed for this business, refer to the template and try again'],
    [{ issue_date: '2026-02-30' }, `${at}.issuedate must be a valid date value yyyy-mm-dd`],
    [{ tax_point_date: '14/11/2026' }, `${at}.taxpointdate must be a valid date value yyyy-mm-dd`],
    [{ actual_delivery_date: '2026-2-3' }, `${at}.actualdeliverydate must be a valid date value yyyy-mm-dd`],
    [{ invoice_delivery_period: '2026-11' }, `${at}.invoicedeliveryperiod is required`],
    [
      { invoice_delivery_period: { start_date: '2026-02-30', end_date: '2026-03-31' } },
      `${at}.invoicedeliveryperiod.startdate must be a valid date value yyyy-mm-dd`,
    ],
    [{ invoice_delivery_period: { start_date: '2026-11-01' } }, `${at}.invoicedeliveryperiod.enddate is required`],
    [
      { invoice_type_code: '1' },
      `${at}.invoicetypecode must be a valid invoice type, refer to the invoice resource apis`,
    ],
    [{ tax_currency_code: undefined }, `${at}.taxcurrencycode is required`],
    [{ invoice_type_code: '380' }, `${at}.billingreference is required`],
    [{ accounting_customer_party: undefined }, `${at}.accountingcustomerparty is required`],
    [
      { accounting_customer_party: party('123') },
      `${at}.accountingcustomerparty.tin must be at least in length or value 5`,
    ],
    [
      { accounting_supplier_party: { ...party('20198222-0002'), business_description: 'IT' } },
      `${at}.accountingsupplierparty.businessdescription must be at least in length or value 5`,
    ],
    [{ invoice_line: [] }, `${at}.invoiceline is required`],
    [{ invoice_line: [{ ...line, item: { name: 'Laptop' } }] }, `${at}.invoiceline[0].item.description is required`],
    [
      { invoice_line: [{ ...line, hsn_code: undefined, isic_code: '6201' }] },
      `${at}.invoiceline[0].service_category is required when isic_code is provided`,
    ],
    [
      { invoice_line: [{ ...line, price: { ...line.price, price_unit: 'NGN per 1' } }] },
      `${at}.invoiceline[0].price.priceunit can not be more than in length or value 3`,
    ],
    [{ legal_monetary_total: undefined, invoice_line: [{}] }, `${at}.invoiceline[0].item is required`],
    [
      { legal_monetary_total: { ...invoice(1).legal_monetary_total, payable_amount: 431 } },
      `${at}.legalmonetarytotal.payableamount does not match the tax inclusive amount`,
    ],
  ]
  for (const [more, details] of cases) expect(await detailsOf(client, invoice(1, more))).toBe(details)
  expect(client.simulator.control.acceptances()).toEqual({ documents: 0, accepted: 0, repeated: 0, mostOfOne: 0 })
})

test('a consumer need not be named', async () => {
  await using client = await startClient()
  const body = invoice(1, { invoice_kind: 'B2C', accounting_customer_party: undefined })
  const answer = await client.post(sign, body)
  expect([answer.status, answer.json()]).toEqual([201, { code: 201, data: { ok: true } }])
})

test('a service id is that of the business that came with it first', async () => {
  await using client = await startClient()
  await client.post(sign, invoice(1))
  const other = invoice(2, { business_id: '7cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11' })
  expect(await detailsOf(client, other)).toMatch(/^irn validation failed/)
})

test('what was signed, paid and sent survives a restart, and so does the count', async () => {
  const home = await mkdtemp(join(tmpdir(), 'authority-simulator-'))
  const storeFile = join(home, 'store.jsonl')
  const before = await startClient({ storeFile })
  before.simulator.notifyAt('http://127.0.0.1:9/nobody')
  await before.post(sign, invoice(1))
  await before.post(sign, invoice(1))
  await before.ask('PATCH', '/api/v1/invoice/update/INV1-F6B4C898-20261114', {
    body: '{"payment_status":"CANCELED"}',
  })
  await before.ask('POST', '/api/v1/invoice/transmit/INV1-F6B4C898-20261114')
  const keyFile = before.simulator.control.keyFileOf(businessId)
  await before[Symbol.asyncDispose]()
  await using after = await startClient({ storeFile })
  await expect
    .poll(async () => (await after.get('/api/v1/invoice/confirm/INV1-F6B4C898-20261114')).json().data)
    .toMatchObject({ payment_status: 'REJECTED', transmitted: true, delivered: true })
  expect(after.simulator.control.acceptancesOf('INV1-F6B4C898-20261114')).toEqual({ accepted: 1, repeated: 1 })
  expect(after.simulator.control.keyFileOf(businessId)).toBe(keyFile)
  const found = (await after.get(`/api/v1/invoice/${businessId}?irn=INV1-F6B4C898-20261114`)).json().data
  expect(found).toMatchObject({ page: { totalCount: 1 } })
  expect((await after.get(`/api/v1/invoice/${businessId}?irn=INV2-F6B4C898-20261114`)).json().data.items).toBeNull()
  await rm(home, { recursive: true })
})

test('its behaviour is set over HTTP, during an outage too, and only with keys', async () => {
  await using client = await startClient()
  const behave = (body: object, headers: Record<string, string> = keyHeaders) =>
    client.ask('PUT', '/control/behaviour', { body: JSON.stringify(body), headers })
  expect((await behave({ outage: true }, {})).status).toBe(400)
  expect((await behave({ outage: true })).json().data).toMatchObject({ outage: true, latencyMs: 0 })
  await expect(client.get('/api')).rejects.toThrow()
  for (const wrong of [{ nothing: 1 }, { latencyMs: '5' }, { lostReplies: 2 }, { callbacks: 'often' }])
    expect((await behave(wrong)).status).toBe(400)
  expect((await behave({})).json().data).toMatchObject({ outage: false })
  expect((await client.get('/api')).json()).toEqual({ healthy: true })
  await client.post(sign, invoice(1))
  expect((await client.get('/control/acceptances/INV1-F6B4C898-20261114')).json().data).toEqual({
    accepted: 1,
    repeated: 0,
  })
  expect((await client.get('/control/acceptances')).json().data).toMatchObject({ documents: 1, mostOfOne: 1 })
  const received = await client.post('/control/received-invoices', { buyerTin: '10000001-0001', number: 'A1' })
  expect(received.json().data.irn).toMatch(/^A1-[A-F0-9]{8}-\d{8}$/)
  expect((await client.post('/control/received-invoices', {})).status).toBe(400)
})

test('downloads are XML for who asks for it', async () => {
  await using client = await startClient()
  await client.post(sign, invoice(1))
  const headers = { ...keyHeaders, accept: 'application/xml' }
  const answer = await client.ask('GET', '/api/v1/invoice/download/INV1-F6B4C898-20261114', { headers })
  expect(answer.text).toMatch(/<Data><IvHex>[0-9a-f]{32}<\/IvHex><Pub>.{24}<\/Pub><Data>[\w-]+<\/Data><\/Data>/)
})

test('beside a hundred thousand documents one more is one line more, and each of them is found', async () => {
  const home = await mkdtemp(join(tmpdir(), 'authority-simulator-'))
  try {
    const storeFile = join(home, 'store.jsonl')
    const kept = (number: number) => {
      const { irn, business_id, issue_date } = invoice(number)
      return JSON.stringify({ what: 'signed', at: 0, document: { irn, business_id, issue_date } })
    }
    const many = 100_000
    await writeFile(storeFile, `${Array.from({ length: many }, (_, at) => kept(at + 1)).join('\n')}\n`)
    await using client = await startClient({ storeFile })
    expect(client.simulator.control.acceptances()).toMatchObject({ documents: many, mostOfOne: 1 })
    const confirm = (number: number) => client.get(`/api/v1/invoice/confirm/${invoice(number).irn}`)
    for (const number of [1, many / 2, many]) expect((await confirm(number)).status).toBe(200)
    const { size } = await stat(storeFile)
    expect((await client.post(sign, invoice(many + 1))).status).toBe(201)
    const line = { what: 'signed', at: Date.now(), document: invoice(many + 1) }
    expect((await stat(storeFile)).size - size).toBeLessThan(JSON.stringify(line).length + 200)
    expect((await confirm(many + 1)).status).toBe(200)
    expect((await client.post(sign, invoice(many))).status).toBe(400)
  } finally {
    await rm(home, { recursive: true })
  }
})

test('its network is away, or never confirms what it took, until it is told otherwise', async () => {
  await using client = await startClient()
  client.simulator.notifyAt('http://127.0.0.1:9/nobody')
  await client.post(sign, invoice(1))
  const irn = 'INV1-F6B4C898-20261114'
  const transmit = async () => (await client.ask('POST', `/api/v1/invoice/transmit/${irn}`)).status
  const confirmed = async () => (await client.get(`/api/v1/invoice/confirm/${irn}`)).json().data
  for (const [network, status] of [
    ['away', 500],
    ['unconfirmed', 200],
  ] as const) {
    client.simulator.control.behave({ network })
    expect([await transmit(), await confirmed()]).toMatchObject([status, { transmitted: false }])
  }
  client.simulator.control.behave({})
  expect([await transmit(), await confirmed()]).toMatchObject([200, { transmitted: true }])
  const wrong = await client.ask('PUT', '/control/behaviour', { body: '{"network":"slow"}', headers: keyHeaders })
  expect(wrong.status).toBe(400)
})

test('it can call about a document before it has answered that it is signed', async () => {
  await using client = await startClient()
  const called = Promise.withResolvers<string>()
  const listener = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => called.resolve(text))
    response.end()
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  try {
    client.simulator.notifyAt(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`)
    client.simulator.control.behave({ callsBeforeSignedMs: 500 })
    const answered = client.post(sign, invoice(1)).then(() => 'answered')
    expect(await Promise.race([called.promise, answered])).toBe(
      '{"irn":"INV1-F6B4C898-20261114","message":"TRANSMITTING"}',
    )
    expect(await answered).toBe('answered')
  } finally {
    listener.close()
  }
})

test('it shows the payment status in the document and in later updates', async () => {
  await using client = await startClient()
  const irn = 'INV1-F6B4C898-20261114'
  await client.post(sign, { ...invoice(1), payment_status: 'PAID' })
  for (const update of [
    { payment_status: 'PARTIAL', amount: 5 },
    { payment_status: 'PARTIAL', amount: 7 },
    { payment_status: 'PENDING' },
  ])
    await client.ask('PATCH', `/api/v1/invoice/update/${irn}`, { body: JSON.stringify(update) })
  const told = {
    document: 'PAID',
    updates: [
      { status: 'PARTIAL', amount: 5 },
      { status: 'PARTIAL', amount: 7 },
      { status: 'PENDING', amount: null },
    ],
    status: 'PENDING',
  }
  expect(client.simulator.control.paymentsOf(irn)).toEqual(told)
  expect((await client.get(`/control/payments/${irn}`)).json().data).toEqual(told)
  expect((await client.get('/control/payments/INV2-F6B4C898-20261114')).status).toBe(404)
})
