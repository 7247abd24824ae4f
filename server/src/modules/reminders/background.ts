import { systemCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { DueWork } from '../../platform/background/due-work.ts'
import { everyMinutes, handler, scheduled } from '../../platform/background/handlers.ts'
import { inBatches } from '../../platform/background/in-batches.ts'
import { inTurns } from '../../platform/background/in-turns.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { hasDueJob } from '../../platform/background/tenant-activity.store.ts'
import { isConnectionFailure, type Queryable } from '../../platform/database/database.ts'
import { noteFailing } from '../../platform/jobs/failing-items.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import type { BuyerId } from '../buyers/index.ts'
import { mails } from '../documents/index.ts'
import { preparedMessages } from '../messages/index.ts'
import {
  endRun,
  findNextRunAt,
  findTenantsWithDueReminders,
  readBuyersToRemind,
  remindByPlan,
} from './remind-by-plan.ts'
import { prepareByHand } from './send-by-hand.ts'
import { prepareReminder } from './send-reminder.ts'
import { sendReminderJob } from './send-reminder-job.ts'

const system = { caller: systemCaller, origin: { requestId: 'send-reminders', address: '', userAgent: '' } }

/** How far the run of one tenant has come in this sweep. After a crash, the next sweep begins again with the first buyer. */
interface Progress {
  last: BuyerId | undefined
  /** when the run continues, because some buyers of today are left */
  retryMs: number | undefined
}
const minuteMs = 60_000
/** A buyer could not be reminded. */
const afterFailureMs = 10 * minuteMs
/** The hourly limit of mails was reached. */
const afterLimitMs = 60 * minuteMs

const isLimit = (error: unknown): boolean => error instanceof Refusal && error.refusal === 'limit.mails'

/** Reminds the next buyers of a tenant. Returns false if the run has ended. */
async function remindNext(runtime: Runtime, runner: Runner, tenant: Tenant, progress: Progress): Promise<boolean> {
  const buyers = await runner.run(readBuyersToRemind, { ...system, input: { ...tenant, after: progress.last } })
  for (const buyerId of buyers) {
    const remind = () => runner.run(remindByPlan, { ...system, input: { ...tenant, buyerId } })
    try {
      // A lock timeout or a lost connection may pass.
      await remind().catch((error: unknown) => (isLimit(error) ? Promise.reject(error) : remind()))
    } catch (error) {
      if (isConnectionFailure(error)) throw error
      // The hourly limit says nothing about this buyer. The rest of the run waits.
      if (isLimit(error)) {
        progress.retryMs = afterLimitMs
        return false
      }
      progress.retryMs ??= afterFailureMs
      await noteFailing(runtime, 'reminder.buyer_failed', { ...tenant, id: buyerId }, error)
    }
    progress.last = buyerId
  }
  return buyers.length > 0
}

/**
 * Every minute: sends the reminders of organisations whose hour has come. Each round finds the organisations anew and
 * gives each of them one batch of buyers, so that nobody waits for the thousands of another one.
 */
const sendReminders = (runtime: Runtime, runner: Runner) =>
  scheduled(
    'send-reminders',
    everyMinutes(1),
    async () => {
      const runs = new Map<string, Progress>()
      let failed = 0
      await inBatches(async () => {
        let moving = 0
        failed = await inTurns<Tenant>(runtime, {
          problem: 'reminder.sweep_failed',
          findAfter: (last) => runner.run(findTenantsWithDueReminders, { ...system, input: last }),
          takeBatch: async (tenant) => {
            const key = `${tenant.organisationId} ${tenant.mode}`
            const progress = runs.get(key) ?? { last: undefined, retryMs: undefined }
            runs.set(key, progress)
            if (await remindNext(runtime, runner, tenant, progress)) moving++
            else await runner.run(endRun, { ...system, input: { ...tenant, retryMs: progress.retryMs } })
            return false
          },
        })
        return moving
      })
      if (failed > 0) throw new Error(`reminders were not sent for ${failed} tenants`)
    },
    // After a restart, buyers that the stopped worker left do not wait for the next minute.
    { atStart: true },
  )

/**
 * A sandbox that is moved forward gets the reminders of each day at their hour, one batch of buyers in each call. Its hours pass in a moment, so
 * what failed is tried again at the next run.
 */
function dueReminders(): DueWork {
  /** the runs that this node is in the middle of */
  const runs = new Map<string, Progress>()
  return {
    name: 'reminders',
    nextAt: findNextRunAt,
    run: async (runtime, runner, tenant) => {
      const { organisationId } = tenant
      const progress = runs.get(organisationId) ?? { last: undefined, retryMs: undefined }
      runs.delete(organisationId)
      if (await remindNext(runtime, runner, tenant, progress)) {
        runs.set(organisationId, progress)
        return true
      }
      await runner.run(endRun, { ...system, input: { ...tenant, retryMs: undefined } })
      return false
    },
  }
}

/** Sends a mail of the plan, after it was checked and written for this attempt. */
const sendReminder = (runtime: Runtime, runner: Runner) =>
  handler(sendReminderJob, async (mail) =>
    preparedMessages.deliver(runtime, await runner.run(prepareReminder, { ...system, input: mail })),
  )

const sendReminderByHand = (runtime: Runtime, runner: Runner) =>
  handler(mails.sendReminderByHandJob, async (notice) =>
    preparedMessages.deliver(runtime, await runner.run(prepareByHand, { ...system, input: notice })),
  )

/** A move of the test clock waits for mails that are due, because each is checked again at the time of its sandbox. */
const isSending = (db: Queryable, tenant: Tenant): Promise<boolean> =>
  hasDueJob(db, tenant, [sendReminderJob.name, mails.sendReminderByHandJob.name])

export const background: ModuleBackground = {
  dueWork: [dueReminders()],
  inProgress: isSending,
  jobs: (runtime, runner) => [
    sendReminders(runtime, runner),
    sendReminder(runtime, runner),
    sendReminderByHand(runtime, runner),
  ],
}
