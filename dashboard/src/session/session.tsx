import type { Me } from '@risiti/sdk'
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { isSignedOut, risiti } from '../api/client.ts'

/** Who is signed in; nobody is `null`. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Me | null> => {
    try {
      return await risiti.identity.whoAmI()
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** Who is signed in, on pages that only somebody signed in can reach. */
export function useSession(): Me {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('nobody is signed in')
  return data
}

export const useMaybeSession = () => useQuery(sessionQuery)

/** Whether the person may do something; what they may not do is not offered. */
export function useMay(...wanted: readonly string[]): boolean {
  const { capabilities } = useSession()
  return wanted.every((each) => capabilities.includes(each))
}

/** After signing in or out, or into another organisation or mode: nothing that was read before is ours to show. */
export function useForgetEverything(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
  }
}
