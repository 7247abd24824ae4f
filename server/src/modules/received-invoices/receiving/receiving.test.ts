import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
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

const { arrived, connect, get, items, list, poll, receiver, sent } = receivers(() => app)

describe('a document is stored once', () => {
  test('despite repetitions in the feed and forged or repeated callbacks', async () => {
    const person = await receiver()
    app.authority.control.behave({ callbacks: 'twice' })
    const item = await sent(person)
    const ring = (body: string) =>
      fetch(`${app.url}/notifications/authority/NG/sandbox`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    const told = JSON.stringify({ irn: item.authorityReference, message: 'TRANSMITTING' })
    for (let times = 0; times < 3; times++) expect((await ring(told)).status).toBe(200)
    const forged = JSON.stringify({ irn: 'NEVER-94ND90NR-20261115', message: 'ACKNOWLEDGED' })
    expect((await ring(forged)).status).toBe(200)
    for (const body of ['', '<html>', '{"irn":', '{"irn":12}', '[]', '{}'])
      expect((await ring(body)).status, body).toBe(400)
    const elsewhere = await fetch(`${app.url}/notifications/authority/XX/sandbox`, { method: 'POST', body: told })
    expect(elsewhere.status).toBe(404)
    await app.quiet()
    await poll()
    expect(await items(person)).toEqual([item])
    expect((await eventsAbout(app, item.id)).length).toBe(1)
  })

  test('a supplier that reuses numbers: each document is stored, counted and marked', async () => {
    const person = await receiver()
    const supplier = { sellerName: 'Oke', sellerTaxId: '20198222-0002', invoiceNumber: 'SAME1' }
    const first = await sent(person, { ...supplier, invoiceDate: '2025-01-10' })
    const second = await sent(person, { ...supplier, invoiceDate: '2026-01-10' })
    const [one, two] = [first.authorityReference, second.authorityReference]
    expect((await get(person, one)).data).toMatchObject({ id: first.id, duplicates: [], possibleDuplicates: [two] })
    expect((await get(person, two)).data).toMatchObject({ id: second.id, duplicates: [], possibleDuplicates: [one] })
    const { data } = await app.a.get(`${receivedPath}/analytics`, { token: person.token })
    expect(data).toMatchObject({ count: 2, suppliers: 1, claimableTaxMinor: 2 * 1_350_000 })
    // Credit notes have their own numbers.
    const note = { ...supplier, invoiceType: 'credit_note', correctsReference: one }
    const credit = await sent(person, { ...note, invoiceDate: '2026-11-12' })
    expect((await get(person, credit.id)).data).toMatchObject({ possibleDuplicates: [] })
    expect(await items(person)).toHaveLength(3)
  })

  test('suppliers without a tax number have separate numbers', async () => {
    const person = await receiver()
    const from = (party_name: string) => ({
      irn: `ODD1-${randomUUID().slice(0, 8).toUpperCase()}-20261110`,
      accounting_supplier_party: { ...documentTo('').accounting_supplier_party, party_name, tin: null },
    })
    const send = (changes: object) =>
      app.authority.control.receive({ document: documentTo(person.taxId, changes), unchecked: true })
    const references = [send(from('Ada Stores')), send(from('Bello Foods')), send(from('Ada Stores'))]
    for (const reference of references) await arrived(person, reference)
    const marks = async (at: number) => (await get(person, references[at] as string)).data.possibleDuplicates
    expect([await marks(0), await marks(1), await marks(2)]).toEqual([[references[2]], [], [references[0]]])
  })

  test('one number of one supplier and day is one document, found by either reference', async () => {
    const person = await receiver()
    const first = documentTo(person.taxId, { irn: `TWICE${randomUUID().slice(0, 4).toUpperCase()}-59854B81-20261110` })
    const again = { ...first, irn: first.irn.replace('59854B81', '69854B82') }
    const kept = await arrived(person, app.authority.control.receive({ document: first }))
    app.authority.control.receive({ document: again })
    await eventually(async () =>
      expect(await items(person)).toMatchObject([{ id: kept.id, duplicates: [again.irn], possibleDuplicates: [] }]),
    )
    expect((await get(person, again.irn)).data.id).toBe(kept.id)
  })
})

describe('the owner of a document', () => {
  test('is the buyer with that tax number, and two sandbox organisations may be one business', async () => {
    const business = randomUUID().replace(/....$/, '7d11')
    const [one, twin, other] = [await receiver(business), await receiver(business), await receiver()]
    const item = await sent(one)
    const same = await arrived(twin, item.authorityReference)
    expect(same.id).not.toBe(item.id)
    expect(await items(other)).toEqual([])
    expectRefusal(await get(other, item.id), 'resource.not_found')
    // Our keys would decrypt it, but it belongs to another organisation.
    expectRefusal(await get(other, item.authorityReference), 'resource.not_found')
    expectRefusal(await get(twin, item.id), 'resource.not_found')
  })

  test('gets earlier documents after connecting, and none after revoking', async () => {
    const business = randomUUID().replace(/....$/, '7d11')
    const early = await receiver(business)
    const { taxId } = early
    const before = await sent(early)
    const late = await app.person()
    await connect(late, business)
    await arrived(late, before.authorityReference)
    expect((await app.a.delete('/i/v1/tax-connection', { token: late.token, body: {} })).status).toBe(200)
    const irn = app.authority.control.receive({ buyerTin: taxId })
    await arrived(early, irn)
    await poll()
    const { data } = await list(late)
    expect(data.items).toMatchObject([{ authorityReference: before.authorityReference }])
    expect(data.sync).toMatchObject({ connected: false, syncing: false })
    expect(data.taxpayer.taxIds).toEqual([taxId])
  })

  test('with its own authority keys gets the documents of these keys', async () => {
    const keys = { apiKey: '0a0b0c0d-1111-4222-8333-444455556666', apiSecret: 'their-own-secret' }
    app.authority.control.admit(keys)
    const person = await app.person()
    await connect(person, randomUUID().replace(/....$/, '7d11'), keys)
    await app.quiet()
    const item = await sent(person)
    expect(item.validation.valid).toBe(true)
    const feeds = await app.runtime.db.rows(sql`select access from received_feeds where access <> 'installation'`)
    expect(feeds).toHaveLength(1)
  })
})

describe('an authority without an answer, or with an invalid one', () => {
  test.each(['down', 'nonsense', 'truncated'] as const)(
    '%s: stored documents are shown, sync reports the problem, and receiving continues later',
    async (fault) => {
      const person = await receiver()
      const item = await sent(person)
      app.authority.control.misbehave(fault)
      const irn = app.authority.control.receive({ buyerTin: person.taxId })
      await eventually(async () => {
        await poll()
        expect((await list(person)).data.sync.error).toMatch(/could not be read/)
      })
      const { data } = await list(person)
      expect(data.items).toEqual([item])
      expect(data.sync.lastSyncedAt).not.toBeNull()
      expect((await get(person, item.id)).status).toBe(200)
      // While the feed fails, nobody can say whether an unknown document exists.
      const away = await get(person, irn)
      expectRefusal(away, 'inbound.unavailable')
      expect(away.status).toBe(503)
      expectRefusal(await get(person, randomUUID()), 'inbound.unavailable')
      expectRefusal(await app.a.post(`${receivedPath}/load-older`, { token: person.token }), 'inbound.unavailable')
      app.authority.control.misbehave(undefined)
      await poll()
      await arrived(person, irn)
      expect((await list(person)).data.sync.error).toBeNull()
      expectRefusal(await get(person, randomUUID()), 'resource.not_found')
      expectRefusal(await get(person, 'NEVER1-94ND90NR-20261115'), 'resource.not_found')
    },
  )

  test('a missing document is requested by its reference', async () => {
    const person = await receiver()
    await app.stopWork()
    try {
      const irn = app.authority.control.receive({ buyerTin: person.taxId })
      const { data } = await get(person, irn)
      expect(data).toMatchObject({ authorityReference: irn, document: { irn } })
      expect(await items(person)).toMatchObject([{ id: data.id, transmissionStatus: 'transmitted' }])
    } finally {
      await app.startWork()
    }
  })

  test('a stuck worker is reported', async () => {
    const person = await receiver()
    await app.stopWork()
    try {
      app.clock.advance({ minutes: 10 })
      expect((await list(await app.member(person.organisationId, 'VIEWER'))).data.sync.error).toBeNull()
      app.clock.advance({ minutes: 10 })
      const viewer = await app.member(person.organisationId, 'VIEWER')
      expect((await list(viewer)).data.sync.error).toMatch(/have not been read/)
    } finally {
      await app.startWork()
    }
  })
})

describe('a document is checked', () => {
  const judge = async (changes: object) => {
    const person = await receiver()
    const document = documentTo(person.taxId, changes)
    const irn = app.authority.control.receive({ document })
    return await arrived(person, irn)
  }

  test('by our own rules: errors are shown, and its tax cannot be claimed', async () => {
    const item = await judge({ due_date: '2026-11-01' })
    expect(item.validation).toMatchObject({ valid: false, faults: [{ path: 'dueDate', rule: 'copy.due_date' }] })
    expect(item.inputVat).toMatchObject({ claimable: false, reason: 'faulty', claimableUntil: null })
  })

  test('by the law: tax on services before 2026, and old tax, cannot be claimed', async () => {
    const service = { isic_code: '6201', service_category: 'Software' }
    const { hsn_code: _, product_category: __, ...line } = documentTo('').invoice_line[0] as Record<string, unknown>
    const old = await judge({
      irn: `OLD${randomUUID().slice(0, 6).toUpperCase()}-59854B81-20251231`,
      issue_date: '2025-12-31',
      invoice_line: [{ ...line, ...service }],
    })
    expect(old.inputVat).toMatchObject({ claimable: false, reason: 'services_before_2026' })
    const goods = await judge({})
    expect(goods.inputVat).toMatchObject({ claimable: true, claimableUntil: '2031-11-10' })
    await app.runtime.db.run(sql`update received_invoices set claim_until = '2026-01-01' where id = ${goods.id}`)
    const { tenant } = await app.runtime.db.one<{ tenant: string }>(
      sql`select organisation_id as tenant from received_invoices where id = ${goods.id}`,
    )
    const reader = await app.member(tenant as Person['organisationId'], 'VIEWER')
    expect((await get(reader, goods.id)).data.inputVat).toMatchObject({ claimable: false, reason: 'too_old' })
  })
})
