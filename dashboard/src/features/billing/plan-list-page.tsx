import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useSession } from '../../session/session.tsx'
import { capitalised } from '../../ui/capitalised.ts'
import { Badge, EmptyState, ListTable, money, Notice, Panel } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { BillingHead } from './billing-head.tsx'
import { dayOf, endWords, statusWords } from './subscription-words.ts'
import './billing.css'

const methodWords = { checkout: 'on the provider’s page', saved_card: 'with the saved card' } as const

/** All plans of the organisation, with their end, its reason, and their renewals. */
export function PlanListPage() {
  const { mode } = useSession()
  const { page } = useSearch({ from: '/inside/billing/plans' })
  const plans = useQuery({
    queryKey: ['billing', 'plans', mode, page],
    queryFn: async () => await risiti.billing.listSubscriptions({ page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <BillingHead />
      <ListFrame
        label="Plan history"
        list={plans}
        heads={['Plan', 'Status', 'Since', 'Until', ['Price', 'amount']]}
        isFiltered={false}
        nothingYet={
          <EmptyState
            title="No plan yet"
            action={
              <Link to="/billing" className="button">
                See the plans
              </Link>
            }
          >
            A plan gives you credits every month at a lower price than single packages. This page lists all your plans
            and their payments.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="This page of the list is empty"
            action={
              <Link to="/billing/plans" search={{}}>
                Show the first page
              </Link>
            }
          >
            The list has fewer pages.
          </EmptyState>
        }
        link={(at, words, isCurrent) => (
          <Link to="/billing/plans" search={{ page: at }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={({ id, planCode, status, cancelAtPeriodEnd, endReason, ...plan }) => (
          <tr key={id}>
            <th scope="row">{capitalised(planCode)}</th>
            <td>
              <Badge tone={statusWords[status][0]}>{statusWords[status][1]}</Badge>
              {endReason && <div className="table-more">{endWords[endReason]}</div>}
            </td>
            <td>{dayOf(plan.createdAt)}</td>
            <td>
              {plan.endedAt
                ? dayOf(plan.endedAt)
                : cancelAtPeriodEnd && plan.currentPeriod
                  ? dayOf(plan.currentPeriod.endsAt)
                  : '–'}
            </td>
            <td className="table-amount">
              {money(plan.amountMinor, plan.currency)} {plan.interval === 'yearly' ? 'a year' : 'a month'}
            </td>
          </tr>
        )}
      />
      <Renewals />
    </>
  )
}

/** The latest billing periods, paid and unpaid. Hidden if there are none. */
function Renewals() {
  const { mode } = useSession()
  const renewals = useQuery({
    queryKey: ['billing', 'renewals', mode],
    queryFn: async () => await risiti.billing.listRenewals({ limit: 24 }),
  })
  if (renewals.isError) return <Notice tone="bad">{wordsOf(renewals.error)}</Notice>
  if (!renewals.data || renewals.data.data.length === 0) return null
  return (
    <Panel title="Billing periods" about="The last 24 periods.">
      <ListTable label="Billing periods" heads={['From', 'To', 'Plan', 'Paid', ['Amount', 'amount']]}>
        {renewals.data.data.map(({ subscriptionId, number, planCode, startsAt, endsAt, status, method, ...paid }) => (
          <tr key={`${subscriptionId} ${number}`}>
            <th scope="row">{dayOf(startsAt)}</th>
            <td>{dayOf(endsAt)}</td>
            <td>{capitalised(planCode)}</td>
            <td>
              <Badge tone={status === 'paid' ? 'good' : 'warn'}>{status === 'paid' ? 'Paid' : 'Not paid'}</Badge>
              {method && <div className="table-more">{methodWords[method]}</div>}
            </td>
            <td className="table-amount">{money(paid.amountMinor, paid.currency)}</td>
          </tr>
        ))}
      </ListTable>
    </Panel>
  )
}
