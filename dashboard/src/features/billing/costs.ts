import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

/** The same for all organisations, and rarely changed. */
export const costsQuery = queryOptions({
  queryKey: ['catalogue', 'costs'],
  queryFn: async () => await risiti.catalogue.listCosts(),
  staleTime: 3_600_000,
})
