import type { InvoiceStatistics, InvoiceSummary } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { useMay } from '../../../session/session.tsx'
import { money } from '../../../ui/money.ts'
import { signedMinor } from '../status-words.ts'
import { type FilterName, type ListSearch, setFilters } from './list-search.ts'

/** The statistics of the API can be narrowed by these filters only. */
const narrowing: readonly FilterName[] = [
  'status',
  'counted',
  'invoiceType',
  'currency',
  'invoiceDateFrom',
  'invoiceDateTo',
]

interface Summand {
  readonly currency: string
  readonly invoiceType: InvoiceSummary['invoiceType']
  readonly payableMinor: number
  readonly taxMinor: number
  readonly paidMinor: number
}

/** Drafts and rejected documents do not count in the turnover. */
const isCounted = (status: string): boolean => status !== 'draft' && status !== 'rejected'

const matches = (
  group: InvoiceStatistics['groups'][number],
  { status, counted, invoiceType, currency }: ListSearch,
): boolean =>
  (status === undefined || group.status === status) &&
  (counted === undefined || isCounted(group.status) === counted) &&
  (invoiceType === undefined || group.invoiceType === invoiceType) &&
  (currency === undefined || group.currency === currency)

/**
 * The sums of all invoices that match, for each currency. If the whole list is on this page, its rows are added up.
 * Otherwise the sums come from the statistics, and nothing is shown if these cannot be filtered as the list is.
 */
export function Totals({
  rows,
  total,
  search,
}: {
  readonly rows: readonly InvoiceSummary[]
  readonly total: number
  readonly search: ListSearch
}) {
  const isWhole = rows.length === total
  const maySeeFigures = useMay('invoice.stats.read')
  const canAsk = maySeeFigures && setFilters(search).every((name) => narrowing.includes(name))
  const { invoiceDateFrom: startDate, invoiceDateTo: endDate } = search
  const statistics = useQuery({
    queryKey: ['invoices', 'statistics', startDate, endDate],
    queryFn: ({ signal }) => risiti.invoices.getStatistics({ startDate, endDate }, { signal }),
    enabled: canAsk && !isWhole,
    placeholderData: keepPreviousData,
  })
  const summands: readonly Summand[] = isWhole
    ? rows
    : canAsk
      ? (statistics.data?.groups.filter((group) => matches(group, search)) ?? [])
      : []
  const sums = sumsOf(summands)
  if (sums.length === 0) return null
  return (
    <dl className="invoice-totals" aria-label="Totals of all invoices that match">
      {sums.map(({ currency, payableMinor, taxMinor, paidMinor }) => (
        <div key={currency}>
          <dt>{`Total ${currency}`}</dt>
          <dd>
            <strong>{money(payableMinor, currency)}</strong> {`with ${money(taxMinor, currency)} tax`}
            {paidMinor > 0 && `, ${money(paidMinor, currency)} paid`}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Credit notes are subtracted. */
function sumsOf(summands: readonly Summand[]): readonly Omit<Summand, 'invoiceType'>[] {
  const sums = new Map<string, { currency: string; payableMinor: number; taxMinor: number; paidMinor: number }>()
  for (const { currency, invoiceType, payableMinor, taxMinor, paidMinor } of summands) {
    const sum = sums.get(currency) ?? { currency, payableMinor: 0, taxMinor: 0, paidMinor: 0 }
    sum.payableMinor += signedMinor(payableMinor, invoiceType)
    sum.taxMinor += signedMinor(taxMinor, invoiceType)
    if (invoiceType !== 'credit_note') sum.paidMinor += paidMinor
    sums.set(currency, sum)
  }
  return [...sums.values()]
}
