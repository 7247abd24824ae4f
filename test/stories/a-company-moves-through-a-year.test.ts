import { expect, test } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp } from '../harness/app.ts'
import { eventually } from '../harness/eventually.ts'
import { reporter } from '../harness/reporters.ts'
import { ok } from './telling.ts'

const line = { hsnCode: '2523.29', unitCode: 'XBG', quantity: '1', unitPrice: '1000', taxCategory: 'standard' }
const months = Array.from({ length: 12 }, (_, nth) => `2026-${String(nth + 1).padStart(2, '0')}`)

/**
 * A business tries out a year in its sandbox: rent on the last day of each month, reminders, an offer that nobody answers, and the VAT of
 * each month. The buyer pays in April for the first three months, and nothing after that. A program of the other form moves the clock.
 */
test('a company moves through a year', async () => {
  const app = await startTestApp({ authority: ['sandbox'], now: '2026-01-05T09:00:00Z' })
  try {
    const { token, buyerId, organisationId } = await reporter(app)
    const get = async (path: string, form: 'A' | 'B' = 'A') => (await ok(app.client(form).get(path, { token }))).data
    const post = async (path: string, body: object = {}, form: 'A' | 'B' = 'A') =>
      (await ok(app.client(form).post(path, { token, body }))).data
    const moveTo = async (to: string) => {
      const moves = '/n/v1/test-clock/moves'
      const { id } = await post(moves, { to }, 'B')
      await eventually(async () => expect(await get(`${moves}/${id}`, 'B')).toMatchObject({ status: 'ready' }))
    }
    const plan = { on: true, hour: 9, buyers: 'all', steps: [{ days: 3 }, { days: 10 }] }
    await ok(app.b.put('/i/v1/reminders/plan', { token, body: plan }))
    const rent = await post('/i/v1/recurring-invoices', {
      name: 'Rent',
      unit: 'month',
      startsOn: '2026-01-31',
      dayOfMonth: 31,
      policy: 'submit',
      dueInDays: 14,
      invoice: { buyerId, currency: 'NGN', lineItems: [{ ...line, description: 'Rent for {month} {year}' }] },
    })
    const offered = { buyerId, currency: 'NGN', lineItems: [{ ...line, description: 'Cement' }] }
    const quote = await post('/i/v1/quotes', { ...offered, validUntil: '2026-03-15' })
    await post(`/i/v1/quotes/${quote.id}/send`, { mail: false })

    await moveTo('2026-04-10T12:00:00Z')
    expect(await get(`/i/v1/quotes/${quote.id}`)).toMatchObject({ status: 'expired' })
    const made: { day: string; invoiceId: string }[] = await get(`/i/v1/recurring-invoices/${rent.id}/periods`)
    expect(made.map(({ day }) => day)).toEqual(['2026-03-31', '2026-02-28', '2026-01-31'])
    const payment = { amount: '1075', paidOn: '2026-04-10' }
    for (const { invoiceId } of made) await post(`/i/v1/invoices/${invoiceId}/payments`, payment)
    for (const month of months.slice(0, 3)) await post(`/i/v1/tax-returns/${month}/close`, {}, 'B')

    await moveTo('2027-01-05T12:00:00Z')
    for (const month of months.slice(3)) await post(`/i/v1/tax-returns/${month}/close`)
    for (const month of months)
      expect(await get(`/i/v1/tax-returns/${month}`)).toMatchObject({ status: 'closed', outputTaxMinor: 7_500 })
    expect(await get('/i/v1/invoices?status=accepted&limit=50')).toHaveLength(12)
    // December is not due yet.
    expect(await get('/i/v1/invoices?overdue=true&limit=50')).toHaveLength(8)

    const { db } = app.runtime
    const reminded = await db.rows<{ day: string; steps: number }>(sql`
      select day::text, step_days as steps from sent_reminders where organisation_id = ${organisationId} order by id`)
    // January and February were paid late, and March before its first step.
    expect(reminded.slice(0, 6).map(({ day, steps }) => `${day} ${steps}`)).toEqual([
      '2026-02-17 3',
      '2026-02-24 10',
      '2026-03-17 3',
      '2026-03-24 10',
      '2026-05-17 3',
      '2026-05-24 10',
    ])
    expect(reminded).toHaveLength(4 + 2 * 8)

    // The log, which has the real time, tells everything in the order of the time of the sandbox.
    const happened = await db.rows<{ type: string; at: Date }>(sql`
      select e.type, coalesce(i.created_at, r.sent_at, q.updated_at) as at
        from events e
        left join invoices i on i.organisation_id = e.organisation_id and e.type = 'invoice.created' and i.id::text = e.object_id
        left join quotes q on q.organisation_id = e.organisation_id and e.type = 'quote.expired' and q.id::text = e.object_id
        left join sent_reminders r on r.organisation_id = e.organisation_id and e.type = 'invoice.reminder_sent'
              and r.invoice_id::text = e.object_id and r.step_days = (e.data ->> 'stepDays')::int
       where e.organisation_id = ${organisationId} and e.type in ('invoice.created', 'invoice.reminder_sent', 'quote.expired')
       order by e.position`)
    const times = happened.map(({ at }) => at.toISOString())
    expect(times).toHaveLength(12 + 20 + 1)
    expect(times).toEqual(times.toSorted())
    // In Lagos the day ends at 23:00 UTC, and the plan has the hour 9.
    expect(times.slice(0, 5)).toEqual([
      '2026-01-30T23:00:00.000Z',
      '2026-02-17T08:00:00.000Z',
      '2026-02-24T08:00:00.000Z',
      '2026-02-27T23:00:00.000Z',
      '2026-03-15T23:00:00.000Z',
    ])
  } finally {
    await app.close()
  }
})
