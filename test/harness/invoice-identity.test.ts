import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp, type TestApp } from './app.ts'
import { expectInvoicesAddUp, identityFaults } from './invoice-identity.ts'
import { type Issuer, issuer } from './invoices.ts'
import { lifeOf, ok, payableMinor } from './issued.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  const life = lifeOf(app, own)
  const { id } = await life.issued()
  ok(await life.pay(id, '4514.11'), 201)
  ok(await life.act(ok(await life.credit(id, { amount: 1000 }), 201).id, 'finalise'))
  ok(await life.credit(id, { amount: 500 }), 201)
  const paid = await life.issued()
  ok(await life.pay(paid.id, '14514.11'), 201)
  ok(await life.act(ok(await life.credit(paid.id), 201).id, 'finalise'))
  await life.draft()
  // The sender declared the invoice paid, so no amount is due although there is no payment.
  await life.issued({ paymentStatus: 'paid' }, 'B')
})
afterAll(() => app.close())

/** Returns the faults that the check finds after this change, and rolls the change back. */
async function foundAfter(planted: Sql): Promise<string[]> {
  let found: string[] = []
  const undone = new Error('undone')
  const trial = app.owner.transaction(async (tx) => {
    expect(await tx.run(planted), 'rows planted').toBe(1)
    found = await identityFaults(tx)
    throw undone
  })
  await expect(trial).rejects.toBe(undone)
  return found
}

test('the checker finds no fault in correctly paid and credited invoices, in the rows and in both forms', async () => {
  await expectInvoicesAddUp(app, own.token)
})

test.each<[what: string, planted: Sql, fault: string]>([
  [
    'a payment that is not counted',
    sql`update invoices set paid_minor = 0 where number = 'INV000001'`,
    'INV000001 (finalised) shows 0 paid, its payments come to 451411',
  ],
  [
    'a credit note that counts although it was rejected',
    sql`update invoices set status = 'rejected' where number = 'CN000001'`,
    'INV000001 (finalised) shows 100000 credited, its notes come to 0',
  ],
  [
    'an invoice that is cancelled by a part of it',
    sql`update invoices set status = 'cancelled' where number = 'INV000001'`,
    `INV000001 is cancelled, and accepted notes credit 0 of ${payableMinor}`,
  ],
  [
    'an invoice that waits for a cancellation that nobody asked for',
    sql`update invoices set status = 'cancellation_pending' where number = 'INV000002'`,
    `INV000002 waits to be cancelled, by 0 submissions that credit ${payableMinor} of ${payableMinor}`,
  ],
  [
    'money on a credit note',
    sql`insert into invoice_payments (organisation_id, mode, id, invoice_id, amount_minor, paid_on, recorded_by_type, recorded_at)
        select organisation_id, mode, gen_random_uuid(), id, 5, '2026-11-14', 'user', now() from invoices where number = 'CN000001'`,
    'CN000001 (finalised) is a credit note with 5 paid and 0 credited',
  ],
])('the checker finds %s', async (_what, planted, fault) => {
  expect(await foundAfter(planted)).toContain(fault)
})
