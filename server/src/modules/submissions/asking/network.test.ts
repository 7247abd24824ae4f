import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import { sql } from '../../../platform/database/sql.ts'
import { mostRetries } from '../state/submission.ts'

let app: TestApp
let own: Reporter
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], settings: { sandboxPatienceMs: 4_000 } })
  own = await reporter(app)
})
afterAll(() => app.close())
afterEach(async () => {
  app.authority.control.behave({})
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})

const post = (id: string, action: string, body?: object, form: 'A' | 'B' = 'A') =>
  app.client(form).post(`${path}/${id}/${action}`, { token: own.token, ...(body ? { body } : {}) })
const deliveryOf = async (id: string) => (await own.life.get(id)).reporting.delivery
/** Makes the follow-up due now. */
async function followUpNow(id: string): Promise<void> {
  await app.runtime.db.run(
    sql`update submissions set follow_up_at = now() - interval '1 second' where invoice_id = ${id}`,
  )
  await app.runJob('sweep-follow-ups')
  await app.quiet()
}

/** Waits for a status, as if each submission had waited for the network for a minute already. */
const untilAfterWaiting = (id: string, status: string) =>
  eventually(async () => {
    await app.runtime.db.run(sql`
      update submissions set tried_since = (tried_since at time zone 'UTC' - interval '1 minute') at time zone 'UTC'
       where organisation_id = ${own.organisationId} and state in ('signed', 'transmitted') and tried_since is not null`)
    expect((await own.status(id)).status).toBe(status)
  })

describe.each(['away', 'unconfirmed'] as const)('an authority whose network is %s', (network) => {
  test('the document is registered nevertheless: it is accepted, and charged once', async () => {
    const before = await own.balances()
    app.authority.control.behave({ network })
    const { id } = await own.submitted()
    await untilAfterWaiting(id, 'accepted')
    const { report } = await own.status(id)
    expect([report.outcome, report.nextAttemptAt, await deliveryOf(id)]).toEqual(['accepted', null, 'nrs'])
    expect(report.message).toContain('not confirmed')
    const after = await own.balances()
    expect([after.spent - before.spent, after.held - before.held]).toEqual([11, 0])
    expectRefusal(await post(id, 'retry'), 'invoice.retry.not_failed')
    for (const form of ['A', 'B'] as const)
      expect(ok(await post(id, 'query-status', undefined, form))).toMatchObject({
        status: 'accepted',
        authority: { transmitted: false },
      })

    // Credit notes are accepted without the network, too.
    const note = ok(await own.life.credit(id, { amount: 10 }), 201)
    ok(await post(note.id, 'finalise'))
    ok(await post(note.id, 'submit'), 202)
    await untilAfterWaiting(note.id, 'accepted')

    // Follow-ups continue. When the network is back, the document is transmitted and the buyer's side acknowledges
    // it.
    await followUpNow(id)
    expect(await deliveryOf(id)).toBe('nrs')
    app.authority.control.behave({})
    await eventually(async () => {
      await followUpNow(id)
      expect(await deliveryOf(id)).toBe('deliver_to_buyer')
    })
    expect(app.authority.control.acceptancesOf(report.reference)).toEqual({ accepted: 1, repeated: 0 })
    expect((await own.balances()).spent - before.spent).toBe(22)
  })

  test('completes a cancellation', async () => {
    const { id } = await own.submitted()
    await own.until(id, 'accepted')
    app.authority.control.behave({ network })
    ok(await post(id, 'cancel', { reason: 'Ordered twice' }), 202)
    await untilAfterWaiting(id, 'cancelled')
  })
})

describe('a registered document that is marked as failed', () => {
  async function givenUp(): Promise<string> {
    app.authority.control.behave({ network: 'away' })
    const { id } = await own.submitted()
    await own.until(id, 'signed')
    await app.stopWork()
    await app.runtime.db.run(sql`
      update submissions set failed_at = now(), due_at = null, retries = ${mostRetries} where invoice_id = ${id} and state = 'signed'`)
    await own.life.become(id, 'failed')
    await app.startWork()
    return id
  }

  test.each(['A', 'B'] as const)('is accepted after a status query through form %s', async (form) => {
    const id = await givenUp()
    expectRefusal(await post(id, 'retry', undefined, form), 'invoice.retry.too_many')
    expect(ok(await post(id, 'query-status', undefined, form))).toMatchObject({ status: 'accepted' })
  })

  test('the sweep looks it up again if the authority did not answer', async () => {
    const id = await givenUp()
    app.authority.control.misbehave('error')
    await followUpNow(id)
    app.authority.control.misbehave(undefined)
    expect((await own.status(id)).status).toBe('failed')
    await followUpNow(id)
    expect((await own.status(id)).status).toBe('accepted')
  })
})
