import type { Database } from '../../../platform/database/database.ts'
import { dropReplacedLogos, listOrganisationsWithReplacedLogos } from './letterheads.store.ts'

/**
 * Deletes replaced logos that no document refers to, for a limited number of organisations. Returns how many were
 * deleted.
 */
export async function purgeLogos(db: Database, organisations: number): Promise<number> {
  let dropped = 0
  for (const organisationId of await listOrganisationsWithReplacedLogos(db, organisations))
    dropped += await db.transaction((tx) => dropReplacedLogos(tx, organisationId))
  return dropped
}
