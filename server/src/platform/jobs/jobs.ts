import type { EventNotice } from '../../kernel/event-notice.ts'
import type { EventType } from '../../kernel/events.ts'

/** Jobs of one queue never wait for jobs of another. */
export const queueNames = ['mail', 'money', 'authority', 'received', 'upkeep', 'schedule'] as const
export type QueueName = (typeof queueNames)[number]

/** A kind of job. Modules enqueue it by this value, and a handler in its module runs it. */
export interface Job<Payload> {
  readonly name: string
  readonly queue: QueueName
  readonly maxAttempts: number
  /** events that enqueue this job: so a module reacts to a module below it */
  readonly on: readonly EventType[]
  /** only for the types: the payload of the job */
  readonly payload?: Payload
}

/** With the waits between the attempts, a job that keeps failing ends after some days. */
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

/** The jobs that each event type enqueues, once for each event, after its transaction has committed. */
export const jobOn = (name: string, queue: QueueName, on: readonly EventType[]): Job<EventNotice> => ({
  name,
  queue,
  maxAttempts: usualAttempts,
  on,
})

/** Attempts of this process since its start. */
export interface AttemptCounts {
  done: number
  /** failed attempts, including final ones */
  failed: number
  /** failed attempts that are followed by another attempt */
  retried: number
}

export const newAttemptCounts = (): AttemptCounts => ({ done: 0, failed: 0, retried: 0 })
