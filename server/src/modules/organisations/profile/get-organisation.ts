import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { type Profile, profileOf } from '../organisation.ts'
import { findOrganisation } from '../organisations.store.ts'
import { findLetterhead } from './letterheads.store.ts'

export const getOrganisation = reading(
  { time: 'real', needs: ['organization.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>): Promise<Profile> => {
    const { organisationId } = caller.tenant
    const organisation = await findOrganisation(db, organisationId)
    if (!organisation) throw refuse('resource.not_found')
    return profileOf(organisation, await findLetterhead(db, organisationId))
  },
)
