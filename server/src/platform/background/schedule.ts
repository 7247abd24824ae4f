import type { Database } from '../database/database.ts'
import type { WakeUp } from '../jobs/wake-up.ts'
import type { Logger } from '../logger.ts'
import { startRounds } from '../rounds.ts'
import type { JobHandler } from './handlers.ts'
import { advanceDue, enqueueScheduled, removeForgotten, type ScheduleLine, saveSchedule } from './schedule.store.ts'

export interface Schedule {
  /** false if the database was away for half a minute, until it is back */
  isWorking(): boolean
  stop(): Promise<void>
}

const pace = { restMs: 0, idleMs: 1_000 }
const lostAfterMs = 30_000

/** Enqueues the scheduled jobs of this process in the queue `schedule` whenever they are due, until it is stopped. */
export function startSchedule(
  db: Database,
  handlers: readonly JobHandler[],
  log: Logger,
  wakeUp: Pick<WakeUp, 'send'>,
): Schedule {
  const lines = handlers.flatMap(({ job, every }): ScheduleLine[] => (every ? [{ job: job.name, ...every }] : []))
  const atStart = handlers.filter((one) => one.atStart).map(({ job }) => job.name)
  let workedAtMs = performance.now()
  let isSaved = false

  async function begin(): Promise<void> {
    await saveSchedule(db, lines)
    await removeForgotten(db, lines)
    await enqueueScheduled(db, atStart)
    isSaved = true
  }

  /** One transaction moves the times and enqueues the jobs: of several workers, exactly one enqueues each time. */
  async function round(): Promise<boolean> {
    if (!isSaved) await begin()
    const due = await db.transaction(async (tx) => {
      const advanced = await advanceDue(tx, lines)
      await enqueueScheduled(tx, advanced)
      return advanced
    })
    workedAtMs = performance.now()
    if (due.length > 0) wakeUp.send(['schedule'])
    return false
  }
  const rounds = startRounds(round, pace, (error) => log.warn('schedule.round_failed', { error }))
  return { isWorking: () => performance.now() - workedAtMs < lostAfterMs, stop: () => rounds.stop() }
}
