import type { ReceivedInvoicesAnalyseQuery } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useCountry } from '../../session/country.ts'
import { BarTable } from '../../ui/bar-table.tsx'
import { count } from '../../ui/count.ts'
import { money, Panel } from '../../ui/index.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

export function Analytics({ filter }: { readonly filter: ReceivedInvoicesAnalyseQuery }) {
  const own = useCountry()
  const figures = useQuery({
    queryKey: ['received', 'analytics', filter],
    queryFn: ({ signal }) => risiti.receivedInvoices.analyse(filter, { signal }),
    placeholderData: keepPreviousData,
  })
  const known = figures.data
  if (figures.isError) return <LoadFailure query={figures} />
  if (!known || known.count === 0) return null
  const currency = known.reportingCurrency ?? own.currency
  const others = known.byCurrency.filter((each) => each.currency !== currency)
  return (
    <Panel
      title="Totals"
      about={`${count.format(known.count)} from ${known.suppliers === 1 ? 'one supplier' : `${count.format(known.suppliers)} suppliers`}${known.faulty > 0 ? `; ${count.format(known.faulty)} with errors` : ''}.`}
    >
      <BarTable
        label="Totals of received invoices"
        heads={['Figure', 'Amount']}
        bars={[
          ['Invoiced', known.payableMinor, 'neutral'] as const,
          ['Not paid yet', known.unpaidMinor, 'info'] as const,
          ['Overdue', known.overdueMinor, 'bad'] as const,
          ['Tax', known.taxMinor, 'neutral'] as const,
          ['Deductible VAT', known.claimableTaxMinor, 'good'] as const,
        ].map(([name, minor, tone]) => ({ id: name, name, size: minor, tone, cells: [money(minor, currency)] }))}
      />
      {others.length > 0 && (
        <p className="received-others">
          In other currencies:{' '}
          {others.map((each) => `${money(each.payableMinor, each.currency)} on ${count.format(each.count)}`).join('; ')}
          .
        </p>
      )}
    </Panel>
  )
}
