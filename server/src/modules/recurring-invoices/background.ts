import { systemCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { DueWork } from '../../platform/background/due-work.ts'
import { everyMinutes, handler, scheduled } from '../../platform/background/handlers.ts'
import { inBatches } from '../../platform/background/in-batches.ts'
import { inTurns } from '../../platform/background/in-turns.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { isConnectionFailure } from '../../platform/database/database.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { makeNextPeriod, saveOurFailure } from './make-invoice.ts'
import { type DueSchedule, findTenantsWithDueSchedules, readDueSchedules } from './read-schedules.ts'
import { findNextPeriodAt } from './recurring-schedules.store.ts'
import { acceptedInvoices, findSender, sendAccepted, sendAcceptedJob } from './send-accepted.ts'

const origin = { requestId: 'make-recurring-invoices', address: '', userAgent: '' }

/** Makes one period of each due schedule of a tenant. Returns whether there may be more. */
async function makeDue({ log }: Runtime, runner: Runner, tenant: Tenant): Promise<boolean> {
  const work = await runner.run(readDueSchedules, { caller: systemCaller, origin, input: tenant })
  const make = ({ id, caller }: DueSchedule) => runner.run(makeNextPeriod, { caller, origin, input: { id } })
  let isMoving = false
  // A lock timeout or a lost connection may pass.
  for (const one of work)
    isMoving =
      (await make(one)
        .catch(() => make(one))
        .catch(async (error: unknown) => {
          // The database is unavailable. The schedule stays due.
          if (isConnectionFailure(error)) throw error
          log.error('recurring_schedule.period_failed', { ...tenant, reference: one.id, error })
          await runner.run(saveOurFailure, { caller: one.caller, origin, input: { id: one.id } })
          return true
        })) || isMoving
  return isMoving
}

/**
 * Every minute: makes the invoices whose day has begun. Each round finds the organisations anew and gives each of them
 * one batch. So nobody waits for the thousands of another one, not even if their day begins in the middle of a run.
 */
const makeRecurringInvoices = (runtime: Runtime, runner: Runner) =>
  scheduled(
    'make-recurring-invoices',
    everyMinutes(1),
    async () => {
      let failed = 0
      await inBatches(async () => {
        let moving = 0
        failed = await inTurns<Tenant>(runtime, {
          problem: 'recurring_schedule.sweep_failed',
          findAfter: (last) => runner.run(findTenantsWithDueSchedules, { caller: systemCaller, origin, input: last }),
          takeBatch: async (tenant) => {
            if (await makeDue(runtime, runner, tenant)) moving++
            return false
          },
        })
        return moving
      })
      if (failed > 0) throw new Error(`recurring invoices were not made for ${failed} tenants`)
    },
    // After a restart, periods that the stopped worker left do not wait for the next minute.
    { atStart: true },
  )

/** A period is due when its day begins, so a sandbox that is moved forward gets each invoice on its day. */
const duePeriods: DueWork = {
  name: 'recurring invoices',
  nextAt: findNextPeriodAt,
  run: makeDue,
}

/** Sends an invoice that the authority has accepted. */
const sendAcceptedInvoice = (runner: Runner) =>
  handler(sendAcceptedJob, async (input) => {
    const caller = await runner.run(findSender, { caller: systemCaller, origin, input })
    if (caller) await runner.run(sendAccepted, { caller, origin, input })
  })

export const background: ModuleBackground = {
  dueWork: [duePeriods],
  jobs: (runtime, runner) => [makeRecurringInvoices(runtime, runner), sendAcceptedInvoice(runner)],
  consumers: [acceptedInvoices],
}
