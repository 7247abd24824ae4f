import type { Caller } from '../../../kernel/callers.ts'
import type { EventNotice } from '../../../kernel/event-notice.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { findEventData } from '../../../platform/events/events.store.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { jobOn } from '../../../platform/work/jobs.ts'
import { openingCredits } from '../../catalogue/index.ts'
import { issue } from '../../credits/index.ts'
import { findFounder, findOrganisation } from '../../organisations/index.ts'
import { insertFreeCreditClaim } from './free-credits.store.ts'

const grant = (context: Inside<Caller>, organisationId: OrganisationId): Promise<bigint> =>
  issue(context, { organisationId, mode: 'live' }, 'grant', openingCredits.live, 'opening')

/**
 * The live credits of the free plan, for a person's first organisation. Making organisations costs nothing, so for each further one
 * they would be there for the taking; it gets them when it has shown which business it is.
 */
export async function grantToFirstOf(context: Inside<Caller>, organisationId: OrganisationId): Promise<void> {
  const { tx, now } = context
  const founder = await findFounder(tx, organisationId)
  // One whose founder is not known is older than this rule.
  if (founder === null || (await insertFreeCreditClaim(tx, `person:${founder}`, organisationId, now)))
    await grant(context, organisationId)
}

export const grantFreeCreditsJob = jobOn('grant-free-credits', 'money', ['organization.tax_number_verified'])

/**
 * The same for an organisation whose tax number was confirmed, once for each number and each organisation. What the sandbox confirms
 * proves nothing: its authority is a simulator that knows every number.
 */
export const grantFreeCredits = operation(
  { needs: [], refuses: [] },
  async (context: Inside<Caller>, { organisationId, mode, eventId }: EventNotice) => {
    const { tx, now, ports } = context
    if (mode !== 'live') return
    const told = await findEventData(tx, organisationId, eventId, 'organization.tax_number_verified')
    const organisation = await findOrganisation(tx, organisationId)
    if (!told || !organisation) return
    const { country } = organisation
    const number = ports.jurisdictions.of(country)?.taxIds.normalise('tin', told.taxNumber)
    if (number === undefined) return
    // A business that had them for its founder's sake has had them: its number is noted all the same.
    if (await insertFreeCreditClaim(tx, `tax-number:${country}:${number}`, organisationId, now))
      await grant(context, organisationId)
  },
)
