import type { CollectionException, CollectionResolveExceptionBody, InvoiceSummary } from '@risiti/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { capitalised } from '../../ui/capitalised.ts'
import { Button, Dialog, DialogActions, dayText, money, Notice, TextField } from '../../ui/index.ts'
import { say } from '../../ui/toast.tsx'
import { useLater } from '../../ui/use-later.ts'
import { BuyerField, type ChosenBuyer } from '../buyers/buyer-field.tsx'
import { isOpen } from '../invoices/status-words.ts'
import { useSuggestions } from './suggestions.ts'
import '../../ui/form.css'

/** The number of invoices in the list. A payment to all open invoices covers the others too. */
const mostShown = 50

/**
 * Open invoices of the account's seller in the payment's currency, of a buyer or by search text. The earliest due date
 * comes first.
 */
function useOpenInvoices(
  currency: string,
  of: {
    readonly sellerId: string | undefined
    readonly buyerId?: string | undefined
    readonly search?: string | undefined
  },
) {
  return useQuery({
    queryKey: ['invoices', 'open', currency, of],
    queryFn: async ({ signal }) => {
      const asked = { ...of, currency, limit: mostShown, sortBy: 'dueDate', sortOrder: 'ASC' } as const
      const found = await Promise.all(
        (['unpaid', 'partially_paid'] as const).map((paymentStatus) =>
          risiti.invoices.list({ ...asked, paymentStatus }, { signal }),
        ),
      )
      const due = ({ dueDate, invoiceDate }: InvoiceSummary) => dueDate ?? invoiceDate
      return found
        .flatMap(({ data }) => data)
        .filter(isOpen)
        .sort((one, other) => due(one).localeCompare(due(other)))
    },
    enabled: of.buyerId !== undefined || of.search !== undefined,
    placeholderData: keepPreviousData,
  })
}

/**
 * Matches a payment to one invoice, or to all open invoices of a buyer. The dialog shows the remaining amount before
 * the person confirms.
 */
export function MatchDialog({
  payment,
  onClose,
}: {
  readonly payment: CollectionException
  readonly onClose: () => void
}) {
  const { currency } = payment
  const left = payment.unmatchedMinor + payment.creditedMinor
  const client = useQueryClient()
  const known = useQuery({
    queryKey: ['buyers', 'one', payment.buyerId],
    queryFn: () => risiti.buyers.get(payment.buyerId as string),
    enabled: payment.buyerId !== null,
  })
  const { authorityReferenceName } = useCountry()
  const [buyer, setBuyer] = useState<ChosenBuyer>()
  const [words, setWords] = useState('')
  const look = useLater(setWords, 200)
  const chosen = buyer ?? (payment.buyerId !== null && known.data ? known.data : undefined)
  const { sellerId, suggestions } = useSuggestions(payment, left, words.trim() === '' && buyer === undefined)
  const open = useOpenInvoices(
    currency,
    words.trim() === '' ? { sellerId, buyerId: chosen?.id } : { sellerId, search: words.trim() },
  )
  const { once } = useOneKey()
  const resolving = useMutation({
    mutationFn: (body: CollectionResolveExceptionBody) => risiti.collection.resolveException(payment.id, body, once()),
    onSuccess: async (after) => {
      say(
        after.unmatchedMinor + after.creditedMinor > 0
          ? `Matched. ${money(after.unmatchedMinor + after.creditedMinor, currency)} stays as credit.`
          : 'Matched.',
      )
      onClose()
      await Promise.all([
        client.invalidateQueries({ queryKey: ['collection'] }),
        client.invalidateQueries({ queryKey: ['invoices'] }),
      ])
    },
  })
  const isFound = words.trim() !== '' || chosen !== undefined
  const invoices = isFound ? (open.data ?? []) : []
  const balance = invoices.reduce((sum, { dueMinor }) => sum + dueMinor, 0)
  return (
    <Dialog title={`Match ${money(left, currency)}`} open onClose={onClose} wide>
      <p>
        From {payment.senderName ?? 'an unknown sender'}
        {payment.narration && `: “${payment.narration}”`}
      </p>
      {resolving.isError && <Notice tone="bad">{wordsOf(resolving.error)}</Notice>}
      <div className="form-pair">
        {(payment.buyerId === null || known.data) && (
          <BuyerField key={known.data?.id} buyer={chosen} onChoose={setBuyer} nobody="Who sent the payment?" />
        )}
        <TextField
          label="Or search for an invoice"
          type="search"
          autoComplete="off"
          placeholder={`Number, buyer or ${authorityReferenceName}`}
          onChange={({ target }) => look(target.value)}
        />
      </div>
      {!isFound && suggestions.length > 0 && (
        <>
          <h2>Probably for</h2>
          <ul className="match-invoices">
            {suggestions.map(({ invoice, reasons }) => (
              <InvoiceChoice
                key={invoice.id}
                invoice={invoice}
                left={left}
                reasons={reasons}
                isBusy={resolving.isPending}
                onMatch={() => resolving.mutate({ invoiceId: invoice.id })}
              />
            ))}
          </ul>
        </>
      )}
      {isFound && open.data && invoices.length === 0 && (
        <Notice>
          {words.trim() === ''
            ? `${chosen?.name} has no open invoice in ${currency}. The payment stays as credit for the next invoice.`
            : `No open invoice in ${currency} matches “${words.trim()}”.`}
        </Notice>
      )}
      {invoices.length > 0 && (
        <>
          <p>
            Open: <strong>{money(balance, currency)}</strong> on{' '}
            {invoices.length === 1 ? 'one invoice' : `${invoices.length} invoices`}.
          </p>
          <ul className="match-invoices">
            {invoices.map((invoice) => (
              <InvoiceChoice
                key={invoice.id}
                invoice={invoice}
                left={left}
                isBusy={resolving.isPending}
                onMatch={() => resolving.mutate({ invoiceId: invoice.id })}
              />
            ))}
          </ul>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        {chosen && words.trim() === '' && (
          <Button kind="primary" busy={resolving.isPending} onClick={() => resolving.mutate({ buyerId: chosen.id })}>
            {invoices.length > 1 ? 'Apply to all, oldest first' : `Assign to ${chosen.name}`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** An open invoice with what would be left of it or of the payment. */
const InvoiceChoice = ({
  invoice,
  left,
  reasons = [],
  isBusy,
  onMatch,
}: {
  readonly invoice: InvoiceSummary
  readonly left: number
  /** why the payment is probably for this invoice */
  readonly reasons?: readonly string[]
  readonly isBusy: boolean
  readonly onMatch: () => void
}) => (
  <li>
    <span>
      <strong>{invoice.invoiceNumber}</strong>
      <small>
        {invoice.buyer?.name ?? 'A consumer'},{' '}
        {invoice.dueDate ? `due ${dayText(invoice.dueDate)}` : dayText(invoice.invoiceDate)}
      </small>
      {reasons.length > 0 && <small>{capitalised(reasons.join(', '))}.</small>}
    </span>
    <span className="match-due">
      {money(invoice.dueMinor, invoice.currency)}
      <small>
        {invoice.dueMinor > left
          ? `${money(invoice.dueMinor - left, invoice.currency)} stays open`
          : invoice.dueMinor === left
            ? 'paid exactly'
            : `${money(left - invoice.dueMinor, invoice.currency)} stays as credit`}
      </small>
    </span>
    <Button aria-label={`Match to ${invoice.invoiceNumber}`} busy={isBusy} onClick={onMatch}>
      Match
    </Button>
  </li>
)
