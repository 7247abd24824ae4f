import type { SystemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { invoicePayload } from '../invoice-events.ts'
import { type InvoiceStamp, saveStamps } from './stamps.store.ts'

/** Adds missing QR codes to registered documents. An event follows, because PDF, XML and shared page change. */
export async function stampInvoices(
  { tx, now, emit }: Inside<SystemCaller>,
  tenant: Tenant,
  stamps: readonly InvoiceStamp[],
): Promise<void> {
  if (stamps.length === 0) return
  const countries = new Map(stamps.map(({ id, country }) => [id, country]))
  for (const invoice of await saveStamps(tx, tenant, stamps, now)) {
    const about = { ...tenant, objectId: invoice.id, version: invoice.version }
    const more = { changed: ['qrCode'], itemUses: {} }
    emit('invoice.updated', about, { ...invoicePayload(invoice, countries.get(invoice.id)), ...more })
  }
}
