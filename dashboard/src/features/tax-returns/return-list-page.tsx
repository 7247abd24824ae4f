import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { monthText } from '../../ui/dates.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, dayText, EmptyState, money } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { decimalOf } from '../../ui/money.ts'
import { payable, statusOf } from './return-words.ts'
import { ReturnsHead } from './returns-head.tsx'

/** The months of the tax return, newest first. */
export function ReturnListPage() {
  const search = useSearch({ from: '/inside/tax-returns' })
  const returns = useQuery({
    queryKey: ['tax-returns', 'list', search],
    queryFn: async () => await risiti.taxReturns.list({ page: search.page, limit: 24 }),
    placeholderData: keepPreviousData,
  })
  const nothing = (
    <EmptyState title="No months on this page" action={<Link to="/tax-returns">Show the newest months</Link>}>
      The list begins with the first month that has an accepted or received document.
    </EmptyState>
  )
  return (
    <>
      <ReturnsHead />
      <ListFrame
        label="Months"
        list={returns}
        heads={[
          'Month',
          'Status',
          'To file by',
          ['Output tax', 'amount'],
          ['Input tax', 'amount'],
          ['To pay', 'amount'],
        ]}
        tools={(total) => (
          <ExportButton
            name="tax-returns"
            heads={['Month', 'Status', 'To file by', 'Currency', 'Output tax', 'Input tax', 'To pay']}
            total={total}
            entries={() => risiti.taxReturns.list({ limit: 100 })}
            row={(month) => [
              month.period,
              statusOf(month)[1],
              month.dueOn,
              month.currency,
              decimalOf(month.outputTaxMinor, month.currency),
              decimalOf(month.inputTaxMinor, month.currency),
              decimalOf(month.payableMinor, month.currency),
            ]}
          />
        )}
        isFiltered={false}
        nothingYet={nothing}
        nothingFound={nothing}
        link={(page, words, isCurrent) => (
          <Link to="/tax-returns" search={{ page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(month) => {
          const [tone, words] = statusOf(month)
          const [name] = payable(month)
          return (
            <tr key={month.period}>
              <th scope="row">
                <Link to="/tax-returns/$period" params={{ period: month.period }}>
                  {monthText(month.period)}
                </Link>
              </th>
              <td>
                <Badge tone={tone}>{words}</Badge>
              </td>
              <td>{dayText(month.dueOn)}</td>
              <td className="table-amount">{money(month.outputTaxMinor, month.currency)}</td>
              <td className="table-amount">{money(month.inputTaxMinor, month.currency)}</td>
              <td className="table-amount">
                {money(month.payableMinor, month.currency)}
                {month.payableMinor < 0 && <div className="table-more">{name}</div>}
              </td>
            </tr>
          )
        }}
      />
    </>
  )
}
