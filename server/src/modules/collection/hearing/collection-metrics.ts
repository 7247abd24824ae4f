import type { Queryable } from '../../../platform/database/database.ts'
import { readNotificationLoad } from './notifications.store.ts'
import { countStrays } from './strays.store.ts'

const gauge = (name: string, help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}`

/** What providers told and nobody has looked into yet, and what somebody has to look into who runs the service, as Prometheus reads it. */
export async function collectionMetrics(db: Queryable): Promise<string> {
  const { waiting, oldestSeconds } = await readNotificationLoad(db)
  return [
    gauge('risiti_collection_waiting', 'Notifications of transfers that wait or are being looked into', waiting),
    gauge('risiti_collection_oldest_seconds', 'Age of the oldest of them, from when it was told', oldestSeconds),
    gauge(
      'risiti_collection_stray_transfers',
      'Transfers that came under our keys into accounts that are none of ours',
      await countStrays(db),
    ),
  ].join('\n')
}
