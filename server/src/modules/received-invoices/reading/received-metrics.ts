import type { Queryable } from '../../../platform/database/database.ts'
import { metricsText } from '../../../platform/metrics.ts'
import { countReferencesSetAside } from '../feeds/feeds.store.ts'
import { countArrivalsSetAside } from '../receiving/arrivals.store.ts'

/** Received documents that the operator of the service has to look into. */
export async function receivedMetrics(db: Queryable): Promise<string> {
  return await metricsText([
    {
      name: 'risiti_received_set_aside',
      help: 'Received documents that could not be read (fetch) or stored (keep). Each is tried again.',
      values: [
        [{ step: 'fetch' }, await countReferencesSetAside(db)],
        [{ step: 'keep' }, await countArrivalsSetAside(db)],
      ],
    },
  ])
}
