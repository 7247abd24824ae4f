import type { BuyerPayment } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { capitalised } from '../../ui/capitalised.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, dayText, ListTable, money, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { decimalOf } from '../../ui/money.ts'

const mostShown = 10

const sourceWords: Readonly<Record<BuyerPayment['source'], string>> = {
  recorded: 'Recorded',
  transfer: 'Transfer',
  credit: 'From credit',
}

/** A payment that a person recorded has a method, such as cash. */
const methodWords = ({ source, method }: BuyerPayment): string =>
  source === 'recorded' && method ? capitalised(method.replaceAll('_', ' ')) : sourceWords[source]

/** The newest payments on all invoices of a buyer: recorded by hand, received by transfer, or taken from credit. */
export function BuyerPayments({ buyerId }: { readonly buyerId: string }) {
  const payments = useQuery({
    queryKey: ['invoices', 'payments-of-buyer', buyerId],
    queryFn: async ({ signal }) => await risiti.buyers.listPayments(buyerId, { limit: mostShown }, { signal }),
  })
  const all = payments.data?.data ?? []
  const total = payments.data?.pagination.total ?? 0
  return (
    <Panel
      title="Payments"
      about={total > mostShown ? `The newest ${mostShown} of ${total} payments.` : undefined}
      action={
        total > 0 && (
          <ExportButton
            name="payments-of-buyer"
            heads={[
              'Paid on',
              'Invoice',
              'Currency',
              'Amount',
              'Source',
              'Method',
              'Reference',
              'Recorded',
              'Reversed',
            ]}
            total={total}
            entries={() => risiti.buyers.listPayments(buyerId, { limit: 100 })}
            row={(payment) => [
              payment.paidOn,
              payment.invoiceNumber,
              payment.currency,
              decimalOf(payment.amountMinor, payment.currency),
              sourceWords[payment.source],
              payment.method,
              payment.reference,
              payment.recordedAt,
              payment.reversedAt,
            ]}
          />
        )
      }
    >
      <LoadState query={payments} />
      {payments.data && all.length === 0 && <p>No payments yet.</p>}
      {all.length > 0 && (
        <ListTable label="Newest payments" heads={['Invoice', 'Paid on', 'How', ['Amount', 'amount']]}>
          {all.map((payment) => (
            <tr key={payment.id}>
              <th scope="row">
                <Link to="/invoices/$id" params={{ id: payment.invoiceId }}>
                  {payment.invoiceNumber}
                </Link>
              </th>
              <td>{dayText(payment.paidOn)}</td>
              <td>
                {methodWords(payment)} {payment.reversedAt && <Badge>Reversed</Badge>}
                {payment.reference && <div className="table-more">{payment.reference}</div>}
              </td>
              <td className="table-amount">{money(payment.amountMinor, payment.currency)}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </Panel>
  )
}
