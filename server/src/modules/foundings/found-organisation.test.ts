import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { buyerDetails, invoiceBody } from '../../../../test/harness/invoices.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const auth = '/a/v1/auth'
const form = (email: string, organizationName: string) => ({
  email,
  password: 'correct horse battery',
  firstName: 'Ada',
  lastName: 'Obi',
  organizationName,
  country: 'NG',
})
const primarySellersOf = (name: string) =>
  app.runtime.db.rows<{ name: string }>(sql`
    select s.name from organisations o join sellers s on s.organisation_id = o.id and s.is_primary where o.name = ${name}`)
const newestCode = async (email: string, mails: number) =>
  /\b\d{6}\b/.exec((await app.mailTo(email, mails))[0]?.text ?? '')?.[0] as string

describe.each(['A', 'B'] as const)('in form %s', (name) => {
  test('the seller exists as soon as the organisation, without a background job', async () => {
    const client = app.client(name)
    const email = `r${randomUUID()}@example.test`
    const business = `Obi Foods ${randomUUID()}`
    await app.stopWork()
    expect((await client.post(`${auth}/register`, { body: form(email, business) })).status).toBe(201)
    expect(await primarySellersOf(business)).toEqual([{ name: business }])
    await app.startWork()
    const code = await newestCode(email, 1)
    const verified = await client.post(`${auth}/verify-email`, { body: { email, code } })
    const { accessToken: token, organizationId } = verified.data
    const sellers = await client.get('/i/v1/sellers', { token })
    expect(sellers.data).toHaveLength(1)
    await app.openAccount(organizationId)
    const buyer = await app.a.post('/i/v1/buyers', { token, body: buyerDetails })
    const ids = { buyerId: buyer.data.id, sellerId: sellers.data[0].id }
    const draft = await client.post('/i/v1/invoices', { token, body: invoiceBody[name](ids) })
    expect(draft.status, draft.text).toBe(201)
    const issued = await app.a.post(`/i/v1/invoices/${draft.data.id}/finalise`, { token })
    expect(issued.status, issued.text).toBe(200)
  })

  test('the seller has the name of the verified registration', async () => {
    const client = app.client(name)
    const email = `r${randomUUID()}@example.test`
    await client.post(`${auth}/register`, { body: form(email, 'Somebody Else Ltd') })
    await newestCode(email, 1)
    await client.post(`${auth}/register`, { body: form(email, 'Obi Foods Ltd') })
    const code = await newestCode(email, 2)
    const verified = await client.post(`${auth}/verify-email`, { body: { email, code } })
    expect(verified.status, verified.text).toBe(200)
    const [seller] = (await client.get('/i/v1/sellers', { token: verified.data.accessToken })).data
    expect(seller.name ?? seller.partyName).toBe('Obi Foods Ltd')
  })
})

test.each([
  ['a further organisation', {}],
  ['a child', { asChild: true }],
])('%s has its seller at once', async (_, more) => {
  const { token } = await app.person()
  await app.stopWork()
  const body = { businessName: 'Second Ltd', email: 's@eze.ng', taxNo: '40000002-0001', ...more }
  const made = await app.b.post('/a/v1/organizations', { token, body })
  expect(made.status, made.text).toBe(201)
  const rows = await app.runtime.db.rows(
    sql`select name, is_primary, tax_id from sellers where organisation_id = ${made.data.id}`,
  )
  expect(rows).toEqual([{ name: 'Second Ltd', isPrimary: true, taxId: '40000002-0001' }])
  await app.startWork()
})
