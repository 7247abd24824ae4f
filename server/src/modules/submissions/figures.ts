import { modes } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { QueueCounts } from '../../platform/work/queues.ts'
import { readQueueLoad } from './queue.store.ts'

/** How a question ended: it brought the document on; it led nowhere, and is tried again; or it was the last. */
export type AttemptEnd = 'done' | 'retried' | 'failed'

/** What this process has heard since it began. A figure alone: nothing is decided by it. */
const heard = { unknownRefusals: 0, unreadableKeys: 0 }

/** Once for each time that a connection was looked at and its keys could not be opened. */
export const countUnreadableKeys = (): void => {
  heard.unreadableKeys++
}

export function countEnds(
  counts: QueueCounts,
  { ends, unknownRefusals }: { readonly ends: readonly AttemptEnd[]; readonly unknownRefusals: number },
): void {
  for (const end of ends) {
    if (end === 'done') counts.done++
    else counts.failed++
    if (end === 'retried') counts.retried++
  }
  heard.unknownRefusals += unknownRefusals
}

const family = (name: string, type: 'counter' | 'gauge', help: string, lines: readonly string[]): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines.map((line) => `${name}${line}`)].join('\n')

/** What waits for the tax authorities of these countries, as Prometheus reads it, and what of their words is not understood. */
export async function submissionMetrics(db: Queryable, countries: readonly string[]): Promise<string> {
  const read = await readQueueLoad(db)
  const nothing = { waiting: 0, oldestSeconds: 0, failed: 0 }
  const known = countries.flatMap((country) =>
    modes.map(
      (mode) => read.find((load) => load.country === country && load.mode === mode) ?? { country, mode, ...nothing },
    ),
  )
  // What was left by a country that is not configured any more is shown, too: nobody else would see that it waits.
  const loads = [...known, ...read.filter(({ country }) => !countries.includes(country))]
  const perLink = (name: string, help: string, read: (load: (typeof loads)[number]) => number) =>
    family(
      name,
      'gauge',
      help,
      loads.map((load) => `{country="${load.country}",mode="${load.mode}"} ${read(load)}`),
    )
  return [
    perLink('risiti_submissions_waiting', 'Submissions that wait or are under way', ({ waiting }) => waiting),
    perLink(
      'risiti_submissions_oldest_seconds',
      'Age of the oldest of them, from when it was submitted',
      ({ oldestSeconds }) => oldestSeconds,
    ),
    perLink('risiti_submissions_failed', 'Submissions that were given up and are not decided', ({ failed }) => failed),
    family(
      'risiti_submission_unknown_refusals_total',
      'counter',
      'Texts of tax authorities that no plain words are known for',
      [` ${heard.unknownRefusals}`],
    ),
    family(
      'risiti_submission_unreadable_keys_total',
      'counter',
      'Times that the keys of a connection to a tax authority could not be opened with the key file of this installation',
      [` ${heard.unreadableKeys}`],
    ),
  ].join('\n')
}
