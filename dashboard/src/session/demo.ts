import { queryOptions } from '@tanstack/react-query'

interface DemoSignIn {
  readonly email: string
  readonly password: string
}

/** The demo credentials. Only a local playground returns them. */
export const demoQuery = queryOptions({
  queryKey: ['session', 'demo'],
  queryFn: async (): Promise<DemoSignIn | null> => {
    const answer = await fetch('/dev/demo').catch(() => undefined)
    return answer?.ok ? ((await answer.json()) as DemoSignIn) : null
  },
  staleTime: Number.POSITIVE_INFINITY,
})
