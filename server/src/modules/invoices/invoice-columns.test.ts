import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { sql } from '../../platform/database/sql.ts'
import { columnOf, type InvoiceField, invoiceColumns } from './invoice-columns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Key columns, counters of the database, and internal notes such as "deadline mail sent". */
const beside = [
  { name: 'mode', type: 'text' },
  { name: 'organisation_id', type: 'uuid' },
  { name: 'report_told_at', type: 'timestamp with time zone' },
  { name: 'version', type: 'integer' },
]

test('every column of the table is on the list, with its type', async () => {
  const columns = await app.runtime.db.rows(sql`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = 'invoices'::regclass and attnum > 0 and not attisdropped`)
  const spelt: Record<string, string> = { timestamptz: 'timestamp with time zone', time: 'time without time zone' }
  const listed = Object.entries(invoiceColumns).map(([field, { type }]) => ({
    name: columnOf(field as InvoiceField),
    type: spelt[type] ?? type,
  }))
  const inOrder = (rows: readonly { name: string; type: string }[]) =>
    [...rows].sort((a, b) => (a.name < b.name ? -1 : 1))
  expect(inOrder(columns as { name: string; type: string }[])).toEqual(inOrder([...listed, ...beside]))
})

/** The declared payment status gives way to recorded payments. */
const changesAfterwards = ['declaredPaymentStatus']

test('the database protects the contents of issued documents', async () => {
  const { condition } = await app.runtime.db.one<{ condition: string }>(sql`
    select split_part(prosrc, 'is distinct from', 2) as condition from pg_proc where proname = 'keep_documents_right'`)
  const contents = (Object.keys(invoiceColumns) as InvoiceField[]).filter(
    (field) => ['contents', 'issuing'].includes(invoiceColumns[field].written) && !changesAfterwards.includes(field),
  )
  for (const field of contents) expect(condition).toMatch(new RegExp(`new\\.${columnOf(field)}\\b`))
})
