import type { SystemCaller } from '../../kernel/callers.ts'
import type { EventType } from '../../kernel/events.ts'
import type { ReadEvent } from '../events/log-reader.store.ts'
import type { Inside } from '../operations/operation.ts'

/** Consumers of one pool share connections and a deadline: `lists` write much, `webhooks` must not wait, `work` only enqueue jobs. */
export const consumerPools = ['lists', 'webhooks', 'work'] as const
export type ConsumerPool = (typeof consumerPools)[number]

/** Follows the event log with a cursor: each event once and in order. */
export interface Consumer {
  readonly name: string
  readonly pool: ConsumerPool
  readonly on: readonly EventType[]
  /** which events of these types concern the consumer; all of them if absent */
  readonly wants?: (event: ReadEvent) => boolean
  /** where a new consumer begins: at the events from now on, or at the oldest event in the log */
  readonly startsAt: 'now' | 'oldest'
  /** events per batch, and the rest between two batches */
  readonly batchSize: number
  readonly restMs: number
  /** Commits together with the cursor, so the effects through `tx` happen once for each event. */
  readonly take: (context: Inside<SystemCaller>, events: readonly ReadEvent[]) => Promise<void>
  /** Awaited before the next batch, for a moment at most: a consumer that is busy enough delays further events. */
  readonly pause?: () => Promise<void>
  /** Called after the batch has committed, for effects that cannot be rolled back. If the process dies before, the call is lost. */
  readonly committed?: () => void
}
