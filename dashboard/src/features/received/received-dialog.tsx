import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useCountry } from '../../session/country.ts'
import { withDays } from '../../ui/dates.ts'
import { Facts } from '../../ui/facts.tsx'
import { Dialog, dayText, momentText, money, Notice } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { fieldSentence } from '../../words/field-faults.ts'
import { typeWords } from '../invoices/status-words.ts'

export function ReceivedDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const received = useQuery({
    queryKey: ['received', 'one', id],
    queryFn: ({ signal }) => risiti.receivedInvoices.get(id, { signal }),
  })
  const invoice = received.data
  return (
    <Dialog
      title={invoice ? `${typeWords[invoice.invoiceType]} ${invoice.invoiceNumber}` : 'Received invoice'}
      open
      onClose={onClose}
      wide
    >
      <LoadState query={received} />
      {invoice && <Received invoice={invoice} />}
    </Dialog>
  )
}

type Detail = Awaited<ReturnType<typeof risiti.receivedInvoices.get>>

function Received({ invoice }: { readonly invoice: Detail }) {
  const { authorityReferenceName } = useCountry()
  const { seller, currency, inputVat, validation } = invoice
  const facts = [
    ['From', seller.name],
    ['Tax number', seller.taxId],
    ['Email', seller.email],
    ['Phone', seller.phone],
    ['City', seller.city],
    ['Date', dayText(invoice.issueDate)],
    ['Due', invoice.dueDate && dayText(invoice.dueDate)],
    ['Net', money(invoice.netMinor, currency)],
    ['Tax', money(invoice.taxMinor, currency)],
    ['Deductible VAT', money(inputVat.claimableMinor, currency)],
    ['To pay', money(invoice.payableMinor, currency)],
    [authorityReferenceName, invoice.authorityReference],
    ['Corrects', invoice.corrects.join(', ') || null],
    ['Also received as', invoice.duplicates.join(', ') || null],
    ['Same number as', invoice.possibleDuplicates.join(', ') || null],
    ['Arrived', momentText(invoice.receivedAt)],
    ['Acknowledged', invoice.acknowledgedAt && momentText(invoice.acknowledgedAt)],
  ] as const
  return (
    <>
      <Notice
        tone={inputVat.claimable ? 'good' : 'info'}
        title={inputVat.claimable ? 'The VAT is deductible' : 'The VAT is not deductible'}
      >
        {withDays(inputVat.message)}
      </Notice>
      {!validation.valid && (
        <Notice tone="warn" title="This invoice has errors:">
          <ul>
            {validation.faults.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{fieldSentence(message)}</li>
            ))}
          </ul>
        </Notice>
      )}
      <Facts facts={facts} />
      <details>
        <summary>Document from the authority</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
        <pre className="received-document" tabIndex={0}>
          {JSON.stringify(invoice.document, null, 2)}
        </pre>
      </details>
    </>
  )
}
