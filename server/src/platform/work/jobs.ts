import type { EventNotice } from '../../kernel/event-notice.ts'
import type { EventType } from '../../kernel/events.ts'
import type { Consumer } from '../events/consumer.ts'

/** Work in one queue never waits for work in another. */
export const queueNames = ['mail', 'money', 'authority', 'received', 'upkeep'] as const
export type QueueName = (typeof queueNames)[number]

/** A kind of background work: modules ask for it by this value, a file in `jobs/` does it. */
export interface Job<Payload> {
  readonly name: string
  readonly queue: QueueName
  readonly maxAttempts: number
  /** events that call for this work by themselves: how a module learns of what happened in one below it */
  readonly on: readonly EventType[]
  /** only for the types: what the work needs to know */
  readonly payload?: Payload
}

/** With the waits between them, work that goes on failing is given up after some days. */
const usualAttempts = 25

export const job = <Payload extends object>(
  name: string,
  queue: QueueName,
  { maxAttempts = usualAttempts } = {},
): Job<Payload> => ({
  name,
  queue,
  maxAttempts,
  on: [],
})

/** Work that each of these events calls for, once for each event, after its transaction has committed. */
export const jobOn = (name: string, queue: QueueName, on: readonly EventType[]): Job<EventNotice> => ({
  name,
  queue,
  maxAttempts: usualAttempts,
  on,
})

/** Does one kind of background work. It may be run again after a crash, so it must come to the same end twice. */
export interface JobHandler<Payload = object> {
  readonly job: Job<Payload>
  /** crontab line, for work that time alone calls for */
  readonly every?: string
  /** done once when a worker starts, too */
  readonly atStart?: boolean
  readonly handle: (payload: Payload, attempt: { readonly number: number; readonly last: boolean }) => Promise<void>
}

export const handler = <Payload extends object>(
  job: Job<Payload>,
  handle: JobHandler<Payload>['handle'],
  every?: string,
  { atStart = false }: { readonly atStart?: boolean } = {},
): JobHandler => ({ job, handle, ...(every === undefined ? {} : { every }), atStart }) as unknown as JobHandler

/** A job that events call for: each event becomes a piece of work, which has attempts of its own. */
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
