import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { documentTo, type Receiver, receivedPath, receivers } from '../../../../../test/harness/receivers.ts'
import { arrived as arrivedAt, startReceiver } from '../../../../../test/harness/webhook-receiver.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())
afterEach(() => app.clock.set('2026-11-15T09:00:00Z'))

const { arrived, get, list, poll, receiver } = receivers(() => app)

const poison = ({ taxId }: Receiver, changes: object) =>
  app.authority.control.receive({ document: documentTo(taxId, changes), unchecked: true })
const metric = async (step: 'fetch' | 'keep'): Promise<number> => {
  const text = await (await fetch(`${app.url}/metrics`)).text()
  return Number(new RegExp(`^risiti_received_set_aside\\{step="${step}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}

describe('a document with a value that the database refuses', () => {
  test.each<[string, object]>([
    ['a type code with NUL', { invoice_type_code: '38\u00001' }],
    ['a reference with NUL', { billing_reference: [{ irn: 'X\u0000Y-59854B81-20261110' }] }],
    ['half a character', { invoice_kind: 'B2B\ud800', note: '\udfff' }],
  ])('%s is cleaned, stored and acknowledged', async (_, changes) => {
    const person = await receiver()
    const irn = poison(person, changes)
    await arrived(person, irn)
    await arrived(person, poison(person, {}))
  })

  test.each<[string, object]>([
    ['a due day that is in no calendar', { due_date: '2026-02-31' }],
    ['a day of the year 0', { due_date: '0000-01-01' }],
    [
      'taxes that come to more than a column holds',
      { tax_total: Array.from({ length: 100 }, () => ({ tax_amount: '999999999999999' })) },
    ],
  ])('%s is set aside with its reason, and the others continue', async (_, changes) => {
    const person = await receiver()
    const before = await metric('fetch')
    const irn = poison(person, changes)
    const good = [poison(person, {}), poison(person, {})]
    await poll()
    for (const one of good) await arrived(person, one)
    const [row] = await app.runtime.db.rows<{ problem: string; tries: number }>(
      sql`select problem, tries from received_references where reference = ${irn}`,
    )
    expect(row).toMatchObject({ problem: expect.stringMatching(/read/) })
    expect(await metric('fetch')).toBe(before + 1)
    expect((await get(person, irn)).status).toBe(404)
  })
})

test('a webhook contains amounts beyond binary numbers exactly', async () => {
  const person = await receiver()
  const endpoint = await startReceiver()
  try {
    const body = { url: `${endpoint.url}/exact`, events: ['inbound_invoice.received'] }
    expect((await app.a.post('/n/v1/webhook-endpoints', { token: person.token, body })).status).toBe(201)
    const totals = { ...documentTo('').legal_monetary_total, payable_amount: '90071992547409.93' }
    await arrived(person, poison(person, { legal_monetary_total: totals }))
    const [told] = await arrivedAt(endpoint, '/exact')
    expect(told?.body).toContain('"payableMinor":9007199254740993')
  } finally {
    await endpoint[Symbol.asyncDispose]()
  }
})

test('a document that the database refuses delays neither the others nor their acknowledgements', async () => {
  const [person, other] = [await receiver(), await receiver()]
  await app.owner.run(sql`alter table received_invoices add constraint doomed check (seller_name <> 'Doomed')`)
  const supplier = { ...documentTo('').accounting_supplier_party, party_name: 'Doomed' }
  const before = await metric('keep')
  let doomed = ''
  try {
    doomed = poison(person, { accounting_supplier_party: supplier })
    const good = Array.from({ length: 12 }, () => poison(person, {}))
    const elsewhere = poison(other, {})
    for (const one of good) await arrived(person, one)
    await arrived(other, elsewhere)
    await eventually(async () => expect(await metric('keep')).toBe(before + 1))
    const [row] = await app.runtime.db.rows(
      sql`select problem, tries from received_arrivals where reference = ${doomed}`,
    )
    expect(row).toEqual({ problem: 'the database refused it (23514)', tries: expect.any(Number) })
    expect((await list(person)).data.sync).toMatchObject({
      syncing: false,
      error: expect.stringMatching(/^1 of the documents .+ could not be stored/),
    })
    expect((await list(other)).data.sync.error).toBeNull()
  } finally {
    await app.owner.run(sql`alter table received_invoices drop constraint doomed`)
  }
  // The feed is shared: documents of the tests above that still cannot be read would put their error here.
  await app.owner.run(sql`update received_references set due_at = '2027-01-01' where is_open and problem is not null`)
  // The document is tried again, and stored once the cause is gone.
  app.clock.advance({ hours: 7 })
  const token = await app.key(person.organisationId)
  await poll()
  await arrived({ ...person, token }, doomed)
  expect((await list({ ...person, token })).data.sync.error).toBeNull()
  expect(await metric('keep')).toBe(before)
})

describe('older documents', () => {
  const load = async (person: Receiver) =>
    await app.a.post(`${receivedPath}/load-older`, { token: person.token, headers: {} })

  test('that cannot be read are recorded, so that the reading ends', async () => {
    const person = await receiver()
    await app.stopWork()
    try {
      const unreadable = Array.from({ length: 30 }, (_, at) =>
        poison(person, {
          irn: `BAD${at}${randomUUID().slice(0, 4).toUpperCase()}-59854B81-20261110`,
          due_date: '2026-02-31',
        }),
      )
      const good = poison(person, {})
      let calls = 0
      let last = (await load(person)).data
      for (; last.hasMore && calls < 20; calls++) last = (await load(person)).data
      expect(last.hasMore).toBe(false)
      expect(calls).toBeLessThan(10)
      expect((await get(person, good)).status).toBe(200)
      const noted = await app.runtime.db.rows(
        sql`select 1 from received_references where reference = any (${unreadable}::text[]) and problem is not null`,
      )
      expect(noted).toHaveLength(30)
    } finally {
      await app.startWork()
    }
  })

  test('need a limited number of queries per call', async () => {
    const person = await receiver()
    await app.stopWork()
    try {
      for (let at = 0; at < 40; at++) app.authority.control.receive({ buyerTin: person.taxId })
      const before = app.authority.control.requests.length
      const { data } = await load(person)
      expect(data).toMatchObject({ hasMore: true })
      expect(app.authority.control.requests.length - before).toBeLessThanOrEqual(31)
    } finally {
      await app.startWork()
    }
  })
})
