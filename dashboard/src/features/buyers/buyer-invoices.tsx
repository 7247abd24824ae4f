import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { Badge, dayText, ListTable, money, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { paymentWords, statusWords, typeWords } from '../invoices/status-words.ts'

const mostShown = 10

/** The newest documents of a buyer: invoices, credit notes and debit notes. */
export function BuyerInvoices({ buyerId }: { readonly buyerId: string }) {
  const invoices = useQuery({
    queryKey: ['invoices', 'of-buyer', buyerId],
    queryFn: async ({ signal }) =>
      await risiti.invoices.list({ buyerId, limit: mostShown, sortBy: 'invoiceDate', sortOrder: 'DESC' }, { signal }),
  })
  const all = invoices.data?.data ?? []
  const total = invoices.data?.pagination.total ?? 0
  return (
    <Panel
      title="Documents"
      action={
        total > 0 && (
          <Link to="/invoices" search={{ buyerId }}>
            {total > mostShown ? `All ${total} documents` : 'Open the list'}
          </Link>
        )
      }
    >
      <LoadState query={invoices} />
      {invoices.data && all.length === 0 && <p>This buyer has no invoice yet.</p>}
      {all.length > 0 && (
        <ListTable label="Newest documents" heads={['Number', 'Date', 'Status', ['Amount', 'amount']]}>
          {all.map((invoice) => {
            const payment = paymentWords(invoice)
            return (
              <tr key={invoice.id}>
                <th scope="row">
                  <Link to="/invoices/$id" params={{ id: invoice.id }}>
                    {invoice.invoiceNumber}
                  </Link>
                  {invoice.invoiceType !== 'standard' && (
                    <div className="table-more">{typeWords[invoice.invoiceType]}</div>
                  )}
                </th>
                <td>{dayText(invoice.invoiceDate)}</td>
                <td>
                  <Badge tone={statusWords[invoice.status].tone}>{statusWords[invoice.status].words}</Badge>{' '}
                  {payment && <Badge tone={payment.tone}>{payment.words}</Badge>}
                </td>
                <td className="table-amount">
                  {money(
                    invoice.invoiceType === 'credit_note' ? -invoice.payableMinor : invoice.payableMinor,
                    invoice.currency,
                  )}
                  {invoice.dueMinor > 0 && invoice.dueMinor !== invoice.payableMinor && (
                    <div className="table-more">{money(invoice.dueMinor, invoice.currency)} open</div>
                  )}
                </td>
              </tr>
            )
          })}
        </ListTable>
      )}
    </Panel>
  )
}
