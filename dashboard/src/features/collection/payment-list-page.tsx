import type { ReceivedPayment } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, Button, EmptyState, momentText, money } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { decimalOf } from '../../ui/money.ts'
import { BuyerName, readBuyerName } from './buyer-name.tsx'
import { CollectionHead } from './collection-head.tsx'
import { paymentWords } from './payment-words.ts'
import { RefundDialog } from './refund-dialog.tsx'
import './collection.css'

const statuses = Object.keys(paymentWords) as ReceivedPayment['reconciliationStatus'][]

const exportHeads = [
  'When',
  'From',
  'Narration',
  'Buyer',
  'Status',
  'Currency',
  'Amount',
  'Applied to invoices',
  'Refunded',
  'Reversed',
  'Provider’s reference',
]

export function PaymentListPage() {
  const search = useSearch({ from: '/inside/collection' })
  const navigate = useNavigate()
  const mayManage = useMay('collection.manage')
  const [refunding, setRefunding] = useState<ReceivedPayment>()
  const reconciliationStatus = statuses.find((each) => each === search.status)
  const payments = useQuery({
    queryKey: ['collection', 'payments', search],
    queryFn: async () => await risiti.collection.listPayments({ reconciliationStatus, page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const filter = (status: string | undefined) => navigate({ to: '/collection', search: { status }, replace: true })
  return (
    <>
      <CollectionHead />
      <ListFrame
        label="Payments"
        list={payments}
        filterBar={{
          filters: [
            {
              kind: 'choice',
              name: 'Status',
              value: reconciliationStatus,
              options: statuses.map((each) => [each, paymentWords[each][1]] as const),
              onChange: (status) => filter(status),
            },
          ],
          onClear: () => filter(undefined),
        }}
        heads={['When', 'From', 'Buyer', 'Status', ['Amount', 'amount'], 'actions']}
        tools={(total) => (
          <ExportButton
            name="payments"
            heads={exportHeads}
            total={total}
            entries={() => risiti.collection.listPayments({ reconciliationStatus, limit: 100 })}
            row={async (each) => [
              each.receivedAt,
              each.senderName,
              each.narration,
              await readBuyerName(each.buyerId),
              paymentWords[each.reconciliationStatus][1],
              each.currency,
              decimalOf(each.amountMinor, each.currency),
              decimalOf(each.appliedMinor, each.currency),
              decimalOf(each.refundedMinor, each.currency),
              each.reversedAt,
              each.providerReference,
            ]}
          />
        )}
        isFiltered={reconciliationStatus !== undefined}
        nothingYet={
          <EmptyState title="No payments yet" action={<Link to="/collection/accounts">Open an account</Link>}>
            Open an account number for a buyer. The buyer’s transfers appear on the invoices within seconds.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/collection" search={{}}>
                Show all payments
              </Link>
            }
          >
            No payment has this status.
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/collection" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(payment) => {
          const [tone, words] = paymentWords[payment.reconciliationStatus]
          const { currency, amountMinor, refundedMinor } = payment
          return (
            <tr key={payment.id}>
              <td>{momentText(payment.receivedAt)}</td>
              <th scope="row">
                {payment.senderName ?? 'Unknown sender'}
                {payment.narration && <div className="table-more collection-narration">{payment.narration}</div>}
              </th>
              <td className="collection-wraps">
                <BuyerName id={payment.buyerId} />
              </td>
              <td className="collection-wraps">
                <Badge tone={tone}>{words}</Badge>{' '}
                {payment.reversedAt && <Badge tone="bad">Reversed by the bank</Badge>}{' '}
                {refundedMinor > 0 && <Badge>{refundedMinor === amountMinor ? 'Refunded' : 'Partly refunded'}</Badge>}
              </td>
              <td className="table-amount">
                {money(amountMinor, currency)}
                <div className="table-more">{money(payment.appliedMinor, currency)} applied to invoices</div>
              </td>
              <td>
                <div className="table-actions">
                  {mayManage && refundedMinor < amountMinor && payment.reversedAt === null && (
                    <Button
                      aria-label={`Refund ${money(amountMinor, currency)} of ${payment.senderName ?? 'unknown'}`}
                      onClick={() => setRefunding(payment)}
                    >
                      Refund
                    </Button>
                  )}
                </div>
              </td>
            </tr>
          )
        }}
      />
      {refunding && <RefundDialog payment={refunding} onClose={() => setRefunding(undefined)} />}
    </>
  )
}
