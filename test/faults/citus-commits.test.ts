import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { cluster } from '../harness/cluster.ts'
import { eventually } from '../harness/eventually.ts'
import { invoiceFaults } from '../harness/invoice-faults.ts'
import { expectListed, followed } from '../harness/invoice-installation.ts'
import { invoiceLoad } from '../harness/invoice-load.ts'
import type { Issuer } from '../harness/invoices.ts'
import { invoicesPath, lifeOf, ok } from '../harness/issued.ts'
import { until } from '../harness/processes.ts'
import { chance } from '../harness/random-invoices.ts'
import type { StubServer } from '../harness/stub-server.ts'
import { startReceiver } from '../harness/webhook-receiver.ts'
import { type CommandFault, linkToWorker, type WorkerLink } from '../harness/worker-link.ts'

const seed = Number(process.env.STORM_SEED ?? 1)
/** A commit that is held takes so long. Requests wait for at most ten seconds. */
const heldMs = 6_000

let app: TestApp
let link: WorkerLink
let receiver: StubServer
/** Two organisations on the worker behind the link, and two on the other one. */
let owners: readonly Issuer[]

beforeAll(async () => {
  app = await startTestApp()
  link = await linkToWorker(app.database)
  receiver = await startReceiver()
  const { near, far } = await cluster(app).ownersOnBoth(2)
  owners = [...near, ...far]
  for (const [at, { token }] of owners.entries()) {
    const body = { url: `${receiver.url}/${at}`, events: ['invoice.created'] }
    ok(await app.b.post('/a/v1/organizations/me/webhooks', { token, body }), 201)
  }
})
afterAll(async () => {
  link?.release()
  await app?.close()
  await receiver?.[Symbol.asyncDispose]()
})

const tablesOfInvoices = [
  'credit_balances',
  'credit_moves',
  'events',
  'idempotency_keys',
  'invoice_numbers',
  'invoices',
  'number_series',
  'payments',
]

/** Every event has reached every consumer once, and every acknowledged invoice is there once. */
async function expectNothingLost(load: ReturnType<typeof invoiceLoad>): Promise<void> {
  const { db } = app.runtime
  await cluster(app).recovered()
  await load.finish(app)
  await followed(db)
  await load.expectAllKept(db)
  expect(await cluster(app).inCopies(tablesOfInvoices, invoiceFaults)).toEqual([])
  for (const own of owners) await expectListed(db, app, own)
  await app.quiet()
  await eventually(async () => {
    const counts = await db.rows(sql`
      select e.organisation_id, e.many - c.many as lacking
        from (select organisation_id, count(*)::int as many from events group by organisation_id) as e
        left join (select organisation_id, sum(n)::int as many from event_counts where span = 'day' group by organisation_id) as c
          on c.organisation_id = e.organisation_id
       where e.many is distinct from c.many`)
    expect(counts).toEqual([])
  })
  for (const [at, { organisationId }] of owners.entries()) {
    await eventually(async () => {
      const deliveries = await db.one(sql`
        select count(*)::int as all, count(distinct event_id)::int as different, (count(*) filter (where status = 'delivered'))::int as delivered
          from webhook_deliveries where organisation_id = ${organisationId}`)
      const { many } = await db.one<{ many: number }>(sql`
        select count(*)::int as many from events where organisation_id = ${organisationId} and type = 'invoice.created'`)
      expect(deliveries).toEqual({ all: many, different: many, delivered: many })
      const heard = receiver.requests.filter(({ path }) => path === `/${at}`)
      expect(new Set(heard.map(({ headers }) => headers['x-webhook-id'])).size).toBe(many)
    })
  }
}

const disturbances: readonly (readonly [words: string, fault: CommandFault])[] = [
  ['COMMIT PREPARED', 'held'],
  ['COMMIT PREPARED', 'lost'],
  ['COMMIT PREPARED', 'reply_lost'],
  ['PREPARE TRANSACTION', 'lost'],
  ['PREPARE TRANSACTION', 'reply_lost'],
  ['COMMIT', 'reply_lost'],
]

test('under load, disturbed commits lose no event and no invoice', async () => {
  const load = invoiceLoad(owners, chance(seed))
  const work = load.start(app, 4)
  for (const [words, fault] of disturbances) {
    await work.goesOn(10)
    link.disturb(words, fault)
    await until(async () => link.disturbed() > 0, words)
    if (fault === 'held') await wait(heldMs)
    link.release()
  }
  await work.goesOn(10)
  await work.callOff()
  process.stdout.write(
    `${disturbances.length} commits disturbed, ${load.statuses.get(201)} creates, ${load.statuses.get(503) ?? 0} replies 503\n`,
  )
  await expectNothingLost(load)
})

test.each(disturbances)(
  'a bulk job whose %s is %s comes to its end if its start was acknowledged',
  async (words, fault) => {
    const [own] = owners as [Issuer]
    const life = lifeOf(app, own)
    const { id } = await life.draft()
    await app.quiet()
    link.disturb(words, fault)
    const reply = app.a.post(`${invoicesPath}/bulk`, {
      token: own.token,
      body: { action: 'finalise', invoiceIds: [id] },
    })
    await until(async () => link.disturbed() > 0, words)
    if (fault === 'held') await wait(heldMs)
    link.release()
    const { status, data, text } = await reply
    await cluster(app).recovered()
    expect([202, 503], text).toContain(status)
    if (status === 202)
      await eventually(async () => {
        const job = ok(await app.a.get(`${invoicesPath}/bulk/${data.id}`, { token: own.token }))
        expect(job.status).toBe('done')
      })
    await app.quiet()
  },
)
