import { expect } from 'vitest'
import type { Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import { invoicesPath } from './issued.ts'

/**
 * Lists every fault in the amounts of invoices, for all tenants, one sentence each. It is one statement, so it sees one
 * snapshot. It uses no code that keeps the amounts: it adds up payments and credit notes. A credit note counts from
 * finalise on, unless it is rejected.
 */
export async function identityFaults(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ fault: string }>(sql`
    with notes as (
      select n.organisation_id, n.mode, n.original_id as id,
             sum(n.payable_minor) filter (where n.status not in ('draft', 'rejected')) as counted,
             sum(n.payable_minor) filter (where n.status = 'accepted') as accepted
        from invoices n where n.type = 'credit_note' group by 1, 2, 3),
    payments as (
      select p.organisation_id, p.mode, p.invoice_id as id, sum(p.amount_minor) as paid
        from invoice_payments p where p.reversed_at is null group by 1, 2, 3),
    cancelling as (
      select s.organisation_id, s.mode, s.cancels_invoice_id as id, count(*) as undecided
        from submissions s where s.cancels_invoice_id is not null and s.state not in ('accepted', 'rejected') group by 1, 2, 3),
    sums as (
      select i.number, i.type, i.status, i.payable_minor, i.paid_minor, i.credited_minor, coalesce(n.counted, 0) as counted,
             coalesce(n.accepted, 0) as accepted, coalesce(p.paid, 0) as paid, coalesce(c.undecided, 0) as undecided
        from invoices i
        left join notes n on n.organisation_id = i.organisation_id and n.mode = i.mode and n.id = i.id
        left join payments p on p.organisation_id = i.organisation_id and p.mode = i.mode and p.id = i.id
        left join cancelling c on c.organisation_id = i.organisation_id and c.mode = i.mode and c.id = i.id)
    select format('%s (%s) shows %s paid, its payments come to %s', number, status, paid_minor, paid) as fault from sums where paid_minor <> paid
    union all
    select format('%s (%s) shows %s credited, its notes come to %s', number, status, credited_minor, counted) from sums where credited_minor <> counted
    union all
    select format('%s (%s) has %s credited of %s', number, status, counted, payable_minor) from sums where counted > payable_minor
    union all
    select format('%s is cancelled, and accepted notes credit %s of %s', number, accepted, payable_minor)
      from sums where status = 'cancelled' and accepted <> payable_minor
    union all
    select format('%s waits to be cancelled, by %s submissions that credit %s of %s', number, undecided, counted, payable_minor)
      from sums where status = 'cancellation_pending' and (undecided <> 1 or counted <> payable_minor)
    union all
    select format('%s (%s) is a credit note with %s paid and %s credited', number, status, paid, counted)
      from sums where type = 'credit_note' and (paid <> 0 or counted <> 0)
    order by 1`)
  return rows.map(({ fault }) => fault)
}

interface ShownInvoice {
  readonly id: string
  readonly invoiceNumber: string
  readonly invoiceType: string
  readonly paymentStatus: string
  readonly payableMinor: number
  readonly paidMinor: number
  readonly creditedMinor: number
  readonly dueMinor: number
  readonly refundOwedMinor: number
}

const pageSize = 100
/** More pages than any test creates. A list without an end is a fault too. */
const mostPages = 100

async function everyInvoice(app: TestApp, form: 'A' | 'B', token: string): Promise<ShownInvoice[]> {
  const all: ShownInvoice[] = []
  for (let page = 1; page <= mostPages; page++) {
    const { data, status, text } = await app
      .client(form)
      .get(`${invoicesPath}?limit=${pageSize}&page=${page}`, { token })
    expect(status, text).toBe(200)
    all.push(...data)
    if (data.length < pageSize) return all
  }
  throw new Error(`a list has more than ${mostPages} pages`)
}

/**
 * Invariant: payable = paid + credited + due − refundOwed. An invoice that is declared paid without a payment counts as
 * paid for all that is not credited.
 */
function shownFault(form: string, invoice: ShownInvoice): string[] {
  const { invoiceNumber, invoiceType, paymentStatus, payableMinor, creditedMinor, dueMinor, refundOwedMinor } = invoice
  const isDeclaredPaid = paymentStatus === 'paid' && invoice.paidMinor === 0
  const paidMinor = isDeclaredPaid ? payableMinor - creditedMinor : invoice.paidMinor
  // The seller owes the amount of a credit note, so the buyer owes none of it.
  const owedMinor = invoiceType === 'credit_note' ? 0 : payableMinor
  const isRight = owedMinor === paidMinor + creditedMinor + dueMinor - refundOwedMinor
  const isNegative = Math.min(invoice.paidMinor, creditedMinor, dueMinor, refundOwedMinor) < 0
  if (isRight && !isNegative && (dueMinor === 0 || refundOwedMinor === 0)) return []
  return [
    `form ${form} shows ${invoiceNumber} with ${payableMinor} payable, ${invoice.paidMinor} paid, ${creditedMinor} credited, ${dueMinor} due, ${refundOwedMinor} to refund`,
  ]
}

/** Checks the same in both forms' replies to one caller, in lists and by id, and that both forms agree. */
export async function shownIdentityFaults(app: TestApp, token: string): Promise<string[]> {
  const faults: string[] = []
  const amounts: Record<string, string>[] = []
  for (const form of ['A', 'B'] as const) {
    const listed = await everyInvoice(app, form, token)
    const alone: ShownInvoice[] = []
    for (const { id } of listed) alone.push((await app.client(form).get(`${invoicesPath}/${id}`, { token })).data)
    faults.push(...listed.flatMap((invoice) => shownFault(`${form} (list)`, invoice)))
    faults.push(...alone.flatMap((invoice) => shownFault(form, invoice)))
    for (const shown of [listed, alone])
      amounts.push(
        Object.fromEntries(
          shown.map((one) => [
            one.invoiceNumber,
            `${one.payableMinor} ${one.paidMinor} ${one.creditedMinor} ${one.dueMinor} ${one.refundOwedMinor}`,
          ]),
        ),
      )
  }
  const [first = {}, ...others] = amounts
  for (const other of others)
    for (const [number, text] of Object.entries(first))
      if (other[number] !== text) faults.push(`${number} is shown as ${text} and as ${other[number]}`)
  return faults
}

/** Expects the identity for every invoice of the database, and for the replies of both forms to each token. */
export async function expectInvoicesAddUp(app: TestApp, ...tokens: readonly string[]): Promise<void> {
  expect(await identityFaults(app.runtime.db)).toEqual([])
  for (const token of tokens) expect(await shownIdentityFaults(app, token)).toEqual([])
}
