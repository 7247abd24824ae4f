import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findOrganisation } from '../organisations/index.ts'
import { findLatestCheck } from '../tax-identities/index.ts'
import { findPrimarySeller, findSellerByTaxId } from './sellers.store.ts'

/**
 * Name of the organisation's seller with a tax number that the authority has confirmed in this mode. `undefined` if it
 * has not. The primary seller's name comes from the profile, which may have changed just now.
 */
export async function findConfirmedName(tx: Tx, tenant: Tenant, taxIdNormal: string): Promise<string | undefined> {
  const seller = await findSellerByTaxId(tx, tenant.organisationId, taxIdNormal)
  const latest = seller && (await findLatestCheck(tx, tenant, 'seller', seller.id))
  if (!seller || latest?.status !== 'verified' || latest.taxIdNormal !== taxIdNormal) return undefined
  return seller.isPrimary ? (await findOrganisation(tx, tenant.organisationId))?.name : seller.name
}

/** Whether the authority has confirmed the organisation's own tax number in this mode. */
export async function hasConfirmedTaxNumber(tx: Tx, tenant: Tenant): Promise<boolean> {
  return (await findPrimarySeller(tx, tenant))?.taxIdStatus === 'verified'
}
