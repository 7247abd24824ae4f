import { expect, test } from 'vitest'
import { businessDay, dayAfter } from '../../server/src/kernel/days.ts'
import { newId } from '../../server/src/kernel/ids.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { install } from '../harness/invoice-installation.ts'
import { type Issuer, invoiceBody } from '../harness/invoices.ts'
import { type ServerNode, startNode, until } from '../harness/processes.ts'

/** Small in the run of all faults. `npm run faults:reminders` tries 10,000. */
const buyers = Number(process.env.STORM_REMINDERS ?? 120)
const invoicesOfBuyer = 2
const organisations = 4
const kills = buyers > 1_000 ? 12 : 3

const today = businessDay(new Date(), 'Africa/Lagos')

/** Creates a plan and one invoice through the API, and copies of the invoice for many buyers in the database. */
async function createDebts(db: Database, { a }: ServerNode, own: Issuer, many: number): Promise<void> {
  const { token, organisationId } = own
  const plan = { on: true, hour: 0, buyers: 'all', steps: [{ days: 7 }] }
  const saved = await a.put('/i/v1/reminders/plan', { token, body: plan })
  expect(saved.status, saved.text).toBe(200)
  const dates = { invoiceDate: dayAfter(today, -20), dueDate: dayAfter(today, -7) }
  const draft = await a.post('/i/v1/invoices', { token, body: invoiceBody.A(own, dates) })
  const issued = await a.post(`/i/v1/invoices/${draft.data.id}/finalise`, { token })
  expect(issued.status, issued.text).toBe(200)
  // The copies were issued ten days ago, because nobody is reminded on the day of issue.
  const { copied } = await db.one<{ copied: string }>(
    sql`select to_jsonb(i)::text as copied from invoices i where organisation_id = ${organisationId} and id = ${draft.data.id}`,
  )
  const debtors = await db.rows<{ id: string }>(sql`
    insert into buyers (organisation_id, mode, id, name, party_type, tax_id_type, email, search, created_at, updated_at)
    select organisation_id, mode, gen_random_uuid(), name, party_type, 'none', 'b' || n || '@chidi.test', search, created_at, updated_at
      from buyers cross join generate_series(1, ${many}::int) as n where organisation_id = ${organisationId}
    returning id`)
  const invoice = JSON.parse(copied)
  const finalisedAt = new Date(Date.now() - 10 * 86_400_000)
  const copies = debtors.flatMap(({ id }) =>
    Array.from({ length: invoicesOfBuyer }, (_, n) => ({
      ...invoice,
      id: newId(),
      buyer_id: id,
      number: `${invoice.number}-${n}-${id}`,
      finalised_at: finalisedAt,
    })),
  )
  for (let at = 0; at < copies.length; at += 1_000)
    await db.run(sql`
      insert into invoices select * from jsonb_populate_recordset(null::invoices, ${JSON.stringify(copies.slice(at, at + 1_000))}::jsonb)`)
}

test('reminders that are due in the same minute reach each buyer once, however often workers are killed', async () => {
  const installed = await install({ organisations })
  const { db, owners } = installed
  const env = { ...installed.env, MAIL_LIMIT_HOURLY: '1000000' }
  const first = await startNode({ env, args: ['--role=api'] })
  for (const own of owners) await createDebts(db, first, own, buyers / organisations)
  expect((await first.stop()).code).toBe(0)
  await db.run(sql`update reminder_plans set next_at = now() - interval '1 minute'`)
  const countReminded = async (): Promise<number> =>
    (await db.one<{ many: number }>(sql`select count(*)::int as many from reminder_days`)).many
  /** Waits in steps of 50 buyers, because `until` gives up after a fixed time. */
  const untilReminded = async (wanted: number) => {
    for (let next = 50; next < wanted + 50; next += 50)
      await until(async () => (await countReminded()) >= Math.min(wanted, next), `${Math.min(wanted, next)} reminders`)
  }
  for (let nth = 1; nth <= kills; nth++) {
    const nodes = await Promise.all([startNode({ env }), startNode({ env })])
    await untilReminded(Math.floor((buyers * nth) / (kills + 1)))
    await Promise.all(nodes.map((node) => node.kill()))
    // The leases of the killed workers end now instead of 20 seconds later.
    await db.run(sql`update jobs set due_at = now() where taken_by is not null`)
  }
  const nodes = await Promise.all([startNode({ env }), startNode({ env })])
  await untilReminded(buyers)
  const waiting = async () =>
    (
      await db.one<{ many: number }>(sql`
        select (select count(*)::int from messages where sent_at is null) + (select count(*)::int from jobs where job = 'send-reminder') as many`)
    ).many
  for (let left = await waiting(); left > 0; left = await waiting())
    await until(async () => (await waiting()) < left, `fewer than ${left} waiting mails`)
  await until(
    async () => (await db.maybe(sql`select 1 from reminder_plans where next_at <= now()`)) === undefined,
    'the end of all runs',
  )
  const invoices = buyers * invoicesOfBuyer
  expect(
    await db.one(sql`
      select (select count(*)::int from reminder_days) as buyers,
             (select count(*)::int from sent_reminders) as reminders,
             (select count(distinct invoice_id)::int from sent_reminders) as invoices,
             (select count(*)::int from messages where cause like 'reminder:%') as mails,
             (select count(*)::int from mailbox where recipient like 'b%@chidi.test') as received,
             (select count(*)::int from events where type = 'invoice.reminder_sent') as events`),
  ).toEqual({ buyers, reminders: invoices, invoices, mails: buyers, received: buyers, events: invoices })
  for (const node of nodes) expect((await node.stop()).code).toBe(0)
}, 3_600_000)
