import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '../../kernel/ids.ts'
import { createBatcher } from '../database/batcher.ts'
import { isPassingFailure, type Queryable } from '../database/database.ts'
import { failureReason } from '../failure-reason.ts'
import { type ClaimedJob, claimJobs, deleteJobs, postponeJob, releaseJobs, renewLeases } from '../jobs/jobs.store.ts'
import { type AttemptCounts, newAttemptCounts, type QueueName, queueNames } from '../jobs/jobs.ts'
import { countByOrganisation } from '../jobs/turns.ts'
import type { Logger } from '../logger.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { withinDeadline } from '../within-deadline.ts'
import { type RunningQueue, startFairQueue } from './fair-queue.ts'
import type { JobHandler } from './handlers.ts'

export interface QueuePlan {
  /** how many jobs run at a time */
  readonly concurrency: number
  /** connections; fewer than jobs, because a job mostly waits for an outside party */
  readonly connections: number
  /** a job that takes longer has failed */
  readonly deadlineMs: number
  /** at a stop, running jobs have this long to finish; then they are handed back */
  readonly finishWithinMs?: number
  /** how many jobs one organisation may have running; half of the queue if absent */
  readonly mostOfOne?: number
  /** Leases end after this long and are renewed while the job runs. Without it a lease lasts as long as the deadline. */
  readonly renewedLeaseMs?: number
}

/** Outside parties are slow, so their queues are wide. Jobs that only compute get few slots. */
export const queuePlans: Readonly<Record<QueueName, QueuePlan>> = {
  mail: { concurrency: 8, connections: 4, deadlineMs: 60_000 },
  money: { concurrency: 8, connections: 4, deadlineMs: 60_000 },
  authority: { concurrency: 8, connections: 4, deadlineMs: 60_000 },
  received: { concurrency: 8, connections: 4, deadlineMs: 120_000 },
  upkeep: { concurrency: 4, connections: 2, deadlineMs: 30_000 },
  // Scheduled jobs have no organisation. One that walks through all rows may take many minutes; if its worker dies, another one takes it soon.
  schedule: { concurrency: 4, connections: 4, deadlineMs: 3600_000, mostOfOne: 4, renewedLeaseMs: 20_000 },
}

/** One organisation gets at most half of a queue, so that slow jobs of one leave room for another. */
const halfOf = (concurrency: number): number => Math.max(1, Math.ceil(concurrency / 2))
/** An organisation's sandbox gets a little less than half as well: with live and sandbox together it still does not fill the queue. */
const mostOfItsSandbox = (concurrency: number): number => Math.max(1, halfOf(concurrency) - 1)
/** The lease ends after the deadline, with time to record the failure, so that no other worker takes a running job. */
const leaseAllowanceMs = 10_000
const pace = { restMs: 5, idleMs: 1_000 }
const usualFinishMs = 5_000
/** How long to wait before a result is written again that the database did not take. */
const saveAgainMs = 1_000

export const newQueueCounts = (): Record<QueueName, AttemptCounts> =>
  Object.fromEntries(queueNames.map((name) => [name, newAttemptCounts()])) as Record<QueueName, AttemptCounts>

/** Exponential backoff with jitter, up to about six hours. */
const waitBeforeRetryMs = (attempts: number): number =>
  Math.exp(Math.min(attempts, 10)) * 1000 * (0.75 + Math.random() / 2)

/** Runs the jobs of one queue until it is stopped, on connections of its own. */
export function startQueue(
  name: QueueName,
  plan: Omit<QueuePlan, 'connections'>,
  db: Queryable,
  handlers: readonly JobHandler[],
  log: Logger,
  counts: AttemptCounts,
  tracer?: Tracer,
): RunningQueue {
  const { concurrency, deadlineMs, finishWithinMs = usualFinishMs, mostOfOne = halfOf(concurrency) } = plan
  const { renewedLeaseMs } = plan
  const leaseMs = renewedLeaseMs ?? deadlineMs + leaseAllowanceMs
  const taker = newId()
  const byJob = new Map(handlers.filter(({ job }) => job.queue === name).map((one) => [one.job.name, one]))
  const running = new Set<string>()
  /** deletes finished jobs together: those that end during a write form the next one */
  const ended = createBatcher((ids: readonly string[]) => deleteJobs(db, taker, ids))

  /** Writes a result, again and again while the database is away. Otherwise the job would wait until its lease ends. */
  async function save(write: () => Promise<void>): Promise<void> {
    for (const beganAt = performance.now(); ; await wait(saveAgainMs, undefined, { ref: false }))
      try {
        return await write()
      } catch (error) {
        if (!isPassingFailure(error) || performance.now() > beganAt + leaseMs) throw error
      }
  }

  async function work(claimed: ClaimedJob): Promise<void> {
    const { job, handle } = byJob.get(claimed.job) as JobHandler
    const isLast = claimed.attempts >= job.maxAttempts
    try {
      const attempt = { number: claimed.attempts, last: isLast }
      const run = () => handle(claimed.payload, attempt)
      const attributes = { 'risiti.queue': name, 'risiti.attempt': claimed.attempts }
      const running = tracer ? tracer.trace(`job ${job.name}`, 'consumer', attributes, run) : run()
      await withinDeadline(job.name, deadlineMs, running)
      counts.done++
      await save(() => ended.add(claimed.id))
    } catch (error) {
      counts.failed++
      if (!isLast) counts.retried++
      log[isLast ? 'error' : 'warn']('job.failed', {
        job: claimed.job,
        jobId: claimed.id,
        attempt: claimed.attempts,
        error,
      })
      const waits = { nextMs: isLast ? undefined : waitBeforeRetryMs(claimed.attempts), anewMs: waitBeforeRetryMs(1) }
      await save(() => postponeJob(db, taker, claimed.id, waits, failureReason(error)))
    }
  }

  let isClaimUnknown = false
  const queue = startFairQueue<ClaimedJob>({
    name,
    pace,
    log,
    finishWithinMs,
    handBack: () => releaseJobs(db, taker, []).catch(() => {}),
    parts: [
      {
        room: (underWay) => concurrency - underWay.length,
        claim: async ({ from, limit, underWay }, begin) => {
          // The reply to the last claim was lost: there may be jobs that are ours and that nobody runs.
          if (isClaimUnknown) await releaseJobs(db, taker, [...running])
          isClaimUnknown = true
          const claimed = await claimJobs(db, {
            queue: name,
            taker,
            jobs: [...byJob.keys()],
            running: [...running],
            limit,
            from,
            underWay: countByOrganisation(underWay),
            mostPerOrganisation: mostOfOne,
            mostOfSandbox: mostOfItsSandbox(concurrency),
            leaseMs,
          })
          isClaimUnknown = false
          for (const one of claimed) {
            running.add(one.id)
            begin(
              one,
              work(one).finally(() => running.delete(one.id)),
            )
          }
          return claimed
        },
      },
    ],
  })

  /** A lease that cannot be renewed ends, and another worker takes the job. */
  const renew = () =>
    renewLeases(db, taker, [...running], leaseMs).catch((error: unknown) =>
      log.warn('queue.lease_not_renewed', { reason: name, error }),
    )
  const renewing = renewedLeaseMs === undefined ? undefined : setInterval(renew, renewedLeaseMs / 3)

  return {
    wake: () => queue.wake(),
    async stop() {
      clearInterval(renewing)
      await queue.stop()
    },
  }
}
