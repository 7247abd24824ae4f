import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Invoice, InvoiceId } from './invoice.ts'
import { findOriginalId, lockInvoice } from './invoices.store.ts'

/** A document to change, and the one that it corrects. The original is always locked first. */
export interface LockedInvoice {
  readonly invoice: Invoice
  readonly original: Invoice | undefined
}

export async function lockOwnInvoice(tx: Tx, tenant: Tenant, id: InvoiceId): Promise<LockedInvoice> {
  const originalId = await findOriginalId(tx, tenant, id)
  const original = originalId == null ? undefined : await lockInvoice(tx, tenant, originalId)
  const invoice = await lockInvoice(tx, tenant, id)
  if (!invoice) throw refuse('resource.not_found')
  return { invoice, original }
}
