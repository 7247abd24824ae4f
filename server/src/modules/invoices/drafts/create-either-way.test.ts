import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectBooksInOrder } from '../../../../../test/harness/books.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { tracesOf } from '../../../../../test/harness/drafts.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
})
afterAll(() => app.close())

const path = '/i/v1/invoices'

/** Everything that a draft left in the database, without what is its own alone: ids, number, request. */
const leftBy = async (id: string): Promise<object> =>
  await app.machine.db.one(sql`
    select (select to_jsonb(i) - 'id' - 'number' from invoices i where id = ${id}) as invoice,
           (select jsonb_agg(to_jsonb(n) - 'reading' - 'invoice_id') from invoice_numbers n where invoice_id = ${id}) as numbers,
           (select jsonb_agg(to_jsonb(t) - 'invoice_id' order by item_id) from invoice_items t where invoice_id = ${id}) as items,
           (select jsonb_agg(to_jsonb(m) - 'id' - 'seq' - 'cause' - 'available_after')
              from credit_moves m where cause = 'invoice:' || ${id}) as moves,
           (select jsonb_agg(to_jsonb(e) - 'id' - 'seq' - 'object_id' - 'request_id' - 'relayed_at'
                               #- '{data,invoiceId}' #- '{data,invoiceNumber}')
              from events e where object_id = ${id}) as events`)

test.each(['A', 'B'] as const)('through form %s, the statement and its steps leave the same', async (form) => {
  const { token } = own
  const saved = { name: 'Sand', itemType: 'goods', hsnCode: '2505.10', productCategory: 'Sand', unitCode: 'TNE' }
  const priced = { ...saved, unitPriceMinor: '100', currency: 'NGN', taxCategory: 'zero' }
  const { data: item } = await app.a.post('/i/v1/items', { token, body: priced })
  const base = invoiceBody[form](own, { notes: 'Thanks', paymentTerms: 'Net 30' })
  const ofForm = {
    A: {
      issueTime: '09:30',
      purchaseOrderReference: 'PO-1',
      buyerReference: 'B-1',
      accountingCost: 'C-1',
      allowanceAmount: '1.5',
      lineItems: [...base.lineItems, { itemId: item.id, quantity: 2 }, { itemId: item.id, quantity: '0.5' }],
    },
    B: { paymentStatus: 'partially_paid', chargeAmount: 2.5, invoiceType: 'prepayment' },
  }[form]
  const send = (invoiceNumber: string, headers: Record<string, string>) =>
    app.client(form).post(path, { token, body: { ...base, ...ofForm, invoiceNumber }, headers })
  await send(`EITHER${form}0`, {})
  const atOnce = await send(`EITHER${form}1`, {})
  const inSteps = await send(`EITHER${form}2`, { 'idempotency-key': `steps-of-${form}` })
  expect([atOnce.status, inSteps.status], inSteps.text).toEqual([201, 201])
  const { id: _, invoiceNumber: __, ...shown } = atOnce.data
  expect(inSteps.data).toMatchObject(shown)
  const left = await leftBy(atOnce.data.id)
  expect(left).toMatchObject({ invoice: expect.any(Object), numbers: [{}], moves: [{}], events: [{}] })
  expect(await leftBy(inSteps.data.id)).toEqual(left)
})

test('where the connection breaks under it, nobody tries again what may have happened', async () => {
  const { token } = own
  const before = await tracesOf(app, own)
  const send = () => app.a.post(path, { token, body: invoiceBody.A(own) })
  const [broken, waiting] = await app.machine.db.transaction(async (tx) => {
    await tx.run(sql`select 1 from credit_balances where organisation_id = ${own.organisationId} for update`)
    const first = send()
    const { pid } = await eventually(() =>
      tx.one<{ pid: number }>(sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    )
    const second = send()
    await tx.run(sql`select pg_terminate_backend(${pid})`)
    return [await first, second] as const
  })
  expectRefusal(broken, 'dependency.unavailable')
  expect((await waiting).status).toBe(201)
  expect(await tracesOf(app, own)).toMatchObject({
    invoices: (before.invoices as number) + 1,
    credits: (before.credits as number) - 1,
  })
  await expectBooksInOrder(app)
})
