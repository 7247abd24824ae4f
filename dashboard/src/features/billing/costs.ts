import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

/** What takes credits, and how many: the same for everybody, and seldom another. */
export const costsQuery = queryOptions({
  queryKey: ['catalogue', 'costs'],
  queryFn: async () => await risiti.catalogue.listCosts(),
  staleTime: 3_600_000,
})
