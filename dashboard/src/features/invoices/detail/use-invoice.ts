import { type Invoice, Refused } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { useOneKey } from '../../../api/one-key.ts'
import { wordsOf } from '../../../api/queries.ts'
import { say } from '../../../ui/toast.tsx'
import { isMoving } from '../status-words.ts'
import { sentence, whereOf } from '../where-of.ts'

export const useInvoice = (id: string) =>
  useQuery({
    queryKey: ['invoices', 'one', id],
    queryFn: async ({ signal }) => await risiti.invoices.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.status) ? 2_500 : false),
  })

/** Tells one state of an invoice from the next, also where both fall into the same moment. */
const versionOf = (invoice: Invoice | undefined) => invoice && [invoice.updatedAt, invoice.status, invoice.paidMinor]

/** What the tax authority was asked and said; read again whenever the invoice has changed. */
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
 * Something that is done to an invoice, once however often it is pressed until it is known to be done. Afterwards everything about invoices is
 * read again, and it is said that it was done.
 */
export function useAct<Given = void, Done = unknown>(
  act: (given: Given, once: { readonly idempotencyKey: string }) => PromiseLike<Done>,
  done: string,
  then?: (result: Done) => void,
) {
  const queries = useQueryClient()
  const { once, renew } = useOneKey()
  return useMutation({
    mutationFn: async (given: Given) => await act(given, once()),
    onSuccess: async (result) => {
      renew()
      say(done)
      then?.(result)
      await queries.invalidateQueries({ queryKey: ['invoices'] })
    },
  })
}

/** What to tell of a refusal together with all that it lists. */
export function allWordsOf(error: unknown): readonly string[] {
  if (error instanceof Refused && error.details.length > 0)
    return [...new Set(error.details.map(({ path, message }) => `${whereOf(path)}${sentence(message)}`))]
  return [wordsOf(error)]
}
