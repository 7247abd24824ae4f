import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import { queueAttemptMetrics } from '../../../platform/background/attempt-metrics.ts'
import { sql } from '../../../platform/database/sql.ts'
import { retryPolicyOf } from '../state/retry-policy.ts'
import { submissionMetrics } from './figures.ts'

let app: TestApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', authority: ['sandbox'], authorityThrough: authority.through })
  own = await reporter(app)
})
afterAll(() => app.close())
beforeEach(() => {
  authority.behaviourOf = () => 'well'
  authority.refuses = () => undefined
  authority.isHealthy = true
})

const figureIn = (text: string, line: string): number | undefined => {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}
const figures = async () => {
  const text = await submissionMetrics(app.runtime.db, ['NG'])
  const ofLink = (name: string) => figureIn(text, `risiti_submissions_${name}{country="NG",mode="sandbox"}`)
  return {
    waiting: ofLink('waiting'),
    oldestSeconds: ofLink('oldest_seconds'),
    failed: ofLink('failed'),
    unknownRefusals: figureIn(text, 'risiti_submission_unknown_refusals_total'),
  }
}
const attempts = async () => {
  const text = await queueAttemptMetrics([...app.runtime.ownQueueCounts])
  const ended = (outcome: string) =>
    figureIn(text, `risiti_queue_attempts_total{queue="submissions",outcome="${outcome}"}`) ?? 0
  return { done: ended('done'), failed: ended('failed'), retried: ended('retried') }
}

test('metrics show the queue, its age, failed submissions, ends of attempts and unknown refusals', async () => {
  const [before, answered] = [await figures(), await attempts()]
  expect(before).toMatchObject({ waiting: 0, oldestSeconds: 0, failed: 0 })
  const { id } = await own.submitted()
  await own.until(id, 'accepted')
  // Registered, transmitted and confirmed.
  await eventually(async () => expect(await attempts()).toEqual({ ...answered, done: answered.done + 3 }))
  expect(await figures()).toEqual({ ...before, waiting: 0, oldestSeconds: 0 })

  authority.refuses = () => 'invoicerequest.invoice.moonphase must be full'
  const refused = await own.submitted()
  await own.until(refused.id, 'rejected')
  await eventually(async () => expect((await figures()).unknownRefusals).toBe((before.unknownRefusals as number) + 1))

  authority.behaviourOf = () => 'error'
  const led = await attempts()
  const lost = await own.submitted()
  await eventually(async () => expect((await attempts()).retried).toBeGreaterThan(led.retried))
  await app.runtime.db.run(
    sql`update submissions set created_at = now() - interval '1 hour' where invoice_id = ${lost.id}`,
  )
  const now = await figures()
  expect([now.waiting, now.failed]).toEqual([1, before.failed])
  expect(now.oldestSeconds).toBeGreaterThanOrEqual(3_600)
  await app.runtime.db.run(sql`
    update submissions set tries = ${retryPolicyOf('sandbox', app.runtime.settings).mostTries - 1} where invoice_id = ${lost.id} and failed_at is null`)
  await own.until(lost.id, 'failed')
  expect(await figures()).toMatchObject({ waiting: 0, oldestSeconds: 0, failed: (before.failed as number) + 1 })
  await eventually(async () => {
    const ended = await attempts()
    expect(ended.failed).toBe(ended.retried + 1 + (led.failed - led.retried))
  })
})

test('a process that starts during an announced outage probes first, and then sends', async () => {
  await app.stopWork()
  await app.runtime.db.run(sql`
    insert into authority_links (country, mode, state, reason, since) values ('NG', 'sandbox', 'open', 'it does not answer', now())
    on conflict (country, mode) do update set state = 'open'`)
  const { id } = await own.submitted()
  authority.isHealthy = false
  const [asked, probes] = [authority.asked.length, authority.probes]
  await app.startWork()
  // The outage is real, so the queue takes nothing.
  await eventually(async () => expect(authority.probes).toBeGreaterThan(probes))
  const waiting = ok(await app.a.get(`${path}/${id}/status`, { token: own.token }))
  expect([waiting.status, waiting.report.outcome]).toEqual(['queued', 'waiting'])
  expect(waiting.report.authorityOutage).not.toBeNull()
  expect(authority.asked.slice(asked)).toEqual([])
  authority.isHealthy = true
  await own.until(id, 'accepted')
  await eventually(async () =>
    expect(
      await app.runtime.db.one(sql`select state from authority_links where country = 'NG' and mode = 'sandbox'`),
    ).toEqual({
      state: 'closed',
    }),
  )
})

test('a worker that was blocked until its lease was about to end sends nothing: another worker may have the document', async () => {
  await app.stopWork()
  const { id } = await own.submitted()
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The worker reads the keys after it has its lease: there it is blocked.
  const holding = app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`lock table tax_connections in access exclusive mode`)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  await app.startWork()
  const now = performance.now.bind(performance)
  try {
    await eventually(async () =>
      expect(await app.runtime.db.one(sql`select fence from submissions where invoice_id = ${id}`)).toEqual({
        fence: 1,
      }),
    )
    const { leaseMs } = retryPolicyOf('sandbox', app.runtime.settings)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + leaseMs)
    release.resolve()
    await holding
    await eventually(async () =>
      expect((await own.timeline(id)).attempts[0]).toMatchObject({
        step: 'sign',
        answer: 'not_sent',
        why: 'the claim was about to end',
      }),
    )
  } finally {
    vi.restoreAllMocks()
    release.resolve()
    await holding
  }
  const { report } = await own.until(id, 'accepted')
  expect(authority.registrations.get(report.reference)).toBe(1)
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})
