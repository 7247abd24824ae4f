import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { type Reporter, reporter } from '../../../../test/harness/reporters.ts'

let app: TestApp
let own: Reporter
let accepted: { id: string; invoiceNumber: string; reporting: { irn: string } }
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', authority: ['sandbox'] })
  own = await reporter(app)
  const { id } = await own.submitted()
  await own.until(id, 'accepted')
  accepted = (await app.a.get(`/i/v1/invoices/${id}`, { token: own.token })).data
})
afterAll(() => app.close())

test('a reference is valid until a document is registered under it', async () => {
  const { token } = own
  const { data } = await app.b.get('/a/v1/organizations/me/tax-registration', { token })
  const check = async (reference: string) =>
    (
      await app.b.post('/i/v1/invoices/reference/validate', {
        token,
        body: { reference, businessId: data.nrsBusinessId },
      })
    ).data
  const { irn } = accepted.reporting
  const [, serviceId] = irn.split('-')
  expect(await check(`FREE1-${serviceId}-20261115`)).toMatchObject({ valid: true, reasons: [] })
  expect(await check(irn)).toMatchObject({
    valid: false,
    reasons: ['A document is already registered under this reference.'],
  })
  const { valid, reasons } = await check('FREE1-SHORT-20261115')
  expect([valid, reasons]).toEqual([false, [expect.stringMatching(/\S/)]])
})

test('tax can be declared only on documents that the authority has', async () => {
  const { token } = own
  const declare = (id: string, invoiceReference: string) =>
    app.b.post(`/i/v1/invoices/${id}/tax-report`, {
      token,
      body: {
        invoiceReference,
        supplierTaxId: '29445920-0001',
        buyerTaxId: '12345678-0001',
        baseAmount: 13_501.5,
        taxAmount: 1_012.61,
        taxRate: 7.5,
        totalAmount: 14_514.11,
        currency: 'NGN',
        transactionDate: '2026-11-15',
      },
    })
  for (const reference of [accepted.reporting.irn, accepted.invoiceNumber]) {
    const { status, data } = await declare(accepted.id, reference)
    expect(status).toBe(201)
    expect(data).toMatchObject({ status: 'reported', invoiceReference: accepted.reporting.irn, taxAmount: 1_012.61 })
  }
  const issued = await own.life.issued()
  const refused = await declare(issued.id, issued.invoiceNumber)
  expectRefusal(refused, 'tax_report.refused')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'TAX001'])
})
