import type { RecurringSchedule } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Badge, dayText, EmptyState, PageHead } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { BuyerName, readBuyerName } from '../collection/buyer-name.tsx'
import { policyWords, ruleText, statusWords } from './schedule-words.ts'

const statuses = Object.keys(statusWords) as RecurringSchedule['status'][]

export function RecurringListPage() {
  const search = useSearch({ from: '/inside/recurring' })
  const navigate = useNavigate()
  const mayCreate = useMay('invoice.create')
  const status = statuses.find((each) => each === search.status)
  const schedules = useQuery({
    queryKey: ['recurring', 'list', search],
    queryFn: async () => await risiti.recurringInvoices.list({ status, page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const filter = (chosen: string | undefined) =>
    navigate({ to: '/recurring', search: { status: chosen }, replace: true })
  const add = mayCreate && (
    <Link to="/recurring/new" search={{}} className="button button-primary">
      <Icon name="plus" />
      New schedule
    </Link>
  )
  return (
    <>
      <PageHead title="Recurring invoices">{add}</PageHead>
      <ListFrame
        label="Schedules"
        list={schedules}
        filterBar={{
          filters: [
            {
              kind: 'choice',
              name: 'Status',
              value: status,
              options: statuses.map((each) => [each, statusWords[each][1]] as const),
              onChange: filter,
            },
          ],
          onClear: () => filter(undefined),
        }}
        heads={['Name', 'Buyer', 'Repeats', 'Next invoice', 'Each invoice', 'Status']}
        tools={(total) => (
          <ExportButton
            name="recurring-invoices"
            heads={['Name', 'Buyer', 'Repeats', 'Next invoice', 'Each invoice', 'Status']}
            total={total}
            entries={() => risiti.recurringInvoices.list({ status, limit: 100 })}
            row={async (schedule) => [
              schedule.name,
              await readBuyerName(schedule.invoice.buyerId),
              ruleText(schedule),
              schedule.nextOn,
              policyWords[schedule.policy],
              statusWords[schedule.status][1],
            ]}
          />
        )}
        isFiltered={status !== undefined}
        nothingYet={
          <EmptyState title="No schedules yet" action={add}>
            Rent, subscriptions, fees: a schedule makes the same invoice every week, month, quarter or year. You can
            also open an invoice and choose “Make recurring”.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/recurring" search={{}}>
                Show all schedules
              </Link>
            }
          >
            No schedule has this status.
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/recurring" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(schedule) => {
          const [tone, words] = statusWords[schedule.status]
          return (
            <tr key={schedule.id}>
              <th scope="row">
                <Link to="/recurring/$id" params={{ id: schedule.id }} search={{}}>
                  {schedule.name}
                </Link>
              </th>
              <td>
                <BuyerName id={schedule.invoice.buyerId} nobody="A consumer" />
              </td>
              <td>{ruleText(schedule)}</td>
              <td>{schedule.nextOn === null || schedule.status === 'paused' ? '–' : dayText(schedule.nextOn)}</td>
              <td>{policyWords[schedule.policy]}</td>
              <td>
                <Badge tone={tone}>{words}</Badge>
              </td>
            </tr>
          )
        }}
      />
    </>
  )
}
