import type { Caller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { type Founder, makeOrganisation, type OrganisationDetails } from '../organisations/index.ts'
import { makePrimarySeller } from '../sellers/index.ts'

/**
 * Creates the organisation, its first owner and its primary seller in the caller's transaction, so that it can invoice
 * at once.
 */
export async function foundOrganisation(
  context: Inside<Caller>,
  founder: Founder,
  details: OrganisationDetails,
): Promise<OrganisationId> {
  const organisationId = await makeOrganisation(context, founder, details)
  await makePrimarySeller(context, organisationId)
  return organisationId
}
