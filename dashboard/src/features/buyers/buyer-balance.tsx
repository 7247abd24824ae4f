import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { ListTable, money, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { isOpen } from '../invoices/status-words.ts'

interface Balance {
  readonly currency: string
  dueMinor: number
  overdueMinor: number
  creditMinor: number
}

/** All open invoices of a buyer and the credit from overpayments, by currency. */
async function balancesOf(buyerId: string, withCredit: boolean, signal: AbortSignal): Promise<readonly Balance[]> {
  const balances = new Map<string, Balance>()
  const balanceIn = (currency: string): Balance => {
    const known = balances.get(currency) ?? { currency, dueMinor: 0, overdueMinor: 0, creditMinor: 0 }
    balances.set(currency, known)
    return known
  }
  for (const paymentStatus of ['unpaid', 'partially_paid'] as const)
    for await (const invoice of risiti.invoices.list({ buyerId, paymentStatus, limit: 100 }, { signal })) {
      if (!isOpen(invoice)) continue
      const balance = balanceIn(invoice.currency)
      balance.dueMinor += invoice.dueMinor
      if (invoice.overdue) balance.overdueMinor += invoice.dueMinor
    }
  if (withCredit)
    for await (const { currency, balanceMinor } of risiti.collection.listCredits({ buyerId }, { signal }))
      balanceIn(currency).creditMinor += balanceMinor
  return [...balances.values()].sort((one, other) => one.currency.localeCompare(other.currency))
}

export function BuyerBalance({ buyerId }: { readonly buyerId: string }) {
  const withCredit = useMay('collection.read')
  const balances = useQuery({
    queryKey: ['invoices', 'balance', buyerId],
    queryFn: ({ signal }) => balancesOf(buyerId, withCredit, signal),
  })
  return (
    <Panel title="Balance" about="Open invoices, and overpayments that wait for the next invoice.">
      <LoadState query={balances} />
      {balances.data?.length === 0 && <p>Nothing is open.</p>}
      {balances.data && balances.data.length > 0 && (
        <ListTable
          label="Balance by currency"
          heads={['Currency', ['Outstanding', 'amount'], ['Overdue', 'amount'], ['Credit', 'amount']]}
        >
          {balances.data.map(({ currency, dueMinor, overdueMinor, creditMinor }) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              <td className="table-amount">{money(dueMinor, currency)}</td>
              <td className="table-amount">{money(overdueMinor, currency)}</td>
              <td className="table-amount">{money(creditMinor, currency)}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </Panel>
  )
}
