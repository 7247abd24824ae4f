import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { seeded } from '../../../../test/harness/chance.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { buyerDetails, type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok } from '../../../../test/harness/issued.ts'
import { documentTo, type Receiver, receivers } from '../../../../test/harness/receivers.ts'
import { sql } from '../../platform/database/sql.ts'
import { readPdf } from '../documents/pdf/read-pdf.ts'

const now = '2026-11-15T09:00:00Z'
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now })
})
afterAll(() => app.close())

const { arrived, receiver } = receivers(() => app)
type FormName = 'A' | 'B'
const path = '/i/v1/tax-returns'
const ratesPath = '/i/v1/exchange-rates'

interface Business extends Issuer, Receiver {
  readonly life: Life
}

/** An organisation that issues and receives. Its token is a key, so that months can pass. */
async function business(): Promise<Business> {
  const person = await receiver()
  await app.openAccount(person.organisationId)
  const token = await app.key(person.organisationId)
  const sellers = ok(await app.a.get('/i/v1/sellers', { token }))
  const buyer = ok(await app.a.post('/i/v1/buyers', { token, body: buyerDetails }), 201)
  const own = { ...person, token, sellerId: sellers[0]?.id, buyerId: buyer.id }
  return { ...own, life: lifeOf(app, own) }
}

const priced = (naira: number, taxCategory = 'standard') => ({
  lineItems: [
    {
      description: 'Cement',
      hsnCode: '2523.29',
      unitCode: 'XBG',
      quantity: '1',
      unitPrice: String(naira),
      taxCategory,
    },
  ],
})
async function accepted(
  { life }: Business,
  day: string,
  naira: number,
  more: object = {},
): Promise<{ id: string; invoiceNumber: string }> {
  const invoice = await life.issued({ ...priced(naira), invoiceDate: day, dueDate: null, ...more })
  await life.become(invoice.id, 'accepted')
  return invoice
}

let nth = 0
interface Sent {
  readonly net?: number
  readonly credits?: string
  readonly changes?: object
}
async function received(own: Business, day: string, { net = 1000, credits, changes }: Sent = {}): Promise<string> {
  const irn = `TR${++nth}-59854B81-${day.replaceAll('-', '')}`
  const [line] = documentTo('').invoice_line
  const tax = net * 0.075
  const document = documentTo(own.taxId, {
    irn,
    issue_date: day,
    invoice_type_code: credits ? '380' : '381',
    ...(credits ? { billing_reference: [{ irn: credits, issue_date: day }] } : {}),
    tax_total: [
      {
        tax_amount: tax,
        tax_subtotal: [{ taxable_amount: net, tax_amount: tax, tax_category: { id: 'STANDARD_VAT', percent: 7.5 } }],
      },
    ],
    legal_monetary_total: {
      line_extension_amount: net,
      tax_exclusive_amount: net,
      tax_inclusive_amount: net + tax,
      payable_amount: net + tax,
    },
    invoice_line: [{ ...line, line_extension_amount: net, price: { price_amount: net, price_unit: 'EA' } }],
    ...changes,
  })
  await arrived(own, app.authority.control.receive({ document }))
  return irn
}

interface Figure {
  readonly period?: string
  readonly section: string
  readonly code: string
  readonly rate: string | null
  readonly netMinor: number
  readonly taxMinor: number
  readonly documents: number
}
interface Shown {
  readonly figures: Figure[]
  readonly exceptions: Figure[]
  readonly documentsNotAccepted: number
  readonly payableMinor: number
}
const read = async ({ token }: Business, period: string, form: FormName = 'A'): Promise<Shown> =>
  ok(await app.client(form).get(`${path}/${period}`, { token }))
let asked = 0
/** Alternates between the forms, whose replies are the same. */
const either = () => app.client(++asked % 2 === 0 ? 'A' : 'B')
const documents = async ({ token }: Business, period: string, query = ''): Promise<{ taxMinor: number }[]> =>
  ok(await either().get(`${path}/${period}/documents${query}`, { token })).documents
const close = ({ token }: Business, period: string, body?: object) =>
  either().post(`${path}/${period}/close`, { token, body })
const save = async ({ token }: Business, currency: string, day: string, rate: string) =>
  ok(await either().put(ratesPath, { token, body: { rates: [{ currency, day, rate }] } }))
const words = (figures: readonly Figure[]) =>
  figures.map(
    (one) =>
      `${one.period ? `${one.period} ` : ''}${one.section} ${one.code} ${one.rate ?? '-'}: ${one.netMinor} ${one.taxMinor} (${one.documents})`,
  )

test.each(['A', 'B'] as const)(
  'form %s has output tax by category, notes, input tax and the reason of each claim',
  async (form) => {
    const own = await business()
    const first = await accepted(own, '2026-10-05', 1000)
    await accepted(own, '2026-10-31', 2000, priced(2000, 'exempt'))
    await accepted(own, '2026-11-01', 4000)
    await own.life.issued({ ...priced(500), invoiceDate: '2026-10-07', dueDate: null })
    const note = ok(await own.life.credit(first.id, { amount: 215 }), 201)
    ok(await own.life.act(note.id, 'finalise'))
    await own.life.become(note.id, 'accepted')
    const bought = await received(own, '2026-10-10', { net: 800 })
    await received(own, '2026-11-11', { net: 400, credits: bought })
    await received(own, '2026-10-12', { net: 100, changes: { due_date: '2026-10-01' } })

    const october = await read(own, '2026-10', form)
    expect(october).toMatchObject({
      period: '2026-10',
      from: '2026-10-01',
      to: '2026-10-31',
      dueOn: '2026-11-21',
      currency: 'NGN',
      status: 'open',
      canClose: true,
      outputTaxMinor: 7_500,
      inputTaxMinor: 6_000,
      payableMinor: 1_500,
      exceptions: [],
      documentsNotAccepted: 1,
      documentsWithoutRate: 0,
    })
    expect(words(october.figures)).toEqual([
      'output EXEMPTED 0: 200000 0 (1)',
      'output STANDARD_VAT 7.5: 100000 7500 (1)',
      'input claimable -: 80000 6000 (1)',
      'not_claimable faulty -: 10000 750 (1)',
    ])
    expect(october.figures[3]).toMatchObject({ isCounted: false, label: 'With errors' })
    expect(october.figures[2]).toMatchObject({ label: 'VAT that can be claimed' })
    const november = await read(own, '2026-11', form)
    expect(november).toMatchObject({ canClose: false, outputTaxMinor: 28_500, inputTaxMinor: -3_000 })
    expect(words(november.figures)).toEqual([
      'output STANDARD_VAT 7.5: 400000 30000 (1)',
      'output_notes STANDARD_VAT 7.5: -20000 -1500 (1)',
      'input_notes credit_note -: -40000 -3000 (1)',
    ])

    const [line, ...others] = await documents(own, '2026-10', '?section=output&code=STANDARD_VAT&rate=7.5')
    expect(others).toEqual([])
    expect(line).toMatchObject({
      documentId: first.id,
      documentNumber: first.invoiceNumber,
      issueDate: '2026-10-05',
      partyName: 'Chidi Stores Limited',
      exchangeRate: '1',
      taxMinor: 7_500,
      cause: 'accepted',
      reason: null,
    })
    const list = ok(await app.client(form).get(path, { token: own.token }))
    expect(list.map((one: { period: string; payableMinor: number }) => [one.period, one.payableMinor])).toEqual([
      ['2026-11', 31_500],
      ['2026-10', 1_500],
    ])
  },
)

test('each figure is the sum of its documents, page by page', async () => {
  const own = await business()
  for (const naira of [100, 200, 300, 400, 500]) await accepted(own, '2026-10-05', naira)
  const all = await documents(own, '2026-10')
  expect(all.map(({ taxMinor }) => taxMinor).reduce((a, b) => a + b)).toBe(11_250)
  const seen: unknown[] = []
  let after = ''
  for (let page = 0; page < 3; page++) {
    const shown = ok(await app.a.get(`${path}/2026-10/documents?limit=2${after}`, { token: own.token }))
    seen.push(...shown.documents)
    after = `&after=${shown.nextCursor}`
  }
  expect(seen).toEqual(all)
})

test('a closed month never changes, and later changes are exceptions of the next one', async () => {
  const own = await business()
  const late = await own.life.issued({ ...priced(1000), invoiceDate: '2026-09-10', dueDate: null })
  await accepted(own, '2026-09-05', 2000)
  await accepted(own, '2026-10-05', 4000)
  expectRefusal(await close(own, '2026-11'), 'tax_return.not_ended')
  expectRefusal(await close(own, '2026-10'), 'tax_return.not_next')
  const closed = ok(await close(own, '2026-09'))
  expect(closed).toMatchObject({ status: 'closed', closedAt: new Date(now).toISOString(), outputTaxMinor: 15_000 })
  expectRefusal(await close(own, '2026-09'), 'tax_return.closed')
  const lines = await documents(own, '2026-09')

  await own.life.become(late.id, 'accepted')
  const bought = await received(own, '2026-09-20', { net: 800 })
  expect(await read(own, '2026-09')).toEqual({ ...closed, documentsNotAccepted: expect.any(Number) })
  expect(await documents(own, '2026-09')).toEqual(lines)
  const october = await read(own, '2026-10')
  expect(words(october.exceptions)).toEqual([
    '2026-09 output STANDARD_VAT 7.5: 100000 7500 (1)',
    '2026-09 input claimable -: 80000 6000 (1)',
  ])
  expect(october).toMatchObject({ outputTaxMinor: 37_500, inputTaxMinor: 6_000 })
  expect((await read(own, '2026-11')).exceptions).toEqual([])
  expect(await documents(own, '2026-10', '?exceptions=true')).toMatchObject([
    { documentId: late.id, period: '2026-09', cause: 'accepted' },
    { period: '2026-09', cause: 'received' },
  ])
  expect(await documents(own, '2026-10', '?section=output&documentPeriod=2026-09')).toMatchObject([{ taxMinor: 7_500 }])
  expect(await documents(own, '2026-10', '?section=output&documentPeriod=2026-10')).toMatchObject([
    { taxMinor: 30_000 },
  ])
  // The note counts in its own month, also if the invoice was reported in another one.
  await received(own, '2026-10-21', { net: 400, credits: bought })
  const reported = ok(await close(own, '2026-10'))
  expect(reported).toMatchObject({ outputTaxMinor: 37_500, inputTaxMinor: 3_000 })
  expect((await read(own, '2026-11')).exceptions).toEqual([])
  const told = await app.runtime.db.rows<{ data: object }>(sql`
    select data from events where organisation_id = ${own.organisationId} and type = 'tax_return.closed' order by position`)
  expect(told).toMatchObject([
    { data: { period: '2026-09', payableMinor: 15_000 } },
    { data: { period: '2026-10', payableMinor: 34_500 } },
  ])
  await expect(
    app.runtime.db.run(sql`update tax_moves set home_tax_minor = 0 where organisation_id = ${own.organisationId}`),
  ).rejects.toThrow('never change')
})

test('an amount in a foreign currency uses the rate of its day, and a month without that rate stays open', async () => {
  const own = await business()
  const { token } = own
  const sold = await accepted(own, '2026-10-12', 100, { currency: 'USD' })
  await accepted(own, '2026-10-13', 100, { currency: 'NGN' })
  expect(await read(own, '2026-10')).toMatchObject({ figures: [{ netMinor: 10_000 }], documentsWithoutRate: 1 })
  expect(await documents(own, '2026-10', '?withoutRate=true')).toMatchObject([
    { documentId: sold.id, issueDate: '2026-10-12', documentCurrency: 'USD', exchangeRate: null, taxMinor: null },
  ])
  expectRefusal(await close(own, '2026-10'), 'tax_return.rate_missing')
  const rates = (...rates: [string, string][]) =>
    either().put(ratesPath, { token, body: { rates: rates.map(([day, rate]) => ({ currency: 'USD', day, rate })) } })
  expectRefusal(await rates(['2026-10-10', '0']), 'request.invalid')
  // 10 October is a Saturday: its rate lasts until banks publish the next one.
  ok(await rates(['2026-10-04', '1400'], ['2026-10-10', '1536.255'], ['2026-10-13', '1600']))
  expect(words((await read(own, '2026-10')).figures)).toEqual(['output STANDARD_VAT 7.5: 15372550 1152941 (2)'])
  expect(await documents(own, '2026-10', '?withoutRate=true')).toEqual([])
  ok(await rates(['2026-10-12', '1500']))
  for (const form of ['A', 'B'] as const)
    expect(ok(await app.client(form).get(`${ratesPath}?currency=USD&limit=1`, { token }))).toEqual([
      { currency: 'USD', day: '2026-10-13', rate: '1600' },
    ])
  expect(ok(await close(own, '2026-10'))).toMatchObject({ outputTaxMinor: 1_125_750 })
  // A later rate changes nothing that was reported, and what is taken back is exactly what was reported.
  ok(await rates(['2026-10-12', '1999']))
  await own.life.become(sold.id, 'rejected')
  expect(await read(own, '2026-10')).toMatchObject({ outputTaxMinor: 1_125_750 })
  expect(words((await read(own, '2026-11')).exceptions)).toEqual([
    '2026-10 output STANDARD_VAT 7.5: -15000000 -1125000 (-1)',
  ])
})

test.each(['A', 'B'] as const)('form %s closes the amount that the caller saw, or nothing', async (form) => {
  const own = await business()
  await accepted(own, '2026-10-05', 1000)
  const { payableMinor } = await read(own, '2026-10')
  await accepted(own, '2026-10-06', 2000)
  const closeAt = (expectedPayableMinor: number) =>
    app.client(form).post(`${path}/2026-10/close`, { token: own.token, body: { expectedPayableMinor } })
  const refused = await closeAt(payableMinor)
  expectRefusal(refused, 'tax_return.figures_changed')
  expect(refused.body.error.message).toContain('is now NGN 225.00, not NGN 75.00')
  expect(await read(own, '2026-10')).toMatchObject({ status: 'open', canClose: true, payableMinor: 22_500 })
  expect(ok(await closeAt(22_500))).toMatchObject({ status: 'closed', payableMinor: 22_500 })
})

test('documents that are not accepted are counted, also rejected ones', async () => {
  const own = await business()
  const issued = async () => await own.life.issued({ ...priced(1000), invoiceDate: '2026-10-05', dueDate: null })
  await issued()
  await own.life.become((await issued()).id, 'rejected')
  await own.life.become((await issued()).id, 'accepted')
  // The counts by status follow.
  await app.quiet()
  expect(await read(own, '2026-10')).toMatchObject({
    documentsNotAccepted: 2,
    documentsRejected: 1,
    figures: [{ documents: 1 }],
  })
})

test('a document with two tax rates and without an exchange rate is one document', async () => {
  const own = await business()
  const lineItems = [...priced(100).lineItems, ...priced(50, 'exempt').lineItems]
  await accepted(own, '2026-10-12', 100, { currency: 'USD', lineItems })
  expect(await documents(own, '2026-10', '?withoutRate=true')).toHaveLength(2)
  expect(await read(own, '2026-10')).toMatchObject({ documentsWithoutRate: 1 })
})

test('old documents do not make old months the first one, and are exceptions of the first month', async () => {
  const own = await business()
  const months = async () =>
    ok(await either().get(path, { token: own.token })).map(({ period }: { period: string }) => period)
  // The organisation was created in November 2026.
  await received(own, '2009-03-10', { net: 800 })
  await received(own, '2026-10-10', { net: 400 })
  expect(await months()).toEqual(['2026-11'])
  expect(await read(own, '2009-03')).toMatchObject({ status: 'closed', closedAt: null, figures: [], canClose: false })
  expectRefusal(await close(own, '2009-03'), 'tax_return.closed')
  await accepted(own, '2026-09-05', 1000)
  expect(await months()).toEqual(['2026-11', '2026-10', '2026-09'])
  const september = await read(own, '2026-09')
  expect(words(september.exceptions)).toEqual([
    expect.stringMatching(/^2009-03 not_claimable too_old -: 80000 6000 \(1\)$/),
  ])
  expect(words((await read(own, '2026-10')).figures)).toEqual(['input claimable -: 40000 3000 (1)'])
  const listed = ok(await app.a.get(path, { token: own.token }))
  expect(listed.at(-1)).toMatchObject({ period: '2026-09', payableMinor: 7_500, canClose: true })
  expect(await documents(own, '2026-09')).toHaveLength(2)
  const closed = ok(await close(own, '2026-09', { expectedPayableMinor: september.payableMinor }))
  expect(words(closed.exceptions)).toEqual(words(september.exceptions))
  // An own document of more than a year before cannot make the first month either.
  const other = await business()
  await accepted(other, '2024-05-05', 1000)
  expect(ok(await app.a.get(path, { token: other.token })).map((one: { period: string }) => one.period)).toEqual([
    '2026-11',
  ])
  expect(words((await read(other, '2026-11')).exceptions)).toEqual(['2024-05 output STANDARD_VAT 7.5: 100000 7500 (1)'])
})

test.each(['A', 'B'] as const)('form %s: without documents, the first month is not from long ago', async (form) => {
  const { token } = await business()
  const client = app.client(form)
  const closing = (period: string) => client.post(`${path}/${period}/close`, { token, body: {} })
  // The organisation was created in November 2026. Months are closed in order, so that it would have to close 1,522 months first.
  for (const old of ['1900-01', '2025-10']) {
    expect(ok(await client.get(`${path}/${old}`, { token }))).toMatchObject({ status: 'closed', canClose: false })
    expectRefusal(await closing(old), 'tax_return.closed')
  }
  expect(ok(await client.get(`${path}/2025-11`, { token }))).toMatchObject({ status: 'open', canClose: true })
  expect(ok(await closing('2025-11'))).toMatchObject({ status: 'closed', payableMinor: 0 })
})

test('a rate that no document can have does not count', async () => {
  const own = await business()
  const dear = { currency: 'USD', lineItems: [{ ...priced(9_000_000_000).lineItems[0], quantity: '1000' }] }
  await accepted(own, '2026-10-12', 0, dear)
  await save(own, 'USD', '2026-10-12', '999999999')
  expect(await read(own, '2026-10')).toMatchObject({ documentsWithoutRate: 1, figures: [], payableMinor: 0 })
  expect(ok(await app.b.get(path, { token: own.token })).at(-1)).toMatchObject({ period: '2026-10', payableMinor: 0 })
  expect(await documents(own, '2026-10')).toMatchObject([{ exchangeRate: null, taxMinor: null }])
  const refused = await close(own, '2026-10')
  expectRefusal(refused, 'tax_return.rate_missing')
  expect(refused.body.error.message).toContain('larger than NGN 1,000,000,000,000,000.00')
  await save(own, 'USD', '2026-10-12', '0.5')
  expect(ok(await close(own, '2026-10'))).toMatchObject({ outputTaxMinor: 33_750_000_000_000 })
})

test('no amount that a supplier writes holds up a month', async () => {
  const own = await business()
  await accepted(own, '2026-11-02', 1000)
  const most = 999_999_999_999_999
  const huge = async (document_currency_code: string) =>
    await received(own, '2026-11-10', {
      net: 1000,
      changes: {
        document_currency_code,
        legal_monetary_total: {
          line_extension_amount: most,
          tax_exclusive_amount: most,
          tax_inclusive_amount: most,
          payable_amount: most,
        },
      },
    })
  await huge('USD')
  await save(own, 'USD', '2026-11-10', '1536.25')
  expect(await read(own, '2026-11')).toMatchObject({ documentsWithoutRate: 1, outputTaxMinor: 7_500 })
  // Together, a hundred of the largest amounts do not fit into a column.
  await huge('NGN')
  await app.runtime.db.run(sql`
    insert into tax_moves (organisation_id, mode, period, section, code, rate, message, cause, document_id, document_number, document_type,
                           document_date, currency, net_minor, tax_minor, documents)
    select organisation_id, mode, period, section, code, rate, message, cause, gen_random_uuid(), document_number, document_type,
           document_date, currency, net_minor, tax_minor, documents
      from tax_moves cross join generate_series(1, 99) where organisation_id = ${own.organisationId} and section <> 'output' and currency = 'NGN'`)
  const [, bought] = (await read(own, '2026-11')).figures
  expect(bought).toMatchObject({ documents: 100 })
  expect(BigInt(bought?.netMinor ?? 0)).toBeGreaterThan(2n ** 63n)
  app.clock.set('2026-12-02T09:00:00Z')
  try {
    expect(ok(await close(own, '2026-11'))).toMatchObject({ outputTaxMinor: 7_500 })
    expect(await read(own, '2026-12')).toMatchObject({ documentsWithoutRate: 1, outputTaxMinor: 0 })
  } finally {
    app.clock.set(now)
  }
})

test('a document without a rate that does not count any more holds up no month', async () => {
  const own = await business()
  const sold = await accepted(own, '2026-10-12', 100, { currency: 'USD' })
  expectRefusal(await close(own, '2026-10'), 'tax_return.rate_missing')
  await own.life.become(sold.id, 'rejected')
  expect(ok(await close(own, '2026-10'))).toMatchObject({ outputTaxMinor: 0, documentsWithoutRate: 0 })
})

test('the files have every figure, and the CSV file every document', async () => {
  const own = await business()
  const { invoiceNumber } = await accepted(own, '2026-10-05', 1000)
  await received(own, '2026-10-10', { net: 800 })
  const fetched = async (format: string) => {
    const { url } = ok(await either().get(`${path}/2026-10/download?format=${format}`, { token: own.token }))
    return await fetch(new URL(new URL(url).pathname, app.url))
  }
  const csv = await (await fetched('csv')).text()
  expect(
    csv
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(-4).join(',')),
  ).toEqual(['1,NGN,1000,75', '1,NGN,800,60', ',NGN,,75', ',NGN,,60', ',NGN,,15', ',NGN,1000,75', ',NGN,800,60'])
  expect(csv).toContain(invoiceNumber)
  const pdf = await fetched('pdf')
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  const textOf = async (file: Response) => JSON.stringify(await readPdf(Buffer.from(await file.arrayBuffer())))
  const text = await textOf(pdf)
  for (const words of ['Output tax', '75.00', 'Open: figures can still change', 'To pay']) expect(text).toContain(words)
  await received(own, '2026-10-11', { net: 800 })
  ok(await close(own, '2026-10'))
  const closed = await textOf(await fetched('pdf'))
  for (const words of ['Closed on 15 November 2026', 'In your favour', '45.00']) expect(closed).toContain(words)
  expect(closed).not.toMatch(/To pay|[-−]45/)
  expect((await fetch(new URL('/downloads/tax-return/forged', app.url))).status).toBe(404)
})

test('a month with too many documents is read page by page', async () => {
  const own = await business()
  await accepted(own, '2026-10-05', 1000)
  await app.runtime.db.run(sql`
    insert into tax_moves (organisation_id, mode, period, section, code, rate, message, cause, document_id, document_number, document_type,
                           document_date, currency, net_minor, tax_minor, documents)
    select organisation_id, mode, period, section, code, rate, message, cause, gen_random_uuid(), document_number, document_type,
           document_date, currency, net_minor, tax_minor, documents
      from tax_moves cross join generate_series(1, 20000) where organisation_id = ${own.organisationId}`)
  const { token } = own
  expectRefusal(await app.a.get(`${path}/2026-10/download?format=csv`, { token }), 'tax_return.too_long')
  expect(await read(own, '2026-10')).toMatchObject({ figures: [{ documents: 20_001, taxMinor: 150_007_500 }] })
  expect(await documents(own, '2026-10', '?limit=2')).toHaveLength(2)
  expect(ok(await close(own, '2026-10'))).toMatchObject({ outputTaxMinor: 150_007_500 })
})

test('modes and organisations are apart, and wrong months are refused', async () => {
  const [one, other] = [await business(), await issuer(app)]
  await accepted(one, '2026-10-05', 1000)
  expect(ok(await app.a.get(`${path}/2026-10`, { token: other.token })).figures).toEqual([])
  const live = await app.key(one.organisationId, { mode: 'live' })
  expect(ok(await app.a.get(`${path}/2026-10`, { token: live })).figures).toEqual([])
  for (const wrong of ['2026-13', '2026-00', '9999-12', '2026', 'october'])
    expect((await app.a.get(`${path}/${wrong}`, { token: one.token })).status, wrong).toBe(400)
})

test('two requests at once close a month once', async () => {
  const own = await business()
  await accepted(own, '2026-10-05', 1000)
  const statuses = (await Promise.all([close(own, '2026-10'), close(own, '2026-10')])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 409])
})

/** What all documents count for now, from the documents themselves. */
async function truthOf({ organisationId }: Business): Promise<number> {
  const { tax } = await app.runtime.db.one<{ tax: number }>(sql`
    select (select coalesce(sum(case when type = 'credit_note' then -tax_minor else tax_minor end), 0) from invoices
             where organisation_id = ${organisationId} and status in ('accepted', 'cancelled'))::int
         - (select coalesce(sum(claimable_minor), 0) from received_invoices where organisation_id = ${organisationId})::int as tax`)
  return tax
}

test('whatever happens after closing, closed months stay, and all returns add up to the documents', async () => {
  const chance = seeded(20_261_118)
  const among = <Item>(items: readonly Item[]): Item => items[Math.floor(chance() * items.length)] as Item
  const own = await business()
  const bought: string[] = []
  for (const day of ['2026-08-03', '2026-09-09', '2026-10-10']) bought.push(await received(own, day, { net: 800 }))
  const issued: string[] = []
  const closed = new Map<string, unknown>()
  const open = ['2026-08', '2026-09', '2026-10']
  const figuresOf = async (period: string) => {
    const { documentsNotAccepted: _, ...rest } = await read(own, period)
    return { ...rest, lines: await documents(own, period) }
  }
  const steps = {
    issue: async () => {
      const day = `${among(['2026-08', '2026-09', '2026-10', '2026-11'])}-0${1 + Math.floor(chance() * 9)}`
      issued.push(
        (await own.life.issued({ ...priced(Math.floor(chance() * 900) + 1), invoiceDate: day, dueDate: null })).id,
      )
    },
    move: async () => {
      if (issued.length > 0)
        await own.life.become(among(issued), among(['accepted', 'accepted', 'cancelled', 'rejected']))
    },
    credit: async () => {
      await received(own, among(['2026-09-20', '2026-10-20', '2026-11-02']), { net: 200, credits: among(bought) })
    },
    claim: async () => {
      const isClaimable = chance() < 0.5
      await app.runtime.db.run(sql`
        update received_invoices
           set is_claimable = ${isClaimable}, claim_rule = ${isClaimable ? 'claimable' : 'rejected'},
               claimable_minor = case when ${isClaimable} then input_tax_minor else 0 end, return_tax_minor = null
         where organisation_id = ${own.organisationId} and reference = ${among(bought)} and corrects = '{}'
           and return_tax_minor is null`)
    },
    close: async () => {
      const period = open.shift()
      if (period === undefined) return
      ok(await close(own, period))
      closed.set(period, await figuresOf(period))
    },
  }
  const plan = ['issue', 'issue', 'move', 'move', 'move', 'claim'] as const
  for (let step = 0; step < 90; step++) {
    await steps[step % 30 === 29 ? 'close' : step % 18 === 10 ? 'credit' : among(plan)]()
    if (step % 5 !== 0) continue
    for (const [period, figures] of closed) expect(await figuresOf(period), `step ${step}, ${period}`).toEqual(figures)
    const listed = ok(await app.a.get(path, { token: own.token }))
    const sum = listed.reduce((total: number, { payableMinor }: { payableMinor: number }) => total + payableMinor, 0)
    expect(sum, `step ${step}`).toBe(await truthOf(own))
  }
  expect(closed.size).toBe(3)
})
