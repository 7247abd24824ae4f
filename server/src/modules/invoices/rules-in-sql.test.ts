import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { openInstalments } from '../../kernel/instalments.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { countingStatuses, counts, dueMinor } from './derived-statuses.ts'
import { declaredPaymentStatuses } from './invoice.ts'
import { type InvoiceStatus, invoiceMoves, invoiceStatuses, statusAfter } from './status-moves.ts'

// ADR 15 lists the rules that stand twice, in TypeScript and in SQL.

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).url })
})
afterAll(() => db.end())

interface Judged {
  readonly owedMinor: bigint
  readonly declaredMinor: bigint
  readonly isTaxed: boolean
}

/** What the functions of the database say about a document. */
const judge = (document: object): Promise<Judged> =>
  db.one(sql`
    select owed_by_document(d) as owed_minor, declared_as_paid(d) as declared_minor, counts_in_tax_return(d) as is_taxed
      from jsonb_populate_record(null::invoices, ${JSON.stringify(document)}::jsonb) as d`)

const amount = fc.constantFrom(0, 1, 50, 99, 100, 101, 250)
const invoice = fc.record({
  status: fc.constantFrom(...invoiceStatuses),
  type: fc.constantFrom(...documentTypes),
  payable: amount,
  paid: amount,
  credited: amount,
  declared: fc.constantFrom(null, ...declaredPaymentStatuses),
})

test('the account of a buyer counts the same documents, with the same amount due', async () => {
  await fc.assert(
    fc.asyncProperty(invoice, async ({ status, type, payable, paid, credited, declared }) => {
      const { owedMinor, declaredMinor } = await judge({
        id: '01a1ec6d-e08d-760b-84d8-1a5b50fde8e8',
        status,
        type,
        payable_minor: payable,
        paid_minor: paid,
        credited_minor: credited,
        declared_payment_status: declared,
      })
      const amounts = { payableMinor: BigInt(payable), paidMinor: BigInt(paid), creditedMinor: BigInt(credited) }
      const sign = type === 'credit_note' ? -1n : 1n
      expect(owedMinor).toBe(counts({ status }) ? sign * amounts.payableMinor : 0n)
      const left = owedMinor - declaredMinor - amounts.creditedMinor - amounts.paidMinor
      const expected = dueMinor({ ...amounts, type, declaredPaymentStatus: declared })
      expect(left > 0n ? left : 0n).toBe(counts({ status }) ? expected : 0n)
    }),
    { numRuns: 500 },
  )
})

/** The statuses that a document may have once it had this one. */
function statusesFrom(first: InvoiceStatus): Set<InvoiceStatus> {
  const found = new Set([first])
  for (const status of found)
    for (const move of invoiceMoves) {
      const next = statusAfter(status, move)
      if (next) found.add(next)
    }
  return found
}

test('a tax return has the documents that were accepted, and all of them count', async () => {
  const taxed: InvoiceStatus[] = []
  for (const status of invoiceStatuses) if ((await judge({ status })).isTaxed) taxed.push(status)
  expect(new Set(taxed)).toEqual(statusesFrom('accepted'))
  expect(countingStatuses).toEqual(expect.arrayContaining(taxed))
})

test('what is left of instalments is the same', async () => {
  const plan = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(plan, fc.integer({ min: 0, max: 1_000 }), async (amounts, permille) => {
      const total = amounts.reduce((sum, one) => sum + one, 0)
      const left = BigInt(Math.round((total * permille) / 1_000))
      const instalments = amounts.map((amountMinor, at) => ({
        dueDate: `2026-12-${10 + at}`,
        amountMinor: BigInt(amountMinor),
        percent: null,
      }))
      const stored = JSON.stringify(
        instalments.map(({ dueDate, amountMinor }) => ({ dueDate, amountMinor: String(amountMinor) })),
      )
      const open = await db.rows(sql`
        select due_date, due_minor from open_instalments(${stored}::json, ${left}::bigint) order by due_date`)
      expect(open).toEqual(openInstalments({ instalments, dueDate: null }, left))
    }),
    { numRuns: 300 },
  )
})
