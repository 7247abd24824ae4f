import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, dayText, EmptyState, ListTable, momentText, money } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { decimalOf } from '../../ui/money.ts'
import { CollectionHead } from './collection-head.tsx'
import { payoutDayWords, payoutWords, providerNames } from './payment-words.ts'
import { useSettlementAccounts } from './use-settlement.ts'
import './collection.css'

/** Compares each day's received payments with the provider's payouts. */
export function PayoutPage() {
  const search = useSearch({ from: '/inside/collection/payouts' })
  const sellers = new Map(useSettlementAccounts().data?.data.map(({ sellerId, sellerName }) => [sellerId, sellerName]))
  const days = useQuery({
    queryKey: ['collection', 'payout-days', search],
    queryFn: async () => await risiti.collection.listSettlementDays({ page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const payouts = useQuery({
    queryKey: ['collection', 'payouts'],
    queryFn: async () => await risiti.collection.listSettlementsPaid({ limit: 10 }),
  })
  const nothing = (
    <EmptyState title="No payments in the last 30 days" action={<Link to="/collection">See the payments</Link>}>
      The provider pays out each buyer’s payment to your bank account, on the same day or the next.
    </EmptyState>
  )
  const latest = payouts.data?.data ?? []
  return (
    <>
      <CollectionHead />
      <ListFrame
        label="Daily payouts of the last 30 days"
        list={days}
        heads={[
          'Day',
          'Seller',
          ['Received', 'amount'],
          ['Paid out', 'amount'],
          ['Fees', 'amount'],
          ['Outstanding', 'amount'],
          'Status',
        ]}
        tools={(total) => (
          <ExportButton
            name="payouts"
            heads={[
              'Day',
              'Seller',
              'Provider',
              'Currency',
              'Received',
              'Reversed',
              'Paid out',
              'Fees',
              'Outstanding',
              'Status',
            ]}
            total={total}
            entries={() => risiti.collection.listSettlementDays({ limit: 100 })}
            row={(day) => [
              day.date,
              sellers.get(day.sellerId) ?? null,
              providerNames[day.provider],
              day.currency,
              ...[day.receivedMinor, day.reversedMinor, day.settledMinor, day.feeMinor, day.outstandingMinor].map(
                (minor) => decimalOf(minor, day.currency),
              ),
              payoutDayWords[day.status][1],
            ]}
          />
        )}
        isFiltered={false}
        nothingYet={nothing}
        nothingFound={nothing}
        link={(page, words, isCurrent) => (
          <Link to="/collection/payouts" search={{ page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(day) => {
          const [tone, words] = payoutDayWords[day.status]
          return (
            <tr key={`${day.date} ${day.sellerId} ${day.provider} ${day.currency}`}>
              <th scope="row">{dayText(day.date)}</th>
              <td className="collection-wraps">
                {sellers.get(day.sellerId) ?? 'Seller'}
                <div className="table-more">{providerNames[day.provider]}</div>
              </td>
              <td className="table-amount">
                {money(day.receivedMinor, day.currency)}
                {day.reversedMinor > 0 && (
                  <div className="table-more">{money(day.reversedMinor, day.currency)} reversed</div>
                )}
              </td>
              <td className="table-amount">{money(day.settledMinor, day.currency)}</td>
              <td className="table-amount">{money(day.feeMinor, day.currency)}</td>
              <td className="table-amount">{money(day.outstandingMinor, day.currency)}</td>
              <td>
                <Badge tone={tone}>{words}</Badge>
                {day.exceptionCount > 0 && (
                  <div className="table-more">
                    <Link to="/collection/exceptions">See the payments</Link>
                  </div>
                )}
              </td>
            </tr>
          )
        }}
      />
      {payouts.isError && <LoadFailure query={payouts} />}
      {latest.length > 0 && (
        <>
          <h2>Latest payouts</h2>
          <ListTable
            label="Latest payouts"
            heads={['When', 'Seller', 'Provider’s reference', ['Payments', 'amount'], ['Amount', 'amount'], 'Status']}
          >
            {latest.map((one) => {
              const [tone, words] = payoutWords[one.status]
              return (
                <tr key={one.id}>
                  <td>{momentText(one.settledAt ?? one.foundAt)}</td>
                  <td className="collection-wraps">{sellers.get(one.sellerId) ?? 'Seller'}</td>
                  <th scope="row">{one.providerReference}</th>
                  <td className="table-amount">{one.paymentCount}</td>
                  <td className="table-amount">{money(one.amountMinor, one.currency)}</td>
                  <td>
                    <Badge tone={tone}>{words}</Badge>
                  </td>
                </tr>
              )
            })}
          </ListTable>
        </>
      )}
    </>
  )
}
