import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../api/client.ts'

/** All permissions with their texts, which change only with a new version of the service. */
export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: () => risiti.roles.listPermissions(),
  staleTime: 600_000,
})
