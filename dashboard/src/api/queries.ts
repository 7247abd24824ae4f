import { Refused } from '@risiti/sdk'
import { QueryClient } from '@tanstack/react-query'

/** What was read once and when it is read again. The client tries again by itself what may succeed later. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: false, refetchOnWindowFocus: true },
    // What was sent may have been a password: it is forgotten with the form that sent it.
    mutations: { retry: false, gcTime: 0 },
  },
})

/** What to tell somebody of a failure: what the service says about it, or that nobody answered. */
export function wordsOf(error: unknown): string {
  if (error instanceof Refused && error.is('idempotency.body_differs'))
    return 'What you sent before was done, although its answer got lost. Close this and look at it before you send anything else.'
  if (error instanceof Refused) return error.message
  if (error instanceof Error && (error.name === 'NoAnswer' || error.name === 'TimedOut'))
    return 'Risiti did not answer. Check your connection and try again.'
  return 'Something went wrong on this page. Load it again.'
}

/** The faults of a refusal by the field that they are about. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof Refused)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path, message]))
}
