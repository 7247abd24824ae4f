import { afterAll, beforeAll, expect, test } from 'vitest'
import { onOneShard, sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { cluster, issuerBeside } from '../harness/cluster.ts'
import { eventually } from '../harness/eventually.ts'
import { invoiceFaults } from '../harness/invoice-faults.ts'
import { expectListed, followed } from '../harness/invoice-installation.ts'
import { invoiceLoad } from '../harness/invoice-load.ts'
import { type Issuer, invoiceBody } from '../harness/invoices.ts'
import { invoicesPath, lifeOf, ok } from '../harness/issued.ts'
import { chance } from '../harness/random-invoices.ts'
import { type Reporter, reporter } from '../harness/reporters.ts'
import { reportingDouble } from '../harness/reporting-authority.ts'
import type { StubServer } from '../harness/stub-server.ts'
import { brokenInvariants } from '../harness/submission-invariants.ts'
import { startReceiver } from '../harness/webhook-receiver.ts'

const seed = Number(process.env.STORM_SEED ?? 1)

let app: TestApp
let receiver: StubServer
let owners: readonly Reporter[]
const authority = reportingDouble()

beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], authorityThrough: authority.through })
  receiver = await startReceiver()
  owners = [await reporter(app), await reporter(app), await reporter(app)]
  for (const [at, { token }] of owners.entries()) {
    const body = { url: `${receiver.url}/${at}`, events: ['invoice.created'] }
    ok(await app.b.post('/a/v1/organizations/me/webhooks', { token, body }), 201)
  }
})
afterAll(async () => {
  await app?.close()
  await receiver?.[Symbol.asyncDispose]()
})

/** Finalises and submits invoices until the signal. Returns those whose submission was acknowledged. */
async function submitUntil(own: Reporter, signal: AbortSignal): Promise<string[]> {
  const acknowledged: string[] = []
  const life = lifeOf(app, own)
  const passing = [200, 201, 202, 503]
  while (!signal.aborted) {
    const made = await app.a.post(invoicesPath, { token: own.token, body: invoiceBody.A(own) })
    expect(passing, made.text).toContain(made.status)
    if (made.status !== 201) continue
    const finalised = await life.act(made.data.id, 'finalise')
    expect(passing, finalised.text).toContain(finalised.status)
    if (finalised.status !== 200) continue
    const submitted = await life.act(made.data.id, 'submit')
    expect(passing, submitted.text).toContain(submitted.status)
    if (submitted.status === 202) acknowledged.push(made.data.id)
  }
  return acknowledged
}

test('organisations are written together only if they are in one shard', async () => {
  const { db } = app.runtime
  const [own] = owners as [Reporter]
  const beside = await issuerBeside(app, own)
  const { portOf, ownersOnBoth } = cluster(app)
  const { near, far } = await ownersOnBoth(1)
  const ofBoth = [...near, ...far] as [Issuer, Issuer]
  const isNear = (await portOf(own.organisationId)) === (await portOf(ofBoth[0].organisationId))
  const elsewhere = ofBoth[isNear ? 1 : 0]
  await eventually(async () => expect(db.areTogether(own, beside)).toBe(true))
  await eventually(async () => expect(db.areTogether(elsewhere, elsewhere)).toBe(true))
  expect(db.areTogether(own, elsewhere)).toBe(false)
  const ask = (other: Issuer) =>
    db.one(onOneShard([own.organisationId, other.organisationId], sql`select 1 as one`, 'one integer'))
  expect(await ask(beside)).toEqual({ one: 1 })
  await expect(ask(elsewhere)).rejects.toThrow('the organisations are in different shards')
})

test('shards move to the other worker and back under load, and nothing is lost', async () => {
  const { db } = app.runtime
  const load = invoiceLoad(owners, chance(seed))
  const work = load.start(app, 3)
  const stopping = new AbortController()
  const submitting = Promise.all(owners.map((own) => submitUntil(own, stopping.signal)))
  await work.goesOn(5)
  for (const { organisationId } of owners) {
    const from = await cluster(app).portOf(organisationId)
    await cluster(app).moveShardOf(organisationId)
    expect(await cluster(app).portOf(organisationId)).not.toBe(from)
    await work.goesOn(5)
  }
  await cluster(app).moveShardOf((owners[0] as Reporter).organisationId)
  await work.goesOn(5)
  stopping.abort()
  const acknowledged = (await submitting).flat()
  await work.callOff()
  await load.finish(app)

  await followed(db)
  await app.quiet()
  expect(acknowledged.length).toBeGreaterThan(0)
  await load.expectAllKept(db)
  await eventually(async () => {
    const { open } = await db.one<{ open: number }>(
      sql`select count(*)::int as open from submissions where state not in ('accepted', 'rejected')`,
    )
    expect(open).toBe(0)
  })
  const accepted = await db.rows<{ invoiceId: string }>(
    sql`select invoice_id from submissions where state = 'accepted'`,
  )
  const ids = new Set(accepted.map(({ invoiceId }) => invoiceId))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  expect([...authority.registrations.values()].filter((times) => times !== 1)).toEqual([])
  const faults = await cluster(app).inCopies(
    [
      'credit_balances',
      'credit_moves',
      'events',
      'idempotency_keys',
      'invoice_numbers',
      'invoices',
      'number_series',
      'payments',
      'submissions',
      'submission_attempts',
    ],
    async (copies) => [await invoiceFaults(copies), await brokenInvariants(copies)],
  )
  expect(faults).toEqual([[], {}])
  process.stdout.write(
    `${owners.length + 1} moves, ${load.statuses.get(201)} creates, ${load.statuses.get(503) ?? 0} replies 503, ${acknowledged.length} submissions\n`,
  )
  for (const [at, own] of owners.entries()) {
    await expectListed(db, app, own)
    const { many } = await db.one<{ many: number }>(sql`
      select count(*)::int as many from events where organisation_id = ${own.organisationId} and type = 'invoice.created'`)
    await eventually(async () => {
      const heard = receiver.requests.filter(({ path }) => path === `/${at}`)
      expect(new Set(heard.map(({ headers }) => headers['x-webhook-id'])).size).toBe(many)
    })
  }
})
