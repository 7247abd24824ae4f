import type { TokenCaller } from '../../../kernel/callers.ts'
import { faultsOfRange } from '../../../kernel/ranges.ts'
import { invalid } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { type StatisticsFilter, type StatisticsRow, sumByStatus } from './statistics.store.ts'
import { turnoverOf } from './turnover.ts'

/**
 * The number of documents in each status, and their sums by currency. `totals` excludes drafts and rejected
 * documents, as the overview does.
 */
export const getInvoiceStatistics = reading(
  { needs: ['invoice.stats.read'], refuses: ['request.invalid'] },
  async ({ db, caller }: Outside<TokenCaller>, filter: StatisticsFilter & { jurisdiction?: string | undefined }) => {
    const faults = faultsOfRange('from', filter.from, filter.to)
    if (faults.length > 0) throw invalid(faults)
    // An organisation issues all documents in its own country.
    const isElsewhere = filter.jurisdiction !== undefined && filter.jurisdiction !== caller.country
    const rows: readonly StatisticsRow[] = isElsewhere ? [] : await sumByStatus(db, caller.tenant, filter)
    const totals = turnoverOf(rows, () => '').sort((one, other) => (one.currency < other.currency ? -1 : 1))
    return { from: filter.from ?? null, to: filter.to ?? null, rows, totals }
  },
)
