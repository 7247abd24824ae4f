import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useSession } from '../../session/session.tsx'
import { EmptyState, money, Notice } from '../../ui/index.ts'
import './overview-page.css'

export function OverviewPage() {
  const { user } = useSession()
  const statistics = useQuery({ queryKey: ['invoices', 'statistics'], queryFn: () => risiti.invoices.getStatistics() })
  return (
    <>
      <h1>Good to see you{user ? `, ${user.firstName}` : ''}</h1>
      {statistics.isError && <Notice tone="bad">{wordsOf(statistics.error)}</Notice>}
      {statistics.data?.groups.length === 0 && (
        <EmptyState title="No invoices yet" action={<Link to="/invoices">Go to the invoices</Link>}>
          What you have invoiced and what was paid will stand here.
        </EmptyState>
      )}
      {statistics.data && <Totals groups={statistics.data.groups} />}
    </>
  )
}

type Groups = Awaited<ReturnType<typeof risiti.invoices.getStatistics>>['groups']

/** What was invoiced and paid in each currency; drafts are not invoiced yet. */
function Totals({ groups }: { readonly groups: Groups }) {
  const currencies = [...new Set(groups.map(({ currency }) => currency))].sort((a) => (a === 'NGN' ? -1 : 1))
  return (
    <ul className="overview-totals">
      {currencies.map((currency) => {
        const issued = groups.filter(
          (group) => group.currency === currency && !['draft', 'cancelled'].includes(group.status),
        )
        const sum = (field: 'payableMinor' | 'paidMinor') => issued.reduce((total, group) => total + group[field], 0)
        return (
          <li key={currency}>
            <h2>{currency}</h2>
            <dl>
              <dt>Invoiced</dt>
              <dd>{money(sum('payableMinor'), currency)}</dd>
              <dt>Paid</dt>
              <dd>{money(sum('paidMinor'), currency)}</dd>
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
