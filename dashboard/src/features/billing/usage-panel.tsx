import type { Usage } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { dayText, Notice, Panel, Table } from '../../ui/index.ts'

const height = 100
const dayMs = 86_400_000

/** Every day of the time: the service tells only of those on which something was used. */
function everyDay({ from, to, days }: Usage): readonly { date: string; credits: number }[] {
  const used = new Map(days.map(({ date, credits }) => [date, credits]))
  const first = Date.parse(`${from.slice(0, 10)}T00:00:00Z`)
  const last = Date.parse(`${to.slice(0, 10)}T00:00:00Z`)
  return Array.from({ length: Math.round((last - first) / dayMs) + 1 }, (_, index) => {
    const date = new Date(first + index * dayMs).toISOString().slice(0, 10)
    return { date, credits: used.get(date) ?? 0 }
  })
}

/** What was used, day by day: a picture, and the same as a table. */
export function UsagePanel({ accountId }: { readonly accountId: string }) {
  const usage = useQuery({
    queryKey: ['billing', 'usage', accountId],
    queryFn: () => risiti.billing.readUsage(accountId),
  })
  const days = usage.data ? everyDay(usage.data) : []
  const most = Math.max(1, ...days.map(({ credits }) => credits))
  return (
    <Panel title="Used" about={usage.data && `${usage.data.totalCredits} credits in the time shown.`}>
      {usage.isError && <Notice tone="bad">{wordsOf(usage.error)}</Notice>}
      {usage.data && usage.data.totalCredits > 0 && (
        <>
          <svg
            className="billing-chart"
            viewBox={`0 0 ${days.length * 10} ${height + 1}`}
            preserveAspectRatio="none"
            role="img"
            aria-label="Credits used each day; the table below says the same"
          >
            {days.map(({ date, credits }, index) => {
              const tall = (credits / most) * height
              return <rect key={date} x={index * 10 + 1} y={height - tall} width="8" height={tall} />
            })}
            <line x1="0" x2={days.length * 10} y1={height} y2={height} />
          </svg>
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
      {usage.data?.totalCredits === 0 && <p>Nothing was used yet. An invoice that is submitted takes credits.</p>}
    </Panel>
  )
}
