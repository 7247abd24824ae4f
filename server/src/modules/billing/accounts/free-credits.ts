import type { Caller } from '../../../kernel/callers.ts'
import type { EventNotice } from '../../../kernel/event-notice.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { findEventData } from '../../../platform/events/event-data.store.ts'
import { jobOn } from '../../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { openingCredits } from '../../catalogue/index.ts'
import { issue } from '../../credits/index.ts'
import { findFounder, findOrganisation } from '../../organisations/index.ts'
import { insertFreeCreditClaim } from './free-credits.store.ts'

const grant = (context: Inside<Caller>, organisationId: OrganisationId): Promise<bigint> =>
  issue(context, { organisationId, mode: 'live' }, 'grant', openingCredits.live, 'opening')

/**
 * Grants the live credits of the free plan to a person's first organisation. Creating organisations is free, so a
 * further one gets these credits only once its tax number is confirmed.
 */
export async function grantToFirstOf(context: Inside<Caller>, organisationId: OrganisationId): Promise<void> {
  const { tx, now } = context
  const founder = await findFounder(tx, organisationId)
  // An organisation without a known founder existed before this rule.
  if (founder === null || (await insertFreeCreditClaim(tx, `person:${founder}`, organisationId, now)))
    await grant(context, organisationId)
}

export const grantFreeCreditsJob = jobOn('grant-free-credits', 'money', ['organization.tax_number_verified'])

/**
 * Grants the free live credits once for each confirmed tax number and each organisation. A sandbox confirmation proves
 * nothing: the simulated authority knows every number.
 */
export const grantFreeCredits = operation(
  { needs: [], refuses: [] },
  async (context: Inside<Caller>, { organisationId, mode, eventId }: EventNotice) => {
    const { tx, now, ports } = context
    if (mode !== 'live') return
    const data = await findEventData(tx, organisationId, eventId, 'organization.tax_number_verified')
    const organisation = await findOrganisation(tx, organisationId)
    if (!data || !organisation) return
    const { country } = organisation
    const number = ports.jurisdictions.of(country)?.taxIds.normalise('national', data.taxNumber)
    if (number === undefined) return
    // The number counts as used even if the organisation already has its credits as a founder's first one.
    if (await insertFreeCreditClaim(tx, `tax-number:${country}:${number}`, organisationId, now))
      await grant(context, organisationId)
  },
)
