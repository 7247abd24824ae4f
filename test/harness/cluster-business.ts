import { expect } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import { cluster } from './cluster.ts'
import { eventually } from './eventually.ts'
import { findInvoiceFaults } from './invoice-faults.ts'
import { expectListed, followed } from './invoice-installation.ts'
import type { Load } from './invoice-load.ts'
import type { Issuer } from './invoices.ts'
import { ok } from './issued.ts'
import type { StubServer } from './stub-server.ts'
import { startReceiver } from './webhook-receiver.ts'

/** Two organisations on each worker of a cluster, with a webhook endpoint each. */
export interface ClusterBusiness {
  readonly owners: readonly Issuer[]
  readonly receiver: StubServer
}

export async function openOnBothWorkers(app: TestApp): Promise<ClusterBusiness> {
  const receiver = await startReceiver()
  const { near, far } = await cluster(app).ownersOnBoth(2)
  const owners = [...near, ...far]
  for (const [at, { token }] of owners.entries()) {
    const body = { url: `${receiver.url}/${at}`, events: ['invoice.created'] }
    ok(await app.b.post('/a/v1/organizations/me/webhooks', { token, body }), 201)
  }
  return { owners, receiver }
}

/** Every event has reached every consumer once, and every acknowledged invoice is there once. */
export async function expectNothingLost(
  app: TestApp,
  { owners, receiver }: ClusterBusiness,
  load: Load,
): Promise<void> {
  const { db } = app.runtime
  await cluster(app).recovered()
  await load.finish(app)
  await followed(db)
  await load.expectAllKept(db)
  expect(await findInvoiceFaults(app.owner)).toEqual([])
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
