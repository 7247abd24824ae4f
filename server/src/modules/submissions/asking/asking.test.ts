import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import {
  type RegisteredDocument,
  type ReportingDouble,
  reportingDouble,
} from '../../../../../test/harness/reporting-authority.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import { sql } from '../../../platform/database/sql.ts'
import { submissionMetrics } from '../queue/figures.ts'
import { retryPolicyOf } from '../state/retry-policy.ts'
import { mostRetries } from '../state/submission.ts'

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
})

const ask = (id: string, form: 'A' | 'B' = 'A') =>
  app.client(form).post(`${path}/${id}/query-status`, { token: own.token })
const almostGivenUp = (id: string) =>
  app.runtime.db.run(sql`
    update submissions set tries = ${retryPolicyOf('sandbox', app.runtime.settings).mostTries - 1} where invoice_id = ${id}`)
const rowsOf = async (id: string) =>
  (
    await app.runtime.db.one<{ rows: number }>(sql`
      select count(*)::int as rows from submission_attempts where submission_id in (select id from submissions where invoice_id = ${id})`)
  ).rows

test.each(['A', 'B'] as const)('another document with its number is an answer, through form %s', async (form) => {
  authority.behaviourOf = (what) => (what === 'sign' ? 'error' : 'well')
  const issued = await own.life.issued()
  const other = await own.submitted()
  const reference = (await own.status(other.id)).report.reference as string
  const taken = reference.replace(other.invoiceNumber, issued.invoiceNumber)
  const strange = JSON.stringify({ irn: taken, business_id: 'another', legal_monetary_total: { payable_amount: 1 } })
  ;(authority.registered as Map<string, RegisteredDocument>).set(taken, {
    bytes: Buffer.from(strange),
    at: 0,
    transmitted: true,
    delivered: false,
  })
  ok(await own.life.act(issued.id, 'submit'), 202)
  await own.until(issued.id, 'failed')
  const asked = ok(await ask(issued.id, form))
  expect(asked).toMatchObject({ status: 'failed', authority: null })
  expect(asked.report.message).toContain('another document is registered under this number')
  // No retry is left, so the next answer ends the submission.
  await app.runtime.db.run(sql`update submissions set retries = ${mostRetries} where invoice_id = ${issued.id}`)
  expect(ok(await ask(issued.id, form))).toMatchObject({
    status: 'rejected',
    authority: null,
    report: { outcome: 'rejected' },
  })
  authority.behaviourOf = () => 'well'
  await own.until(other.id, 'accepted')
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})

test('repeated queries leave a bounded number of attempts, and the timeline shows the newest', async () => {
  const { id } = await own.submitted()
  await own.until(id, 'accepted')
  const before = await rowsOf(id)
  for (let times = 0; times < 110; times++) ok(await ask(id))
  expect(await rowsOf(id)).toBe(before + 100)
  const { attempts } = await own.timeline(id)
  expect(attempts).toHaveLength(before + 100)
  expect(attempts.at(-1)).toMatchObject({ step: 'query', answer: 'found', cause: 'asked', actor: { id: own.userId } })
  expect(attempts[0]).toMatchObject({ step: 'sign', answer: 'signed' })

  // Earlier versions left one row for each question.
  await app.runtime.db.run(sql`
    insert into submission_attempts (organisation_id, mode, submission_id, number, step, cause, begun_at, ended_at, answer)
    select organisation_id, mode, id, -1000 - nth, 'query', 'asked', now() - interval '1 day', now() - interval '1 day', 'absent'
      from submissions, generate_series(1, 1000) as nth where invoice_id = ${id}`)
  const shown = (await own.timeline(id)).attempts
  expect(shown).toHaveLength(1_000)
  expect(shown.slice(-100 - before)).toEqual(attempts)
})

test('the last submission has the highest ordinal, even if the clocks of two nodes disagree', async () => {
  authority.refuses = () => 'invoicerequest.invoice.note is required'
  const { id } = await own.submitted()
  await own.until(id, 'rejected')
  authority.refuses = () => undefined
  ok(await own.life.act(id, 'reopen'))
  ok(await own.life.act(id, 'finalise'))
  app.clock.set('2026-11-15T08:59:00Z')
  try {
    ok(await own.life.act(id, 'submit'), 202)
  } finally {
    app.clock.set('2026-11-15T09:00:00Z')
  }
  const { report } = await own.until(id, 'accepted')
  expect(report.outcome).toBe('accepted')
  expect(ok(await ask(id)).status).toBe('accepted')
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})

test('a document whose keys cannot be opened fails with a reason, the metrics count it, and other documents continue', async () => {
  const broken = await reporter(app)
  const unreadable = async () => {
    const text = await submissionMetrics(app.runtime.db, ['NG'])
    return Number(/^risiti_submission_unreadable_keys_total (\d+)$/m.exec(text)?.[1])
  }
  const before = await unreadable()
  await app.stopWork()
  const [stuck, healthy] = [await broken.submitted(), await own.submitted()]
  const seal = (text: string | null) =>
    app.runtime.db.run(
      sql`update tax_connections set sealed_credentials = ${text} where organisation_id = ${broken.organisationId}`,
    )
  await seal('v1.gone.AAAA.BBBB')
  await app.startWork()
  await own.until(healthy.id, 'accepted')
  await almostGivenUp(stuck.id)
  const { report } = await broken.until(stuck.id, 'failed')
  expect([report.outcome, report.retriesLeft]).toEqual(['not_registered', 5])
  expect(report.message).toContain('the keys of this connection cannot be opened')
  expect(await unreadable()).toBeGreaterThan(before)
  const act = (action: string, form: 'A' | 'B' = 'A') =>
    app.client(form).post(`${path}/${stuck.id}/${action}`, { token: broken.token })
  for (const form of ['A', 'B'] as const) expectRefusal(await act('query-status', form), 'authority.no_access')
  const { id: next } = await broken.life.issued()
  expectRefusal(await broken.life.act(next, 'submit'), 'authority.no_access')

  await seal(null)
  ok(await act('retry'), 202)
  // A connection is cached for five seconds.
  await broken.until(stuck.id, 'accepted')
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})
