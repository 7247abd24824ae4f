import { expect } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import { nuban } from '../../simulators/src/bank/nuban.ts'
import type { TestApp } from './app.ts'
import type { Reply } from './client.ts'
import { eventually } from './eventually.ts'
import { type Issuer, issuer } from './invoices.ts'
import { type Life, lifeOf, ok } from './issued.ts'

export const collectionPath = '/b/v1/collection'
/** An account that the simulated bank knows. */
export const ownBankAccount = { bankCode: '058', accountNumber: nuban('058', 12_345_678) }

let references = 0
const newReference = () => `ref-${++references}`

/** The collection actions of one organisation. */
export interface Collector extends Issuer {
  readonly life: Life
  /** a virtual account, as form A returns it */
  open(more?: object): Promise<any>
  tryToOpen(more?: object, form?: 'A' | 'B'): Promise<Reply>
  /** makes a transfer and returns the bank's reference */
  transfer(accountNumber: string, amount: number | string, more?: object): Promise<string>
  /** the received payment, once it is matched */
  payment(providerReference: string): Promise<any>
  payments(query?: string): Promise<any[]>
  act(path: string, body?: object, form?: 'A' | 'B'): Promise<Reply>
  list(path: string): Promise<any[]>
}

export async function collector(app: TestApp, bankAccount: object = ownBankAccount): Promise<Collector> {
  const own = await issuer(app)
  const { token, sellerId } = own
  ok(await app.a.post(`${collectionPath}/settlement-accounts`, { token, body: { sellerId, ...bankAccount } }), 201)
  const list = async (path: string) => ok(await app.a.get(`${collectionPath}${path}`, { token }))
  const tryToOpen: Collector['tryToOpen'] = (more = {}, form = 'A') =>
    app.client(form).post(`${collectionPath}/accounts`, {
      token,
      body: {
        mode: 'persistent',
        jurisdiction: 'NG',
        sellerId,
        reference: newReference(),
        customer: { name: 'Chidi Stores' },
        ...more,
      },
    })
  const payments: Collector['payments'] = (query = '') => list(`/payments${query}`)
  return {
    ...own,
    life: lifeOf(app, own),
    tryToOpen,
    open: async (more) => ok(await tryToOpen(more), 201),
    transfer: async (accountNumber, amount, more = {}) =>
      ok(await app.a.post('/sandbox/v1/transfers', { token, body: { accountNumber, amount, ...more } }), 201)
        .providerReference,
    payments,
    payment: (providerReference) =>
      eventually(async () => {
        const found = (await payments('?limit=100')).find((one) => one.providerReference === providerReference)
        expect(found, 'the payment has come').toBeDefined()
        expect(found.reconciliationStatus).not.toBe('pending')
        return found
      }),
    act: (path, body, form = 'A') => app.client(form).post(`${collectionPath}${path}`, { token, body }),
    list,
  }
}

/** Returns the received payments that violate an invariant. The list must be empty at any moment. */
export async function brokenMoney(app: TestApp): Promise<unknown[]> {
  return await app.runtime.db.transaction(async (tx) => {
    // It looks at all payments, which takes longer than a request may when thousands arrive on a busy machine.
    await tx.run(sql`set local statement_timeout = '5min'`)
    return await tx.rows(brokenPayments)
  })
}

const brokenPayments = sql`
    select 'places do not add up' as broken, id::text from received_payments
     where unmatched_minor + credited_minor + applied_minor + refunded_minor <> amount_minor
    union all
    select 'money of a reversed transfer is still there', id::text from received_payments
     where reversed_at is not null and refunded_minor <> amount_minor
    union all
    select 'the ledger says something else', p.id::text from received_payments p
      join lateral (
        select coalesce(sum(case when to_place = 'unmatched' then amount_minor when from_place = 'unmatched' then -amount_minor end), 0) as unmatched,
               coalesce(sum(case when to_place = 'credited' then amount_minor when from_place = 'credited' then -amount_minor end), 0) as credited,
               coalesce(sum(case when to_place = 'applied' then amount_minor when from_place = 'applied' then -amount_minor end), 0) as applied,
               coalesce(sum(case when to_place = 'refunded' then amount_minor when from_place = 'refunded' then -amount_minor end), 0) as refunded,
               max(seq) - count(*) as gaps
          from received_payment_moves m
         where m.organisation_id = p.organisation_id and m.mode = p.mode and m.payment_id = p.id) as l on true
     where (l.unmatched, l.credited, l.applied, l.refunded) <> (p.unmatched_minor, p.credited_minor, p.applied_minor, p.refunded_minor)
        or l.gaps <> 0
    union all
    select 'credit belongs to another buyer than the ledger says', p.id::text from received_payments p
      join lateral (
        select m.buyer_id, sum(case when m.to_place = 'credited' then m.amount_minor else -m.amount_minor end) as credited
          from received_payment_moves m
         where m.organisation_id = p.organisation_id and m.mode = p.mode and m.payment_id = p.id
           and 'credited' in (m.from_place, m.to_place) group by m.buyer_id) as l on true
     where l.credited <> case when l.buyer_id = p.buyer_id then p.credited_minor else 0 end
    union all
    select 'invoices have not what was applied', p.id::text from received_payments p
      left join lateral (
        select coalesce(sum(i.amount_minor), 0) as on_invoices from invoice_payments i
         where i.organisation_id = p.organisation_id and i.mode = p.mode and i.received_payment_id = p.id and i.reversed_at is null) as i on true
     where i.on_invoices <> p.applied_minor
    union all
    select 'an invoice shows another sum', i.id::text from invoices i
      join lateral (
        select coalesce(sum(p.amount_minor), 0) as paid from invoice_payments p
         where p.organisation_id = i.organisation_id and p.mode = i.mode and p.invoice_id = i.id and p.reversed_at is null) as p on true
     where p.paid <> i.paid_minor
    union all
    select 'more went back than was set aside', r.payment_id::text from collection_refunds r
      join received_payments p on p.organisation_id = r.organisation_id and p.mode = r.mode and p.id = r.payment_id
     where r.state <> 'failed' group by r.payment_id, p.refunded_minor having sum(r.amount_minor) > p.refunded_minor`
