import type { DocumentType } from '../../../kernel/invoice-document.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { InvoiceId } from '../invoice.ts'
import { claimNumber, takeNextOrdinal } from '../invoices.store.ts'
import { numberIn, readingOf, seriesOf } from './numbers.ts'

/** The number that was asked for, or the next of the series that nobody has asked for before. */
export async function numberFor(
  tx: Tx,
  tenant: Tenant,
  id: InvoiceId,
  type: DocumentType,
  wanted: string | undefined,
): Promise<string> {
  if (wanted !== undefined) {
    if (!(await claimNumber(tx, tenant, readingOf(wanted), id))) throw refuse('invoice.number_taken')
    return wanted
  }
  for (;;) {
    const number = numberIn(seriesOf[type], await takeNextOrdinal(tx, tenant, seriesOf[type]))
    if (await claimNumber(tx, tenant, readingOf(number), id)) return number
  }
}
