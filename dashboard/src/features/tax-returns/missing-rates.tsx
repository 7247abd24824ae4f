import type { TaxReturn } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { Button, dayText, ListTable, Notice, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { type KnownRate, RateDialog } from './rate-dialog.tsx'

const mostRead = 500

interface MissingRate {
  readonly currency: string
  readonly day: string
  readonly numbers: readonly string[]
}

/** Currencies and days whose exchange rate is missing, with the documents that need it, and the way to enter it. */
export function MissingRates({ found: { period } }: { readonly found: TaxReturn }) {
  const mayEnter = useMay('invoice.submit')
  const [entered, setEntered] = useState<KnownRate>()
  const lines = useQuery({
    queryKey: ['tax-returns', 'without-rate', period],
    queryFn: ({ signal }) => risiti.taxReturns.documents(period, { withoutRate: 'true', limit: mostRead }, { signal }),
  })
  const missing = new Map<string, MissingRate>()
  for (const { documentCurrency: currency, issueDate: day, documentNumber } of lines.data?.documents ?? []) {
    const key = `${currency} ${day}`
    const numbers = missing.get(key)?.numbers ?? []
    missing.set(key, { currency, day, numbers: [...new Set([...numbers, documentNumber])] })
  }
  return (
    <Panel title="Documents without an exchange rate">
      <Notice tone="warn">
        These documents are in no figure, and the month cannot be closed. A rate counts on its day and the 7 days after
        it.
      </Notice>
      <LoadState query={lines} />
      {missing.size > 0 && (
        <ListTable label="Missing exchange rates" heads={['Documents', 'Currency', 'Day', 'actions']}>
          {[...missing.values()].map(({ currency, day, numbers }) => (
            <tr key={`${currency} ${day}`}>
              <th scope="row">
                <Link
                  to="/tax-returns/$period/documents"
                  params={{ period }}
                  search={{ withoutRate: true }}
                >{`${numbers.slice(0, 3).join(', ')}${numbers.length > 3 ? ` and ${numbers.length - 3} more` : ''}`}</Link>
              </th>
              <td>{currency}</td>
              <td>{dayText(day)}</td>
              <td>
                <div className="table-actions">
                  {mayEnter && (
                    <Button
                      aria-label={`Enter the rate of ${currency} on ${dayText(day)}`}
                      onClick={() => setEntered({ currency, day })}
                    >
                      Enter the rate
                    </Button>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      {entered && <RateDialog known={entered} onClose={() => setEntered(undefined)} />}
    </Panel>
  )
}
