import { expect, test } from 'vitest'
import { startTestApp } from '../harness/app.ts'
import { expectRefusal } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { rowsLeft } from './rows-left.ts'
import { comeBack, ok, signUp } from './telling.ts'

const business = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const serviceId = '94ND90NR'
const inbound = '/i/v1/inbound-invoices'

/** The differences between the two forms. The story itself uses none of them directly. */
const tongues = {
  A: [
    'post',
    '/i/v1/tax-connection',
    {
      authorityIdentifiers: { businessId: business, serviceId },
      consent: { accepted: true, textVersion: '2026-11' },
    },
  ],
  B: ['put', '/a/v1/organizations/me/tax-registration', { nrsBusinessId: business, nrsServiceId: serviceId }],
} as const

/** A week in which a shop receives invoices from its suppliers, through one form. */
async function tell(form: 'A' | 'B') {
  const app = await startTestApp({ authority: ['sandbox'], now: '2026-05-04T08:00:00Z' })
  try {
    const client = app.client(form)
    const names = { firstName: 'Tunde', lastName: 'Bakare', organizationName: 'Bakare' }
    const tunde = await signUp(app, client, 'tunde@shop.test', names)
    await eventually(async () =>
      expect((await ok(client.get('/i/v1/sellers', { token: tunde.token }))).data).toHaveLength(1),
    )
    const read = async (query = '') => (await ok(client.get(`${inbound}${query}`, { token: tunde.token }))).data
    const send = (body: object) =>
      ok(client.post('/sandbox/v1/received-invoices', { token: tunde.token, body })).then(
        ({ data }) => data.authorityReference as string,
      )
    const untilThere = (count: number) =>
      eventually(async () => {
        const { items } = await read('?transmissionStatus=acknowledged')
        expect(items).toHaveLength(count)
        return items
      })

    // Monday: a shop without a connection cannot receive invoices. Then it connects.
    const early = await client.post('/sandbox/v1/received-invoices', { token: tunde.token, body: {} })
    expectRefusal(early, 'authority.not_connected')
    expect(await read()).toMatchObject({ items: [], sync: { connected: false } })
    const [verb, at, body] = tongues[form]
    await ok(client[verb](at, { token: tunde.token, body }))
    await app.quiet()

    // Tuesday: the timber merchant's invoice arrives, and its VAT is deductible.
    app.clock.set('2026-05-05T09:00:00Z')
    await comeBack(client, tunde)
    const merchant = { sellerName: 'Oke Wood Works', sellerTaxId: '20198222-0002' }
    const timber = await send({
      ...merchant,
      invoiceNumber: 'OW77',
      invoiceDate: '2026-05-04',
      dueDate: '2026-05-06',
      lineItems: [{ description: 'Planks', quantity: 10, unitPrice: '1500.50', hsnCode: '4407.10' }],
    })
    const [first] = await untilThere(1)
    expect(first).toMatchObject({ authorityReference: timber, payableMinor: 1_613_038, inputVat: { claimable: true } })

    // Wednesday: the authority is down. Stored invoices are readable, and the shop sees why no new ones arrive.
    app.clock.set('2026-05-06T09:00:00Z')
    await comeBack(client, tunde)
    app.authority.control.misbehave('down')
    await app.runJob('follow-feeds')
    await app.quiet()
    expect((await read()).sync.error).toMatch(/could not be read/)
    expect((await ok(client.get(`${inbound}/${first.id}`, { token: tunde.token }))).data.document.irn).toBe(timber)
    app.authority.control.misbehave(undefined)

    // Thursday: a credit note for broken planks arrives. The invoice is overdue by now.
    app.clock.set('2026-05-07T09:00:00Z')
    await comeBack(client, tunde)
    await send({
      ...merchant,
      invoiceType: 'credit_note',
      correctsReference: timber,
      invoiceNumber: 'OW78',
      invoiceDate: '2026-05-07',
      lineItems: [{ description: 'Broken planks', quantity: 2, unitPrice: '1500.50', hsnCode: '4407.10' }],
    })
    await untilThere(2)
    expect((await read()).sync.error).toBeNull()
    expect((await read('?paymentStatus=overdue')).items).toMatchObject([{ authorityReference: timber }])
    const { data: figures } = await ok(client.get(`${inbound}/analytics`, { token: tunde.token }))
    expect(figures).toMatchObject({ reportingCurrency: 'NGN', count: 2, creditNotes: 1, netMinor: 1_200_400 })
    const tables = [
      ['received_invoices', 'received_at'],
      ['received_references', 'seen_at'],
      ['events', 'created_at'],
    ] as const
    return await rowsLeft(app.runtime.db, tables)
  } finally {
    await app.close()
  }
}

/**
 * The authority's callback may arrive before or after the document, and decides when the payment status is read next.
 */
const withoutChecks = (rows: unknown[] | undefined) =>
  rows?.map((row) => ({ ...(row as object), payment_check_at: null, payment_checked_at: null, payment_checks: null }))

test('a company receives invoices of its suppliers, and both forms leave the same rows', async () => {
  const [throughA, throughB] = [await tell('A'), await tell('B')]
  const events = (rows: unknown[] | undefined) => rows?.map((event) => (event as { type: string }).type).sort()
  expect(events(throughB.events)).toEqual(events(throughA.events))
  expect(events(throughA.events)?.filter((type) => type === 'inbound_invoice.received')).toHaveLength(2)
  expect(throughB.received_references).toEqual(throughA.received_references)
  expect(withoutChecks(throughB.received_invoices)).toEqual(withoutChecks(throughA.received_invoices))
})
