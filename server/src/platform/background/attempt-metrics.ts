import type { AttemptCounts } from '../jobs/jobs.ts'
import { type Metric, metricsText } from '../metrics.ts'

type CountedAttempts = readonly [who: string, counts: AttemptCounts]

const byOutcome = (label: string, counted: readonly CountedAttempts[]): Metric['values'] =>
  counted.flatMap(([who, { done, failed, retried }]) =>
    Object.entries({ done, failed, retried }).map(([outcome, count]) => [{ [label]: who, outcome }, count] as const),
  )

/** The attempts of this process at the jobs of each queue. */
export const queueAttemptMetrics = (
  counts: readonly (readonly [queue: string, counts: AttemptCounts])[],
): Promise<string> =>
  metricsText([
    {
      name: 'risiti_queue_attempts_total',
      help: 'Attempts at jobs, by outcome. An attempt that is retried counts as failed too.',
      type: 'counter',
      values: byOutcome('queue', counts),
    },
  ])

/** The attempts of this process at the events of each consumer. */
export const consumerMetrics = (counts: ReadonlyMap<string, AttemptCounts>): Promise<string> =>
  metricsText([
    {
      name: 'risiti_consumer_events_total',
      help: 'Events that a consumer has taken (done), attempts that failed, and attempts after a failure (retried).',
      type: 'counter',
      values: byOutcome('consumer', [...counts]),
    },
  ])
