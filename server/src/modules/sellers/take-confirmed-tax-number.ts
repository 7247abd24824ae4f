import type { Caller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { findOrganisation, saveTaxNumber } from '../organisations/index.ts'
import { findLatestCheck, noteConfirmed } from '../tax-identities/index.ts'
import type { Seller } from './seller.ts'
import { emitCheckedSellerEvent } from './seller-events.ts'
import { findSellerByTaxId, lockPrimarySeller, saveSeller } from './sellers.store.ts'
import { isConfirmedLive } from './verify-own-tax-number.ts'

interface ConfirmedNumber {
  readonly taxId: string
  readonly taxIdNormal: string
  /** Name that the authority has for the number. */
  readonly registeredName: string
}

async function ownSeller({ tx }: Inside<Caller>, organisationId: OrganisationId): Promise<Seller> {
  const seller = await lockPrimarySeller(tx, organisationId)
  if (!seller) throw new Error('the organisation has no primary seller')
  return seller
}

/**
 * The authority itself named this number as the organisation's own. It becomes the confirmed number of the profile and
 * of the primary seller, or of the seller that had it before. False, without a change, if the live authority has
 * confirmed another number.
 */
export async function takeConfirmedTaxNumber(
  context: Inside<Caller>,
  tenant: Tenant,
  { taxId, taxIdNormal, registeredName }: ConfirmedNumber,
): Promise<boolean> {
  const { tx, now, emit } = context
  const { organisationId, mode } = tenant
  const primary = await ownSeller(context, organisationId)
  if (await isConfirmedLive(tx, primary, taxIdNormal)) return false
  const other =
    primary.taxIdNormal === taxIdNormal ? undefined : await findSellerByTaxId(tx, organisationId, taxIdNormal)
  const seller: Seller = other ?? { ...primary, taxId, taxIdNormal, updatedAt: now }
  const latest = await findLatestCheck(tx, tenant, 'seller', seller.id)
  const isKnown = latest?.status === 'verified' && latest.taxIdNormal === taxIdNormal
  if (isKnown && (await findOrganisation(tx, organisationId))?.taxNumber === taxId) return true
  if (!other && primary.taxIdNormal !== taxIdNormal && !(await saveSeller(tx, organisationId, seller)))
    throw new Error('another seller took the tax number; again')
  const subject = {
    party: 'seller',
    partyId: seller.id,
    name: seller.name,
    taxId,
    taxIdNormal,
    taxIdType: 'national',
  } as const
  await noteConfirmed(context, tenant, subject, registeredName)
  emitCheckedSellerEvent(context, 'seller.tax_id_verified', seller, mode, { status: 'verified', registeredName })
  emit('organization.tax_number_verified', { organisationId, mode, objectId: organisationId }, { taxNumber: taxId })
  await saveTaxNumber(tx, organisationId, taxId, now)
  return true
}
