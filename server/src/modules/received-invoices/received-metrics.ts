import type { Queryable } from '../../platform/database/database.ts'
import { countArrivalsSetAside } from './arrivals.store.ts'
import { countReferencesSetAside } from './feeds.store.ts'

/** Received documents that the operator has to look into, in Prometheus text format. */
export async function receivedMetrics(db: Queryable): Promise<string> {
  const name = 'risiti_received_set_aside'
  return [
    `# HELP ${name} Received documents that could not be read (fetch) or stored (keep); each is tried again`,
    `# TYPE ${name} gauge`,
    `${name}{step="fetch"} ${await countReferencesSetAside(db)}`,
    `${name}{step="keep"} ${await countArrivalsSetAside(db)}`,
  ].join('\n')
}
