import type { InvoiceStatistics, InvoiceSummary, Overview } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'

export interface BusinessNow {
  readonly overview: Overview | undefined
  readonly statistics: InvoiceStatistics | undefined
  /** documents in a status, whatever their kind and currency */
  readonly countOf: (status: InvoiceSummary['status']) => number
  readonly failure: unknown
}

/** How business stands: all that this page shows of invoices, in two questions. */
export function useBusiness(): BusinessNow {
  const maySee = useMay('invoice.stats.read')
  const overview = useQuery({
    queryKey: ['invoices', 'overview'],
    queryFn: () => risiti.overview.get(),
    enabled: maySee,
  })
  const statistics = useQuery({
    queryKey: ['invoices', 'statistics'],
    queryFn: () => risiti.invoices.getStatistics(),
    enabled: maySee,
  })
  return {
    overview: overview.data,
    statistics: statistics.data,
    countOf: (wanted) =>
      (statistics.data?.groups ?? [])
        .filter(({ status }) => status === wanted)
        .reduce((total, { count }) => total + count, 0),
    failure: overview.error ?? statistics.error,
  }
}
