import type { Invoice } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { risiti } from '../../../api/client.ts'
import { Badge, dayText, ListTable, money, Panel } from '../../../ui/index.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { statusWords, typeWords } from '../status-words.ts'

/** Credit notes and debit notes of the invoice. Hidden if there are none. */
export function Notes({ invoice: { id, currency } }: { readonly invoice: Invoice }) {
  const notes = useQuery({
    queryKey: ['invoices', 'notes', id],
    queryFn: async ({ signal }) => (await risiti.invoices.list({ originalInvoiceId: id, limit: 100 }, { signal })).data,
  })
  if (notes.isError) return <LoadFailure query={notes} />
  if (!notes.data || notes.data.length === 0) return null
  return (
    <Panel title="Credit and debit notes">
      <ListTable label="Credit and debit notes" heads={['Number', 'Kind', 'Date', 'Status', ['Amount', 'amount']]}>
        {notes.data.map((note) => (
          <tr key={note.id}>
            <th scope="row">
              <Link to="/invoices/$id" params={{ id: note.id }}>
                {note.invoiceNumber}
              </Link>
            </th>
            <td>{typeWords[note.invoiceType]}</td>
            <td>{dayText(note.invoiceDate)}</td>
            <td>
              <Badge tone={statusWords[note.status].tone}>{statusWords[note.status].words}</Badge>
            </td>
            <td className="table-amount">{money(note.payableMinor, currency)}</td>
          </tr>
        ))}
      </ListTable>
    </Panel>
  )
}
