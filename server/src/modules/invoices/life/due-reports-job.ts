import { systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { DueWork } from '../../../platform/background/due-work.ts'
import { everyMinutes, scheduled } from '../../../platform/background/handlers.ts'
import { inTurns } from '../../../platform/background/in-turns.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { emitDueReports, findNextWarningAt, findTenantsWithDueReports } from './emit-due-reports.ts'

const caller = systemCaller
const origin = { requestId: 'tell-due-reports', address: '', userAgent: '' }

/** Every minute: emits one event for each document whose reporting deadline is near. */
export const emitDueReportsHandler = (runtime: Runtime, runner: Runner) =>
  scheduled('tell-due-reports', everyMinutes(1), async () => {
    const failed = await inTurns<Tenant>(runtime, {
      problem: 'invoice.due_report_notify_failed',
      findAfter: (last) => runner.run(findTenantsWithDueReports, { caller, origin, input: last }),
      takeBatch: (tenant) => runner.run(emitDueReports, { caller, origin, input: tenant }),
    })
    if (failed > 0) throw new Error(`events of due reports were not written for ${failed} tenants`)
  })

/** For a sandbox that is moved forward. */
export const dueReports: DueWork = {
  name: 'deadlines of reports',
  nextAt: findNextWarningAt,
  run: (_, runner, tenant) => runner.run(emitDueReports, { caller, origin, input: tenant }),
}
