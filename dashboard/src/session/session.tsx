import type { Me } from '@risiti/sdk'
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { isSignedOut, risiti } from '../api/client.ts'

/** The signed-in person, or `null`. */
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

/** For pages that need a session. */
export function useSession(): Me {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('nobody is signed in')
  return data
}

export const useMaybeSession = () => useQuery(sessionQuery)

/** Actions without permission are not offered. */
export function useMay(...wanted: readonly string[]): boolean {
  const { capabilities } = useSession()
  return wanted.every((each) => capabilities.includes(each))
}

/** After a change of person, organisation or mode, all earlier data must be dropped. */
export function useForgetEverything(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
  }
}
