import type { OrganisationId } from '../../kernel/ids.ts'
import { createBatcher } from '../database/batcher.ts'
import type { Queryable } from '../database/database.ts'
import { type CursorRef, findCursors, type StoredCursor } from './cursors.store.ts'

/** Finds the cursors of one consumer in logs. */
export type CursorLookup = (
  consumer: string,
  organisationIds: readonly OrganisationId[],
) => Promise<readonly StoredCursor[]>

/** All consumers learn of a new log at the same moment, so they share the statements that create their cursors in it. */
export function cursorLookup(db: Queryable): CursorLookup {
  const lookups = createBatcher(async (wanted: readonly (readonly CursorRef[])[]) =>
    Map.groupBy(await findCursors(db, wanted.flat()), ({ consumer }) => consumer),
  )
  return async (consumer, organisationIds) => {
    const found = await lookups.add(organisationIds.map((organisationId) => ({ consumer, organisationId })))
    return found.get(consumer) ?? []
  }
}
