import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../api/client.ts'

/** Everything that may be done, with words for it; what it is called changes with the software alone. */
export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: () => risiti.roles.listPermissions(),
  staleTime: 600_000,
})
