import { Refused } from '@risiti/sdk'
import { QueryClient } from '@tanstack/react-query'
import { fieldSentence } from '../words/field-faults.ts'
import { refusalWords } from '../words/refusals.ts'

/** No retries here, because the client already retries. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: false, refetchOnWindowFocus: true },
    // A mutation may contain a password, so it is not kept in memory.
    mutations: { retry: false, gcTime: 0 },
  },
})

/** The text for a failure, in the words of the pages. */
export function wordsOf(error: unknown): string {
  if (error instanceof Refused) return refusalWords(error.reason, error.message)
  if (error instanceof Error && (error.name === 'NoAnswer' || error.name === 'TimedOut'))
    return 'Risiti did not answer. Check your connection and try again.'
  return 'Something went wrong on this page. Reload the page.'
}

/** The faults of a refusal by field, in the words of the pages. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof Refused)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path, fieldSentence(message)]))
}
