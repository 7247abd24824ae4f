import type { Queryable } from '../../../platform/database/database.ts'
import { type Metric, metricsText } from '../../../platform/metrics.ts'
import { countSubAccountsWaiting } from '../settlement-accounts/sub-accounts.store.ts'
import { readNotificationLoad } from './notifications.store.ts'
import { countUnreconciled } from './reconcile.store.ts'
import { countStrays } from './strays.store.ts'

const byProvider = (counts: readonly { readonly provider: string; readonly count: number }[]): Metric['values'] =>
  counts.map(({ provider, count }) => [{ provider }, count])

/** Notifications of providers that wait, and what the operator of the service has to look into. */
export async function collectionMetrics(db: Queryable): Promise<string> {
  const { waiting, oldestSeconds } = await readNotificationLoad(db)
  const { strangers, setAside } = await countStrays(db)
  return await metricsText([
    {
      name: 'risiti_collection_waiting',
      help: 'Notifications of transfers that wait or are being processed.',
      values: waiting,
    },
    {
      name: 'risiti_collection_oldest_seconds',
      help: 'Age of the oldest waiting notification, from when it was received.',
      values: oldestSeconds,
    },
    {
      name: 'risiti_collection_stray_transfers',
      help: 'Transfers that a provider reported under our keys, for accounts that are not ours.',
      values: strangers,
    },
    {
      name: 'risiti_collection_set_aside_transfers',
      help: 'Transfers that could not be read or recorded. The table collection_strays has the reasons.',
      values: byProvider(setAside),
    },
    {
      name: 'risiti_collection_sub_accounts_waiting',
      help: 'Settlement accounts that a provider refuses or has not confirmed. The table collection_sub_accounts has the reasons.',
      values: byProvider(await countSubAccountsWaiting(db)),
    },
    {
      name: 'risiti_collection_unreconciled_days',
      help: 'Days of the last 30 whose comparison with the provider is incomplete. The table collection_reconciliations has the reasons.',
      values: byProvider(await countUnreconciled(db)),
    },
  ])
}
