import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { invoicesPath, type Life, lifeOf, ok } from '../../../../../test/harness/issued.ts'
import { sql } from '../../../platform/database/sql.ts'
import { readPdf } from '../../documents/pdf/read-pdf.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const forms = ['A', 'B'] as const
const rates = '/i/v1/exchange-rates'
const importFile = (content: string, form: 'A' | 'B' = 'A') =>
  app.client(form).post(`${rates}/import`, { token: own.token, body: { content } })
/** 1,012.61 of VAT on an invoice of 2 November. */
const taxMinor = 101_261
const get = async (id: string, form: 'A' | 'B' = 'A') =>
  ok(await app.client(form).get(`${invoicesPath}/${id}`, { token: own.token }))
const patch = (id: string, body: object) => app.a.patch(`${invoicesPath}/${id}`, { token: own.token, body })
/** Links name the public address of the service. */
const here = (url: string): string => url.replace(new URL(url).origin, app.url)
const bytesOf = async (id: string, format: string) => {
  const { url } = ok(await app.a.get(`${invoicesPath}/${id}/download?format=${format}`, { token: own.token }))
  return Buffer.from(await (await fetch(here(url))).arrayBuffer())
}

describe.each(forms)('form %s', (form) => {
  const number = (text: string) => (form === 'A' ? text : Number(text))

  test('an entered rate is on the document once it is issued', async () => {
    const draft = await life.draft({ currency: 'USD', exchangeRate: number('1536.25') }, form)
    expect(draft).toMatchObject({ exchangeRate: '1536.25', homeTax: null })
    const issued = ok(await life.act(draft.id, 'finalise'))
    expect(issued.warnings).toEqual([])
    expect((await get(draft.id, form)).homeTax).toEqual({
      currency: 'NGN',
      taxMinor: Math.round(taxMinor * 1536.25),
      exchangeRate: '1536.25',
      rateDay: '2026-11-02',
      source: 'entered',
    })
  })

  test('without a rate it can be issued, with a warning', async () => {
    const body = invoiceBody[form](own, { currency: 'GBP' })
    const checked = ok(await app.client(form).post(`${invoicesPath}/validate`, { token: own.token, body }))
    const missing = expect.objectContaining({ path: 'exchangeRate', rule: 'rate_missing' })
    expect(checked).toMatchObject({ homeTax: null, advice: expect.arrayContaining([missing]) })
    const { id } = await life.draft({ currency: 'GBP' }, form)
    expect(ok(await app.client(form).post(`${invoicesPath}/${id}/finalise`, { token: own.token })).warnings).toEqual([
      missing,
    ])
    expect(await get(id, form)).toMatchObject({ homeTax: null })
  })

  test('a wrong rate is refused, and so is one on a document in the home currency', async () => {
    for (const [currency, rate] of [
      ['USD', '0'],
      ['USD', '-1'],
      ['USD', '1000000000'],
      ['NGN', '1'],
    ]) {
      const body = invoiceBody[form](own, { currency, exchangeRate: number(rate as string) })
      const reply = await app.client(form).post(invoicesPath, { token: own.token, body })
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(['exchangeRate'])
    }
  })

  test('a file of rates is saved as a whole, or every faulty row is named', async () => {
    const code = form === 'A' ? 'CHF' : 'CAD'
    const listed = async () => ok(await app.client(form).get(`${rates}?currency=${code}`, { token: own.token }))
    const faulty = await importFile(
      `currency,day,rate\n${code},2026-11-01,1700\n${code},2026-11-31,1700\nNGN,2026-11-01,1\n`,
      form,
    )
    expectRefusal(faulty, 'request.invalid')
    expect(faultPaths(faulty)).toEqual(['content.row[3].day', 'content.row[4].currency'])
    expect(await listed()).toEqual([])
    expect(ok(await importFile(`currency;day;rate\n${code};2026-11-01;1700.5\n`, form))).toEqual({ saved: 1 })
    expect(await listed()).toEqual([{ currency: code, day: '2026-11-01', rate: '1700.5' }])
  })
})

describe('by the table of rates', () => {
  beforeAll(async () => {
    ok(await importFile('currency,day,rate\nEUR,2026-10-26,1700\nEUR,2026-10-30,1702.4\nEUR,2026-11-03,1800\n'))
  })

  test('the rate of the issue date or the last one of the 7 days before counts, and stays once it is issued', async () => {
    const body = invoiceBody.A(own, { currency: 'EUR' })
    const homeTax = {
      currency: 'NGN',
      taxMinor: Math.round(taxMinor * 1702.4),
      exchangeRate: '1702.4',
      rateDay: '2026-10-30',
      source: 'table',
    }
    const checked = ok(await app.a.post(`${invoicesPath}/validate`, { token: own.token, body }))
    expect(checked).toMatchObject({ homeTax })
    expect(checked.advice.map(({ path }: { path: string }) => path)).not.toContain('exchangeRate')
    const { id } = await life.issued({ currency: 'EUR' })
    expect(await get(id)).toMatchObject({ exchangeRate: null, homeTax })
    ok(await importFile('currency,day,rate\nEUR,2026-11-02,9999\n'))
    expect(await get(id)).toMatchObject({ homeTax })
    await expect(app.runtime.db.run(sql`update invoices set home_tax = null where id = ${id}`)).rejects.toThrow(
      'an issued document cannot be changed',
    )
    // Reopened, it forgets the rate; issued again, it takes the one that counts now.
    ok(await life.act(id, 'reopen'))
    expect(await get(id)).toMatchObject({ homeTax: null })
    ok(await life.act(id, 'finalise'))
    expect((await get(id)).homeTax).toMatchObject({ exchangeRate: '9999', rateDay: '2026-11-02' })
    expect((await life.issued({ currency: 'EUR', invoiceDate: '2026-11-11' })).homeTax).toBeNull()
  })
})

test('a draft’s rate belongs to its currency', async () => {
  const { id } = await life.draft({ currency: 'USD', exchangeRate: '1500' })
  expect(ok(await patch(id, { notes: 'Later' }))).toMatchObject({ exchangeRate: '1500' })
  expect(ok(await patch(id, { exchangeRate: '1501.50' }))).toMatchObject({ exchangeRate: '1501.5' })
  expect(ok(await patch(id, { currency: 'GBP' }))).toMatchObject({ exchangeRate: null })
  expect(faultPaths(await patch(id, { currency: 'NGN', exchangeRate: '1' }))).toEqual(['exchangeRate'])
})

test.each(['credit', 'debit'] as const)('a %s note has the rate of its invoice with its day', async (kind) => {
  const invoice = await life.issued({ currency: 'USD', exchangeRate: '1536.25' })
  const { lineItems } = invoiceBody.A(own)
  const body = { reason: 'Corrected', ...(kind === 'debit' ? { lineItems } : {}) }
  const note = ok(await life.act(invoice.id, `${kind}-notes`, body), 201)
  expect(note).toMatchObject({ exchangeRate: null, homeTax: null })
  ok(await importFile('currency,day,rate\nUSD,2026-11-15,1700\n'))
  ok(await life.act(note.id, 'finalise'))
  const { homeTax } = await get(note.id)
  expect(homeTax).toMatchObject({ exchangeRate: '1536.25', rateDay: invoice.invoiceDate, source: 'original' })
  expect(homeTax.taxMinor).toBe(invoice.homeTax.taxMinor)
})

test('a note can have a rate of its own, and has that of its day if its invoice has none', async () => {
  const invoice = await life.issued({ currency: 'GBP' })
  expect(invoice.homeTax).toBeNull()
  ok(await importFile('currency,day,rate\nGBP,2026-11-14,1100.50\n'))
  const first = ok(await life.credit(invoice.id, { amount: '10.00' }), 201)
  ok(await life.act(first.id, 'finalise'))
  expect((await get(first.id)).homeTax).toMatchObject({
    exchangeRate: '1100.5',
    rateDay: '2026-11-14',
    source: 'table',
  })
  const second = ok(await life.credit(invoice.id, { amount: '10.00' }), 201)
  ok(await patch(second.id, { exchangeRate: '1099' }))
  ok(await life.act(second.id, 'finalise'))
  expect((await get(second.id)).homeTax).toMatchObject({ exchangeRate: '1099', source: 'entered' })
})

test('a rate that makes the total too large is refused', async () => {
  const tooMuch = { currency: 'USD', exchangeRate: '999999999' }
  expect(faultPaths(await app.a.post(invoicesPath, { token: own.token, body: invoiceBody.A(own, tooMuch) }))).toEqual([
    'exchangeRate',
  ])
  const high = { currency: 'EUR', invoiceDate: '2026-10-20', dueDate: null }
  ok(await importFile('currency,day,rate\nEUR,2026-10-20,999999999\n'))
  const body = invoiceBody.A(own, high)
  const checked = ok(await app.a.post(`${invoicesPath}/validate`, { token: own.token, body }))
  expect(checked.problems).toContainEqual(expect.objectContaining({ path: 'exchangeRate', rule: 'maximum' }))
  const { id } = await life.draft(high)
  const refused = await life.act(id, 'finalise')
  expectRefusal(refused, 'invoice.finalise.incomplete')
  expect(faultPaths(refused)).toEqual(['exchangeRate'])
})

test('PDF, page and UBL show the tax, and the tax return uses the same rate', async () => {
  const { id, homeTax } = await life.issued({ currency: 'USD', exchangeRate: '1536.25', invoiceDate: '2026-11-02' })
  const words = readPdf(await bytesOf(id, 'pdf'))
  expect(JSON.stringify(words)).toMatch(/1,536\.25/)
  const xml = (await bytesOf(id, 'xml')).toString()
  expect(xml).toContain('<cbc:TaxCurrencyCode>NGN</cbc:TaxCurrencyCode>')
  expect(xml).toContain(
    `<cac:TaxTotal><cbc:TaxAmount currencyID="NGN">${(homeTax.taxMinor / 100).toFixed(2)}</cbc:TaxAmount></cac:TaxTotal>`,
  )
  expect(xml).toContain('Exchange rate of 2026-11-02: 1 USD = 1536.25 NGN')
  const { url } = ok(await life.act(id, 'share'), 201)
  const page = await fetch(here(url))
  expect(await page.text()).toContain('at 1,536.25 for 1 USD on 2 November 2026')

  await life.become(id, 'accepted')
  const { documents } = ok(await app.a.get('/i/v1/tax-returns/2026-11/documents?section=output', { token: own.token }))
  const line = documents.find(({ documentId }: { documentId: string }) => documentId === id)
  expect(line).toMatchObject({ exchangeRate: '1536.25', taxMinor: homeTax.taxMinor })
})
