import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { seeded } from '../../../../../test/harness/chance.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { invoiceBody } from '../../../../../test/harness/invoices.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import type { RunningQueue } from '../../../platform/background/fair-queue.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newAttemptCounts } from '../../../platform/jobs/jobs.ts'
import { createRunner } from '../../../platform/operations/runner.ts'
import { startSubmissionQueue } from './queue.ts'

let app: TestApp
let reporters: Reporter[]
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox'],
    authorityThrough: authority.through,
    settings: { sandboxPatienceMs: 4_000 },
  })
  reporters = [await reporter(app), await reporter(app)]
  await app.stopWork()
})
afterAll(() => app.close())

interface Mortal {
  /** closes its connections at once, while its requests to the authority are still running */
  die(): Promise<void>
}

function startMortal(concurrency = 24): Mortal & { readonly queue: RunningQueue; readonly db: Database } {
  const db = openDatabase({ connection: app.database.url, poolSize: 2, onIdleError: () => {} })
  const runtime = { ...app.runtime, db }
  const queue = startSubmissionQueue(runtime, createRunner(runtime), newAttemptCounts(), { concurrency, ofOne: 16 })
  return {
    db,
    queue,
    async die() {
      await db.end()
      await queue.stop()
    },
  }
}

/**
 * A process that dies at a random moment may always die between two requests. This one dies before its first request
 * is answered.
 */
async function dieAsking(): Promise<void> {
  const asked = Promise.withResolvers<void>()
  authority.behaviourOf = () => {
    asked.resolve()
    return 'reply_lost'
  }
  const alone = startMortal(4)
  await asked.promise
  await alone.die()
}

const undecided = () =>
  app.runtime.db.one<{ open: number; failed: number }>(sql`
    select (count(*) filter (where failed_at is null))::int as open, (count(*) filter (where failed_at is not null))::int as failed
      from submissions where state not in ('accepted', 'rejected')`)

test('with lost replies, late errors and dying workers, each document is registered once and every credit is explained', async () => {
  const chance = seeded(20_261_115)
  const wanted = 60
  const create = async ({ token, ...own }: Reporter, nth: number) => {
    const more = nth % 10 === 9 ? { invoiceKind: 'B2C', buyerId: null } : {}
    ok(await app.a.post(`${path}/create-and-submit`, { token, body: invoiceBody.A(own, more) }), 201)
  }
  // One after the other for each organisation: on a busy machine, waiting writes of one organisation are refused.
  const createAll = async (own: Reporter) => {
    for (let nth = 0; nth < wanted / 2; nth++) await create(own, nth)
  }
  await Promise.all(reporters.map(createAll))
  // Shorter than the settling time.
  authority.staleMs = 100
  const badly: ReportingDouble['behaviourOf'] = (what) => {
    const at = chance()
    if (what === 'lookup' || what === 'download') return at < 0.1 ? 'error' : 'well'
    if (at < 0.3) return 'reply_lost'
    return at < 0.4 ? 'applied_then_500' : at < 0.45 ? 'refused_connection' : at < 0.5 ? 'error' : 'well'
  }
  authority.refuses = (reference) =>
    reference.includes('INV000007') ? 'invoicerequest.invoice.note is required' : undefined
  await dieAsking()
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
  authority.behaviourOf = badly
  const workers = [startMortal(), startMortal()]
  for (let deaths = 0; deaths < 6; deaths++) {
    await wait(150 + chance() * 300)
    const victim = workers.shift()
    await victim?.die()
    workers.push(startMortal())
    expect(await brokenInvariants(app.runtime.db)).toEqual({})
  }
  await eventually(async () => expect(await undecided()).toMatchObject({ open: 0 }))
  // The authority has recovered: retry what failed meanwhile.
  authority.behaviourOf = () => 'well'
  for (const { token } of reporters)
    for (const { id } of ok(await app.a.get(`${path}?status=failed&limit=100`, { token })))
      ok(await app.a.post(`${path}/${id}/retry`, { token }), 202)
  await eventually(async () => expect(await undecided()).toEqual({ open: 0, failed: 0 }))
  for (const { queue, db } of workers) {
    await queue.stop()
    await db.end()
  }
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
  const { accepted } = await app.runtime.db.one<{ accepted: number }>(
    sql`select count(*)::int as accepted from submissions where state = 'accepted'`,
  )
  expect(Math.max(...authority.registrations.values())).toBe(1)
  expect(authority.registered.size).toBe(accepted)
  expect(accepted).toBeGreaterThanOrEqual(wanted - 2)
  // The test proves something only if answers were really lost.
  const answers = await app.runtime.db.rows<{ answer: string | null }>(
    sql`select distinct answer from submission_attempts`,
  )
  expect(answers.map(({ answer }) => answer)).toEqual(
    expect.arrayContaining(['unclear', 'not_sent', 'absent', 'found', null]),
  )
})
