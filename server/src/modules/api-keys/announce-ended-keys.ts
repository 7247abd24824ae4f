import { noOrganisation, type SystemCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { type Inside, type Outside, operation, reading } from '../../platform/operations/operation.ts'
import { listOrganisationsWithEndedKeys, takeEndedKeys } from './api-keys.store.ts'

const ours = { needs: [], refuses: [] } as const
const keysAtOnce = 200
const organisationsAtOnce = 1_000

interface Owner {
  readonly organisationId: OrganisationId
}

/** Some who have keys that time has ended, in the order of their ids, after one of them. */
export const findOrganisationsWithEndedKeys = reading(
  ours,
  ({ db, now }: Outside<SystemCaller>, after: Owner | undefined): Promise<readonly Owner[]> =>
    listOrganisationsWithEndedKeys(db, after?.organisationId ?? noOrganisation, now, organisationsAtOnce),
)

/** Tells of keys of an organisation that time has ended: they stopped working by themselves. Says whether there may be more. */
export const announceEndedKeys = operation(
  ours,
  async ({ tx, now, emit }: Inside<SystemCaller>, { organisationId }: Owner): Promise<boolean> => {
    const ended = await takeEndedKeys(tx, organisationId, now, keysAtOnce)
    for (const { id, name, mode, expired } of ended)
      emit(expired ? 'api_key.expired' : 'api_key.revoked', { organisationId, objectId: id }, { name, mode })
    return ended.length === keysAtOnce
  },
)
