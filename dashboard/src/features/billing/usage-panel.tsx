import type { Usage } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { ColumnChart } from '../../ui/column-chart.tsx'
import { count } from '../../ui/count.ts'
import { dayText, Panel, Table } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { dateLocale } from '../../ui/locale.ts'

const shortDay = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayMs = 86_400_000

/** Adds the days without use, which the service leaves out. */
function everyDay({ from, to, days }: Usage): readonly { date: string; credits: number }[] {
  const used = new Map(days.map(({ date, credits }) => [date, credits]))
  const first = Date.parse(`${from.slice(0, 10)}T00:00:00Z`)
  const last = Date.parse(`${to.slice(0, 10)}T00:00:00Z`)
  return Array.from({ length: Math.round((last - first) / dayMs) + 1 }, (_, index) => {
    const date = new Date(first + index * dayMs).toISOString().slice(0, 10)
    return { date, credits: used.get(date) ?? 0 }
  })
}

/** The table shows the same figures as the chart, for people who cannot see the chart. */
export function UsagePanel({ accountId }: { readonly accountId: string }) {
  const usage = useQuery({
    queryKey: ['billing', 'usage', accountId],
    queryFn: () => risiti.billing.readUsage(accountId),
  })
  const days = usage.data ? everyDay(usage.data) : []
  return (
    <Panel title="Usage" about={usage.data && `${usage.data.totalCredits} credits in the period shown.`}>
      <LoadState query={usage} />
      {usage.data && usage.data.totalCredits > 0 && (
        <>
          <ColumnChart
            label="Credits used each day"
            names={days.map(({ date }) => shortDay.format(new Date(`${date}T00:00:00Z`)))}
            series={[{ name: 'Credits', tone: 'accent', values: days.map(({ credits }) => credits) }]}
            tick={(figure) => (Number.isInteger(figure) ? count.format(figure) : '')}
            value={count.format}
          />
          <details>
            <summary>As a table</summary>
            <Table label="Credits used each day">
              <thead>
                <tr>
                  <th scope="col">Day</th>
                  <th scope="col" className="table-amount">
                    Credits
                  </th>
                </tr>
              </thead>
              <tbody>
                {days
                  .filter(({ credits }) => credits > 0)
                  .map(({ date, credits }) => (
                    <tr key={date}>
                      <th scope="row">{dayText(date)}</th>
                      <td className="table-amount">{credits}</td>
                    </tr>
                  ))}
              </tbody>
            </Table>
          </details>
        </>
      )}
      {usage.data?.totalCredits === 0 && <p>No credits used yet. Each submitted invoice uses credits.</p>}
    </Panel>
  )
}
