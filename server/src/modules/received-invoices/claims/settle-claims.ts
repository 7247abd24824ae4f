import type { Caller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { ReceivedInvoiceId } from '../received-invoice.ts'
import { listTied, saveClaimable } from './claims.store.ts'
import { netClaims } from './net-claims.ts'

/**
 * Recalculates the claimable tax of a document and of all documents linked to it by corrections. The caller holds
 * `lockClaims`.
 */
export async function settleClaims({ tx }: Inside<Caller>, tenant: Tenant, id: ReceivedInvoiceId): Promise<void> {
  const tied = await listTied(tx, tenant, id)
  const net = netClaims(tied)
  const changed = tied.filter((one) => net.get(one.id) !== one.claimableMinor)
  await saveClaimable(
    tx,
    tenant,
    changed.map((one) => ({ id: one.id, claimableMinor: net.get(one.id) ?? 0n })),
  )
}
