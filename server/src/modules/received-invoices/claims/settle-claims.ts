import type { Caller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { ReceivedInvoiceId } from '../received-invoice.ts'
import { listTied, saveClaimable } from './claims.store.ts'
import { settledClaims } from './net-claims.ts'

/**
 * Recalculates the claimable tax of a document and of all documents linked to it by corrections. The caller holds
 * `lockClaims`.
 */
export async function settleClaims({ tx }: Inside<Caller>, tenant: Tenant, id: ReceivedInvoiceId): Promise<void> {
  const tied = await listTied(tx, tenant, id)
  const settled = settledClaims(tied)
  const changed = tied.flatMap(({ id: tiedId, claimableMinor, returnTaxMinor }) => {
    const claim = settled.get(tiedId) ?? { claimableMinor: 0n, returnTaxMinor: 0n }
    const isSame = claim.claimableMinor === claimableMinor && claim.returnTaxMinor === returnTaxMinor
    return isSame ? [] : [{ id: tiedId, ...claim }]
  })
  await saveClaimable(tx, tenant, changed)
}
