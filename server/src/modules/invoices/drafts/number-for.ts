import type { DocumentType } from '../../../kernel/invoice-document.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { InvoiceId } from '../invoice.ts'
import { claimNumber, takeNextNumber, takeNumberAfterRun } from '../invoices.store.ts'
import { readingOf, seriesOf } from '../numbers.ts'

/**
 * How many numbers each look examines for the end of a run of taken numbers: few at first, then the most that can
 * exist. The last looks are for runs that gain a digit and for concurrent callers who take a number meanwhile.
 */
const looks = [1_000, 100_000, 10_000_000, 10_000_000, 10_000_000] as const

/** The requested number, or the next free one of the series. */
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
  const series = seriesOf[type]
  const first = await takeNextNumber(tx, tenant, series)
  if (await claimNumber(tx, tenant, readingOf(first), id)) return first
  let taken = first
  for (const most of looks) {
    const number = await takeNumberAfterRun(tx, tenant, series, taken, most)
    if (await claimNumber(tx, tenant, readingOf(number), id)) return number
    taken = number
  }
  throw refuse('state.changed')
}
