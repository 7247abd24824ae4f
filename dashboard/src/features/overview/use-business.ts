import type { InvoiceSummary } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useMay, useSession } from '../../session/session.tsx'

/** Reads only data that this person may see. Other data is absent, and the page does not wait for it. */
export function useBusiness() {
  const { mode } = useSession()
  const maySeeFigures = useMay('invoice.stats.read')
  const overview = useQuery({
    queryKey: ['invoices', 'overview'],
    queryFn: () => risiti.overview.get(),
    enabled: maySeeFigures,
  })
  const statistics = useQuery({
    queryKey: ['invoices', 'statistics'],
    queryFn: () => risiti.invoices.getStatistics(),
    enabled: maySeeFigures,
  })
  const connection = useQuery({
    queryKey: ['tax-connection'],
    queryFn: () => risiti.taxConnection.get(),
    enabled: useMay('tax_connection.read'),
  })
  const unmatched = useQuery({
    queryKey: ['collection', 'exceptions', 'count'],
    queryFn: async () => (await risiti.collection.listExceptions({ limit: 1 })).pagination.total,
    enabled: useMay('collection.read'),
  })
  const account = useQuery({
    queryKey: ['billing', 'account', mode],
    queryFn: () => risiti.billing.getAccount(),
    enabled: useMay('billing.account.read'),
  })
  const endpoints = useQuery({
    queryKey: ['webhooks', 'endpoints'],
    queryFn: async () => await risiti.webhooks.list({ limit: 100 }),
    enabled: useMay('webhook.endpoint.read'),
  })
  const all = [overview, statistics, connection, unmatched, account, endpoints]
  return {
    mode,
    overview: overview.data,
    statistics: statistics.data,
    connection: connection.data,
    unmatched: unmatched.data ?? 0,
    account: account.data,
    endpoints: endpoints.data?.data ?? [],
    /** documents in a status, of any kind and currency */
    countOf: (wanted: InvoiceSummary['status']): number =>
      (statistics.data?.groups ?? [])
        .filter(({ status }) => status === wanted)
        .reduce((total, { count }) => total + count, 0),
    /** true until all data is loaded, because later parts would move the page */
    isWaiting: all.some(({ isLoading }) => isLoading),
    /** the first query that failed */
    failure: all.find(({ isError }) => isError),
  }
}

export type BusinessNow = ReturnType<typeof useBusiness>
