import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import { whileRefusing } from '../../../../../test/harness/refusing.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', authority: ['sandbox'] })
})
afterAll(() => app.close())

/** How many wait for the lock on this one submission. The queue and the follow-ups lock several rows at once. */
const waiting = async () =>
  (await listLockWaits(app.owner, /from submissions.* id = [$][0-9]+ for no key update/s)).length

test('a retry waits for answers that are being recorded, without blocking them', async () => {
  const own = await reporter(app)
  const { id } = await own.submitted()
  await own.until(id, 'accepted')
  const { asked } = await app.runtime.db.transaction(async (tx) => {
    // The lock order of answers: the submission first, then the invoice.
    await tx.run(sql`set local lock_timeout = '500ms'`)
    await tx.run(
      sql`select from submissions where invoice_id = ${id} and organisation_id = ${own.organisationId} for no key update`,
    )
    const asked = app.a.post(`${path}/${id}/retry`, { token: own.token })
    await eventually(async () => expect(await waiting()).toBe(1))
    await tx.run(
      sql`select from invoices where id = ${id} and organisation_id = ${own.organisationId} for no key update`,
    )
    return { asked }
  })
  expectRefusal(await asked, 'invoice.retry.not_failed')
})

test('a locked document of one organisation does not block the answers of another', async () => {
  const [held, other] = [await reporter(app), await reporter(app)]
  await app.stopWork()
  const [{ id }, { id: otherId }] = [await held.submitted(), await other.submitted()]
  await app.runtime.db.transaction(async (tx) => {
    await tx.run(
      sql`select from invoices where id = ${id} and organisation_id = ${held.organisationId} for no key update`,
    )
    await app.startWork()
    await other.until(otherId, 'accepted')
    expect((await held.status(id)).status).toBe('queued')
  })
  await held.until(id, 'accepted')
})

test('a failing claim of one organisation does not block the claims of another', async () => {
  const both = [await reporter(app), await reporter(app)]
  const inOrder = both.toSorted((one, other) => (one.organisationId < other.organisationId ? -1 : 1))
  const [refused, other] = inOrder as [Reporter, Reporter]
  await app.stopWork()
  const [{ id }, { id: otherId }] = [await refused.submitted(), await other.submitted()]
  await whileRefusing(app, 'submission_attempts', `organisation_id = '${refused.organisationId}'`, async () => {
    await app.startWork()
    await other.until(otherId, 'accepted')
    expect((await refused.status(id)).status).toBe('queued')
  })
  await refused.until(id, 'accepted')
})

test('a locked submission does not block the claims of other submissions', async () => {
  const [held, other] = [await reporter(app), await reporter(app)]
  await app.stopWork()
  const [{ id }, { id: otherId }] = [await held.submitted(), await other.submitted()]
  await app.runtime.db.transaction(async (tx) => {
    await tx.run(
      sql`select from submissions where invoice_id = ${id} and organisation_id = ${held.organisationId} for no key update`,
    )
    await app.startWork()
    await other.until(otherId, 'accepted')
    expect((await held.status(id)).status).toBe('queued')
  })
  await held.until(id, 'accepted')
})
