import { Logger as GraphileLogger, type Runner as GraphileRunner, parseCronItems, run } from 'graphile-worker'
import pg from 'pg'
import type { Job } from './jobs.ts'
import type { Logger } from './logger.ts'

/** Does one kind of background work. It may be run again after a crash, so it must come to the same end twice. */
export interface JobHandler<Payload = object> {
  readonly job: Job<Payload>
  /** crontab line, for work that time alone calls for */
  readonly every?: string
  readonly handle: (payload: Payload, attempt: { readonly number: number; readonly last: boolean }) => Promise<void>
}

export const handler = <Payload extends object>(
  job: Job<Payload>,
  handle: JobHandler<Payload>['handle'],
  every?: string,
): JobHandler => ({ job, handle, ...(every === undefined ? {} : { every }) }) as unknown as JobHandler

export interface Worker {
  /** takes no new work, lets what is under way finish or hands it back */
  stop(): Promise<void>
}

/** graphile-worker speaks through our log, and only when something is wrong; its messages name jobs, not payloads. */
export const graphileLogger = (log: Logger): GraphileLogger =>
  new GraphileLogger(() => (level, message) => {
    if (level === 'error') log.error('queue', { reason: message })
    else if (level === 'warning') log.warn('queue', { reason: message })
  })

export async function startWorker(
  connection: string | pg.PoolConfig,
  handlers: readonly JobHandler[],
  log: Logger,
): Promise<Worker> {
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    max: 4,
    application_name: 'risiti worker',
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const runner: GraphileRunner = await run({
    pgPool: pool,
    concurrency: 8,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: graphileLogger(log),
    parsedCronItems: parseCronItems(
      handlers.flatMap(({ job, every }) =>
        every ? [{ task: job.name, match: every, options: { backfillPeriod: 0 } }] : [],
      ),
    ),
    taskList: Object.fromEntries(
      handlers.map(({ job, handle }) => [
        job.name,
        async (payload: unknown, { job: row }: { job: { id: string; attempts: number; max_attempts: number } }) => {
          const attempt = { number: row.attempts, last: row.attempts >= row.max_attempts }
          try {
            await handle(payload as object, attempt)
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
        },
      ]),
    ),
  })
  return {
    async stop() {
      await runner.stop()
      await pool.end()
    },
  }
}
