import type { RecurringPeriod } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { PageLoading } from '../../shell/shell.tsx'
import { dayText, EmptyState, PageHead } from '../../ui/index.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { say } from '../../ui/toast.tsx'
import { contentOfSchedule, linesOfSchedule } from './schedule-content.ts'
import { ScheduleForm } from './schedule-form.tsx'

/** Without a day, a change counts from the next invoice on, and for periods before it that were refused. */
function nextWords(next: string | undefined, open: readonly string[]): string {
  if (next === undefined) return 'The periods that failed'
  return open.length === 0 ? dayText(next) : `${dayText(next)}, and the periods that failed before it`
}

/** Changes what a schedule makes, from one of its next invoices on. */
export function ChangeSchedulePage() {
  const { id } = useParams({ from: '/inside/recurring/$id/edit' })
  const navigate = useNavigate()
  const { taxCategories } = useCountry()
  const found = useQuery({
    queryKey: ['recurring', 'draft', id],
    queryFn: async () => {
      const [schedule, coming, periods] = await Promise.all([
        risiti.recurringInvoices.get(id),
        risiti.recurringInvoices.preview(id),
        risiti.recurringInvoices.listPeriods(id, { limit: 12 }),
      ])
      const isOpen = ({ outcome, day }: RecurringPeriod) =>
        outcome !== 'made' && (schedule.nextOn === null || day < schedule.nextOn)
      const open = periods.data.filter(isOpen).map(({ day }) => day)
      const { buyerId } = schedule.invoice
      // A deleted buyer, or one that the person may not see, must be chosen anew.
      const buyer = buyerId === null ? undefined : await risiti.buyers.get(buyerId).catch(() => undefined)
      return { schedule, coming, open, buyer }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (found.isError)
    return (
      <>
        <PageHead title="Change the schedule" />
        <LoadFailure query={found} />
      </>
    )
  if (!found.data) return <PageLoading />
  const { schedule, coming, open, buyer } = found.data
  const back = (
    <Link to="/recurring/$id" params={{ id }} search={{}} className="button">
      Back
    </Link>
  )
  if (coming.length === 0 && open.length === 0)
    return (
      <EmptyState title="This schedule has ended" isPage action={back}>
        It makes no further invoices, so there is nothing to change. Create a new schedule instead.
      </EmptyState>
    )
  return (
    <ScheduleForm
      title={`Change ${schedule.name}`}
      start={{
        content: contentOfSchedule(schedule, buyer),
        lines: linesOfSchedule(schedule, taxCategories[0]?.code ?? ''),
      }}
      change={{
        days: [
          ['', nextWords(coming[0]?.day, open)],
          ...coming.slice(1).map(({ day }) => [day, dayText(day)] as const),
          ...open.map((day) => [day, `${dayText(day)}, which has no invoice yet`] as const),
        ],
        planned:
          schedule.changesOn.length === 0
            ? undefined
            : `Another change is planned from ${schedule.changesOn.map(dayText).join(', ')}. It stays: change it by choosing its day.`,
      }}
      back={back}
      onSave={async ({ policy, dueInDays, invoice, changeFrom }) => {
        await risiti.recurringInvoices.change(id, { policy, dueInDays, invoice, changeFrom })
        say(`${schedule.name} was changed.`)
        await queries.invalidateQueries({ queryKey: ['recurring'] })
        await navigate({ to: '/recurring/$id', params: { id }, search: {} })
      }}
    />
  )
}
