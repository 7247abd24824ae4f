import { Refused } from '@risiti/sdk'
import { QueryClient } from '@tanstack/react-query'

/** No retries here, because the client already retries. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: false, refetchOnWindowFocus: true },
    // A mutation may contain a password, so it is not kept in memory.
    mutations: { retry: false, gcTime: 0 },
  },
})

/** The text for a failure: the service's message, or that there was no reply. */
export function wordsOf(error: unknown): string {
  if (error instanceof Refused && error.is('idempotency.body_differs'))
    return 'Risiti completed your first request, but its reply was lost. Close this window and check the result before you send anything else.'
  if (error instanceof Refused) return error.message
  if (error instanceof Error && (error.name === 'NoAnswer' || error.name === 'TimedOut'))
    return 'Risiti did not answer. Check your connection and try again.'
  return 'Something went wrong on this page. Reload the page.'
}

/** The faults of a refusal by field. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof Refused)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path, message]))
}
