import type { DocumentType } from '../../../kernel/invoice-document.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { InvoiceId } from '../invoice.ts'
import { claimNumber, takeNextNumber, takeNumberAfterRun } from '../numbers.store.ts'
import { seriesOf } from '../numbers.ts'

/**
 * If INV000007 to INV000950 are taken, we search for INV000951. Each try reads more rows than the one before. The last tries are for runs
 * of taken numbers that gain a digit (999999, 1000000), and for others who take a number meanwhile.
 */
const rowsPerTry = [1_000, 100_000, 10_000_000, 10_000_000, 10_000_000] as const

/** The requested number, or the next free one of the series. */
export async function numberFor(
  tx: Tx,
  tenant: Tenant,
  id: InvoiceId,
  type: DocumentType,
  wanted: string | undefined,
): Promise<string> {
  if (wanted !== undefined) {
    if (!(await claimNumber(tx, tenant, wanted, id))) throw refuse('invoice.number_taken')
    return wanted
  }
  const series = seriesOf[type]
  const first = await takeNextNumber(tx, tenant, series)
  if (await claimNumber(tx, tenant, first, id)) return first
  let taken = first
  for (const most of rowsPerTry) {
    const number = await takeNumberAfterRun(tx, tenant, series, taken, most)
    if (await claimNumber(tx, tenant, number, id)) return number
    taken = number
  }
  throw refuse('state.changed')
}
