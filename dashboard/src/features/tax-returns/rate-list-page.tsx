import type { ExchangeRate } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useCountry } from '../../session/country.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Button, dayText, EmptyState } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { type KnownRate, RateDialog } from './rate-dialog.tsx'
import { RateFileDialog } from './rate-file-dialog.tsx'
import { ReturnsHead } from './returns-head.tsx'

/** The exchange rates of days, which the tax return uses for documents in a foreign currency. */
export function RateListPage() {
  const search = useSearch({ from: '/inside/tax-returns/rates' })
  const navigate = useNavigate()
  const { currency: home, currencies } = useCountry()
  const mayEnter = useMay('invoice.submit')
  const [entered, setEntered] = useState<KnownRate>()
  const [isImporting, setImporting] = useState(false)
  const { currency } = search
  const rates = useQuery({
    queryKey: ['tax-returns', 'rates', search],
    queryFn: async () => await risiti.taxReturns.listRates({ currency, page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const filter = (chosen: string | undefined) =>
    navigate({ to: '/tax-returns/rates', search: { currency: chosen }, replace: true })
  return (
    <>
      <ReturnsHead>
        {mayEnter && <Button onClick={() => setImporting(true)}>Import a file</Button>}
        {mayEnter && (
          <Button kind="primary" onClick={() => setEntered({ ...(currency ? { currency } : {}) })}>
            <Icon name="plus" />
            Enter a rate
          </Button>
        )}
      </ReturnsHead>
      <ListFrame
        label="Exchange rates"
        list={rates}
        filterBar={{
          filters: [
            {
              kind: 'choice',
              name: 'Currency',
              value: currency,
              options: currencies.filter(({ code }) => code !== home).map(({ code }) => [code, code] as const),
              onChange: filter,
            },
          ],
          onClear: () => filter(undefined),
        }}
        heads={['Day', 'Currency', [`Price of one in ${home}`, 'amount'], 'actions']}
        tools={(total) => (
          <ExportButton
            name="exchange-rates"
            heads={['Currency', 'Day', 'Rate']}
            total={total}
            entries={() => risiti.taxReturns.listRates({ currency, limit: 100 })}
            row={(rate) => [rate.currency, rate.day, rate.rate]}
          />
        )}
        isFiltered={currency !== undefined}
        nothingYet={
          <EmptyState title="No exchange rates yet">
            If you issue or receive documents in a foreign currency, enter the exchange rates of their days here. The
            tax return needs them.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/tax-returns/rates" search={{}}>
                Show all exchange rates
              </Link>
            }
          >
            No exchange rate has this currency.
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/tax-returns/rates" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(rate) => (
          <Row
            key={`${rate.currency} ${rate.day}`}
            rate={rate}
            onEdit={mayEnter ? () => setEntered(rate) : undefined}
          />
        )}
      />
      {isImporting && <RateFileDialog onClose={() => setImporting(false)} />}
      {entered && <RateDialog known={entered} onClose={() => setEntered(undefined)} />}
    </>
  )
}

const Row = ({
  rate: { currency, day, rate },
  onEdit,
}: {
  readonly rate: ExchangeRate
  readonly onEdit: (() => void) | undefined
}) => (
  <tr>
    <th scope="row">{dayText(day)}</th>
    <td>{currency}</td>
    <td className="table-amount">{rate}</td>
    <td>
      <div className="table-actions">
        {onEdit && (
          <Button aria-label={`Edit the rate of ${currency} on ${dayText(day)}`} onClick={onEdit}>
            Edit
          </Button>
        )}
      </div>
    </td>
  </tr>
)
