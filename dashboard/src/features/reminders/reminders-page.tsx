import type { SentReminder, UpcomingReminder } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Badge, dayText, ListTable, momentText, money, PageHead, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { PlanForm } from './plan-form.tsx'
import { hourText, scopeWords, stepText, stoppedText } from './reminder-words.ts'
import '../recurring/recurring.css'
import './reminders.css'

const pageSize = 10

/** The plan, what it sends next, and what was sent. */
export function RemindersPage() {
  const mayChange = useMay('invoice.send_to_buyer')
  const maySeeBuyers = useMay('buyer.read')
  const plan = useQuery({ queryKey: ['reminders', 'plan'], queryFn: () => risiti.reminders.getPlan() })
  return (
    <>
      <PageHead
        title="Reminders"
        about={plan.data && (plan.data.on ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>)}
      />
      <LoadState query={plan} />
      {plan.data && mayChange && <PlanForm key={plan.data.version} plan={plan.data} />}
      {plan.data && !mayChange && (
        <Panel title="Plan">
          <Facts
            facts={[
              ['Sent at', `${hourText(plan.data.hour)} (${plan.data.timeZone})`],
              ['Buyers', scopeWords[plan.data.buyers]],
              ['Steps', plan.data.steps.map(({ days }) => <div key={days}>{stepText(days)}</div>)],
            ]}
          />
        </Panel>
      )}
      {maySeeBuyers && <Upcoming isOn={plan.data?.on === true} version={plan.data?.version ?? 0} />}
      <Sent />
    </>
  )
}

function Upcoming({ isOn, version }: { readonly isOn: boolean; readonly version: number }) {
  const { page, sent } = useSearch({ from: '/inside/reminders' })
  const upcoming = useQuery({
    queryKey: ['reminders', 'upcoming', version, page],
    queryFn: async () => await risiti.reminders.listUpcoming({ page, limit: pageSize }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title="Next reminders" about="Everything is checked again before a reminder goes out.">
      <LoadState query={upcoming} />
      {upcoming.data?.data.length === 0 && (
        <p>{isOn ? 'No reminder is due.' : 'Nothing is sent while reminders are switched off.'}</p>
      )}
      {upcoming.data && upcoming.data.data.length > 0 && (
        <>
          <ListTable label="Next reminders" heads={['Day', 'Invoice', 'Buyer', 'Step', ['Due', 'amount']]}>
            {upcoming.data.data.map((one: UpcomingReminder) => (
              <tr key={one.invoiceId}>
                <th scope="row">{dayText(one.day)}</th>
                <td>
                  <Link to="/invoices/$id" params={{ id: one.invoiceId }}>
                    {one.invoiceNumber}
                  </Link>
                </td>
                <td>
                  <Link to="/buyers/$id" params={{ id: one.buyerId }}>
                    {one.buyerName}
                  </Link>
                  <div className="table-more">{one.to}</div>
                </td>
                <td>{stepText(one.stepDays)}</td>
                <td className="table-amount">{money(one.dueMinor, one.currency)}</td>
              </tr>
            ))}
          </ListTable>
          <Pagination
            {...upcoming.data.pagination}
            label="Pages of the next reminders"
            link={(to, words, isCurrent) => (
              <Link to="/reminders" search={{ page: to, sent }} aria-current={isCurrent ? 'page' : undefined}>
                {words}
              </Link>
            )}
          />
        </>
      )}
    </Panel>
  )
}

function Sent() {
  const { page, sent: sentPage } = useSearch({ from: '/inside/reminders' })
  const sent = useQuery({
    queryKey: ['reminders', 'sent', sentPage],
    queryFn: async () => await risiti.reminders.listSent({ page: sentPage, limit: pageSize }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title="Sent reminders">
      <LoadState query={sent} />
      {sent.data?.data.length === 0 && <p>No reminder was sent yet.</p>}
      {sent.data && sent.data.data.length > 0 && (
        <>
          <ListTable label="Sent reminders" heads={['When', 'Invoice', 'To', 'Step', ['Due', 'amount']]}>
            {sent.data.data.map((one: SentReminder) => (
              <tr key={one.id}>
                <th scope="row">{momentText(one.sentAt)}</th>
                <td>
                  <Link to="/invoices/$id" params={{ id: one.invoiceId }}>
                    {one.invoiceNumber}
                  </Link>
                </td>
                <td>{one.to}</td>
                <td>
                  {one.stepDays === null ? 'By hand' : stepText(one.stepDays)}
                  {stoppedText(one)}
                </td>
                <td className="table-amount">{money(one.dueMinor, one.currency)}</td>
              </tr>
            ))}
          </ListTable>
          <Pagination
            {...sent.data.pagination}
            label="Pages of the sent reminders"
            link={(to, words, isCurrent) => (
              <Link to="/reminders" search={{ page, sent: to }} aria-current={isCurrent ? 'page' : undefined}>
                {words}
              </Link>
            )}
          />
        </>
      )}
    </Panel>
  )
}
