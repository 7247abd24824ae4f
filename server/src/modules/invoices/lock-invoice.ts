import type { TokenCaller } from '../../kernel/callers.ts'
import type { EventOf } from '../../kernel/events.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Inside, StatementSteps } from '../../platform/operations/operation.ts'
import type { InvoiceChange } from './change-invoices.store.ts'
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

/**
 * Writes a planned change with the statement of a hot operation, in a transaction that has locked everything that the
 * plan depends on. The transaction emits the events, so that they follow its earlier ones.
 */
export async function writeLocked<Change extends InvoiceChange>(
  { tx, caller, origin, now, realNow, emit }: Inside<TokenCaller>,
  write: StatementSteps<TokenCaller, unknown, unknown, Change, Record<string, never>>['write'],
  change: Change,
): Promise<void> {
  const { after, events } = change
  const written = await write(tx, caller.tenant, [{ plan: { ...change, events: [] }, caller, origin, now, realNow }])
  if (!written?.[0]) throw refuse('state.changed')
  const about = { ...caller.tenant, objectId: after.id, version: after.version }
  for (const { type, data } of events) emit<EventOf<'invoice'>>(type, about, data)
}
