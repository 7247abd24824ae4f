import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { lifeOf } from '../../../../test/harness/issued.ts'
import { workbookOf } from '../../../../test/harness/workbook.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let owner: Issuer
beforeAll(async () => {
  app = await startTestApp()
  owner = await issuer(app)
})
afterAll(() => app.close())

const csv = (kind: string, rows: readonly string[], more: object = {}) => ({
  kind,
  fileName: `${kind}.csv`,
  format: 'csv',
  content: rows.join('\n'),
  ...more,
})
const start = (body: object, { token }: { token: string } = owner) => app.a.post('/i/v1/imports', { token, body })
const read = async (id: string, { token }: { token: string } = owner) =>
  (await app.a.get(`/i/v1/imports/${id}`, { token })).data
const until = async (id: string, status: string) => {
  await eventually(async () => expect((await read(id)).status).toBe(status))
  return await read(id)
}
const ask = (id: string, what: 'run' | 'undo', { token }: { token: string } = owner) =>
  app.a.post(`/i/v1/imports/${id}/${what}`, { token })
const checked = async (body: object) => {
  const made = await start(body)
  expect(made.status, made.text).toBe(202)
  return await until(made.data.id, 'checked')
}
const balance = async () =>
  (await app.a.get('/b/v1/billing-accounts/me', { token: owner.token })).data.creditBalance as number
const buyers = async (search: string) =>
  (await app.a.get(`/i/v1/buyers?search=${search}`, { token: owner.token })).data as { id: string; name: string }[]

test('the columns of a file are documented before there is one', async () => {
  const { data } = await app.a.get('/i/v1/imports/setup', { token: owner.token })
  expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(['buyers', 'items', 'invoices'])
})

test('buyers: faults are reported by row and column, the rest is created once, and deleted again', async () => {
  const before = await balance()
  const report = await checked(
    csv('buyers', [
      'Customer,TIN,E-mail,Street,City',
      'Zenith Foods,20198222-1001,z@example.test,1 Marina,Lagos',
      'Wrong Mail,20198222-1002,nobody,,',
      ',20198222-1003,x@example.test,,',
      'Wrong Number,12,,,',
      'Again,201982221001,,,',
      'Half Address,,,,Lagos',
      'Zenith Oil,,,,',
    ]),
  )
  expect(report.counts).toMatchObject({ ready: 2, faulty: 5, made: 0 })
  expect(report.faults.map(({ row, column }: { row: number; column: string }) => [row, column])).toEqual([
    [3, 'E-mail'],
    [4, 'Customer'],
    [5, 'TIN'],
    [6, 'TIN'],
    [7, 'Street'],
  ])
  expect(await buyers('zenith')).toEqual([])
  expect(await balance(), 'a check costs nothing').toBe(before)

  expect((await ask(report.id, 'run')).status).toBe(202)
  const done = await until(report.id, 'done')
  expect(done.counts).toMatchObject({ ready: 0, faulty: 5, made: 2 })
  expect((await buyers('zenith')).map(({ name }) => name)).toEqual(['Zenith Oil', 'Zenith Foods'])
  expect(await balance()).toBe(before - 2)
  expectRefusal(await ask(report.id, 'run'), 'import.run.not_checked')

  // An issued invoice names one of the buyers now.
  const [, foods] = await buyers('zenith')
  await lifeOf(app, owner).issued({ buyerId: foods?.id })
  expect((await ask(report.id, 'undo')).status).toBe(202)
  const undone = await until(report.id, 'undone')
  expect(undone.counts).toMatchObject({ undone: 1, kept: 1 })
  expect(undone.faults).toContainEqual({
    row: 2,
    column: null,
    message: 'The record was kept because an invoice uses it.',
  })
  expect((await buyers('zenith')).map(({ name }) => name)).toEqual(['Zenith Foods'])
  expectRefusal(await ask(report.id, 'undo'), 'import.undo.not_done')
})

test('items from a workbook, then invoices that name them and their buyers, become drafts', async () => {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
  const head = ['Name', 'Type', 'SKU', 'Unit', 'Tax', 'Category', 'HS code']
  const file = workbookOf(
    `<row r="1">${head.map((name, at) => cell(`${'ABCDEFG'[at]}1`, name)).join('')}${cell('H1', 'Price')}</row>
     <row r="2">${['Rice 50 kg', 'goods', 'RICE', 'KGM', 'STANDARD_VAT', 'Grain', '1006.30'].map((text, at) => cell(`${'ABCDEFG'[at]}2`, text)).join('')}<c r="H2"><v>1250.5</v></c></row>`,
  )
  const items = await checked({
    kind: 'items',
    fileName: 'items.xlsx',
    format: 'xlsx',
    content: file.toString('base64'),
  })
  expect(items.faults).toEqual([])
  await ask(items.id, 'run')
  await until(items.id, 'done')
  const { token } = owner
  const saved = (await app.a.get('/i/v1/items?q=rice', { token })).data
  expect(saved).toMatchObject([{ sku: 'RICE', unitPriceMinor: '125050', currency: 'NGN' }])

  for (const body of [{ name: 'Kano Mills', taxId: '20198222-2001' }, { name: 'Twin' }, { name: 'twin' }])
    expect((await app.a.post('/i/v1/buyers', { token, body })).status).toBe(201)
  const report = await checked(
    csv('invoices', [
      'Invoice no,Customer TIN,Customer,Date,Due,SKU,Description,Qty,Price,VAT,Unit',
      'IMP1,20198222-2001,,31/01/2026,28/02/2026,RICE,,2,,,',
      'IMP1,,,,,,Transport,1,"5,000.00",STANDARD_VAT,EA',
      'IMP2,,kano mills,31/01/2026,,,Milling,1,100,STANDARD_VAT,EA',
      'IMP3,,Nobody,31/01/2026,,,Milling,1,100,STANDARD_VAT,EA',
      'IMP4,,Twin,31/01/2026,,,Milling,1,100,STANDARD_VAT,EA',
      'IMP5,,Kano Mills,31/01/2026,,NONE,Milling,1,100,STANDARD_VAT,EA',
      'IMP6,,Kano Mills,31/01/2026,,,Milling,0,100,STANDARD_VAT,EA',
      'IMP7,,Kano Mills,31/01/2026,30/01/2026,,Milling,1,100,NO_TAX_AT_ALL,EA',
    ]),
  )
  const faults = report.faults.map(({ row, column }: { row: number; column: string }) => `${row} ${column}`)
  expect(faults).toEqual([
    '5 Customer',
    '6 Customer',
    '7 SKU',
    '8 Qty',
    expect.stringMatching(/^9 /),
    ...faults.slice(5),
  ])
  expect(report.counts).toMatchObject({ ready: 2, faulty: 5 })
  await ask(report.id, 'run')
  await until(report.id, 'done')
  const invoices = (await app.a.get('/i/v1/invoices?search=IMP', { token })).data as {
    id: string
    invoiceNumber: string
  }[]
  const first = invoices.find(({ invoiceNumber }) => invoiceNumber === 'IMP1')
  const { data: invoice } = await app.a.get(`/i/v1/invoices/${first?.id}`, { token })
  expect(invoice).toMatchObject({
    status: 'draft',
    invoiceDate: '2026-01-31',
    dueDate: '2026-02-28',
    invoiceKind: 'B2B',
  })
  expect(invoice.lineItems).toMatchObject([
    { quantity: '2', unitPrice: '1250.50' },
    { description: 'Transport', unitPrice: '5000.00' },
  ])
  await ask(items.id, 'undo')
  const inUse = 'Invoice lines name this item, so it cannot be deleted. Archive it instead.'
  expect((await until(items.id, 'undone')).faults).toEqual([{ row: 2, column: null, message: inUse }])
  await ask(report.id, 'undo')
  expect((await until(report.id, 'undone')).counts).toMatchObject({ undone: 2, kept: 0 })
})

test('an unreadable file is refused with a reason, and nothing is stored', async () => {
  const faultsOf = async (body: object) => {
    const reply = await start(body)
    expectRefusal(reply, 'request.invalid')
    return (reply.body.error.details as { path: string; message: string }[]).map(
      ({ path, message }) => `${path} ${message}`,
    )
  }
  expect(await faultsOf(csv('buyers', ['']))).toEqual([expect.stringContaining('content')])
  expect(await faultsOf(csv('buyers', ['Name', '"open']))).toEqual([expect.stringContaining('not closed in row 2')])
  expect(await faultsOf(csv('buyers', ['Shoe size', '42']))).toEqual([expect.stringContaining('fills name')])
  expect(await faultsOf(csv('sellers', ['Name', 'x'], { format: 'ods', content: 7 }))).toHaveLength(3)
  expect(await faultsOf({ ...csv('buyers', ['not base64!']), format: 'xlsx' })).toEqual([
    expect.stringContaining('Base64'),
  ])
  expect(await faultsOf({ ...csv('buyers', ['bm8gemlw']), format: 'xlsx' })).toEqual([
    expect.stringContaining('not a readable Excel workbook'),
  ])
  expect(await faultsOf(csv('buyers', ['A,B', '1,2'], { columns: [{ column: 'C', field: 'name' }] }))).toEqual([
    expect.stringContaining('columns[0].column'),
    expect.stringContaining('fills name'),
  ])
})

test('changed records are kept; after credits ran out, the import continues when there are more', async () => {
  const poor = await issuer(app)
  const { token, organisationId } = poor
  const report = async (id: string, status: string) => {
    await eventually(async () => expect((await read(id, poor)).status).toBe(status))
    return await read(id, poor)
  }
  const rows = Array.from({ length: 30 }, (_, nth) => `Buyer ${nth}`)
  const { id } = (await start(csv('buyers', ['Name', ...rows]), poor)).data
  expect((await report(id, 'checked')).counts).toMatchObject({ ready: 30 })
  const left = (credits: number) =>
    app.owner.run(sql`
      update credit_balances set available = ${credits}, issued = ${credits} + held + spent + lent - owed
       where organisation_id = ${organisationId} and mode = 'sandbox'`)
  await left(25)
  await ask(id, 'run', poor)
  expect((await report(id, 'stopped')).counts).toMatchObject({ made: 25, ready: 5, faulty: 0 })
  await left(100)
  await ask(id, 'run', poor)
  expect((await report(id, 'done')).counts).toMatchObject({ made: 30, faulty: 0 })
  const [newest] = (await app.a.get('/i/v1/buyers', { token })).data as { id: string }[]
  expect((await app.a.patch(`/i/v1/buyers/${newest?.id}`, { token, body: { reference: 'C-1' } })).status).toBe(200)
  await ask(id, 'undo', poor)
  const undone = await report(id, 'undone')
  expect(undone.counts).toMatchObject({ undone: 29, kept: 1 })
  expect(undone.faults[0].message).toBe('The record was kept because it has changed since the import.')
})

test('columns can be assigned by hand', async () => {
  const columns = [
    { column: 'Wer', field: 'name' },
    { column: 'Name', field: null },
  ]
  const report = await checked(csv('buyers', ['Wer,Name', 'Hausa Textiles,ignored'], { columns }))
  expect(report.columns).toEqual(columns)
  expect(report.counts).toMatchObject({ ready: 1 })
})

test('at most five imports run at a time', async () => {
  await app.stopWork()
  try {
    const body = csv('buyers', ['Name', 'One'])
    for (let nth = 0; nth < 5; nth++) expect((await start(body)).status).toBe(202)
    expectRefusal(await start(body), 'import.too_many')
  } finally {
    await app.startWork()
  }
  await app.quiet()
})

test('other callers see nothing of it, and it stops if the starter loses the permission', async () => {
  const stranger = await app.person()
  const clerk = await app.key(owner.organisationId, { capabilities: ['item.create', 'item.read'] })
  const made = await start(csv('buyers', ['Name', 'Secret Trading']))
  const { id } = made.data
  await until(id, 'checked')
  expectRefusal(await app.a.get(`/i/v1/imports/${id}`, { token: stranger.token }), 'resource.not_found')
  expectRefusal(await app.a.get(`/i/v1/imports/${id}`, { token: clerk }), 'resource.not_found')
  expectRefusal(await app.a.post(`/i/v1/imports/${id}/run`, { token: clerk }), 'resource.not_found')
  const kinds = ((await app.a.get('/i/v1/imports', { token: clerk })).data as { kind: string }[]).map(
    ({ kind }) => kind,
  )
  expect(new Set(kinds)).toEqual(new Set(['items']))
  expectRefusal(await start(csv('buyers', ['Name', 'x']), { ...owner, token: clerk }), 'auth.capability_missing')

  await app.stopWork()
  const key = await app.key(owner.organisationId, { capabilities: ['buyer.create', 'buyer.read'] })
  const asked = await start(csv('buyers', ['Name', 'Late Trading']), { ...owner, token: key })
  const keys = (await app.a.get('/i/v1/api-keys', { token: owner.token })).data as { id: string; name: string }[]
  expect(asked.status, JSON.stringify(keys)).toBe(202)
  await app.owner.run({
    text: 'update api_keys set revoked_at = now() where organisation_id = $1',
    values: [owner.organisationId],
    name: undefined,
  })
  await app.startWork()
  await until(asked.data.id, 'stopped')
  expect(await buyers('late')).toEqual([])
  // An owner continues it.
  expect((await ask(asked.data.id, 'run')).status).toBe(202)
  const going = await until(asked.data.id, 'checked')
  expect(going.counts).toMatchObject({ ready: 1 })
})

describe('the limits of an organisation', () => {
  let small: TestApp
  beforeAll(async () => {
    small = await startTestApp({ settings: { importQuotaBytes: 100_000 }, now: '2026-11-15T09:00:00Z' })
  })
  afterAll(() => small.close())
  const rows = (count: number, width: number) =>
    csv('buyers', ['Customer,TIN', ...Array.from({ length: count }, (_, nth) => `${'x'.repeat(width)} ${nth},`)])
  const send = (token: string, body: object) => small.a.post('/i/v1/imports', { token, body })

  test('are five running imports, even for concurrent requests', async () => {
    await small.stopWork()
    const { token } = await small.person()
    const atOnce = (count: number) => Promise.all(Array.from({ length: count }, () => send(token, rows(1, 5))))
    expect((await atOnce(4)).map(({ status }) => status)).toEqual([202, 202, 202, 202])
    const refused = (await atOnce(5)).filter(({ status }) => status !== 202)
    expect(refused).toHaveLength(4)
    for (const reply of refused) expectRefusal(reply, 'import.too_many')
    await small.startWork()
  })

  test('are a number of bytes over both modes, and the refusal says what to do', async () => {
    const own = await small.person()
    const live = await small.key(own.organisationId, { mode: 'live' })
    expect((await send(own.token, rows(60, 400))).status).toBe(202)
    const refused = await send(live, rows(60, 400))
    expectRefusal(refused, 'import.quota_reached')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    expect(refused.body.error.message).toMatch(/Send a smaller file, wait .* The oldest is deleted on 2026-12-15\.$/)
    expect((await send(live, rows(10, 5))).status).toBe(202)
    // Other organisations are not affected.
    expect((await send((await small.person()).token, rows(60, 400))).status).toBe(202)
  })

  test('include the stored faults of rows', async () => {
    const own = await small.person()
    const faulty = csv('buyers', ['Customer,E-mail', ...Array.from({ length: 100 }, (_, nth) => `Oke ${nth},nobody`)])
    const bytes = async () => {
      const { bytes } = await small.runtime.db.one<{ bytes: number }>(
        sql`select stored_bytes::int as bytes from imports where organisation_id = ${own.organisationId}`,
      )
      return bytes
    }
    await small.stopWork()
    expect((await send(own.token, faulty)).status).toBe(202)
    const atFirst = await bytes()
    await small.startWork()
    await eventually(async () =>
      expect(await bytes()).toBeGreaterThan(atFirst + 100 * 'must be an email address'.length),
    )
  })
})
