import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { Badge, ListTable, momentText, money, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { paymentWords } from '../collection/payment-words.ts'

const mostShown = 10

/** The newest transfers of a buyer to your collection accounts. */
export function BuyerTransfers({ buyerId }: { readonly buyerId: string }) {
  const payments = useQuery({
    queryKey: ['collection', 'payments', 'of-buyer', buyerId],
    queryFn: async ({ signal }) => await risiti.collection.listPayments({ buyerId, limit: mostShown }, { signal }),
  })
  const all = payments.data?.data ?? []
  if (payments.data && all.length === 0) return null
  return (
    <Panel title="Transfers" about="Money that came to your collection accounts.">
      <LoadState query={payments} />
      {all.length > 0 && (
        <ListTable label="Newest transfers" heads={['When', 'From', 'State', ['Amount', 'amount']]}>
          {all.map(({ id, receivedAt, senderName, narration, reconciliationStatus, amountMinor, currency }) => {
            const [tone, words] = paymentWords[reconciliationStatus]
            return (
              <tr key={id}>
                <td>{momentText(receivedAt)}</td>
                <th scope="row">
                  {senderName ?? 'Unknown sender'}
                  {narration && <div className="table-more">{narration}</div>}
                </th>
                <td>
                  <Badge tone={tone}>{words}</Badge>
                </td>
                <td className="table-amount">{money(amountMinor, currency)}</td>
              </tr>
            )
          })}
        </ListTable>
      )}
    </Panel>
  )
}
