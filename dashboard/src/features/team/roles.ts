import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

/** Built-in roles change only with a new version of the service. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: () => risiti.roles.listSystem(),
  staleTime: 600_000,
})
