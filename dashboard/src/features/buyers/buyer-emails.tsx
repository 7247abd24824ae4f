import type { BuyerEmail } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { dayText, ListTable, momentText, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'

const mostShown = 10

const kindWords: Readonly<Record<BuyerEmail['kind'], string>> = {
  document: 'Document',
  reminder: 'Reminder',
  revised: 'Corrected document',
  reminder_not_sent: 'Reminder, stopped before it left',
  statement_of_account: 'Statement of account',
}

/** The newest emails to a buyer: documents, reminders and statements of account. */
export function BuyerEmails({ buyerId }: { readonly buyerId: string }) {
  const emails = useQuery({
    queryKey: ['invoices', 'emails-of-buyer', buyerId],
    queryFn: async ({ signal }) => await risiti.buyers.listEmails(buyerId, { signal }),
  })
  return (
    <Panel title="Emails">
      <LoadState query={emails} />
      {emails.data?.length === 0 && <p>Nothing was emailed yet.</p>}
      {emails.data && emails.data.length > 0 && (
        <ListTable label="Newest emails" heads={['Document', 'When', 'What', 'To']}>
          {emails.data.slice(0, mostShown).map(({ invoiceId, invoiceNumber, statement, kind, sentAt, to }) => (
            <tr key={`${invoiceId} ${sentAt} ${to}`}>
              <th scope="row">
                {invoiceId !== null && (
                  <Link to="/invoices/$id" params={{ id: invoiceId }}>
                    {invoiceNumber}
                  </Link>
                )}
                {statement && `${dayText(statement.from)} – ${dayText(statement.to)}, ${statement.currency}`}
              </th>
              <td>{momentText(sentAt)}</td>
              <td>{kindWords[kind]}</td>
              <td>{to}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </Panel>
  )
}
