import { modes } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Metric, metricsText } from '../../../platform/metrics.ts'
import { troubles } from './queue.ts'
import { readQueueLoad } from './queue-load.store.ts'

/** Submissions that wait for the authorities of these countries, and what this process could not understand or open. */
export async function submissionMetrics(db: Queryable, countries: readonly string[]): Promise<string> {
  const read = await readQueueLoad(db)
  const nothing = { waiting: 0, oldestSeconds: 0, failed: 0 }
  const known = countries.flatMap((country) =>
    modes.map(
      (mode) => read.find((load) => load.country === country && load.mode === mode) ?? { country, mode, ...nothing },
    ),
  )
  // Submissions of a country that is no longer configured are shown too: nothing else would tell that they wait.
  const loads = [...known, ...read.filter(({ country }) => !countries.includes(country))]
  const byLink = (value: (load: (typeof loads)[number]) => number): Metric['values'] =>
    loads.map((load) => [{ country: load.country, mode: load.mode }, value(load)])
  return await metricsText([
    {
      name: 'risiti_submissions_waiting',
      help: 'Submissions that wait or are under way.',
      values: byLink(({ waiting }) => waiting),
    },
    {
      name: 'risiti_submissions_oldest_seconds',
      help: 'Age of the oldest waiting submission, from when it was submitted.',
      values: byLink(({ oldestSeconds }) => oldestSeconds),
    },
    {
      name: 'risiti_submissions_failed',
      help: 'Submissions without retries left whose outcome is unknown.',
      values: byLink(({ failed }) => failed),
    },
    {
      name: 'risiti_submission_unknown_refusals_total',
      help: 'Rejections of an authority for which we have no explanation.',
      type: 'counter',
      values: troubles.unknownRefusals,
    },
    {
      name: 'risiti_submission_unreadable_keys_total',
      help: 'Times that the keys of a connection to an authority could not be opened with the key file of this installation.',
      type: 'counter',
      values: troubles.unreadableKeys,
    },
  ])
}
