import type { CollectionException, InvoiceSummary } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { isOpen } from '../invoices/status-words.ts'

/** An open invoice that a payment may be for, and why. */
export interface Suggestion {
  readonly invoice: InvoiceSummary
  readonly reasons: readonly string[]
}

const mostShown = 5

/** Words that many names and narrations have, so that they tell nothing about a sender. */
const common = new Set(['limited', 'ventures', 'enterprises', 'company', 'transfer', 'payment', 'from'])
/** The words of a text that can identify a sender or buyer: at least four letters or digits, and not common. */
const wordsIn = (text: string | null | undefined): readonly string[] =>
  (text ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 4 && !common.has(word))

/** Why an invoice fits a payment, with the strongest reason first. */
export function reasonsFor(
  { senderName, narration }: Pick<CollectionException, 'senderName' | 'narration'>,
  leftMinor: number,
  invoice: Pick<InvoiceSummary, 'invoiceNumber' | 'dueMinor' | 'buyer'>,
): readonly string[] {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  const paymentWords = new Set([...wordsIn(senderName), ...wordsIn(narration)])
  return [
    ...(letters(narration ?? '').includes(letters(invoice.invoiceNumber)) ? ['the number is in the narration'] : []),
    ...(invoice.dueMinor === leftMinor ? ['the same amount'] : []),
    ...(wordsIn(invoice.buyer?.name).some((word) => paymentWords.has(word)) ? ['a similar name'] : []),
  ]
}

/** Open invoices that a payment is probably for, of the seller whose account got it. */
export function useSuggestions(payment: CollectionException, leftMinor: number, isWanted: boolean) {
  const account = useQuery({
    queryKey: ['collection', 'account', payment.accountId],
    queryFn: () => risiti.collection.getAccount(payment.accountId),
    staleTime: 300_000,
  })
  const sellerId = account.data?.sellerId
  const suggestions = useQuery({
    queryKey: ['invoices', 'suggestions', payment.id, leftMinor, sellerId],
    queryFn: async ({ signal }): Promise<readonly Suggestion[]> => {
      const { currency, senderName, narration } = payment
      const texts = [...new Set([...wordsIn(narration), ...wordsIn(senderName)])].slice(0, 4)
      const lists = await Promise.all([
        risiti.invoices.list(
          { sellerId, currency, amountFromMinor: leftMinor, amountToMinor: leftMinor, limit: 20 },
          { signal },
        ),
        ...texts.map((search) => risiti.invoices.list({ sellerId, currency, search, limit: 20 }, { signal })),
      ])
      const found = new Map(lists.flatMap(({ data }) => data.filter(isOpen)).map((invoice) => [invoice.id, invoice]))
      return [...found.values()]
        .map((invoice) => ({ invoice, reasons: reasonsFor(payment, leftMinor, invoice) }))
        .filter(({ reasons }) => reasons.length > 0)
        .sort((one, other) => other.reasons.length - one.reasons.length)
        .slice(0, mostShown)
    },
    enabled: isWanted && account.isFetched,
  })
  return { sellerId, suggestions: suggestions.data ?? [] }
}
