import type { Caller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { confirmedSellers } from '../sellers/index.ts'
import { isSameName } from '../tax-identities/index.ts'
import type { ConnectionProblem } from './connection.ts'
import { isBusinessOfOthers } from './connections.store.ts'

/** The identity of a business in the authority's record. */
export interface RecordedBusiness {
  readonly businessId: string
  readonly name: string
  /** Null if the record has no tax number of this country. */
  readonly taxIdNormal: string | null
}

/**
 * Why an organisation may not report as a business in live mode; undefined if it may. The identifiers of a business
 * prove nothing, because every buyer reads them on documents. The record must carry the organisation's confirmed tax
 * number and name. No other organisation may be connected as the business or with its number: each would see the
 * other's received invoices.
 */
export async function whyNotOwn(
  { tx, ports }: Pick<Inside<Caller>, 'tx' | 'ports'>,
  tenant: Tenant,
  { businessId, name, taxIdNormal }: RecordedBusiness,
): Promise<ConnectionProblem | undefined> {
  const ownName = taxIdNormal === null ? undefined : await confirmedSellers.findConfirmedName(tx, tenant, taxIdNormal)
  if (taxIdNormal === null || ownName === undefined)
    return (await confirmedSellers.hasConfirmedTaxNumber(tx, tenant)) ? 'other_tax_number' : 'tax_number_unconfirmed'
  if (!isSameName(name, ownName, ports.jurisdictions)) return 'other_name'
  return (await isBusinessOfOthers(tx, tenant, { businessId, taxIdNormal })) ? 'other_organisation' : undefined
}
