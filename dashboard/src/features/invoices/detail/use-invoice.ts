import { type Invoice, Refused } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { useOneKey } from '../../../api/one-key.ts'
import { wordsOf } from '../../../api/queries.ts'
import { say } from '../../../ui/toast.tsx'
import { fieldSentence } from '../../../words/field-faults.ts'
import { isMoving } from '../status-words.ts'
import { whereOf } from '../where-of.ts'

export const useInvoice = (id: string) =>
  useQuery({
    queryKey: ['invoices', 'one', id],
    queryFn: async ({ signal }) => await risiti.invoices.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.status) ? 2_500 : false),
  })

/** Distinguishes two states of an invoice even within the same moment. */
const versionOf = (invoice: Invoice | undefined) => invoice && [invoice.updatedAt, invoice.status, invoice.paidMinor]

/** The requests to the authority and its answers, refetched after each change of the invoice. */
export const useTimeline = (id: string, invoice: Invoice | undefined) =>
  useQuery({
    queryKey: ['invoices', 'timeline', id, versionOf(invoice)],
    queryFn: async ({ signal }) => await risiti.submissions.getTimeline(id, { signal }),
    placeholderData: (before) => before,
  })

export const usePayments = (invoice: Invoice) =>
  useQuery({
    queryKey: ['invoices', 'payments', invoice.id, versionOf(invoice)],
    queryFn: async ({ signal }) => await risiti.invoices.listPayments(invoice.id, { signal }),
    placeholderData: (before) => before,
  })

/**
 * An action on an invoice that takes effect once, even if it is pressed several times. Afterwards all invoice data is
 * refetched and a message appears. Other documents name their own kinds of data.
 */
export function useAct<Given = void, Done = unknown>(
  act: (given: Given, once: { readonly idempotencyKey: string }) => PromiseLike<Done>,
  done: string,
  then?: (result: Done) => void,
  /** the kinds of data that the action changes */
  kinds: readonly string[] = ['invoices'],
) {
  const queries = useQueryClient()
  const { once, renew } = useOneKey()
  return useMutation({
    mutationFn: async (given: Given) => await act(given, once()),
    onSuccess: async (result) => {
      renew()
      say(done)
      then?.(result)
      await Promise.all(kinds.map((kind) => queries.invalidateQueries({ queryKey: [kind] })))
    },
  })
}

/** The message of a refusal together with all its details. */
export function allWordsOf(error: unknown): readonly string[] {
  if (error instanceof Refused && error.details.length > 0)
    return [...new Set(error.details.map(({ path, message }) => `${whereOf(path)}${fieldSentence(message)}`))]
  return [wordsOf(error)]
}
