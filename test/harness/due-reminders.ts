import { expect } from 'vitest'
import { jobHandlers } from '../../server/src/jobs/index.ts'
import { businessDay, dayAfter } from '../../server/src/kernel/days.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import { eventually } from './eventually.ts'

/** One run of the job that sends reminders. */
export async function sweepReminders({ runtime, runner }: TestApp): Promise<void> {
  const handler = jobHandlers(runtime, runner).find(({ job }) => job.name === 'send-reminders')
  await handler?.handle({}, { number: 1, last: true })
}

/** Sends the reminders that are due, as the workers do every minute. A worker may be sending one at this moment. */
export async function sendDueReminders(app: TestApp): Promise<void> {
  await eventually(async () => {
    await sweepReminders(app)
    const due = await app.runtime.db.rows(
      sql`select organisation_id from reminder_plans where next_at <= ${app.runtime.clock.now()}`,
    )
    expect(due).toEqual([])
  })
}

/** A day of organisations in Lagos. */
export const dayFromToday = ({ clock }: TestApp, days: number): string =>
  dayAfter(businessDay(clock.now(), 'Africa/Lagos'), days)

/** The hour of the plan has come, its first step is six days before the due date, and the invoice was issued nine days ago. */
export async function makeReminderDue(
  { owner, clock }: TestApp,
  { organisationId, invoiceId }: { readonly organisationId: string; readonly invoiceId: string },
): Promise<void> {
  await owner.run(sql`
    update reminder_plans
       set next_at = ${clock.now()}, hour = 0, steps = jsonb_set(jsonb_set(steps, '{0,days}', '-6'), '{0,since}', '"2020-01-01"')
     where organisation_id = ${organisationId}`)
  await owner.run(sql`alter table invoices disable trigger invoices_stay_right`)
  await owner.run(
    sql`update invoices set finalised_at = (finalised_at at time zone 'UTC' - interval '9 days') at time zone 'UTC' where id = ${invoiceId}`,
  )
  await owner.run(sql`alter table invoices enable trigger invoices_stay_right`)
}
