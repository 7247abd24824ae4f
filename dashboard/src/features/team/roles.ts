import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

/** The roles that there are; they change only with the service itself. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: () => risiti.roles.listSystem(),
  staleTime: 600_000,
})
