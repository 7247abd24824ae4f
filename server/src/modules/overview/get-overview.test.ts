import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { issuer } from '../../../../test/harness/invoices.ts'
import { invoicesPath, lifeOf, ok, payableMinor } from '../../../../test/harness/issued.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const day = (offset: number): string =>
  new Date(app.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10)

test.each(['A', 'B'] as const)('the overview shows the figures of the business (form %s)', async (form) => {
  const own = await issuer(app)
  const life = lifeOf(app, own)
  const overview = async () => ok(await app.client(form).get('/i/v1/overview', { token: own.token }))
  expect(await overview()).toEqual({
    months: [],
    receivables: [],
    reports: { late: 0, soon: 0, nextAt: null, until: '2026-11-16T09:00:00.000Z' },
    unknownOutcomes: 0,
    authorityOutage: null,
  })

  await life.draft()
  const [paid, open] = [await life.issued(), await life.issued({ dueDate: day(3) })]
  ok(await life.pay(paid.id, '4.11', { paidOn: day(0) }), 201)
  const old = await life.issued({ invoiceDate: day(-40), dueDate: day(-35) })
  const { months, receivables } = await overview()
  expect(receivables).toEqual([
    { age: 'not_due', currency: 'NGN', count: 2, dueMinor: 2 * payableMinor - 411 },
    { age: '31_60', currency: 'NGN', count: 1, dueMinor: payableMinor },
  ])
  expect(months).toEqual([
    expect.objectContaining({ month: `${old.invoiceDate.slice(0, 7)}-01`, documents: 1, invoicedMinor: payableMinor }),
    expect.objectContaining({
      month: `${open.invoiceDate.slice(0, 7)}-01`,
      currency: 'NGN',
      documents: 2,
      invoicedMinor: 2 * payableMinor,
      taxMinor: 2 * open.taxMinor,
      paidMinor: 411,
    }),
  ])

  // Credited amounts are neither invoiced nor owed.
  const note = ok(await life.credit(open.id), 201)
  ok(await life.act(note.id, 'finalise'))
  const after = await overview()
  expect(after.months[1]).toMatchObject({ documents: 3, invoicedMinor: payableMinor })
  expect(after.receivables[0]).toMatchObject({ count: 1, dueMinor: payableMinor - 411 })
  expect(ok(await app.a.get(invoicesPath, { token: own.token })).length).toBe(5)
})

test('the overview shows deadlines, unknown outcomes and an outage of the authority', async () => {
  const own = await issuer(app)
  const life = lifeOf(app, own)
  const now = app.clock.now().getTime()
  const at = (hours: number) => new Date(now + hours * 3_600_000)
  // A sale to a consumer has to be reported within a day.
  const soldAt = async (hours: number) => {
    const lagos = new Date(at(hours + 1).getTime()).toISOString()
    const when = { invoiceDate: lagos.slice(0, 10), issueTime: lagos.slice(11, 19) }
    return await life.issued({ invoiceKind: 'B2C', buyerId: null, dueDate: null, ...when })
  }
  const late = await soldAt(-30)
  await soldAt(-10)
  const { db } = app.runtime
  await db.run(sql`
    insert into submissions (organisation_id, mode, id, invoice_id, country, reference, payload, sha256, goes_to_buyer, state, failed_at, asked_by,
                             created_at, held_credits, payment_said)
    values (${own.organisationId}, 'sandbox', ${late.id}, ${late.id}, 'NG', 'REF', '', '', false, 'unknown', now(), '{}', now(), 0, 'pending')`)
  await db.run(sql`
    insert into authority_links (country, mode, state, reason, since) values ('NG', 'sandbox', 'open', 'silence', ${at(-2)})
    on conflict (country, mode) do update set state = 'open', since = excluded.since`)
  const { data } = await app.a.get('/i/v1/overview', { token: own.token })
  expect(data).toMatchObject({
    reports: { late: 1, soon: 1, nextAt: expect.stringMatching(at(14).toISOString().slice(0, 16)) },
    unknownOutcomes: 1,
    authorityOutage: { since: at(-2).toISOString() },
  })
  const other = await app.person()
  const stranger = await app.a.get('/i/v1/overview', { token: other.token })
  expect(stranger.data).toMatchObject({ reports: { late: 0 }, unknownOutcomes: 0, receivables: [] })
})
