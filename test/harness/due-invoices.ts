import { expect } from 'vitest'
import { jobHandlers } from '../../server/src/jobs/index.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import { eventually } from './eventually.ts'

/** Makes the recurring invoices that are due, as the workers do every minute. A worker may be making one at this moment. */
export async function makeDueInvoices({ runtime, runner }: TestApp): Promise<void> {
  const handler = jobHandlers(runtime, runner).find(({ job }) => job.name === 'make-recurring-invoices')
  await eventually(async () => {
    await handler?.handle({}, { number: 1, last: true })
    const due = await runtime.db.rows(sql`
      select id from recurring_schedules where status = 'active' and next_at <= ${runtime.clock.now()}`)
    expect(due).toEqual([])
  })
}
