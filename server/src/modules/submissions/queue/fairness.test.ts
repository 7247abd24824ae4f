import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { buyerDetails, invoiceBody } from '../../../../../test/harness/invoices.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { sql } from '../../../platform/database/sql.ts'
import { firstTurn, turnOf } from '../../../platform/jobs/turns.ts'
import { chooseDue } from './queue.store.ts'

let app: TestApp
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox', 'live'],
    authorityThrough: authority.through,
  })
})
afterAll(() => app.close())

const submit = async ({ token, ...own }: Awaited<ReturnType<typeof reporter>>) =>
  ok(await app.a.post(`${path}/create-and-submit`, { token, body: invoiceBody.A(own) }), 201).id as string

test('one document of an organisation is taken soon, however many another organisation has queued', async () => {
  const [busy, other] = [await reporter(app), await reporter(app)]
  await app.stopWork()
  await Promise.all(Array.from({ length: 100 }, () => submit(busy)))
  const single = await submit(other)
  authority.latencyMs = 60
  await app.startWork()
  await other.until(single, 'accepted')
  const { left } = await app.runtime.db.one<{ left: number }>(sql`
    select count(*)::int as left from submissions where organisation_id = ${busy.organisationId} and state <> 'accepted'`)
  expect(left).toBeGreaterThan(30)
  authority.latencyMs = 0
  const queue = () =>
    app.runtime.db.one<{ open: number }>(sql`select count(*)::int as open from submissions where state <> 'accepted'`)
  await eventually(async () => expect(await queue()).toEqual({ open: 0 }))
})

/** The same organisation in live mode, connected with a service id of its own. */
async function liveSideOf(own: Reporter): Promise<{ token: string; buyerId: string }> {
  const { organisationId } = own
  const { token } = await app.member(organisationId, 'OWNER', { mode: 'live' })
  await app.runtime.db.run(sql`
    insert into tax_connections
    select (jsonb_populate_record(c, jsonb_build_object('mode', 'live', 'id', gen_random_uuid(), 'service_id', 'LIVE0001'))).*
      from tax_connections c where c.organisation_id = ${organisationId} and c.mode = 'sandbox'`)
  const buyer = ok(await app.a.post('/i/v1/buyers', { token, body: buyerDetails }), 201)
  ok(await app.a.post(`/i/v1/buyers/${buyer.id}/verify-tax-number`, { token }), 202)
  await app.quiet()
  return { token, buyerId: buyer.id }
}

test('a live document waits neither behind the sandbox backlog of its own organisation nor behind those of others', async () => {
  const [own, other, third] = [await reporter(app), await reporter(app), await reporter(app)]
  const live = await liveSideOf(own)
  await app.stopWork()
  const backlog = Array.from({ length: 60 }, () => [own, other, third]).flat()
  await Promise.all(backlog.map(submit))
  const body = invoiceBody.A(live)
  const made = ok(await app.a.post(`${path}/create-and-submit`, { token: live.token, body }), 201)
  expect(made, JSON.stringify(made.submitRefusal)).toMatchObject({ status: 'queued' })
  // The sandbox gets no answer before the live document has one.
  const answered = Promise.withResolvers<void>()
  authority.behaviourOf = (_, reference) => {
    if (reference.includes('LIVE0001')) answered.resolve()
    return 'well'
  }
  authority.latencyOf = (reference) => (reference.includes('LIVE0001') ? Promise.resolve() : answered.promise)
  await app.startWork()
  try {
    await eventually(async () => {
      const { data } = await app.a.get(`${path}/${made.id}/status`, { token: live.token })
      expect(data.status).toBe('accepted')
    })
  } finally {
    answered.resolve()
    authority.latencyOf = undefined
    authority.behaviourOf = () => 'well'
  }
})

test('sandbox jobs and sandbox mails wait in their own turn', async () => {
  const own = await reporter(app)
  const { organisationId, token } = own
  await app.stopWork()
  try {
    const live = await app.member(organisationId, 'OWNER', { mode: 'live' })
    for (const caller of [{ token }, { token: live.token }]) {
      const buyer = ok(
        await app.a.post('/i/v1/buyers', { ...caller, body: { ...buyerDetails, taxId: '33445566-0001' } }),
        201,
      )
      ok(await app.a.post(`/i/v1/buyers/${buyer.id}/verify-tax-number`, caller), 202)
    }
    const turns = await app.runtime.db.rows<{ turn: string; mode: string }>(sql`
      select distinct organisation_id as turn, payload ->> 'mode' as mode from jobs where payload ->> 'organisationId' = ${organisationId}`)
    expect(turns).toEqual(
      expect.arrayContaining([
        { turn: turnOf({ organisationId, mode: 'sandbox' }), mode: 'sandbox' },
        { turn: organisationId, mode: 'live' },
      ]),
    )
  } finally {
    await app.startWork()
  }
})

test('documents under way count against the share of their organisation', async () => {
  const [busy, other] = [await reporter(app), await reporter(app)]
  await app.stopWork()
  await Promise.all([busy, busy, busy, busy, busy, other, other].map(submit))
  const { shares } = await chooseDue(app.runtime.db, {
    country: 'NG',
    mode: 'sandbox',
    limit: 10,
    from: firstTurn,
    underWay: new Map([[busy.organisationId, 3]]),
    mostPerOrganisation: 4,
  })
  const of = (id: string) => shares.find(({ organisationId }) => organisationId === id)?.ids.length
  expect([of(busy.organisationId), of(other.organisationId)]).toEqual([1, 2])
})

test('four documents of each organisation are taken before a fifth of any', async () => {
  await app.startWork()
  const all = [await reporter(app), await reporter(app), await reporter(app)]
  await app.stopWork()
  await Promise.all(all.flatMap((one) => Array.from({ length: 6 }, () => submit(one))))
  const ids = all.map(({ organisationId }) => organisationId).sort()
  const chosen = async (limit: number) => {
    const room = { country: 'NG', mode: 'sandbox', limit, from: ids[0] as string, underWay: new Map() } as const
    const { shares } = await chooseDue(app.runtime.db, { ...room, mostPerOrganisation: 6 })
    return ids.map((id) => shares.find(({ organisationId }) => organisationId === id)?.ids.length)
  }
  expect(await chosen(10)).toEqual([4, 4, 2])
  expect(await chosen(15)).toEqual([6, 5, 4])
})

test('due documents get their turn behind any number of organisations that only wait', async () => {
  await app.startWork()
  const own = await reporter(app)
  await app.stopWork()
  const id = await submit(own)
  await app.owner.transaction(async (tx) => {
    // The owner of these rows does not matter here. Citus sends the setting to its servers; one PostgreSQL ignores the name.
    await tx.run(sql`set local citus.propagate_set_commands = 'local'`)
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`
      insert into submissions
      select (jsonb_populate_record(s, jsonb_build_object('organisation_id', '00000000-0000-4000-8000-' || lpad(nth::text, 12, '0'), 'id', gen_random_uuid(),
                                                          'due_at', now() + interval '1 hour'))).*
        from submissions s, generate_series(1, 1500) as nth where s.invoice_id = ${id}`)
  })
  await app.startWork()
  try {
    await own.until(id, 'accepted')
  } finally {
    await app.owner.run(sql`delete from submissions where organisation_id < '00000000-0000-4000-9000-000000000000'`)
  }
})
