import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  Logger as GraphileLogger,
  type Runner as GraphileRunner,
  parseCronItems,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import pg from 'pg'
import type { DatabaseOptions } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import { withinDeadline } from '../within-deadline.ts'
import { freeJobsOfDeadWorkers, newWorkerName } from './dead-workers.store.ts'
import type { JobHandler } from './jobs.ts'

export interface Schedule {
  /** whether it takes work now; one that lost the database does not until it has found it again */
  isWorking(): boolean
  /** takes no new work, lets what is under way finish or hands it back */
  stop(): Promise<void>
}

/** graphile-worker speaks through our log, and only when something is wrong; its messages name jobs, not payloads. */
export const graphileLogger = (log: Logger): GraphileLogger =>
  new GraphileLogger(() => (level, message) => {
    if (level === 'error') log.error('queue', { reason: message })
    else if (level === 'warning') log.warn('queue', { reason: message })
  })

/** No outside call of a job takes longer, so an older lock of a worker that is gone belongs to nobody. */
const outsideCallSeconds = 60
const lookForDeadMs = 10_000
/** At the end, work under way has this long to finish; then it is handed back. */
const finishWithinMs = 5_000
const pauseMs = 1_000
const concurrency = 4
/** Most take seconds; one that goes through everything may take many minutes. What never ends would keep its own next ones waiting for good. */
const usualDeadlineMs = 3600_000

/** Works until it is stopped. A worker that lost the database over the end of a job gives up; another takes its place. */
export async function startSchedule(
  access: Pick<DatabaseOptions, 'connection' | 'prepares'>,
  handlers: readonly JobHandler[],
  log: Logger,
  deadlineMs = usualDeadlineMs,
): Promise<Schedule> {
  const stopping = new AbortController()
  const tasks = Object.fromEntries(handlers.map((one) => [one.job.name, taskOf(one, deadlineMs, log)]))
  let shift = await startShift(access, handlers, tasks, log)
  // Several workers may start at once: of what they all ask for, one piece waits.
  for (const { job, atStart } of handlers)
    if (atStart)
      await shift.ask(job.name, job.maxAttempts).catch((error: unknown) => log.warn('queue.not_asked', { error }))

  const working = (async () => {
    while (!stopping.signal.aborted) {
      await shift.ended
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      log.warn('queue.worker_lost')
      // As long as none can be started, the one that ended stands for it.
      shift = await startShift(access, handlers, tasks, log).catch(() => shift)
      if (stopping.signal.aborted) await shift.stop()
    }
  })()

  return {
    isWorking: () => shift.isWorking(),
    async stop() {
      stopping.abort()
      await shift.stop()
      await working
    },
  }
}

interface Shift {
  /** asks for a job that is done once, as soon as possible */
  ask(name: string, maxAttempts: number): Promise<void>
  isWorking(): boolean
  readonly ended: Promise<void>
  stop(): Promise<void>
}

async function startShift(
  { connection, prepares = true }: Pick<DatabaseOptions, 'connection' | 'prepares'>,
  handlers: readonly JobHandler[],
  taskList: TaskList,
  log: Logger,
): Promise<Shift> {
  const name = newWorkerName()
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    max: concurrency, // with fewer, the queue warns at every start; idle ones are closed
    application_name: name,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const events: WorkerEvents = new EventEmitter()
  // Its locks bear the name of its connections, so that anyone can see whether the worker behind a lock still lives.
  events.on('pool:create', ({ workerPool }) => {
    workerPool.id = name
  })
  let runner: GraphileRunner
  try {
    runner = await run({
      pgPool: pool,
      events,
      concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      gracefulShutdownAbortTimeout: finishWithinMs,
      // Written in batches, the ends of jobs are waited for at a stop, and one that cannot be written ends the worker.
      // Written singly they would be neither: a broken connection at that moment would end the whole process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, preparedStatements: prepares } },
      logger: graphileLogger(log),
      parsedCronItems: parseCronItems(
        handlers.flatMap(({ job, every }) =>
          // In a queue of its own, so that a slow one waits for itself and not beside itself.
          every ? [{ task: job.name, match: every, options: { backfillPeriod: 0, queueName: job.name } }] : [],
        ),
      ),
      taskList,
    })
  } catch (error) {
    await pool.end()
    throw error
  }
  const look = () =>
    freeJobsOfDeadWorkers(pool, name, outsideCallSeconds).catch((error: unknown) =>
      log.warn('queue.look_failed', { error }),
    )
  void look()
  const looking = setInterval(look, lookForDeadMs)
  let isWorking = true
  const ended = runner.promise
    .catch(() => {})
    .then(async () => {
      isWorking = false
      clearInterval(looking)
      await pool.end()
    })
  return {
    ended,
    async ask(name, maxAttempts) {
      await runner.addJob(name, {}, { queueName: name, jobKey: `${name} at start`, maxAttempts })
    },
    isWorking: () => isWorking,
    async stop() {
      await runner.stop().catch(() => {}) // it may have stopped by itself
      await ended
    },
  }
}

function taskOf({ job, handle }: JobHandler, deadlineMs: number, log: Logger): Task {
  return async (payload, { job: row, abortPromise }) => {
    const attempt = { number: row.attempts, last: row.attempts >= row.max_attempts }
    try {
      await withinDeadline(job.name, deadlineMs, Promise.race([handle(payload as object, attempt), abortPromise]))
    } catch (error) {
      log[attempt.last ? 'error' : 'warn']('job.failed', {
        job: job.name,
        jobId: row.id,
        attempt: row.attempts,
        error,
      })
      // What the queue stores of a failure can be read in the database: say no more than the log does.
      throw new Error(`${job.name} failed; see the log`)
    }
  }
}
