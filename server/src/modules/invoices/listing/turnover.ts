import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { counts } from '../derived-statuses.ts'
import { type StatisticsRow, sumByMonth } from './statistics.store.ts'

/** The sums of one currency. */
interface Turnover {
  readonly currency: string
  readonly documents: number
  /** invoiced minus credited */
  readonly invoicedMinor: bigint
  readonly taxMinor: bigint
  /** paid so far, of what was invoiced */
  readonly paidMinor: bigint
}

/**
 * Adds up sums by status and type, for each group of `groupOf`. Drafts and rejected documents are excluded. A
 * cancelled invoice counts together with its credit note: both add up to zero.
 */
export function turnoverOf<Row extends StatisticsRow>(
  rows: readonly Row[],
  groupOf: (row: Row) => string,
): (Turnover & { readonly group: string })[] {
  const groups = new Map<string, Turnover & { readonly group: string }>()
  for (const row of rows) {
    if (!counts(row)) continue
    const { currency, type, count, payableMinor, taxMinor, paidMinor } = row
    const group = groupOf(row)
    const key = `${group} ${currency}`
    const before = groups.get(key) ?? { group, currency, documents: 0, invoicedMinor: 0n, taxMinor: 0n, paidMinor: 0n }
    const sign = type === 'credit_note' ? -1n : 1n
    groups.set(key, {
      ...before,
      documents: before.documents + count,
      invoicedMinor: before.invoicedMinor + sign * payableMinor,
      taxMinor: before.taxMinor + sign * taxMinor,
      paidMinor: before.paidMinor + (type === 'credit_note' ? 0n : paidMinor),
    })
  }
  return [...groups.values()]
}

interface MonthlyTurnover extends Turnover {
  /** First day of the month. */
  readonly month: string
}

/** The turnover by month of issue, from the month that begins with `from`. */
export const listMonthlyTurnover = async (db: Queryable, tenant: Tenant, from: string): Promise<MonthlyTurnover[]> =>
  turnoverOf(await sumByMonth(db, tenant, from), ({ month }) => month).map(({ group, ...turnover }) => ({
    month: group,
    ...turnover,
  }))
