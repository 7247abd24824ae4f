import type { ListedBillingPayment } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { Badge, ListTable, momentText, money, Panel, type Tone } from '../../ui/index.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

const statusWords: Readonly<Record<ListedBillingPayment['status'], readonly [Tone, string]>> = {
  pending: ['info', 'Not paid yet'],
  succeeded: ['good', 'Paid'],
  failed: ['bad', 'Failed'],
  expired: ['neutral', 'Expired'],
  partially_refunded: ['warn', 'Partly refunded'],
  refunded: ['neutral', 'Refunded'],
  disputed: ['warn', 'Disputed'],
  charged_back: ['bad', 'Charged back'],
}

/** Recent payments for credits and plans. Hidden if there are none. */
export function PaymentsPanel() {
  const { mode } = useSession()
  const payments = useQuery({
    queryKey: ['billing', 'payments', mode],
    queryFn: async () => await risiti.billing.listPayments({ limit: 20 }),
  })
  if (payments.isError) return <LoadFailure query={payments} />
  if (!payments.data || payments.data.data.length === 0) return null
  return (
    <Panel title="Payments" about="The last 20 payments.">
      <ListTable label="Payments" heads={['When', 'For', 'Status', ['Amount', 'amount']]}>
        {payments.data.data.map(({ id, createdAt, paidAt, description, status, amountMinor, currency }) => (
          <tr key={id}>
            <td>{momentText(paidAt ?? createdAt)}</td>
            <th scope="row">{description}</th>
            <td>
              <Badge tone={statusWords[status][0]}>{statusWords[status][1]}</Badge>
            </td>
            <td className="table-amount">{money(amountMinor, currency)}</td>
          </tr>
        ))}
      </ListTable>
    </Panel>
  )
}
