import type { InvoiceStatistics, Overview } from '@risiti/sdk'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCountry } from '../../session/country.ts'
import { type Bar, BarTable } from '../../ui/bar-table.tsx'
import { ColumnChart } from '../../ui/column-chart.tsx'
import { daysAgo } from '../../ui/dates.ts'
import { money, Panel, SelectField, Table } from '../../ui/index.ts'
import { shortMoney } from '../../ui/money.ts'
import { signedMinor, statusWords } from '../invoices/status-words.ts'
import { everyMonth, type ShownMonth } from './months.ts'

/** The country's own currency first, then by name. */
function currenciesOf(overview: Overview, statistics: InvoiceStatistics, own: string): readonly string[] {
  const all = [...overview.months, ...overview.receivables, ...statistics.groups].map(({ currency }) => currency)
  return [...new Set(all)].sort((one, other) => (one === own ? -1 : other === own ? 1 : one.localeCompare(other)))
}

/** One currency at a time, because a sum over currencies has no meaning. */
export function Figures({
  overview,
  statistics,
}: {
  readonly overview: Overview
  readonly statistics: InvoiceStatistics
}) {
  const country = useCountry()
  const currencies = currenciesOf(overview, statistics, country.currency)
  const [chosen, setChosen] = useState<string>()
  const currency = chosen ?? currencies[0] ?? country.currency
  const months = everyMonth(overview.months, currency)
  return (
    <>
      {currencies.length > 1 && (
        <div className="overview-currency">
          <SelectField
            label="Currency"
            value={currency}
            onChange={({ target }) => setChosen(target.value)}
            options={currencies.map((each) => [each, each] as const)}
          />
        </div>
      )}
      <div className="overview-figures">
        <Invoiced months={months} currency={currency} />
        <Receivables receivables={overview.receivables} currency={currency} />
        <Tax months={months} currency={currency} />
        <Statuses statistics={statistics} currency={currency} />
      </div>
    </>
  )
}

interface OfMonths {
  readonly months: readonly ShownMonth[]
  readonly currency: string
}

function Invoiced({ months, currency }: OfMonths) {
  const sum = (of: 'invoicedMinor' | 'paidMinor') => months.reduce((total, month) => total + month[of], 0)
  return (
    <Panel
      title="Invoiced and paid"
      about={`${money(sum('invoicedMinor'), currency)} invoiced in twelve months, ${money(sum('paidMinor'), currency)} paid.`}
    >
      <ColumnChart
        label="Invoiced and paid each month"
        names={months.map((month) => month.short)}
        series={[
          { name: 'Invoiced', tone: 'soft', values: months.map(({ invoicedMinor }) => invoicedMinor) },
          { name: 'Paid', tone: 'accent', values: months.map(({ paidMinor }) => paidMinor) },
        ]}
        tick={(figure) => shortMoney(figure, currency)}
        value={(figure) => money(figure, currency)}
      />
      <MonthTable
        label="Invoiced and paid each month"
        heads={['Invoiced', 'Paid']}
        months={months}
        cells={({ invoicedMinor, paidMinor }) => [money(invoicedMinor, currency), money(paidMinor, currency)]}
      />
    </Panel>
  )
}

function Tax({ months, currency }: OfMonths) {
  const [now, before] = [months.at(-1), months.at(-2)]
  return (
    <Panel title="Tax" about="Tax on your invoices, less credit notes. Deductible tax on purchases is not subtracted.">
      <dl className="overview-pair">
        <div>
          <dt>This month so far</dt>
          <dd>{money(now?.taxMinor ?? 0, currency)}</dd>
        </div>
        <div>
          <dt>{before?.long}</dt>
          <dd>{money(before?.taxMinor ?? 0, currency)}</dd>
        </div>
      </dl>
      <ColumnChart
        label="Tax each month"
        names={months.map((month) => month.short)}
        series={[{ name: 'Tax', tone: 'accent', values: months.map(({ taxMinor }) => taxMinor) }]}
        tick={(figure) => shortMoney(figure, currency)}
        value={(figure) => money(figure, currency)}
      />
      <MonthTable
        label="Tax each month"
        heads={['Tax']}
        months={months}
        cells={({ taxMinor }) => [money(taxMinor, currency)]}
      />
    </Panel>
  )
}

/**
 * The figures of a chart as a table, for people who cannot see it or need exact values. The newest month comes first.
 */
const MonthTable = ({
  label,
  heads,
  months,
  cells,
}: {
  readonly label: string
  readonly heads: readonly string[]
  readonly months: readonly ShownMonth[]
  readonly cells: (month: ShownMonth) => readonly string[]
}) => (
  <details>
    <summary>As a table</summary>
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">Month</th>
          {heads.map((head) => (
            <th key={head} scope="col" className="table-amount">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months.toReversed().map((month) => (
          <tr key={month.month}>
            <th scope="row">{month.long}</th>
            {cells(month).map((cell, at) => (
              <td key={heads[at]} className="table-amount">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  </details>
)

const ages = [
  ['not_due', 'Not due yet', 'good', undefined],
  ['1_30', '1 to 30 days late', 'warn', [30, 1]],
  ['31_60', '31 to 60 days late', 'warn', [60, 31]],
  ['61_90', '61 to 90 days late', 'bad', [90, 61]],
  ['over_90', 'More than 90 days late', 'bad', [undefined, 91]],
] as const satisfies readonly (readonly [
  Overview['receivables'][number]['age'],
  string,
  Bar['tone'],
  /** the first and the last due date of the list behind it, in days before today */
  due: readonly [from: number | undefined, to: number] | undefined,
])[]

function Receivables({
  receivables,
  currency,
}: {
  readonly receivables: Overview['receivables']
  readonly currency: string
}) {
  const { timeZone } = useCountry()
  const own = receivables.filter((each) => each.currency === currency)
  const total = own.reduce((sum, { dueMinor }) => sum + dueMinor, 0)
  const hasLate = own.some(({ age }) => age !== 'not_due')
  return (
    <Panel
      title="Outstanding"
      about={`${money(total, currency)} in all.`}
      action={
        hasLate && (
          <Link to="/invoices" search={{ overdue: true, currency }}>
            See overdue invoices
          </Link>
        )
      }
    >
      <BarTable
        label="Outstanding, by age"
        heads={['Age', 'Invoices', 'Amount']}
        bars={ages.map(([age, words, tone, due]) => {
          const { dueMinor = 0, count = 0 } = own.find((each) => each.age === age) ?? {}
          const name: ReactNode =
            due === undefined || count === 0 ? (
              words
            ) : (
              <Link
                to="/invoices"
                search={{
                  overdue: true,
                  currency,
                  ...(due[0] === undefined ? {} : { dueDateFrom: daysAgo(due[0], timeZone) }),
                  dueDateTo: daysAgo(due[1], timeZone),
                }}
              >
                {words}
              </Link>
            )
          return { id: age, name, tone, size: dueMinor, cells: [String(count), money(dueMinor, currency)] }
        })}
      />
    </Panel>
  )
}

function Statuses({ statistics, currency }: { readonly statistics: InvoiceStatistics; readonly currency: string }) {
  const own = statistics.groups.filter((group) => group.currency === currency)
  const bars = Object.entries(statusWords).flatMap(([status, { words, tone }]): Bar[] => {
    const groups = own.filter((group) => group.status === status)
    const count = groups.reduce((sum, group) => sum + group.count, 0)
    if (count === 0) return []
    const payable = groups.reduce((sum, group) => sum + signedMinor(group.payableMinor, group.invoiceType), 0)
    const name: ReactNode = (
      <Link to="/invoices" search={{ status: status as keyof typeof statusWords, currency }}>
        {words}
      </Link>
    )
    return [{ id: status, name, tone, size: count, cells: [String(count), money(payable, currency)] }]
  })
  return (
    <Panel title="Documents by status" about="All invoices, credit notes and debit notes.">
      <BarTable label="Documents by status" heads={['Status', 'Documents', 'Amount']} bars={bars} />
    </Panel>
  )
}
