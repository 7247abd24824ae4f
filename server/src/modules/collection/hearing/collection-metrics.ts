import type { Queryable } from '../../../platform/database/database.ts'
import { countSubAccountsWaiting } from '../settlement/sub-accounts.store.ts'
import { readNotificationLoad } from './notifications.store.ts'
import { countUnreconciled } from './reconcile.store.ts'
import { countStrays } from './strays.store.ts'

const gauge = (name: string, help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}`

const labelled = (
  name: string,
  help: string,
  counts: readonly { readonly provider: string; readonly count: number }[],
): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...counts.map(({ provider, count }) => `${name}{provider="${provider}"} ${count}`),
  ].join('\n')

/** Waiting notifications and problems for the operator, in Prometheus text format. */
export async function collectionMetrics(db: Queryable): Promise<string> {
  const { waiting, oldestSeconds } = await readNotificationLoad(db)
  const { strangers, setAside } = await countStrays(db)
  return [
    gauge('risiti_collection_waiting', 'Notifications of transfers that wait or are being looked into', waiting),
    gauge('risiti_collection_oldest_seconds', 'Age of the oldest of them, from when it was told', oldestSeconds),
    gauge(
      'risiti_collection_stray_transfers',
      'Transfers that came under our keys into accounts that are none of ours',
      strangers,
    ),
    labelled(
      'risiti_collection_set_aside_transfers',
      'Transfers that could not be read or recorded; the table collection_strays says why',
      setAside,
    ),
    labelled(
      'risiti_collection_sub_accounts_waiting',
      'Settlement accounts that a provider has not confirmed or refuses; the table collection_sub_accounts says why',
      await countSubAccountsWaiting(db),
    ),
    labelled(
      'risiti_collection_unreconciled_days',
      'Days of the last 30 whose statement was not compared as a whole; the table collection_reconciliations says why',
      await countUnreconciled(db),
    ),
  ].join('\n')
}
