import type { SystemCaller } from '../../kernel/callers.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { EventType } from '../../kernel/events.ts'
import type { Inside } from '../operations/operation.ts'

/** An event as consumers are handed it. */
export interface ReadEvent extends EventNotice {
  readonly actorId: string | null
  readonly createdAt: Date
  /** what it told; of which form is said by its version */
  readonly data: Readonly<Record<string, unknown>>
}

/** Consumers of one pool share connections and a deadline: `lists` write much, `webhooks` must not wait, `work` only enqueue jobs. */
export const consumerPools = ['lists', 'webhooks', 'work'] as const
export type ConsumerPool = (typeof consumerPools)[number]

/** Follows the event log with a cursor: each event once and in order. */
export interface Consumer {
  readonly name: string
  readonly pool: ConsumerPool
  readonly on: readonly EventType[]
  /** which events of these types it has something to do for; all of them, where it does not say */
  readonly wants?: (event: ReadEvent) => boolean
  /** where one that was never seen before begins: at what happens from now on, or at the oldest event that is kept */
  readonly startsAt: 'now' | 'oldest'
  /** how many events it looks through at a time, and how long it rests in between */
  readonly batchSize: number
  readonly restMs: number
  /** Its effects commit together with its cursor: what it does with `tx` it does once for each event. */
  readonly take: (context: Inside<SystemCaller>, events: readonly ReadEvent[]) => Promise<void>
  /** Awaited before it reads on, a moment at most: whoever has enough to do need not be handed more. */
  readonly settle?: () => Promise<void>
  /** Told once what was taken last has committed: what cannot be taken back begins here. A process that dies before hears nothing. */
  readonly committed?: () => void
}

export interface ConsumerCounts {
  /** events whose effects have committed */
  done: number
  /** attempts that failed; whoever fails is handed fewer events, or the same one later */
  failed: number
  retried: number
}
