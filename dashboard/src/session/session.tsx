import type { Me } from '@risiti/sdk'
import { type Query, queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
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

/** Whose data the pages show. */
export const ownerOf = ({ user, organizationId, mode }: Me): string => `${user?.id} ${organizationId} ${mode}`

const channelName = 'risiti-session'

function tellOtherTabs(): void {
  if (!('BroadcastChannel' in globalThis)) return
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** After a change of person, organisation or mode, all earlier data must be dropped. */
export function useForgetEverything(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: isOfOwner })
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    tellOtherTabs()
  }
}

const isOfOwner = ({ queryKey }: Query): boolean => queryKey[0] !== 'session'

/**
 * Takes over a change of person, organisation or mode in another tab. Tabs share the session, so this page would
 * otherwise show the sandbox and write to live.
 */
export function useSessionOfOtherTabs(onChange: () => void): void {
  const client = useQueryClient()
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    if (!('BroadcastChannel' in globalThis)) return
    const channel = new BroadcastChannel(channelName)
    channel.onmessage = async () => {
      const before = client.getQueryData(sessionQuery.queryKey)
      const now = await risiti.identity.whoAmI().catch(() => undefined)
      if (!before || !now || ownerOf(before) === ownerOf(now)) return
      client.removeQueries({ predicate: isOfOwner })
      client.setQueryData(sessionQuery.queryKey, now)
      latest.current()
    }
    return () => channel.close()
  }, [client])
}
