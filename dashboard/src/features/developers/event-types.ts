import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

/** Every type of event; they change only with the service itself. */
export const eventTypesQuery = queryOptions({
  queryKey: ['webhooks', 'types'],
  queryFn: () => risiti.webhooks.listTypes(),
  staleTime: 600_000,
})
