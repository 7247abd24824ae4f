import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operation.ts'
import { findOrganisation } from './organisations.store.ts'

/** The organisation of the token. */
export const getOrganisation = reading(
  { needs: ['organization.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>) => {
    const organisation = await findOrganisation(db, caller.tenant.organisationId)
    if (!organisation) throw refuse('resource.not_found')
    return organisation
  },
)
