import { expect, test } from 'vitest'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { seeded } from '../harness/chance.ts'
import { inCopies } from '../harness/cluster.ts'
import { findInvoiceFaults } from '../harness/invoice-faults.ts'
import { install } from '../harness/invoice-installation.ts'
import { startNode, until } from '../harness/processes.ts'

const quotes = 24
const kills = 3
const path = '/i/v1/quotes'
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

/** A quote has results exactly if it is converted, and an invoice that names a quote is one of its results. */
async function expectWhole(db: Database): Promise<void> {
  expect(
    await inCopies(db, ['invoices', 'quotes', 'quote_results'], (copies) =>
      copies.one(sql`
      select (select count(*)::int from invoices i where quote_reference is not null
                and not exists (select from quote_results r where r.invoice_id = i.id)) as unnamed,
             (select count(*)::int from quote_results r where not exists (select from invoices i where i.id = r.invoice_id)) as missing,
             (select count(*)::int from quotes q where (q.status = 'converted')
                <> exists (select from quote_results r where r.quote_id = q.id)) as wrong,
             (select count(*)::int from (select from quote_results group by quote_id, kind having count(*) > 1) as r) as twice`),
    ),
  ).toEqual({ unnamed: 0, missing: 0, wrong: 0, twice: 0 })
}

test(`a quote becomes one invoice, or a deposit and one final invoice, however often the process is killed (seed ${seed})`, async () => {
  const chance = seeded(seed)
  const { db, env, owners } = await install({ organisations: 1 })
  const [own] = owners
  if (!own) throw new Error('no organisation')
  const { token, buyerId } = own
  const start = () => startNode({ env, args: ['--role=api'] })
  const line = { description: 'Rice', hsnCode: '2523.29', unitCode: 'XBG', quantity: 3, unitPrice: '333.33' }
  const body = { buyerId, currency: 'NGN', lineItems: [{ ...line, taxCategory: 'standard' }] }
  let node = await start()
  const ids: string[] = []
  for (let nth = 0; nth < quotes; nth++) {
    const quote = await node.a.post(path, { token, body })
    expect(quote.status, quote.text).toBe(201)
    expect((await node.a.post(`${path}/${quote.data.id}/send`, { token, body: { mail: false } })).status).toBe(200)
    ids.push(quote.data.id)
  }
  /** Every second quote becomes a deposit first. Replies that the kill takes away are no failure. */
  const ask = (id: string, nth: number) => {
    const deposit = nth % 2 === 0 ? { deposit: { percent: 30 } } : {}
    const headers = nth % 3 === 0 ? { 'idempotency-key': `convert-${id}` } : {}
    const convert = node.a.post(`${path}/${id}/convert`, { token, headers, body: { finalise: true, ...deposit } })
    return convert
      .then(() => (nth % 2 === 0 ? node.a.post(`${path}/${id}/final-invoice`, { token, body: {} }) : undefined))
      .catch(() => undefined)
  }
  const countMade = async (): Promise<number> =>
    (await db.one<{ made: number }>(sql`select count(*)::int as made from quote_results`)).made
  const wanted = quotes + quotes / 2
  for (let nth = 1; nth <= kills; nth++) {
    const asked = Promise.all(ids.map(ask))
    const atMost = Math.floor((wanted * nth) / (kills + 1))
    const goal = Math.max(1, Math.floor(atMost * chance()))
    await until(async () => (await countMade()) >= goal, `${goal} documents`)
    await node.kill()
    await asked
    await expectWhole(db)
    node = await start()
  }
  // A request whose key is held by a killed process is repeated until the key is free.
  await until(async () => {
    await Promise.all(ids.map(ask))
    return (await countMade()) === wanted
  }, 'all documents')
  await expectWhole(db)
  expect(
    await inCopies(db, ['invoices', 'quote_results', 'quote_versions'], (copies) =>
      copies.one(sql`
      select count(*)::int as quotes, count(*) filter (where r.total = v.payable_minor)::int as whole
        from quote_versions v
        join lateral (select sum(i.payable_minor) as total from quote_results r join invoices i on i.id = r.invoice_id
                       where r.quote_id = v.quote_id) as r on true`),
    ),
  ).toEqual({ quotes, whole: quotes })
  expect(await findInvoiceFaults(db)).toEqual([])
  expect((await node.stop()).code).toBe(0)
}, 300_000)
