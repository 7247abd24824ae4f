import type { CollectionException } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, Button, EmptyState, momentText, money } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { decimalOf } from '../../ui/money.ts'
import { BuyerName, readBuyerName } from './buyer-name.tsx'
import { CollectionHead } from './collection-head.tsx'
import { MatchDialog } from './match-dialog.tsx'
import { differenceWords, paymentWords } from './payment-words.ts'
import { RefundDialog } from './refund-dialog.tsx'
import './collection.css'

type OpenDialog = { readonly what: 'match' | 'refund'; readonly payment: CollectionException }

/** Payments that need a decision: they match no invoice, exceed the due amount, or differ from the provider's data. */
export function ExceptionListPage() {
  const search = useSearch({ from: '/inside/collection/exceptions' })
  const mayManage = useMay('collection.manage')
  const [dialog, setDialog] = useState<OpenDialog>()
  const exceptions = useQuery({
    queryKey: ['collection', 'exceptions', search],
    queryFn: async () => await risiti.collection.listExceptions({ page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const all = (
    <EmptyState title="Nothing to match" action={<Link to="/collection">See the payments</Link>}>
      Payments that match no open invoice, or exceed the due amount, wait here until you match them.
    </EmptyState>
  )
  return (
    <>
      <CollectionHead />
      <ListFrame
        label="To be matched"
        list={exceptions}
        heads={['When', 'From', 'Buyer', 'Reason', ['Unmatched', 'amount'], 'actions']}
        tools={(total) => (
          <ExportButton
            name="to-be-matched"
            heads={['When', 'From', 'Narration', 'Buyer', 'Reason', 'Currency', 'Amount', 'Unmatched']}
            total={total}
            entries={() => risiti.collection.listExceptions({ limit: 100 })}
            row={async (each) => [
              each.receivedAt,
              each.senderName,
              each.narration,
              await readBuyerName(each.buyerId),
              [paymentWords[each.reconciliationStatus][1]]
                .concat(each.differences.map(({ kind }) => differenceWords[kind]))
                .join('; '),
              each.currency,
              decimalOf(each.amountMinor, each.currency),
              decimalOf(each.unmatchedMinor + each.creditedMinor, each.currency),
            ]}
          />
        )}
        isFiltered={false}
        nothingYet={all}
        nothingFound={all}
        link={(page, words, isCurrent) => (
          <Link to="/collection/exceptions" search={{ page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(payment) => {
          const [tone, words] = paymentWords[payment.reconciliationStatus]
          const left = payment.unmatchedMinor + payment.creditedMinor
          const from = payment.senderName ?? 'Unknown sender'
          return (
            <tr key={payment.id}>
              <td>{momentText(payment.receivedAt)}</td>
              <th scope="row">
                {from}
                {payment.narration && <div className="table-more collection-narration">{payment.narration}</div>}
              </th>
              <td className="collection-wraps">
                <BuyerName id={payment.buyerId} nobody="Not known" />
              </td>
              <td className="collection-wraps">
                <Badge tone={tone}>{words}</Badge>
                {payment.differences.map(({ kind }) => (
                  <div key={kind} className="table-more">
                    {differenceWords[kind]}
                  </div>
                ))}
              </td>
              <td className="table-amount">
                {money(left, payment.currency)}
                <div className="table-more">of {money(payment.amountMinor, payment.currency)}</div>
              </td>
              <td>
                <div className="table-actions">
                  {mayManage && left > 0 && (
                    <>
                      <Button
                        kind="primary"
                        aria-label={`Match ${money(left, payment.currency)} of ${from}`}
                        onClick={() => setDialog({ what: 'match', payment })}
                      >
                        Match
                      </Button>
                      <Button
                        aria-label={`Refund ${money(left, payment.currency)} of ${from}`}
                        onClick={() => setDialog({ what: 'refund', payment })}
                      >
                        Refund
                      </Button>
                    </>
                  )}
                </div>
              </td>
            </tr>
          )
        }}
      />
      {dialog?.what === 'match' && <MatchDialog payment={dialog.payment} onClose={() => setDialog(undefined)} />}
      {dialog?.what === 'refund' && <RefundDialog payment={dialog.payment} onClose={() => setDialog(undefined)} />}
    </>
  )
}
