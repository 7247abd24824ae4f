import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { lifeOf } from '../../../../test/harness/issued.ts'
import { becomeBusiness } from '../../../../test/harness/live-business.ts'
import { type StubAnswer, StubServer } from '../../../../test/harness/stub-server.ts'
import { sql } from '../../platform/database/sql.ts'
import { reportTax, type TaxReportInput } from './report-tax.ts'

const businessId = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const validate = '/api/v1/invoice/irn/validate'
const postPayment = '/api/v1/vat/postpayment'

const said = (code: number, data: object): StubAnswer => ({ status: code, body: { code, data } })
const refused = (details: string): StubAnswer => ({
  status: 400,
  body: {
    code: 400,
    data: null,
    message: 'error has occurred',
    error: { id: randomUUID(), handler: 'handler', details, public_message: 'validation failed' },
  },
})
const record = {
  id: businessId,
  businesses: [
    {
      id: businessId,
      name: 'EZE STORES',
      tin: '29445920-0001',
      irn_template: '{{invoice_id(e.g:INV00XXX)}}-59854B81-{{YYYYMMDD(e.g:20250629)}}',
    },
  ],
}

let authority: StubServer
let app: TestApp
/** The authority's answer to each request. */
let answers: Record<string, StubAnswer>
beforeAll(async () => {
  authority = await new StubServer().start()
  authority.answer = ({ path }) => answers[path] ?? refused('no such document')
  app = await startTestApp({ authority: ['sandbox', 'live'], authorityUrl: authority.url })
})
afterAll(async () => {
  await app.close()
  await authority[Symbol.asyncDispose]()
})
beforeEach(() => {
  authority.requests.length = 0
  answers = {
    '/api': { body: { healthy: true } },
    [`/api/v1/entity/${businessId}`]: said(200, record),
    '/api/v1/utilities/verify-tin/': said(200, { tin: '29445920-0001', taxpayer_name: 'EZE STORES' }),
    [validate]: said(200, { ok: true }),
    [postPayment]: said(201, { ok: true }),
  }
})
const asked = (path: string) => authority.requests.filter((request) => request.path === path)

/** As if its key file had been uploaded. */
const connectLive = async ({ token, organisationId }: Issuer, more: object = {}) => {
  await becomeBusiness(app, { token }, { name: 'EZE STORES', taxId: '29445920-0001' })
  const body = { nrsBusinessId: businessId, nrsServiceId: '59854B81', ...more }
  const reply = await app.b.put('/a/v1/organizations/me/tax-registration', { token, body })
  expect(reply.status, reply.text).toBe(200)
  await app.owner.run(sql`
    update tax_connections set status = 'connected', problem = null, connected_at = now()
     where organisation_id = ${organisationId} and mode = 'live'`)
}
/** In live mode, a business belongs to one organisation. */
const disconnect = ({ token }: Issuer) => app.b.post('/a/v1/organizations/me/tax-registration/revoke', { token })

const connect = async ({ token }: Issuer, more: object = {}) => {
  const body = { nrsBusinessId: businessId, nrsServiceId: '59854B81', ...more }
  expect((await app.b.put('/a/v1/organizations/me/tax-registration', { token, body })).status).toBe(200)
}

const declaration = (more: object = {}) => ({
  invoiceReference: 'INV000001',
  supplierTaxId: '29445920-0001',
  buyerTaxId: '12345678-0001',
  baseAmount: 13_501.5,
  taxAmount: 1_012.61,
  taxRate: 7.5,
  totalAmount: 14_514.11,
  currency: 'NGN',
  transactionDate: '2026-11-02',
  ...more,
})
const declare = ({ token }: { token: string }, id: string, more: object = {}) =>
  app.b.post(`/i/v1/invoices/${id}/tax-report`, { token, body: declaration(more) })

describe('a reference', () => {
  const check = ({ token }: { token: string }, more: object = {}) =>
    app.b.post('/i/v1/invoices/reference/validate', {
      token,
      body: { reference: 'INV000001-59854B81-20261102', businessId, ...more },
    })

  test('that the authority would accept is valid', async () => {
    const { status, data } = await check(await app.person(), { externalReference: 'INV000001' })
    expect(status).toBe(200)
    expect(data).toEqual({ reference: 'INV000001-59854B81-20261102', businessId, valid: true, reasons: [] })
    expect(JSON.parse(asked(validate)[0]?.body ?? '')).toEqual({
      invoice_reference: 'INV000001',
      business_id: businessId,
      irn: 'INV000001-59854B81-20261102',
    })
  })

  test('that the authority would refuse is invalid, with the reason', async () => {
    answers[validate] = refused('irn validation failed for this business, refer to the template and try again')
    const { status, data } = await check(await app.person())
    expect([status, data.valid]).toEqual([200, false])
    expect(data.reasons).toEqual([expect.stringMatching(/\S/)])
  })

  test.each([
    ['a web page', { body: '<html></html>' }],
    ['an error of its own', { status: 500, body: {} }],
    ['yes to another one', said(200, { ok: true, irn: 'INV9-59854B81-20261102' })],
    ['neither yes nor no', said(200, { ok: 'perhaps' })],
    ['what may mean anything', refused('unable to complete this operation at this time, kindly try again later')],
  ])('about which it says %s is not judged', async (_, answer) => {
    answers[validate] = answer
    const reply = await check(await app.person())
    expectRefusal(reply, 'authority.unavailable')
    expect([reply.status, reply.body.error.code]).toEqual([502, 'TAX001'])
  })

  test('is checked with the keys of the connection', async () => {
    const own = await issuer(app)
    await connect(own, { nrsApiKey: 'own-key', nrsApiSecret: 'own-secret' })
    await check(own)
    expect(asked(validate)[0]?.headers).toMatchObject({ 'x-api-key': 'own-key', 'x-api-secret': 'own-secret' })
    await connect(own)
    await check(own)
    expect(asked(validate)[1]?.headers['x-api-key']).not.toBe('own-key')
  })

  test.each([
    [{ reference: ' ' }, ['reference']],
    [{ businessId: 'x', more: 1 }, ['businessId', 'more']],
  ])('with %o is refused', async (more, paths) => {
    const reply = await check(await app.person(), more)
    expectRefusal(reply, 'request.invalid')
    expect(faultPaths(reply)).toEqual(paths)
    expect(asked(validate)).toEqual([])
  })
})

describe('in live mode', () => {
  const check = ({ token }: { token: string }, about = businessId) =>
    app.b.post('/i/v1/invoices/reference/validate', {
      token,
      body: { reference: 'INV000001-59854B81-20261102', businessId: about },
    })

  test('references of another business cannot be checked', async () => {
    const own = await issuer(app, { mode: 'live' })
    const expectNotTheirs = async (who: { token: string }, about?: string) => {
      const reply = await check(who, about)
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(['businessId'])
    }
    await expectNotTheirs(own)
    await connectLive(own)
    expect((await check(own, businessId.toUpperCase())).data.valid).toBe(true)
    await expectNotTheirs(own, randomUUID())
    // An attempt to connect as a business is no connection.
    const stranger = await issuer(app, { mode: 'live' })
    const body = { nrsBusinessId: businessId, nrsServiceId: '59854B81' }
    const refused = await app.b.put('/a/v1/organizations/me/tax-registration', { token: stranger.token, body })
    expectRefusal(refused, 'tax_connection.not_verified')
    await expectNotTheirs(stranger)
    expect(asked(validate)).toHaveLength(1)
    // An organisation's own keys open what the authority allows them to open.
    await connectLive(own, { nrsApiKey: 'own-key', nrsApiSecret: 'own-secret' })
    expect((await check(own, randomUUID())).status).toBe(200)
    await disconnect(own)
    await expectNotTheirs(own)
  })

  test('tax cannot be declared for an invoice of another seller', async () => {
    const own = await issuer(app, { mode: 'live' })
    await connectLive(own)
    const invoice = await lifeOf(app, own).issued()
    const declared = await declare(own, invoice.id, { supplierTaxId: '12345678-0001' })
    expectRefusal(declared, 'request.invalid')
    expect(faultPaths(declared)).toEqual(['supplierTaxId'])
    expect(asked(postPayment)).toEqual([])
    const reply = await declare(own, invoice.id)
    expect(reply.status, reply.text).toBe(201)
    await disconnect(own)
  })
})

describe('a declaration', () => {
  const kept = ({ organisationId }: Issuer) =>
    app.runtime.db.rows<{ status: string }>(
      sql`select status from tax_reports where organisation_id = ${organisationId} order by id`,
    )
  const issued = async () => {
    const own = await issuer(app)
    await connect(own)
    return { own, invoice: await lifeOf(app, own).issued() }
  }

  test('is sent in the authority’s format, and stored', async () => {
    const { own, invoice } = await issued()
    const reply = await declare(own, invoice.id)
    expect(reply.status, reply.text).toBe(201)
    expect(reply.data).toMatchObject({
      invoiceId: invoice.id,
      status: 'reported',
      invoiceReference: 'INV000001-59854B81-20261102',
      totalAmount: 14_514.11,
      taxRate: 7.5,
      reportedAt: expect.any(String),
    })
    expect(JSON.parse(asked(postPayment)[0]?.body ?? '')).toMatchObject({
      agent_tin: '29445920-0001',
      beneficiary_tin: '12345678-0001',
      irn: 'INV000001-59854B81-20261102',
      base_amount: '13501.50',
      vat_calculated: '1012.61',
      total_amount: '14514.11',
      vat_rate: '7.5',
      transaction_date: '2026-11-02',
      integrator_service_id: '59854B81',
    })
    expect((await declare(own, invoice.id, { invoiceReference: 'INV000001-59854B81-20261102' })).status).toBe(201)
    expect(await kept(own)).toEqual([{ status: 'reported' }, { status: 'reported' }])
  })

  test('that is refused shows the reason', async () => {
    const { own, invoice } = await issued()
    answers[postPayment] = refused('agent_tin is not registered')
    const reply = await declare(own, invoice.id)
    expectRefusal(reply, 'tax_report.refused')
    expect([reply.status, reply.body.error.code]).toEqual([400, 'TAX001'])
    expect(await kept(own)).toEqual([{ status: 'refused' }])
  })

  test('that ended as unknown becomes reported when the answer comes late', async () => {
    const { own, invoice } = await issued()
    const { caller } = await app.runtime.authentication.authenticate(own.token)
    const answer = Promise.withResolvers<{ kind: 'done' }>()
    const input: TaxReportInput = {
      invoiceId: invoice.id as TaxReportInput['invoiceId'],
      reference: 'INV000001',
      sellerTaxId: '29445920-0001',
      buyerTaxId: '12345678-0001',
      description: null,
      currency: 'NGN',
      reportDate: '2026-11-02',
      baseMinor: 1_350_150n,
      taxMinor: 101_261n,
      otherTaxesMinor: 0n,
      totalMinor: 1_451_411n,
      rate: '7.5',
    }
    app.patience(50)
    try {
      const asking = app.runner.run({ ...reportTax, call: () => answer.promise }, { caller, origin, input })
      await expect(asking).rejects.toMatchObject({ refusal: 'authority.unavailable' })
    } finally {
      app.patience()
    }
    expect(await kept(own)).toEqual([{ status: 'unknown' }])
    answer.resolve({ kind: 'done' })
    await eventually(async () => expect(await kept(own)).toEqual([{ status: 'reported' }]))
  })

  test('without a clear answer is unknown', async () => {
    const { own, invoice } = await issued()
    answers[postPayment] = { status: 500, body: {} }
    const reply = await declare(own, invoice.id)
    expectRefusal(reply, 'authority.unavailable')
    expect(reply.status).toBe(502)
    expect(await kept(own)).toEqual([{ status: 'unknown' }])
  })

  test.each([
    [{ totalAmount: 14_514.12 }, ['totalAmount']],
    [{ baseAmount: -1, taxAmount: 1.001, taxRate: 101 }, ['baseAmount', 'taxAmount', 'taxRate']],
    [
      { invoiceReference: 'INV000002', supplierTaxId: 'x', buyerTaxId: 'y' },
      ['buyerTaxId', 'invoiceReference', 'supplierTaxId'],
    ],
    [{ currency: 'JPY', transactionDate: '2026-02-30' }, ['currency', 'transactionDate']],
    [{ invoiceReference: undefined }, ['invoiceReference']],
  ])('with %o is refused', async (more, paths) => {
    const { own, invoice } = await issued()
    const reply = await declare(own, invoice.id, more)
    expectRefusal(reply, 'request.invalid')
    expect(faultPaths(reply)).toEqual(paths)
    expect(asked(postPayment)).toEqual([])
    expect(await kept(own)).toEqual([])
  })

  test('needs an issued invoice of the organisation, and a connection', async () => {
    const { own, invoice } = await issued()
    const draft = await lifeOf(app, own).draft()
    const refusedDraft = await declare(own, draft.id)
    expectRefusal(refusedDraft, 'tax_report.draft')
    expect([refusedDraft.status, refusedDraft.body.error.code]).toEqual([400, 'BIZ004'])
    const { own: other } = await issued()
    expectRefusal(await declare(other, invoice.id), 'resource.not_found')
    expectRefusal(await declare(own, randomUUID()), 'resource.not_found')
    await app.b.post('/a/v1/organizations/me/tax-registration/revoke', { token: own.token })
    const revoked = await declare(own, invoice.id)
    expectRefusal(revoked, 'authority.not_connected')
    expect([revoked.status, revoked.body.error.code]).toEqual([403, 'BIZ006'])
    expect(asked(postPayment)).toEqual([])
  })
})
