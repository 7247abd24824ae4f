import { noOrganisation, type SystemCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { type Inside, type Outside, operation, reading } from '../../platform/operations/operation.ts'
import { listOrganisationsWithEndedKeys, takeEndedKeys } from './api-keys.store.ts'

const ours = { time: 'real', needs: [], refuses: [] } as const
const keysAtOnce = 200
const organisationsAtOnce = 1_000

interface Owner {
  readonly organisationId: OrganisationId
}

/** Organisations with keys that have expired, ordered by id, after a given one. */
export const findOrganisationsWithEndedKeys = reading(
  ours,
  ({ db, now }: Outside<SystemCaller>, after: Owner | undefined): Promise<readonly Owner[]> =>
    listOrganisationsWithEndedKeys(db, after?.organisationId ?? noOrganisation, now, organisationsAtOnce),
)

/** Emits events for expired keys, which stopped working by themselves. Returns whether there may be more. */
export const announceEndedKeys = operation(
  ours,
  async ({ tx, now, emit }: Inside<SystemCaller>, { organisationId }: Owner): Promise<boolean> => {
    const ended = await takeEndedKeys(tx, organisationId, now, keysAtOnce)
    for (const { id, name, mode, expired } of ended)
      emit(expired ? 'api_key.expired' : 'api_key.revoked', { organisationId, objectId: id }, { name, mode })
    return ended.length === keysAtOnce
  },
)
