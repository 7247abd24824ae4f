import type { EventNotice } from '../../kernel/event-notice.ts'
import { type Job, job } from '../jobs/jobs.ts'
import type { Consumer } from './consumer.ts'

/** Runs one kind of job. A handler may run again after a crash, so it must be idempotent. */
export interface JobHandler<Payload = object> {
  readonly job: Job<Payload>
  /** for scheduled jobs */
  readonly every?: Every
  /** also run once when a worker starts */
  readonly atStart?: boolean
  readonly handle: (payload: Payload, attempt: { readonly number: number; readonly last: boolean }) => Promise<void>
}

export const handler = <Payload extends object>(job: Job<Payload>, handle: JobHandler<Payload>['handle']): JobHandler =>
  ({ job, handle }) as unknown as JobHandler

/** When a scheduled job is due: every `minutes` minutes, counted from `after` minutes past midnight UTC. */
export interface Every {
  readonly minutes: number
  readonly after: number
}

export const everyMinutes = (minutes: number): Every => ({ minutes, after: 0 })
export const hourlyAt = (minute: number): Every => ({ minutes: 60, after: minute })
/** in UTC */
export const dailyAt = (hour: number, minute: number): Every => ({ minutes: 24 * 60, after: 60 * hour + minute })

/** A job that the schedule enqueues. A slow run delays the job's next run. Times that passed while no worker ran are made up for by one run. */
export const scheduled = (
  name: string,
  every: Every,
  handle: () => Promise<void>,
  { maxAttempts = 1, atStart = false } = {},
): JobHandler => ({ job: job(name, 'schedule', { maxAttempts }), every, atStart, handle })

/** A job that events enqueue: each event becomes a job with attempts of its own. */
export const consumerFor = (job: Job<EventNotice>): Consumer => ({
  name: job.name,
  on: job.on,
  pool: 'work',
  startsAt: 'now',
  batchSize: 1_000,
  restMs: 200,
  take: async ({ enqueue }, events) => {
    for (const { eventId, type, version, organisationId, mode, objectId, objectVersion } of events)
      enqueue(job, { eventId, type, version, organisationId, mode, objectId, objectVersion })
  },
})
