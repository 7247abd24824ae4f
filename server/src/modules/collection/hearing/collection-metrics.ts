import type { Queryable } from '../../../platform/database/database.ts'
import { countStrays } from './strays.store.ts'

/** What somebody has to look into who runs the service, as Prometheus reads it. */
export async function collectionMetrics(db: Queryable): Promise<string> {
  const name = 'risiti_collection_stray_transfers'
  return [
    `# HELP ${name} Transfers that came under our keys into accounts that are none of ours`,
    `# TYPE ${name} gauge`,
    `${name} ${await countStrays(db)}`,
  ].join('\n')
}
