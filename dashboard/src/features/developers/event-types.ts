import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

/** Event types change only with a new version of the service. */
export const eventTypesQuery = queryOptions({
  queryKey: ['webhooks', 'types'],
  queryFn: () => risiti.webhooks.listTypes(),
  staleTime: 600_000,
})
