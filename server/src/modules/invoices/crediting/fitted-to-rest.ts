import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Invoice } from '../invoice.ts'
import { listCreditNotes } from '../invoices.store.ts'
import { countingStatuses, type InvoiceStatus } from '../status-moves.ts'
import { faultsOfCredit, leftToCredit, roundingOfLines } from './left-to-credit.ts'

/** Only issued invoices and prepayments can be corrected, not notes. */
export const canHaveNotes = ({ type, status }: Pick<Invoice, 'type' | 'status'>): boolean =>
  (type === 'standard' || type === 'prepayment') &&
  !['draft', 'rejected', 'cancellation_pending', 'cancelled'].includes(status)

/** A draft reserves its amount, so that it is not promised twice. A rejected note reserves nothing. */
export const holdingStatuses: readonly InvoiceStatus[] = ['draft', ...countingStatuses]

/**
 * A credit note that fits into what is left, or a refusal. The caller has locked the original. `beside` says which
 * other notes count.
 */
export async function fittedToRest(
  db: Queryable,
  tenant: Tenant,
  original: Invoice,
  note: Invoice,
  beside: readonly InvoiceStatus[] = holdingStatuses,
): Promise<Invoice> {
  const left = leftToCredit(original, await listCreditNotes(db, tenant, original.id, beside, note.id))
  // A note with rounding was created for a given total.
  const roundingMinor = note.roundingMinor === 0n ? roundingOfLines(left, note) : 0n
  const fitted = {
    ...note,
    roundingMinor: note.roundingMinor + roundingMinor,
    payableMinor: note.payableMinor + roundingMinor,
  }
  const details = faultsOfCredit(left, fitted, original.currency)
  if (details.length > 0) throw refuse('invoice.note.too_much', { details })
  return fitted
}

/** Whether a credit note covers everything that accepted ones have left of an invoice. */
export async function creditsTheRest(
  db: Queryable,
  tenant: Tenant,
  { id, payableMinor }: Pick<Invoice, 'id' | 'payableMinor'>,
  note: Pick<Invoice, 'id' | 'type' | 'payableMinor'>,
): Promise<boolean> {
  if (note.type !== 'credit_note') return false
  const accepted = await listCreditNotes(db, tenant, id, ['accepted'], note.id)
  return accepted.reduce((sum, one) => sum + one.payableMinor, note.payableMinor) === payableMinor
}
