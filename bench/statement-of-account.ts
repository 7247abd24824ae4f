import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tx } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { loaded, openShop, type Shop } from './invoice-data.ts'
import { agent, ask, dayOf, many, measured, openedAt, seed } from './invoice-lists.ts'
import type { Row } from './measure.ts'
import { chance, pick } from './names.ts'
import { startRisiti } from './server-process.ts'

/** The invoices are written without triggers, so their moves are written here: each document, and what was paid on it. */
async function fill(home: string, say: (text: string) => void): Promise<Shop> {
  const open = await openedAt(home)
  try {
    const fillMoves = async (on: Tx) => {
      const shop = await openShop(on, open.runner, many, seed, say)
      await on.run(sql`
        with moves as (
          select i.*, m.* from invoices i cross join lateral (values
              ('document', i.created_at, owed_by_document(i)),
              ('payment', i.created_at + interval '12 days', -i.paid_minor)) as m (move, at, minor)
           where i.organisation_id = ${shop.organisationId} and i.buyer_id is not null and i.status not in ('draft', 'rejected') and m.minor <> 0)
        insert into buyer_account_moves (organisation_id, mode, buyer_id, currency, moved_at, type, amount_minor, document_id, document_number,
                                         document_type, document_date, invoice_id, open_minor, due_date, superseded_at)
        select organisation_id, mode, buyer_id, currency, at, move, minor, id, number, type, issue_date, id,
               sum(minor) over (of_invoice rows between unbounded preceding and current row), due_date, lead(at) over of_invoice
          from moves m
        window of_invoice as (partition by id order by at, move)`)
      say('  the moves of all accounts written')
      return shop
    }
    return await loaded(open.ownerConnection, fillMoves, ['invoices', 'invoice_listing', 'buyer_account_moves'])
  } finally {
    await open.close()
  }
}

const dayMs = 86_400_000
const yearMs = 365 * dayMs

/** Statements of account of an organisation with a million invoices, compared with the first page of its list. */
export async function benchStatementOfAccount(say: (text: string) => void): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  try {
    const begun = performance.now()
    const shop = await fill(home, say)
    const seconds = Math.round((performance.now() - begun) / 1000)
    say(`${many.toLocaleString('en')} invoices of ${shop.buyers.length} buyers written in ${seconds} s, seed ${seed}.`)
    const risiti = await startRisiti(home)
    try {
      const next = chance(seed)
      const read = (query: string) =>
        ask(risiti.url, `buyers/${pick(shop.buyers, next).id}/statement-of-account?currency=NGN${query}`, shop)
      const earlier = dayOf(Date.now() - 2 * yearMs)
      const p95 = await measured({
        first: () => ask(risiti.url, 'invoices', shop),
        month: () => read(''),
        earlier: () => read(`&from=${earlier}&to=${dayOf(Date.parse(earlier) + 30 * dayMs)}`),
        all: () => read(`&from=${dayOf(Date.now() - 4 * yearMs)}&to=${dayOf(Date.now())}`),
      })
      const row = (name: string, kind: string): Row => ({
        name: `statement of account, ${name}`,
        unit: 'ms (p95)',
        ours: p95[kind] as number,
        yardstick: p95.first,
        yardstickName: 'first page of the list',
        goal: 3,
        goalIs: 'at most',
      })
      return [
        row('this month', 'month'),
        row('a month two years ago', 'earlier'),
        row('100 lines of four years', 'all'),
      ]
    } finally {
      await risiti.stop()
    }
  } finally {
    agent.destroy()
    await rm(home, { recursive: true, force: true })
  }
}
