import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { Badge, dayText, EmptyState, money, Notice, Table } from '../../ui/index.ts'
import { statusWords } from './status-words.ts'

export function InvoiceListPage() {
  const list = useQuery({
    queryKey: ['invoices', 'list', {}],
    queryFn: async () => await risiti.invoices.list({ limit: 25 }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <h1>Invoices</h1>
      {list.isError && <Notice tone="bad">{wordsOf(list.error)}</Notice>}
      {list.data?.pagination.total === 0 && (
        <EmptyState title="No invoices yet">
          Your first one is made in a minute, and nothing leaves before you say so.
        </EmptyState>
      )}
      {list.data && list.data.pagination.total > 0 && (
        <Table label="Invoices">
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">Buyer</th>
              <th scope="col">Date</th>
              <th scope="col">Status</th>
              <th scope="col" className="table-amount">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {list.data.data.map(({ id, invoiceNumber, buyer, invoiceDate, status, payableMinor, currency }) => (
              <tr key={id}>
                <th scope="row">{invoiceNumber}</th>
                <td>{buyer?.name ?? 'A consumer'}</td>
                <td>{dayText(invoiceDate)}</td>
                <td>
                  <Badge tone={statusWords[status].tone}>{statusWords[status].words}</Badge>
                </td>
                <td className="table-amount">{money(payableMinor, currency)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  )
}
