import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { EmptyState, money } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { decimalOf } from '../../ui/money.ts'
import { BuyerName, readBuyerName } from './buyer-name.tsx'
import { CollectionHead } from './collection-head.tsx'

/** Overpayments of buyers. The service applies them to the next invoice. */
export function CreditListPage() {
  const search = useSearch({ from: '/inside/collection/credits' })
  const credits = useQuery({
    queryKey: ['collection', 'credits', search],
    queryFn: async () => await risiti.collection.listCredits({ page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const nobody = (
    <EmptyState title="No buyer has credit" action={<Link to="/collection">See the payments</Link>}>
      Risiti keeps an overpayment as credit and applies the credit to the buyer’s next invoice.
    </EmptyState>
  )
  return (
    <>
      <CollectionHead />
      <ListFrame
        label="Buyer credit"
        list={credits}
        heads={['Buyer', ['Credit', 'amount']]}
        tools={(total) => (
          <ExportButton
            name="buyer-credit"
            heads={['Buyer', 'Currency', 'Credit']}
            total={total}
            entries={() => risiti.collection.listCredits({ limit: 100 })}
            row={async ({ buyerId, currency, balanceMinor }) => [
              await readBuyerName(buyerId),
              currency,
              decimalOf(balanceMinor, currency),
            ]}
          />
        )}
        isFiltered={false}
        nothingYet={nobody}
        nothingFound={nobody}
        link={(page, words, isCurrent) => (
          <Link to="/collection/credits" search={{ page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={({ buyerId, currency, balanceMinor }) => (
          <tr key={`${buyerId} ${currency}`}>
            <th scope="row">
              <Link to="/buyers/$id" params={{ id: buyerId }}>
                <BuyerName id={buyerId} />
              </Link>
            </th>
            <td className="table-amount">{money(balanceMinor, currency)}</td>
          </tr>
        )}
      />
    </>
  )
}
