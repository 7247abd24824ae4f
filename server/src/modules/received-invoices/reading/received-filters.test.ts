import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { documentTo, receivedPath, receivers } from '../../../../../test/harness/receivers.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())
afterEach(() => {
  app.authority.control.misbehave(undefined)
  app.authority.control.behave({})
})

const { arrived, items, list, receiver, sent } = receivers(() => app)

test('every filter and every sort works', async () => {
  const owner = await receiver()
  // Days pass, which a session does not survive.
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
    // In Lagos the 18th began half an hour earlier.
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
  expect(page.body.meta.pagination).toMatchObject({ page: 2, limit: 2, total: 3, totalPages: 2 })
  expect([two.currency, three.currency]).toEqual(['NGN', 'USD'])
})

test('the kept counts equal a count of all rows', async () => {
  const owner = await receiver()
  // Years pass, which a session does not survive.
  const person = { ...owner, token: await app.key(owner.organisationId) }
  const all = '&issueDateFrom=1900-01-01'
  const agree = async () => {
    const analytics = async (query: string) => {
      const { sync: _, ...figures } = (await app.a.get(`${receivedPath}/analytics?${query}`, { token: person.token }))
        .data
      return figures
    }
    for (const query of ['', 'currency=NGN', 'currency=GBP'])
      expect(await analytics(query), query).toEqual(await analytics(query + all))
    const total = async (query: string) => (await list(person, `?${query}`)).body.meta.pagination.total
    for (const query of ['', 'currency=USD', 'paymentStatus=unpaid', 'paymentStatus=overdue', 'paymentStatus=paid'])
      expect(await total(query), query).toBe(await total(query + all))
    return await analytics('')
  }
  await agree()
  const first = await sent(person, { sellerTaxId: '20198222-0002', invoiceDate: '2026-10-01', dueDate: '2026-10-31' })
  await sent(person, { sellerTaxId: '20198222-0002', dueDate: '2027-01-31' })
  await sent(person, { sellerTaxId: '31111111-0001', currency: 'USD' })
  await sent(person, { invoiceType: 'credit_note', correctsReference: first.authorityReference })
  const faulty = documentTo(person.taxId, { due_date: '2026-11-01', payment_status: 'PAID' })
  await arrived(person, app.authority.control.receive({ document: faulty }))
  expect(await agree()).toMatchObject({
    reportingCurrency: 'NGN',
    count: 4,
    creditNotes: 1,
    faulty: 1,
    overdueCount: 1,
  })
  app.clock.set('2031-12-01T09:00:00Z')
  expect(await agree(), 'years later').toMatchObject({ claimableTaxMinor: 0, overdueCount: 2 })
})

test('amounts and sums beyond binary numbers are returned exactly', async () => {
  app.clock.set('2026-11-15T09:00:00Z')
  const person = await receiver()
  for (const number of ['H1', 'H2']) await sent(person, { invoiceNumber: number })
  const own = sql`organisation_id = ${person.organisationId}`
  // The simulator uses binary numbers; real senders may not.
  const huge = 9_007_199_254_740_993n
  await app.runtime.db.run(sql`update received_invoices set payable_minor = ${huge} where ${own}`)
  await app.runtime.db.run(sql`update received_figures set payable_minor = ${huge * 10_000n} where ${own}`)
  const { text, data } = await list(person)
  expect(text.match(/"payableMinor":9007199254740993\b/g)).toHaveLength(2)
  const one = await app.b.get(`${receivedPath}/${data.items[0].id}`, { token: person.token })
  expect(one.text).toContain('"payableMinor":9007199254740993,')
  const figures = (query: string) => app.a.get(`${receivedPath}/analytics${query}`, { token: person.token })
  expect((await figures('')).text).toContain('"payableMinor":90071992547409930000,')
  expect((await figures('?q=h')).text).toContain('"payableMinor":18014398509481986,')
})
