import type { ConsumerCounts } from '../events/consumer.ts'
import type { QueueCounts } from './queues.ts'

type CountedAttempts = readonly [who: string, counts: QueueCounts | ConsumerCounts]

async function countersOf(
  name: string,
  label: string,
  help: string,
  counted: readonly CountedAttempts[],
): Promise<string> {
  const lines = counted.flatMap(([who, { done, failed, retried }]) =>
    Object.entries({ done, failed, retried }).map(
      ([outcome, count]) => `${name}{${label}="${who}",outcome="${outcome}"} ${count}`,
    ),
  )
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines].join('\n')
}

/** What this process has done in each queue, as Prometheus reads it. */
export const queueAttemptMetrics = (
  counts: readonly (readonly [lane: string, counts: QueueCounts])[],
): Promise<string> =>
  countersOf(
    'risiti_lane_attempts_total',
    'lane',
    'Attempts at pieces of work by how they ended; those that are tried again count as failed too',
    counts,
  )

/** What this process has read for each consumer. */
export const consumerMetrics = (counts: ReadonlyMap<string, ConsumerCounts>): Promise<string> =>
  countersOf(
    'risiti_consumer_events_total',
    'consumer',
    'Events that were taken, and attempts that failed or came after one that did',
    [...counts],
  )
