import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { jobOn } from '../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { findOrganisation } from '../organisations/index.ts'
import type { Seller } from './seller.ts'
import { emitSellerEvent } from './seller-events.ts'
import { insertSeller, isSellerTaxIdTaken, lockPrimarySeller, saveSeller } from './sellers.store.ts'

export const followProfileJob = jobOn('follow-profile', 'upkeep', [
  'organization.created',
  'organization.updated',
  'organization.phone_verified',
])

/** `foundings` creates the primary seller; this job copies later changes of the profile to it. */
export const followProfile = operation(
  { time: 'real', needs: [], refuses: [] },
  async (context: Inside<Caller>, { organisationId }: { organisationId: OrganisationId }) =>
    makePrimarySeller(context, organisationId),
)

/** Creates the primary seller from the profile, or updates it. */
export async function makePrimarySeller(context: Inside<Caller>, organisationId: OrganisationId): Promise<void> {
  const { tx, now, ports } = context
  // Locked before the profile is read, so that the later of two runs sees the later profile.
  const before = await lockPrimarySeller(tx, organisationId)
  const organisation = await findOrganisation(tx, organisationId)
  if (!organisation) return
  const { name, contactEmail, website, address, phone, taxNumber, country } = organisation
  const normal =
    taxNumber === null ? undefined : ports.jurisdictions.of(country)?.taxIds.normalise('national', taxNumber)
  const profile = { name, email: contactEmail, website, address, phone }
  const id = before?.id ?? newId()
  // A number that another seller already has stays with that seller.
  const isFree = normal !== undefined && !(await isSellerTaxIdTaken(tx, organisationId, normal, id))
  const identity = isFree ? { taxId: taxNumber, taxIdNormal: normal } : { taxId: null, taxIdNormal: null }
  if (!before) {
    const seller: Seller = {
      organisationId,
      id,
      isPrimary: true,
      tradingName: null,
      partyType: 'company',
      vatNumber: null,
      registrationNumber: null,
      notes: null,
      ...profile,
      ...identity,
      createdAt: now,
      updatedAt: now,
    }
    if (await insertSeller(tx, organisationId, seller)) emitSellerEvent(context, 'seller.created', seller)
    // Another transaction has created it meanwhile, so that it is updated instead.
    else if (await lockPrimarySeller(tx, organisationId)) await makePrimarySeller(context, organisationId)
    else throw new Error('another seller took the tax number; again')
    return
  }
  const after: Seller = { ...before, ...profile, ...(before.taxIdNormal === null ? identity : {}) }
  if (isDeepStrictEqual(after, before)) return
  await saveSeller(tx, organisationId, { ...after, updatedAt: now })
  emitSellerEvent(context, 'seller.updated', after)
}
