import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp, type TestApp } from './app.ts'
import { invoiceFaults } from './invoice-faults.ts'
import { invoiceBody, issuer } from './invoices.ts'
import { invoicesPath } from './issued.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const own = await issuer(app)
  const make = async (more: object, headers: Record<string, string> = {}) => {
    const body = invoiceBody.A(own, more)
    expect((await app.a.post(invoicesPath, { token: own.token, body, headers })).status).toBe(201)
  }
  for (let invoices = 0; invoices < 3; invoices++) await make({})
  await make({ invoiceNumber: 'own1' })
  await make({}, { 'idempotency-key': 'one-and-only' })
})
afterAll(() => app.close())

/** Returns the faults that the check finds after this change, and rolls the change back. */
async function foundAfter(planted: Sql): Promise<string[]> {
  let found: string[] = []
  const undone = new Error('undone')
  const trial = app.owner.transaction(async (tx) => {
    expect(await tx.run(planted), 'rows planted').toBe(1)
    found = await invoiceFaults(tx)
    throw undone
  })
  await expect(trial).rejects.toBe(undone)
  return found
}

test('the checker finds no fault in correct invoices', async () => {
  expect(await invoiceFaults(app.runtime.db)).toEqual([])
})

test.each<[what: string, planted: Sql, faults: RegExp[]]>([
  [
    'an invoice that is lost',
    sql`delete from invoices where number = 'INV000002'`,
    [/kind charge and no invoice/, /kind number and no invoice/, /kind event and no invoice/],
  ],
  [
    'an invoice that a repetition is told of and nobody has',
    sql`delete from invoices where number = 'INV000004'`,
    [/one-and-only tells of an invoice/],
  ],
  [
    'an invoice without anything that belongs to it',
    sql`insert into invoices
        select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'number', 'BARE1'))).* from invoices i
         where number = 'INV000002'`,
    [/BARE1 has 0 rows of kind charge/, /BARE1 has 0 rows of kind number/, /BARE1 has 0 rows of kind event/],
  ],
  [
    'a charge that is made twice',
    sql`insert into credit_moves
        select (jsonb_populate_record(m, jsonb_build_object('seq', 1000, 'id', gen_random_uuid(), 'type', 'hold'))).* from credit_moves m
         where cause = (select 'invoice:' || id from invoices where number = 'INV000002')`,
    [/INV000002 has 2 rows of kind charge/],
  ],
  [
    'an event that is told twice',
    sql`insert into events (organisation_id, id, mode, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
        select organisation_id, gen_random_uuid(), mode, 'invoice.created', id::text, '{}', 'system', '', '', '', '', now() from invoices
         where number = 'INV000002'`,
    [/INV000002 has 2 rows of kind event/],
  ],
  [
    'a number that nobody keeps',
    sql`delete from invoice_numbers where reading = 'INV000002'`,
    [/INV000002 has 0 rows of kind number/, /^3 numbers were given, from 1 to 4, and the next would be 5/],
  ],
  [
    'a number that is kept for another invoice',
    sql`update invoice_numbers set reading = 'OWN2' where reading = 'OWN1'`,
    [/own1 is kept under the number OWN2/],
  ],
  [
    'a gap at the end of the series',
    sql`update number_series set next_number = next_number + 1`,
    [/^4 numbers were given, from 1 to 4, and the next would be 6/],
  ],
  ['a series that is lost', sql`delete from number_series`, [/^4 numbers were given/]],
  [
    'a key that is taken for ever',
    sql`update idempotency_keys set status = null`,
    [/one-and-only is taken and has no answer/],
  ],
])('the checker finds %s', async (_what, planted, faults) => {
  const found = await foundAfter(planted)
  for (const fault of faults) expect(found).toContainEqual(expect.stringMatching(fault))
})
