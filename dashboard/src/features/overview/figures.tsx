import type { InvoiceStatistics, Overview } from '@risiti/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCountry } from '../../session/country.ts'
import { type Bar, BarTable } from '../../ui/bar-table.tsx'
import { money, Panel, SelectField, Table } from '../../ui/index.ts'
import { shortMoney } from '../../ui/money.ts'
import { filters } from '../invoices/list/list-search.ts'
import { signedMinor, statusWords } from '../invoices/status-words.ts'
import { everyMonth, type ShownMonth } from './months.ts'

/** A separate chunk: the figures are read first. */
const ColumnChart = lazy(async () => ({ default: (await import('../../ui/column-chart.tsx')).ColumnChart }))

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

/** The documents behind the figures of these months. Drafts and rejected documents are in neither. */
const documentsOf = (first: ShownMonth, last: ShownMonth, currency: string) => ({
  invoiceDateFrom: first.month,
  invoiceDateTo: last.lastDay,
  currency,
  counted: true,
})

/** Opens the documents of a month whose column is pressed. */
function useMonths({ months, currency }: OfMonths) {
  const navigate = useNavigate()
  return (index: number) => {
    const month = months[index]
    if (month) void navigate({ to: '/invoices', search: documentsOf(month, month, currency) })
  }
}

function Invoiced({ months, currency }: OfMonths) {
  const openMonth = useMonths({ months, currency })
  const [first, last] = [months[0], months.at(-1)]
  const sum = (of: 'invoicedMinor' | 'paidMinor') => months.reduce((total, month) => total + month[of], 0)
  return (
    <Panel
      title="Invoiced and paid"
      about={`${money(sum('invoicedMinor'), currency)} invoiced in twelve months, ${money(sum('paidMinor'), currency)} paid.`}
      action={
        first &&
        last && (
          <Link to="/invoices" search={documentsOf(first, last, currency)}>
            See documents
          </Link>
        )
      }
    >
      <Suspense fallback={<div className="overview-chart-waiting" />}>
        <ColumnChart
          label="Invoiced and paid each month"
          names={months.map((month) => month.short)}
          series={[
            { name: 'Invoiced', tone: 'soft', values: months.map(({ invoicedMinor }) => invoicedMinor) },
            { name: 'Paid', tone: 'accent', values: months.map(({ paidMinor }) => paidMinor) },
          ]}
          tick={(figure) => shortMoney(figure, currency)}
          value={(figure) => money(figure, currency)}
          onChoose={openMonth}
        />
      </Suspense>
      <MonthTable
        label="Invoiced and paid each month"
        heads={['Invoiced', 'Paid']}
        months={months}
        currency={currency}
        cells={({ invoicedMinor, paidMinor }) => [money(invoicedMinor, currency), money(paidMinor, currency)]}
      />
    </Panel>
  )
}

function Tax({ months, currency }: OfMonths) {
  const openMonth = useMonths({ months, currency })
  const [now, before] = [months.at(-1), months.at(-2)]
  return (
    <Panel title="Tax" about="Tax on your invoices, less credit notes. Deductible tax on purchases is not subtracted.">
      <dl className="overview-pair">
        <div>
          <dt>This month so far</dt>
          <dd>{now && <TaxOfMonth month={now} currency={currency} />}</dd>
        </div>
        <div>
          <dt>{before?.long}</dt>
          <dd>{before && <TaxOfMonth month={before} currency={currency} />}</dd>
        </div>
      </dl>
      <Suspense fallback={<div className="overview-chart-waiting" />}>
        <ColumnChart
          label="Tax each month"
          names={months.map((month) => month.short)}
          series={[{ name: 'Tax', tone: 'accent', values: months.map(({ taxMinor }) => taxMinor) }]}
          tick={(figure) => shortMoney(figure, currency)}
          value={(figure) => money(figure, currency)}
          onChoose={openMonth}
        />
      </Suspense>
      <MonthTable
        label="Tax each month"
        heads={['Tax']}
        months={months}
        currency={currency}
        cells={({ taxMinor }) => [money(taxMinor, currency)]}
      />
    </Panel>
  )
}

const TaxOfMonth = ({ month, currency }: { readonly month: ShownMonth; readonly currency: string }) => (
  <Link to="/invoices" search={documentsOf(month, month, currency)}>
    {money(month.taxMinor, currency)}
  </Link>
)

/**
 * The figures of a chart as a table, for people who cannot see it or need exact values. The newest month comes first.
 */
const MonthTable = ({
  label,
  heads,
  months,
  currency,
  cells,
}: {
  readonly label: string
  readonly heads: readonly string[]
  readonly months: readonly ShownMonth[]
  readonly currency: string
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
            <th scope="row">
              <Link to="/invoices" search={documentsOf(month, month, currency)}>
                {month.long}
              </Link>
            </th>
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
  ['not_due', 'good'],
  ['1_30', 'warn'],
  ['31_60', 'warn'],
  ['61_90', 'bad'],
  ['over_90', 'bad'],
] as const satisfies readonly (readonly [Overview['receivables'][number]['age'], Bar['tone']])[]

function Receivables({
  receivables,
  currency,
}: {
  readonly receivables: Overview['receivables']
  readonly currency: string
}) {
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
        bars={ages.map(([age, tone]) => {
          const { dueMinor = 0, count = 0 } = own.find((each) => each.age === age) ?? {}
          const words = filters.age.words[age]
          const name: ReactNode =
            count === 0 ? (
              words
            ) : (
              <Link to="/invoices" search={{ age, currency }}>
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
