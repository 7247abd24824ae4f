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
  /** whether it takes jobs now; false after losing the database until it is back */
  isWorking(): boolean
  /** takes no new jobs, and lets running ones finish or hands them back */
  stop(): Promise<void>
}

/** Sends graphile-worker's warnings and errors to our log; its messages contain job names, not payloads. */
export const graphileLogger = (log: Logger): GraphileLogger =>
  new GraphileLogger(() => (level, message) => {
    if (level === 'error') log.error('queue', { reason: message })
    else if (level === 'warning') log.warn('queue', { reason: message })
  })

/** No outside call of a job takes longer, so an older lock without a live worker is free. */
const outsideCallSeconds = 60
const lookForDeadMs = 10_000
/** At a stop, running jobs have this long to finish; then they are handed back. */
const finishWithinMs = 5_000
const pauseMs = 1_000
const concurrency = 4
/**
 * Most jobs take seconds; a job that walks through all rows may take many minutes. A job that never ended would block its own next runs.
 */
const usualDeadlineMs = 3600_000

/** Runs until it is stopped. A graphile worker that loses the database while it records a result gives up; a new one replaces it. */
export async function startSchedule(
  access: Pick<DatabaseOptions, 'connection' | 'prepares'>,
  handlers: readonly JobHandler[],
  log: Logger,
  deadlineMs = usualDeadlineMs,
): Promise<Schedule> {
  const stopping = new AbortController()
  const tasks = Object.fromEntries(handlers.map((one) => [one.job.name, taskOf(one, deadlineMs, log)]))
  let shift = await startShift(access, handlers, tasks, log)
  // Several workers may start at once: of the jobs that they all enqueue, one stays.
  for (const { job, atStart } of handlers)
    if (atStart)
      await shift.ask(job.name, job.maxAttempts).catch((error: unknown) => log.warn('queue.not_asked', { error }))

  const working = (async () => {
    while (!stopping.signal.aborted) {
      await shift.ended
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      log.warn('queue.worker_lost')
      // The ended worker stands in until a new one can be started.
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
  /** enqueues a job that runs once, as soon as possible */
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
  // The locks have the name of the worker's connections, so that any process can see whether the worker still lives.
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
      // Batched results are awaited at a stop, and a failed write ends only the worker. Single writes are not awaited, and a broken
      // connection would end the whole process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, preparedStatements: prepares } },
      logger: graphileLogger(log),
      parsedCronItems: parseCronItems(
        handlers.flatMap(({ job, every }) =>
          // One queue for each job, so that a slow run delays its next run instead of running twice at a time.
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
      // graphile-worker stores the error text in the database, so the text contains only what the log may contain.
      throw new Error(`${job.name} failed; see the log`)
    }
  }
}
