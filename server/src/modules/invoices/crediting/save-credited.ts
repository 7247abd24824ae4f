import type { TokenCaller } from '../../../kernel/callers.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { amountsPayload, dueMinor } from '../derived-statuses.ts'
import type { Invoice } from '../invoice.ts'
import { emitInvoiceEvent } from '../invoice-events.ts'
import { saveProgress } from '../invoices.store.ts'

/** Issuing a credit note reduces the amount due of its original, which must be locked; reopening raises it again. */
export async function saveCredited(
  context: Inside<TokenCaller>,
  original: Invoice,
  note: Pick<Invoice, 'type'>,
  changeMinor: bigint,
): Promise<void> {
  if (note.type !== 'credit_note') return
  const { tx, caller, now } = context
  const credited = await saveProgress(tx, caller.tenant, {
    ...original,
    creditedMinor: original.creditedMinor + changeMinor,
    updatedAt: now,
  })
  emitInvoiceEvent(context, 'invoice.updated', caller.tenant, credited, {
    changed: ['creditedMinor'],
    itemUses: {},
  })
  // A partly paid invoice is paid once the rest is credited.
  if (original.paidMinor > 0n && dueMinor(original) > 0n && dueMinor(credited) === 0n)
    emitInvoiceEvent(context, 'invoice.paid', caller.tenant, credited, amountsPayload(credited))
}
