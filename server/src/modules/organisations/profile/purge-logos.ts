import type { Database } from '../../../platform/database/database.ts'
import { dropReplacedLogos, listOrganisationsWithReplacedLogos } from './letterheads.store.ts'

/** Drops logos that were replaced and that no document holds, of so many organisations at most. Says how many. */
export async function purgeLogos(db: Database, organisations: number): Promise<number> {
  let dropped = 0
  for (const organisationId of await listOrganisationsWithReplacedLogos(db, organisations))
    dropped += await db.transaction((tx) => dropReplacedLogos(tx, organisationId))
  return dropped
}
