import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { expectRefusal } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { toyAuthority } from '../toy-country/client.ts'
import { toyCountry } from '../toy-country/rules.ts'
import { startToyAuthority, type ToySimulator } from '../toy-country/simulator.ts'
import { ok, type Person, signUp } from './telling.ts'

let authority: ToySimulator
let app: TestApp
beforeAll(async () => {
  authority = await startToyAuthority()
  app = await startTestApp({
    now: '2026-05-04T08:00:00Z',
    countries(outbound) {
      const client = toyAuthority({ outbound, baseUrl: authority.url })
      const of = (country: string | undefined) => (country === 'BV' ? toyCountry : undefined)
      const reach = (country: string, mode: string) => (of(country) && mode === 'sandbox' ? client : undefined)
      return { all: [toyCountry], of, authority: reach, authorityForWork: reach }
    },
  })
})
afterAll(async () => {
  await app.close()
  await authority.close()
})

const invoices = '/i/v1/invoices'
const address = { line1: '1 Ice Road', city: 'Nyrøysa', country: 'BV' }

async function connected(email: string): Promise<Person> {
  const names = { firstName: 'Pia', lastName: 'Penguin', organizationName: 'Penguin Stores', country: 'BV' }
  const person = await signUp(app, app.a, email, names)
  const { token } = person
  await eventually(async () => expect((await ok(app.a.get('/i/v1/sellers', { token }))).data).toHaveLength(1))
  await ok(
    app.a.post('/i/v1/tax-connection', {
      token,
      body: {
        authorityIdentifiers: { businessId: randomUUID(), serviceId: 'TILL' },
        consent: { accepted: true, textVersion: '1' },
      },
    }),
  )
  return person
}

async function finalised({ token }: Person, unitPrice: string) {
  const { data: buyer } = await ok(
    app.a.post('/i/v1/buyers', {
      token,
      body: { name: 'Seal & Sons', taxId: `T-${1000 + authority.held.size}`, address },
    }),
  )
  const { data: draft } = await ok(
    app.a.post(invoices, {
      token,
      body: {
        buyerId: buyer.id,
        invoiceKind: 'B2B',
        invoiceDate: '2026-05-04',
        dueDate: '2026-06-04',
        currency: 'ISK',
        lineItems: [{ description: 'Fish', quantity: '3', unitCode: 'EA', unitPrice, taxCategory: 'standard' }],
      },
    }),
  )
  return (await ok(app.a.post(`${invoices}/${draft.id}/finalise`, { token }))).data
}

test('a shop reports to an authority that gives the numbers, answers later and knows no decimals', async () => {
  const pia = await connected('pia@penguin.test')
  const { token } = pia
  const { id, payableMinor, taxMinor, lineItems } = await finalised(pia, '333.5')
  // 3 × 333.5 is 1000.5: rounded to whole krónur, with 10 % tax.
  expect([payableMinor, taxMinor, lineItems[0].unitPrice]).toEqual([1101, 100, '333.5'])

  await ok(app.a.post(`${invoices}/${id}/submit`, { token }))
  const accepted = await eventually(async () => {
    const { data } = await ok(app.a.get(`${invoices}/${id}`, { token }))
    expect(data.status).toBe('accepted')
    return data
  })
  expect(accepted.reporting).toMatchObject({ status: 'reported', irn: 'TOY-000001' })
  expect([...authority.held.values()].map(({ document }) => document.total)).toEqual([1101])

  const cancelled = await app.a.post(`${invoices}/${id}/cancel`, { token, body: { reason: 'a slip' } })
  expectRefusal(cancelled, 'invoice.cancel.not_offered')
  expect(cancelled.body.error.message).toContain('does not cancel documents')

  const tooFine = await app.a.post(`${invoices}/${id}/payments`, {
    token,
    body: { amount: '0.5', paidOn: '2026-05-04' },
  })
  expectRefusal(tooFine, 'request.invalid')
  await ok(app.a.post(`${invoices}/${id}/payments`, { token, body: { amount: '1101', paidOn: '2026-05-04' } }))
  expect((await ok(app.a.get(`${invoices}/${id}`, { token }))).data).toMatchObject({
    dueMinor: 0,
    paymentStatus: 'paid',
  })

  const fileOf = async (format: string) => {
    const { data } = await ok(app.a.get(`${invoices}/${id}/download?format=${format}`, { token }))
    const { pathname, search } = new URL(data.url)
    return await (await fetch(`${app.url}${pathname}${search}`)).text()
  }
  expect(await fileOf('pdf')).toMatch(/^%PDF/)
  const xml = await fileOf('xml')
  expect(xml).toContain('currencyID="ISK">1101<')
  expect(xml).toContain('TOY-000001')
})

test('a document that the authority refuses later is rejected with its words', async () => {
  const olga = await connected('olga@penguin.test')
  const { token } = olga
  const { id } = await finalised(olga, '900000')
  await ok(app.a.post(`${invoices}/${id}/submit`, { token }))
  await eventually(async () =>
    expect((await ok(app.a.get(`${invoices}/${id}`, { token }))).data.status).toBe('rejected'),
  )
  const status = await ok(app.a.get(`${invoices}/${id}/status`, { token }))
  expect(status.text).toContain('The total is above one million.')
})

test('prices, discounts, fees, allowances, charges and credits have no decimals either', async () => {
  const { token } = await connected('rolf@penguin.test')
  const { data: item } = await ok(
    app.a.post('/i/v1/items', {
      token,
      body: {
        name: 'Guided fishing',
        itemType: 'service',
        serviceCode: 'FISH',
        productCategory: 'Tours',
        unitCode: 'EA',
        unitPriceMinor: '250.5',
        currency: 'ISK',
        taxCategory: 'standard',
      },
    }),
  )
  const line = { itemId: item.id, quantity: '2', discountAmount: '50', feeAmount: 10 }
  const body = { invoiceKind: 'B2C', invoiceDate: '2026-05-04', currency: 'ISK', lineItems: [line] }
  const { data: draft } = await ok(
    app.a.post(invoices, { token, body: { ...body, allowanceAmount: '61', chargeAmount: '100' } }),
  )
  // 2 × 250.5 − 50 + 10 is 461; less 61 and plus 100 it is 500, with 10 % tax 550.
  expect(draft).toMatchObject({ payableMinor: 550, allowanceAmount: '61', chargeAmount: '100', chargeMinor: 100 })
  expect(draft.lineItems[0]).toMatchObject({ unitPrice: '250.5', discountAmount: '50', feeAmount: '10', netMinor: 461 })

  const tooFine = { path: 'allowanceAmount', message: 'must have at most 0 decimals' }
  const change = await app.a.patch(`${invoices}/${draft.id}`, { token, body: { allowanceAmount: '0.5' } })
  expectRefusal(change, 'request.invalid')
  expect(change.body.error.details).toEqual([expect.objectContaining(tooFine)])

  await ok(app.a.post(`${invoices}/${draft.id}/finalise`, { token }))
  const credit = (amount: string) =>
    app.a.post(`${invoices}/${draft.id}/credit-notes`, { token, body: { reason: 'Fog', amount } })
  expectRefusal(await credit('0.5'), 'request.invalid')
  expect((await ok(credit('110'))).data).toMatchObject({ payableMinor: 110, taxMinor: 10 })
})

test('the API lists the country with its defaults, for programs and pages', async () => {
  const { data } = await ok(app.a.get('/i/v1/jurisdictions', {}))
  expect(data).toEqual([
    expect.objectContaining({
      country: 'BV',
      currencies: [{ code: 'ISK', decimals: 0 }],
      taxCategories: [
        { code: 'FULL', label: 'Sales tax', rate: '10' },
        { code: 'FREE', label: 'No tax', rate: '0' },
      ],
      authorityReferenceName: 'Receipt number',
      districtName: null,
    }),
  ])
})
