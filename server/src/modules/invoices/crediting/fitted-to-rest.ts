import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Invoice } from '../invoice.ts'
import { listNotes } from '../invoices.store.ts'
import { faultsOfCredit, leftToCredit, roundingOfLines } from './credit.ts'

/** Only invoices themselves are corrected by notes, and only once they were issued. */
export const canHaveNotes = ({ type, status }: Pick<Invoice, 'type' | 'status'>): boolean =>
  (type === 'standard' || type === 'prepayment') &&
  !['draft', 'rejected', 'cancellation_pending', 'cancelled'].includes(status)

/** A credit note as it fits into what is left, or a refusal where it would credit more. Who saves it has locked the original. */
export async function fittedToRest(db: Queryable, tenant: Tenant, original: Invoice, note: Invoice): Promise<Invoice> {
  const left = leftToCredit(original, await listNotes(db, tenant, original.id, 'credit_note', note.id))
  // One that is rounded already was made to come to an amount.
  const roundingMinor = note.roundingMinor === 0n ? roundingOfLines(left, note) : 0n
  const fitted = {
    ...note,
    roundingMinor: note.roundingMinor + roundingMinor,
    payableMinor: note.payableMinor + roundingMinor,
  }
  const details = faultsOfCredit(left, fitted)
  if (details.length > 0) throw refuse('invoice.note.too_much', { details })
  return fitted
}
