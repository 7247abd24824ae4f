import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { isMoving } from '../status-words.ts'
import { type ListSearch, queryOf } from './list-search.ts'

/** The current page stays visible while the next one loads. The list polls while submissions are in progress. */
export function useInvoiceList(search: ListSearch) {
  return useQuery({
    queryKey: ['invoices', 'list', search],
    queryFn: async ({ signal }) => await risiti.invoices.list(queryOf(search), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => isMoving(status)) ? 4_000 : false),
  })
}
