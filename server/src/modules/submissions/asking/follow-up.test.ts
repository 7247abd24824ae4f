import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import {
  type RegisteredDocument,
  type ReportingDouble,
  reportingDouble,
} from '../../../../../test/harness/reporting-authority.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import { sql } from '../../../platform/database/sql.ts'
import { mostRetries } from '../state/submission.ts'
import { listTenantsToFollowUp } from './follow-up.store.ts'

let app: TestApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox'],
    authorityThrough: authority.through,
  })
  own = await reporter(app)
})
afterAll(() => app.close())
beforeEach(() => {
  authority.behaviourOf = () => 'well'
  authority.transmits = true
})

const ring = async (irn: string, message = 'ACKNOWLEDGED') => {
  const reply = await fetch(`${app.url}/notifications/authority/NG/sandbox`, {
    method: 'POST',
    body: JSON.stringify({ irn, message }),
  })
  expect(reply.status).toBe(200)
}
const lookupsOf = (irn: string) =>
  authority.asked.filter(({ what, reference }) => what === 'lookup' && reference === irn).length
/** Sends a callback and waits until the lookup's answer is recorded. */
async function rungAndAsked(irn: string, message?: string): Promise<void> {
  const before = lookupsOf(irn)
  await ring(irn, message)
  await eventually(async () => expect(lookupsOf(irn)).toBeGreaterThan(before))
  await app.quiet()
}
const registeredAs = (irn: string) => authority.registered.get(irn) as RegisteredDocument
const causesOf = async (id: string) => (await own.timeline(id)).attempts.map(({ cause }: { cause: string }) => cause)
const rowOf = (id: string) =>
  app.runtime.db.one<{ version: number; state: string; followUpAt: Date | null; attempts: number }>(sql`
    select i.version, s.state, s.follow_up_at,
           (select count(*)::int from submission_attempts a
             where a.organisation_id = ${own.organisationId} and a.submission_id = s.id) as attempts
      from submissions s join invoices i on i.organisation_id = s.organisation_id and i.mode = s.mode and i.id = s.invoice_id
     where s.organisation_id = ${own.organisationId} and s.invoice_id = ${id}`)
const acceptedOne = async () => {
  const { id } = await own.submitted()
  const { report } = await own.until(id, 'accepted')
  return { id: id as string, irn: report.reference as string }
}

describe('the buyer’s side acknowledges a document', () => {
  test('a callback leads to a lookup, whose answer counts; foreign and repeated callbacks change nothing', async () => {
    const { id, irn } = await acceptedOne()
    const before = await own.life.get(id)
    expect([before.reporting.delivery, before.simpleStatus]).toEqual(['nrs', 'reported'])
    const current = await rowOf(id)
    // A forged callback: the authority does not know the event.
    await rungAndAsked(irn)
    await ring('NEVER1-TEST0001-20261115')
    await ring(irn.toLowerCase(), 'FAILED')
    await app.quiet()
    expect({ ...(await rowOf(id)), followUpAt: null }).toEqual({ ...current, followUpAt: null })
    expect(await own.life.get(id)).toEqual(before)

    registeredAs(irn).delivered = true
    await rungAndAsked(irn)
    const after = await own.life.get(id)
    expect([after.status, after.reporting.delivery, after.simpleStatus]).toEqual([
      'accepted',
      'deliver_to_buyer',
      'delivered',
    ])
    const told = await eventsAbout(app, id)
    expect(told.at(-1)).toMatchObject({
      type: 'invoice.status_changed',
      data: { status: 'accepted', authorityReference: irn, delivery: 'deliver_to_buyer' },
    })
    expect((await causesOf(id)).at(-1)).toBe('notified')
    const list = await app.a.get(`${path}?delivery=deliver_to_buyer&simpleStatus=delivered`, { token: own.token })
    expect(list.data.map((one: { id: string }) => one.id)).toEqual([id])

    // A late and a repeated callback: nothing is left to look up.
    const asked = lookupsOf(irn)
    for (const message of ['ACKNOWLEDGED', 'TRANSMITTED', 'TRANSMITTING']) await ring(irn, message)
    await app.quiet()
    expect([lookupsOf(irn), await eventsAbout(app, id)]).toEqual([asked, told])
    expect((await rowOf(id)).followUpAt).toBeNull()
    expect(ok(await app.b.get(`${path}/${id}/status`, { token: own.token })).status).toBe('accepted')
    const timeline = ok(await app.b.get(`${path}/${id}/timeline`, { token: own.token }))
    expect(timeline.attempts.length).toBeGreaterThan(1)
  })

  test('one callback may name documents of several organisations: each is looked up for its owner', async () => {
    const others = await reporter(app)
    const { id } = await others.submitted()
    const theirs = (await others.until(id, 'accepted')).report.reference as string
    const { irn } = await acceptedOne()
    const before = [lookupsOf(irn), lookupsOf(theirs)]
    await Promise.all([ring(irn), ring(theirs), ring(irn)])
    await eventually(async () => {
      expect(lookupsOf(irn)).toBeGreaterThan(before[0] as number)
      expect(lookupsOf(theirs)).toBeGreaterThan(before[1] as number)
    })
    await app.quiet()
  })

  test('without a callback, follow-ups and query-status find out that the document was delivered', async () => {
    const [quiet, asked] = [await acceptedOne(), await acceptedOne()]
    for (const { irn } of [quiet, asked]) registeredAs(irn).delivered = true
    expect((await rowOf(quiet.id)).followUpAt).not.toBeNull()
    await app.runtime.db.run(
      sql`update submissions set follow_up_at = now() - interval '1 second' where invoice_id = ${quiet.id}`,
    )
    await app.runJob('sweep-follow-ups')
    await app.quiet()
    expect((await own.life.get(quiet.id)).reporting.delivery).toBe('deliver_to_buyer')
    expect((await causesOf(quiet.id)).at(-1)).toBe('automatic')

    ok(await app.b.post(`${path}/${asked.id}/query-status`, { token: own.token }))
    expect((await own.life.get(asked.id)).reporting.delivery).toBe('deliver_to_buyer')
    expect((await own.life.told(asked.id)).at(-1)).toBe('invoice.status_changed')
    expect((await rowOf(asked.id)).followUpAt).toBeNull()
  })

  test('tenants with due lookups are found behind tenants with earlier ids that only wait', async () => {
    const [early, other] = [await acceptedOne(), await reporter(app)]
    const late = await other.submitted()
    await other.until(late.id, 'accepted')
    await app.runtime.db.run(sql`
      update submissions set follow_up_at = now() + (case when invoice_id = ${late.id} then -1 else 3600 end) * interval '1 second'
       where invoice_id in (${early.id}, ${late.id}) or follow_up_at is not null`)
    const found = await listTenantsToFollowUp(app.runtime.db, undefined, 1)
    const { tenant } = await app.runtime.db.one<{ tenant: string }>(sql`
      select organisation_id as tenant from submissions where invoice_id = ${late.id}`)
    expect(found).toEqual([{ organisationId: tenant, mode: 'sandbox' }])
    expect(await listTenantsToFollowUp(app.runtime.db, found[0], 1)).toEqual([])
  })

  test('a lookup without an answer is postponed, and nothing is asked during an outage', async () => {
    const { id, irn } = await acceptedOne()
    const current = await rowOf(id)
    for (const manner of ['error', 'nonsense', 'silent'] as const) {
      authority.behaviourOf = () => manner
      await rungAndAsked(irn)
      const now = await rowOf(id)
      expect(now.followUpAt?.getTime(), manner).toBeGreaterThan(Date.now())
      expect({ ...now, followUpAt: null }, manner).toEqual({ ...current, followUpAt: null })
    }
    authority.behaviourOf = () => 'well'
    const asked = lookupsOf(irn)
    const away = (state: string) =>
      app.runtime.db.run(sql`
        insert into authority_links (country, mode, state, since) values ('NG', 'sandbox', ${state}, now())
        on conflict (country, mode) do update set state = excluded.state`)
    await away('open')
    await ring(irn)
    await app.quiet()
    expect(lookupsOf(irn)).toBe(asked)
    await away('closed')
    registeredAs(irn).delivered = true
    await app.runJob('sweep-follow-ups')
    await app.quiet()
    expect((await own.life.get(id)).reporting.delivery).toBe('deliver_to_buyer')
  })
})

describe('a callback about a document that is still being submitted', () => {
  const waitsLong = (id: string) =>
    app.runtime.db.run(sql`
      update submissions set due_at = now() + interval '1 hour' where invoice_id = ${id} and due_at is not null`)

  test('confirms the document before its next step is due', async () => {
    authority.transmits = false
    const { id } = await own.submitted()
    const { report } = await own.until(id, 'transmitted')
    await eventually(async () => {
      await waitsLong(id)
      // The last attempt was answered, so no worker has a lease on the document.
      expect((await own.timeline(id)).attempts.at(-1)).toMatchObject({ step: 'confirm', answer: 'found' })
    })
    await waitsLong(id)
    await rungAndAsked(report.reference, 'TRANSMITTED')
    expect((await own.status(id)).status).toBe('transmitted')
    registeredAs(report.reference).transmitted = true
    await rungAndAsked(report.reference, 'TRANSMITTED')
    expect((await own.status(id)).status).toBe('accepted')
    expect((await causesOf(id)).at(-1)).toBe('notified')
    expect(await brokenInvariants(app.runtime.db)).toEqual({})
  })

  test('never ends a failed submission: only query-status does', async () => {
    const { id } = await own.submitted()
    const { report } = await own.until(id, 'accepted')
    const { reference } = report
    // As if all retries were used and the authority did not have the document.
    ;(authority.registered as Map<string, RegisteredDocument>).delete(reference)
    await app.runtime.db.run(sql`
      update submissions set state = 'unknown', failed_at = now(), retries = ${mostRetries}, follow_up_at = null, absent_at = now() - interval '1 hour'
       where invoice_id = ${id}`)
    for (let times = 0; times < 2; times++) await rungAndAsked(reference)
    expect(await rowOf(id)).toMatchObject({ state: 'unknown', followUpAt: null })
  })
})
