import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { renderSchema } from '../../scripts/schema-text.ts'
import { bringUpToDate } from '../../server/src/platform/database/bring-up-to-date.ts'
import { openDatabase } from '../../server/src/platform/database/database.ts'
import { migrationsDir } from '../../server/src/platform/database/migrations.store.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { password, startTestApp, type TestApp } from '../harness/app.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { invoicesPath, ok } from '../harness/issued.ts'
import {
  acceptedInvoice,
  insertData,
  listTables,
  migrateTo,
  type Row,
  readData,
  type StoredRow,
} from './data-of-100.ts'

let rows: readonly StoredRow[]
const rowsOf = (table: string) => rows.filter(([name]) => name === table).map(([, row]) => row)

let database: TestDatabase
let owner: pg.Client
/** the tables of 1.0.0 */
let tablesBefore: readonly string[]
beforeAll(async () => {
  rows = await readData()
  database = await createTestDatabase({ isEmpty: true })
  owner = new pg.Client(database.owner.url)
  await owner.connect()
  await makeAsIn100()
})
afterAll(() => owner.end())

/** The baseline schema, the data, and the schema of the library that ran scheduled jobs. */
async function makeAsIn100(): Promise<void> {
  expect(await migrateTo(database.owner.url, '0001')).toBe(1)
  await owner.query(`
    create schema graphile_worker;
    create table graphile_worker._private_jobs (id bigint primary key)`)
  await insertData(owner, rows)
  expect(await danglingReferences()).toEqual([])
  tablesBefore = await listTables(owner)
}

/** Foreign keys that the rows do not satisfy. They were not checked when the rows were written. */
async function danglingReferences(): Promise<string[]> {
  const { rows: keys } = await owner.query<{ on: string; name: string; definition: string }>(`
    select conrelid::regclass::text as on, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`)
  const dangling: string[] = []
  for (const { on, name, definition } of keys)
    await owner
      .query(`alter table ${on} drop constraint ${name}, add constraint ${name} ${definition}`)
      .catch(({ message }) => dangling.push(message))
  return dangling
}

/** What the migrations work out from old data. Every other new table begins empty. */
const workedOut = ['buyer_account_moves', 'consumer_cursors', 'consumers', 'event_heads', 'tax_moves']

async function expectNewTables(): Promise<void> {
  const filled: string[] = []
  for (const table of await listTables(owner)) {
    if (tablesBefore.includes(table)) continue
    const { rowCount } = await owner.query(`select from ${table} limit 1`)
    if (rowCount) filled.push(table)
  }
  expect(filled).toEqual(workedOut)
}

/** The modules that came after 1.0.0 work with its buyer and its invoices. */
async function expectNewModules({ a }: TestApp, token: string): Promise<void> {
  const [{ id: buyerId } = {}] = rowsOf('buyers')
  const issued = rowsOf('invoices').find(({ status }) => status === 'finalised')
  const leftMinor = Number(issued?.payable_minor) - Number(issued?.paid_minor)
  const unpaidMinor = Number(issued?.payable_minor)
  expect(ok(await a.get(`${invoicesPath}/${issued?.id}`, { token }))).toMatchObject({
    instalments: null,
    quoteReference: null,
    dueMinor: leftMinor,
  })
  expect(ok(await a.get(`/i/v1/buyers/${buyerId}`, { token }))).toMatchObject({ language: null })
  const statement = ok(await a.get(`/i/v1/buyers/${buyerId}/statement-of-account`, { token }))
  expect(statement).toMatchObject({ closingMinor: leftMinor + unpaidMinor })
  expect(statement.lines).toHaveLength(3)
  expect(ok(await a.get('/i/v1/tax-returns/2026-11', { token }))).toMatchObject({
    status: 'open',
    outputTaxMinor: Number(issued?.tax_minor),
    inputTaxMinor: Number(rowsOf('received_invoices')[0]?.claimable_minor),
  })
  const plan = { on: true, hour: 9, buyers: 'all', steps: [{ days: 3 }] }
  ok(await a.put('/i/v1/reminders/plan', { token, body: plan }))
  expect(ok(await a.get('/i/v1/reminders/upcoming', { token }))).toMatchObject([
    { invoiceId: issued?.id, day: '2026-12-05', dueMinor: leftMinor },
    { invoiceId: acceptedInvoice.id, day: '2026-12-05', dueMinor: unpaidMinor },
  ])
  const line = { description: 'Rent', hsnCode: '2523.29', unitCode: 'XBG', quantity: 1, unitPrice: 5 }
  const content = { buyerId, currency: 'NGN', lineItems: [{ ...line, taxCategory: 'standard' }] }
  const rule = { name: 'Rent', unit: 'month', startsOn: '2026-12-31', policy: 'draft', invoice: content }
  expect(ok(await a.post('/i/v1/recurring-invoices', { token, body: rule }), 201)).toMatchObject({ status: 'active' })
  const quote = ok(await a.post('/i/v1/quotes', { token, body: content }), 201)
  ok(await a.post(`/i/v1/quotes/${quote.id}/send`, { token, body: { mail: false } }))
  expect(ok(await a.post(`/i/v1/quotes/${quote.id}/convert`, { token, body: {} })).results).toHaveLength(1)
  expect(ok(await a.get('/n/v1/test-clock', { token }))).toMatchObject({ aheadSeconds: 0, move: null })
}

/** What came from outside before the upgrade, or went there, is read as before. */
async function expectOldExchanges({ a }: TestApp, token: string): Promise<void> {
  const [received, payment, endpoint, delivery] = [
    rowsOf('received_invoices')[0],
    rowsOf('received_payments')[0],
    rowsOf('webhook_endpoints')[0],
    rowsOf('webhook_deliveries')[0],
  ]
  expect(ok(await a.get('/i/v1/tax-connection', { token }))).toMatchObject({ status: 'CONNECTED' })
  const report = ok(await a.get(`${invoicesPath}/${acceptedInvoice.id}/timeline`, { token }))
  expect(report).toMatchObject({ status: 'accepted' })
  const { items } = ok(await a.get('/i/v1/inbound-invoices', { token }))
  expect(items).toMatchObject([{ id: received?.id, inputVat: { claimable: true } }])
  expect(ok(await a.get('/b/v1/collection/payments', { token }))).toMatchObject([
    { id: payment?.id, refundedMinor: payment?.amount_minor, creditedMinor: 0 },
  ])
  expect(ok(await a.get(`/n/v1/webhook-endpoints/${endpoint?.id}`, { token }))).toMatchObject({ enabled: true })
  const { status, attempts } = ok(await a.get(`/n/v1/webhook-deliveries/${delivery?.id}`, { token }))
  expect({ status, attempts }).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200 }] })
}

/** The rows of a table, without the columns that came after 1.0.0. */
async function storedRows(table: string): Promise<Row[]> {
  const { rows: stored } = await owner.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`)
  const known = Object.keys(rowsOf(table)[0] ?? {})
  return stored.map(({ row }) => Object.fromEntries(known.map((column) => [column, row[column]])))
}

/** Events are numbered in their old order, and each consumer goes on where it was. */
async function expectNumberedEvents(): Promise<void> {
  const inOrder = rowsOf('events').toSorted((one, other) => Number(one.seq) - Number(other.seq))
  const { rows: numbered } = await owner.query('select id, position::int as position from events order by position')
  expect(numbered).toEqual(inOrder.map(({ id }, at) => ({ id, position: at + 1 })))
  const { rows: heads } = await owner.query('select position::int as position from event_heads')
  expect(heads).toEqual([{ position: inOrder.length }])
  const isTaken = (event: Row, { xid, seq }: Row) =>
    Number(event.xid) < Number(xid) || (event.xid === xid && Number(event.seq) <= Number(seq))
  const expected = rowsOf('event_cursors').map((cursor) => ({
    consumer: cursor.consumer,
    position: inOrder.filter((event) => isTaken(event, cursor)).length,
  }))
  const { rows: cursors } = await owner.query(`
    select p.consumer, coalesce(c.position, 0)::int as position from consumers p left join consumer_cursors c on c.consumer = p.consumer`)
  expect(new Set(cursors)).toEqual(new Set(expected))
}

test('data of 1.0.0 is upgraded to the current schema without loss, and works', async () => {
  const access = { owner: database.owner.url, service: database.url, serviceRole: inject('serviceRole') }
  await bringUpToDate(access, silentLogger)

  const asOwner = openDatabase({ connection: database.owner })
  expect(await renderSchema(asOwner)).toBe(await readFile(join(migrationsDir, '../schema.sql'), 'utf8'))
  await asOwner.end()
  for (const table of new Set(rows.map(([name]) => name))) {
    // Only nodes of 1.0.0 use the old cursors, and their workers may not move them any more.
    if (table === 'event_cursors') continue
    const stored = await storedRows(table)
    expect([table, stored]).toEqual([table, expect.arrayContaining(rowsOf(table))])
    expect([table, stored.length]).toEqual([table, rowsOf(table).length])
  }
  await expectNumberedEvents()
  await expectNewTables()
  const { rowCount } = await owner.query(`select from pg_namespace where nspname = 'graphile_worker'`)
  expect(rowCount).toBe(0)

  const vault = createVault({ active: 'k1', keys: new Map([['k1', Buffer.alloc(32, 1)]]) })
  const app = await startTestApp({ database, vault, now: '2026-11-18T09:00:00Z' })
  try {
    const [user] = rowsOf('users')
    const body = { email: user?.email, password }
    const { accessToken: token } = ok(await app.a.post('/a/v1/auth/login', { body }))
    for (const { id, status } of rowsOf('invoices'))
      for (const form of ['A', 'B'] as const)
        expect(ok(await app.client(form).get(`${invoicesPath}/${id}`, { token }))).toMatchObject({ id, status })
    await expectOldExchanges(app, token)
    await expectNewModules(app, token)
    const draft = rowsOf('invoices').find(({ status }) => status === 'draft')
    expect(ok(await app.a.post(`${invoicesPath}/${draft?.id}/finalise`, { token }))).toMatchObject({ id: draft?.id })
    await app.quiet()
    expect(ok(await app.a.get(`${invoicesPath}?status=finalised`, { token })).map(({ id }: Row) => id)).toContain(
      draft?.id,
    )
    expect((await owner.query('select from schedule')).rowCount).toBeGreaterThan(10)
  } finally {
    // Events of 1.0.0 lack the fields that came later: they are not held to the schemas of today.
    await owner.query(`set session_replication_role = 'replica'`)
    await owner.query(`update events set request_id = 'test' where id = any($1)`, [
      rowsOf('events').map(({ id }) => id),
    ])
    await app.close()
  }
})
