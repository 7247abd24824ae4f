import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import { reporter } from '../../../../test/harness/reporters.ts'
import type { DueWork } from '../../platform/background/due-work.ts'
import { sql } from '../../platform/database/sql.ts'
import { testClockJobs } from './index.ts'

let app: TestApp
const start = '2026-01-05T09:00:00.000Z'
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: start })
})
afterAll(() => app.close())

type FormName = 'A' | 'B'
type Row = Readonly<Record<'type' | 'status' | 'outcome' | 'day' | 'invoiceDate' | 'id' | 'bookedOn', string>> & {
  readonly outputTaxMinor: number
}
const path = '/n/v1/test-clock'

const clockOf = async (token: string, form: FormName = 'A') => ok(await app.client(form).get(path, { token }))

/** Moves the time of a sandbox and waits until it is ready. */
async function move(token: string, body: object, form: FormName = 'A') {
  const started = ok(await app.client(form).post(`${path}/moves`, { token, body }), 202)
  expect(started).toMatchObject({ status: 'advancing', endedAt: null })
  return await eventually(async () => {
    const now = ok(await app.client(form).get(`${path}/moves/${started.id}`, { token }))
    expect(now.status).toBe('ready')
    return now
  })
}

const line = {
  description: 'Rent for {month} {year}',
  hsnCode: '2523.29',
  unitCode: 'XBG',
  quantity: '1',
  unitPrice: '1000',
  taxCategory: 'standard',
}
async function monthly({ token, buyerId }: Pick<Issuer, 'token' | 'buyerId'>, more: object = {}) {
  const body = {
    name: 'Rent',
    unit: 'month',
    startsOn: '2026-01-31',
    dayOfMonth: 31,
    policy: 'finalise',
    dueInDays: 14,
    invoice: { buyerId, currency: 'NGN', lineItems: [line] },
    ...more,
  }
  return ok(await app.a.post('/i/v1/recurring-invoices', { token, body }), 201).id as string
}
const periodsOf = async (token: string, id: string) =>
  ok(await app.a.get(`/i/v1/recurring-invoices/${id}/periods?limit=50`, { token }))

describe.each(['A', 'B'] as const)('form %s', (form) => {
  test('a sandbox moves forward by a span and to a time, and only this sandbox', async () => {
    const own = await issuer(app)
    const other = await issuer(app)
    const { token } = own
    expect(await clockOf(token, form)).toEqual({ now: start, realNow: start, aheadSeconds: 0, move: null })
    const moved = await move(token, { by: { weeks: 1, hours: 1 } }, form)
    expect(moved).toMatchObject({
      fromAt: start,
      toAt: '2026-01-12T10:00:00.000Z',
      reachedAt: '2026-01-12T10:00:00.000Z',
      steps: 0,
    })
    const again = await move(token, { to: '2026-02-01T00:00:00Z' }, form)
    expect(await clockOf(token, form)).toMatchObject({
      now: '2026-02-01T00:00:00.000Z',
      realNow: start,
      move: { id: again.id },
    })
    expect(ok(await app.client(form).get(`${path}/moves`, { token })).map(({ id }: { id: string }) => id)).toEqual([
      again.id,
      moved.id,
    ])
    expect((await clockOf(other.token, form)).now).toBe(start)
    const draft = await lifeOf(app, own).draft({ invoiceDate: '2026-02-01', dueDate: '2026-03-01' })
    expect(draft.createdAt).toBe('2026-02-01T00:00:00.000Z')
    // Security has the real time: the session was opened for an hour, and a month has passed in the sandbox.
    ok(await app.client(form).get('/a/v1/auth/sessions', { token }))
  })

  test('a move that goes back, too far, or nowhere is refused', async () => {
    const { token, organisationId } = await issuer(app)
    const refused = async (body: object) => await app.client(form).post(`${path}/moves`, { token, body })
    for (const body of [
      {},
      { to: start },
      { to: '2026-01-01T00:00:00Z' },
      { to: '2027-02-01T00:00:00Z' },
      { by: {} },
      { by: { days: -1 } },
      { by: { days: 1 }, to: '2026-02-01T00:00:00Z' },
    ])
      await expectRefusal(await refused(body), 'request.invalid')
    const live = await app.key(organisationId, { mode: 'live' })
    for (const reply of [
      await app.client(form).get(path, { token: live }),
      await app.client(form).get(`${path}/moves`, { token: live }),
      await app.client(form).post(`${path}/moves`, { token: live, body: { by: { days: 1 } } }),
    ])
      await expectRefusal(reply, 'test_clock.live_mode')
    for (const each of [token, live])
      await expectRefusal(
        await app.client(form).get(`${path}/moves/${randomUUID()}`, { token: each }),
        'resource.not_found',
      )
    const reader = await app.key(organisationId, { capabilities: ['invoice.read'] })
    ok(await app.client(form).get(path, { token: reader }))
    await expectRefusal(
      await app.client(form).post(`${path}/moves`, { token: reader, body: { by: { days: 1 } } }),
      'auth.capability_missing',
    )
  })

  test('one move at a time, and a repeated request with its key gets the first reply', async () => {
    const { token } = await issuer(app)
    await app.stopWork()
    try {
      const headers = { 'idempotency-key': randomUUID() }
      const body = { by: { days: 3 } }
      const first = await app.client(form).post(`${path}/moves`, { token, body, headers })
      const second = await app.client(form).post(`${path}/moves`, { token, body, headers })
      expect(ok(second, 202)).toEqual(ok(first, 202))
      // Nor do others begin at the same moment.
      const other = await issuer(app)
      const begin = () => app.client(form).post(`${path}/moves`, { token: other.token, body })
      const replies = await Promise.all([begin(), begin(), begin()])
      expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409])
      await expectRefusal(await app.client(form).post(`${path}/moves`, { token, body }), 'test_clock.moving')
      // Callers have the time before the move until it is ready.
      expect((await clockOf(token, form)).now).toBe(start)
    } finally {
      await app.startWork()
    }
    await eventually(async () => expect((await clockOf(token, form)).move.status).toBe('ready'))
    expect((await clockOf(token, form)).now).toBe('2026-01-08T09:00:00.000Z')
  })
})

test.each(['A', 'B'] as const)('form %s: a move that began before another one ended does not go back', async (form) => {
  const { token, organisationId } = await issuer(app)
  const other = randomUUID()
  const month = 31 * 24 * 3600_000
  const waiting = () => listLockWaits(app.owner, /insert into test_clock_moves/)
  const reply = await app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into test_clock_moves (organisation_id, id, status, from_at, to_at, reached_at, steps, happened, counted_to, moved_by, created_at, updated_at)
      values (${organisationId}, ${other}, 'advancing', ${new Date(start)}, ${new Date(Date.parse(start) + month)}, ${new Date(start)}, 0, '{}', 0, '{}', now(), now())`)
    const asked = app.client(form).post(`${path}/moves`, { token, body: { by: { days: 1 } } })
    await eventually(async () => expect(await waiting()).toHaveLength(1))
    await tx.run(sql`
      insert into test_clocks (organisation_id, offset_ms, reached_at) values (${organisationId}, ${month}, ${new Date(Date.parse(start) + month)})`)
    await tx.run(sql`
      update test_clock_moves set status = 'ready', ended_at = now(), reached_at = to_at where organisation_id = ${organisationId} and id = ${other}`)
    return { asked }
  })
  expectRefusal(await reply.asked, 'test_clock.moving')
  expect(ok(await app.a.get(`${path}/moves`, { token }))).toMatchObject([{ id: other, status: 'ready' }])
})

test('everything that is due happens in order, each at its moment', async () => {
  const own = await issuer(app)
  const { token } = own
  const monthlies = await monthly(own)
  const weekly = await monthly(own, { name: 'Cleaning', unit: 'week', startsOn: '2026-01-12', dayOfMonth: undefined })
  const moved = await move(token, { to: '2026-03-31T12:00:00Z' })
  const days = async (id: string) => (await periodsOf(token, id)).map(({ day }: { day: string }) => day).reverse()
  expect(await days(monthlies)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31'])
  expect(await days(weekly)).toHaveLength(12)
  // Each invoice was created when its day began in Lagos, in the order of the days.
  const made = await app.runtime.db.rows<{ createdAt: Date; issueDate: string; finalisedAt: Date }>(sql`
    select created_at, issue_date::text, finalised_at from invoices where organisation_id = ${own.organisationId} order by id`)
  expect(made.map(({ createdAt }) => createdAt.toISOString())).toEqual(
    made.map(({ issueDate }) => new Date(Date.parse(`${issueDate}T00:00:00+01:00`)).toISOString()),
  )
  expect([...made].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())).toEqual(made)
  expect(moved.steps).toBe(new Set(made.map(({ issueDate }) => issueDate)).size)
  expect(moved.happened).toContainEqual({ type: 'recurring_schedule.invoice_made', count: 15 })
  // The list, by its index, knows what is overdue in the time of the sandbox.
  const overdue = ok(await app.a.get('/i/v1/invoices?overdue=true&limit=50', { token }))
  expect(overdue).toHaveLength(made.filter(({ issueDate }) => issueDate < '2026-03-17').length)
})

test('deadlines of consumer invoices come near and pass', async () => {
  const own = await issuer(app)
  const { token } = own
  const life = lifeOf(app, own)
  const body = { invoiceKind: 'B2C', buyerId: undefined, invoiceDate: '2026-01-05', dueDate: undefined }
  const { id } = await life.issued(body)
  await move(token, { by: { hours: 19 } })
  expect(await life.told(id)).toContain('invoice.reporting_due')
  const reports = async () => {
    const { late, soon } = ok(await app.a.get('/i/v1/overview', { token })).reports
    return { late, soon }
  }
  expect(await reports()).toEqual({ late: 0, soon: 1 })
  await move(token, { by: { hours: 6 } })
  expect(await reports()).toEqual({ late: 1, soon: 0 })
})

test('a move that keeps failing ends where it is, and another one can begin', async () => {
  const own = await issuer(app)
  const { token, organisationId } = own
  await app.stopWork()
  const { id } = ok(await app.a.post(`${path}/moves`, { token, body: { by: { days: 3 } } }), 202)
  const broken: DueWork = {
    name: 'broken',
    nextAt: async () => {
      throw new Error('this work has no next moment')
    },
    run: async () => false,
  }
  const [advance] = testClockJobs(app.runtime, app.runner, { dueWork: [broken], inProgress: [] })
  const slice = { organisationId, mode: 'sandbox', moveId: id, slices: 0 }
  await expect(advance?.handle(slice, { number: 10, last: true })).rejects.toThrow('no next moment')
  await app.runtime.db.run(sql`delete from jobs where job = 'advance-test-clock'`)
  await app.startWork()
  expect(await clockOf(token)).toMatchObject({ now: start, move: { id, status: 'stopped', reachedAt: start } })
  expect(await lifeOf(app, own).told(id)).toEqual(['test_clock.advancing', 'test_clock.stopped'])
  const again = await move(token, { by: { days: 3 } })
  expect(again.toAt).toBe('2026-01-08T09:00:00.000Z')
  expect(await lifeOf(app, own).told(again.id)).toEqual(['test_clock.advancing', 'test_clock.ready'])
})

test('due work that fails stops no move, and goes on later', async () => {
  const { token, organisationId } = await issuer(app)
  const { id } = ok(await app.a.post(`${path}/moves`, { token, body: { by: { days: 1 } } }), 202)
  let runs = 0
  const failing: DueWork = {
    name: 'failing',
    nextAt: async () => undefined,
    run: async () => {
      runs++
      throw new Error('this work fails')
    },
  }
  const [advance] = testClockJobs(app.runtime, app.runner, { dueWork: [failing], inProgress: [] })
  await advance?.handle({ organisationId, mode: 'sandbox', moveId: id, slices: 0 }, { number: 1, last: false })
  await eventually(async () => expect((await clockOf(token)).move.status).toBe('ready'))
  expect(runs).toBeGreaterThan(0)
})

test('a year of a business: invoices, payments, overdue, VAT and the statement of account agree', async () => {
  const own = await reporter(app)
  const key = await app.key(own.organisationId)
  const at = { ...own, token: key }
  const rent = await monthly(at, { policy: 'submit' })
  const invoices = async (query = '') => ok(await app.a.get(`/i/v1/invoices?limit=50${query}`, { token: key }))
  await move(key, { to: '2026-04-10T12:00:00Z' })
  const first = await invoices()
  expect(first.map(({ status, invoiceDate }: Row) => `${invoiceDate} ${status}`).sort()).toEqual([
    '2026-01-31 accepted',
    '2026-02-28 accepted',
    '2026-03-31 accepted',
  ])
  const paid = first.filter(({ invoiceDate }: Row) => invoiceDate < '2026-03-01')
  for (const { id } of paid)
    ok(
      await app.a.post(`/i/v1/invoices/${id}/payments`, { token: key, body: { amount: '1075', paidOn: '2026-04-10' } }),
      201,
    )
  await move(key, { to: '2027-01-04T12:00:00Z' })
  const periods = await periodsOf(key, rent)
  expect(periods.map(({ outcome }: Row) => outcome)).toEqual(Array.from({ length: 12 }, () => 'made'))
  const all = await invoices()
  expect(all).toHaveLength(12)
  for (const { status } of all) expect(status).toBe('accepted')
  const payments = await app.runtime.db.rows<{ recordedAt: Date }>(
    sql`select recorded_at from invoice_payments where organisation_id = ${own.organisationId}`,
  )
  expect(payments.map(({ recordedAt }) => recordedAt.toISOString())).toEqual([
    '2026-04-10T12:00:00.000Z',
    '2026-04-10T12:00:00.000Z',
  ])
  // Everything before the last fortnight that nobody paid is overdue.
  expect(await invoices('&overdue=true')).toHaveLength(9)
  const statement = ok(
    await app.a.get(`/i/v1/buyers/${own.buyerId}/statement-of-account?currency=NGN&from=2026-01-01&to=2026-12-31`, {
      token: key,
    }),
  )
  expect(statement).toMatchObject({ openingMinor: 0, closingMinor: 10 * 107_500, agedOn: '2026-12-31' })
  expect(statement.lines.filter(({ type }: Row) => type === 'invoice').map(({ bookedOn }: Row) => bookedOn)).toEqual(
    all.map(({ invoiceDate }: Row) => invoiceDate).sort(),
  )
  const balances = await app.runtime.db.one<{ owed: bigint }>(sql`
    select sum(payable_minor - paid_minor) as owed from invoices where organisation_id = ${own.organisationId}`)
  expect(Number(balances.owed)).toBe(10 * 107_500)
  const months = await Promise.all(
    Array.from({ length: 12 }, async (_, month) =>
      ok(await app.a.get(`/i/v1/tax-returns/2026-${String(month + 1).padStart(2, '0')}`, { token: key })),
    ),
  )
  expect(months.map(({ outputTaxMinor }: Row) => outputTaxMinor)).toEqual(Array.from({ length: 12 }, () => 7_500))
  for (const { status } of months) expect(status).toBe('open')
})
