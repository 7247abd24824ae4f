import { queryOptions } from '@tanstack/react-query'

interface DemoSignIn {
  readonly email: string
  readonly password: string
}

/** How to sign in to the demo organisation; only a playground on this machine tells. */
export const demoQuery = queryOptions({
  queryKey: ['session', 'demo'],
  queryFn: async (): Promise<DemoSignIn | null> => {
    const answer = await fetch('/dev/demo').catch(() => undefined)
    return answer?.ok ? ((await answer.json()) as DemoSignIn) : null
  },
  staleTime: Number.POSITIVE_INFINITY,
})
