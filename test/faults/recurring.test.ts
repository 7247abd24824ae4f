import { expect, test } from 'vitest'
import { businessDay } from '../../server/src/kernel/days.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { inCopies } from '../harness/cluster.ts'
import { findInvoiceFaults } from '../harness/invoice-faults.ts'
import { install } from '../harness/invoice-installation.ts'
import type { Issuer } from '../harness/invoices.ts'
import { type ServerNode, startNode, until } from '../harness/processes.ts'

/** Small in the run of all faults. `npm run faults:recurring` tries 10,000. */
const schedules = Number(process.env.STORM_SCHEDULES ?? 120)
const organisations = 4
const kills = schedules > 1_000 ? 12 : 3

const dayMs = 86_400_000
const tomorrow = businessDay(new Date(Date.now() + dayMs), 'Africa/Lagos')

/** Creates one schedule through the API, and copies of it in the database. */
async function createSchedules(
  db: Database,
  { a }: ServerNode,
  { token, buyerId, organisationId }: Issuer,
  many: number,
): Promise<void> {
  const line = { description: 'Rent in {month}', hsnCode: '2523.29', unitCode: 'XBG', quantity: 1, unitPrice: 5 }
  const invoice = { buyerId, currency: 'NGN', lineItems: [{ ...line, taxCategory: 'exempt' }] }
  const body = { name: 'Rent', unit: 'year', count: 1, startsOn: tomorrow, policy: 'finalise', invoice }
  const reply = await a.post('/i/v1/recurring-invoices', { token, body })
  expect(reply.status, reply.text).toBe(201)
  await db.run(sql`
    with copies as (
      insert into recurring_schedules (organisation_id, mode, id, name, status, recurrence, catch_up, made_by, next_number, next_on, next_at, created_at, updated_at)
      select organisation_id, mode, gen_random_uuid(), name, status, recurrence, catch_up, made_by, next_number, next_on, next_at, created_at, updated_at
        from recurring_schedules cross join generate_series(2, ${many}::int) where organisation_id = ${organisationId}
      returning organisation_id, mode, id)
    insert into recurring_contents (organisation_id, mode, schedule_id, from_day, template, policy, due_in_days)
    select c.organisation_id, c.mode, c.id, t.from_day, t.template, t.policy, t.due_in_days
      from copies c join recurring_contents t on t.organisation_id = c.organisation_id and t.mode = c.mode`)
}

test('schedules that are due in the same minute make one invoice each, however often workers are killed', async () => {
  const { db, env, owners } = await install({ organisations })
  const first = await startNode({ env, args: ['--role=api'] })
  for (const own of owners) await createSchedules(db, first, own, schedules / organisations)
  expect((await first.stop()).code).toBe(0)
  // The day of all invoices begins now.
  const { day, due } = await db.one<{ day: string; due: Date }>(sql`
    select min(next_on) - 1 as day, now() - interval '1 minute' as due from recurring_schedules`)
  await db.run(sql`
    update recurring_schedules set next_at = ${due}, next_on = ${day}::date,
           recurrence = jsonb_set(recurrence, '{startsOn}', ${JSON.stringify(day)}::jsonb)`)
  await db.run(sql`update recurring_contents set from_day = from_day - 1`)
  const countMade = async (): Promise<number> =>
    (await db.one<{ made: number }>(sql`select count(*)::int as made from recurring_runs where outcome = 'made'`)).made
  /** Waits in steps of 50 invoices, because `until` gives up after a fixed time. */
  const untilMade = async (wanted: number) => {
    for (let next = 50; next < wanted + 50; next += 50)
      await until(async () => (await countMade()) >= Math.min(wanted, next), `${Math.min(wanted, next)} invoices`)
  }
  for (let nth = 1; nth <= kills; nth++) {
    const nodes = await Promise.all([startNode({ env }), startNode({ env })])
    await untilMade(Math.floor((schedules * nth) / (kills + 1)))
    await Promise.all(nodes.map((node) => node.kill()))
    // The leases of the killed workers end now instead of 20 seconds later.
    await db.run(sql`update jobs set due_at = now() where taken_by is not null`)
  }
  const nodes = await Promise.all([startNode({ env }), startNode({ env })])
  await untilMade(schedules)
  expect(
    await inCopies(db, ['events', 'invoices', 'recurring_runs', 'recurring_schedules'], (copies) =>
      copies.one(sql`
      select count(*)::int as invoices, count(*) filter (where status = 'finalised')::int as finalised,
             count(distinct (organisation_id, number))::int as numbers,
             (select count(*)::int from events where type = 'invoice.finalised') as events,
             (select count(distinct invoice_id)::int from recurring_runs) as named,
             (select count(*)::int from recurring_runs where outcome <> 'made') as others,
             (select count(*)::int from recurring_schedules where status <> 'ended') as unended
        from invoices`),
    ),
  ).toEqual({
    invoices: schedules,
    finalised: schedules,
    numbers: schedules,
    events: schedules,
    named: schedules,
    others: 0,
    unended: 0,
  })
  // These checks read all rows in one statement, which takes too long for thousands.
  if (schedules <= 1_000) expect(await findInvoiceFaults(db)).toEqual([])
  for (const node of nodes) expect((await node.stop()).code).toBe(0)
}, 3_600_000)
