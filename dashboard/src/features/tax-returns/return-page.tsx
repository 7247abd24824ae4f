import type { TaxReturn, TaxReturnException, TaxReturnFigure } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchFile, risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { PageState } from '../../shell/page-state.tsx'
import { saveFile } from '../../ui/csv.ts'
import { monthText } from '../../ui/dates.ts'
import { Facts } from '../../ui/facts.tsx'
import {
  Badge,
  Button,
  ConfirmDialog,
  dayText,
  ListTable,
  momentText,
  money,
  Notice,
  PageHead,
  Panel,
} from '../../ui/index.ts'
import { say } from '../../ui/toast.tsx'
import { MissingRates } from './missing-rates.tsx'
import { exceptionText, figureText, payable, sections, sectionWords, statusOf } from './return-words.ts'
import './tax-returns.css'

/** The tax return of one month: its figures, each with its documents, and what changed in closed months. */
export function ReturnPage() {
  const { period } = useParams({ from: '/inside/tax-returns/$period' })
  const query = useQuery({ queryKey: ['tax-returns', 'one', period], queryFn: () => risiti.taxReturns.get(period) })
  const { data: found } = query
  if (!found)
    return (
      <PageState
        query={query}
        name="month"
        list={
          <Link to="/tax-returns" search={{}} className="button">
            All months
          </Link>
        }
      />
    )
  const [tone, words] = found.documentsWithoutRate > 0 ? (['warn', 'Rate missing'] as const) : statusOf(found)
  return (
    <>
      <p className="buyer-back">
        <Link to="/tax-returns" search={{}}>
          Tax returns
        </Link>
      </p>
      <PageHead title={monthText(period)} about={<Badge tone={tone}>{words}</Badge>}>
        <Downloads period={period} />
        <CloseMonth found={found} />
      </PageHead>
      <div className="return-parts">
        <div>
          <Waiting found={found} />
          {found.documentsWithoutRate > 0 && <MissingRates found={found} />}
          {sections.map((section) => (
            <Figures
              key={section}
              found={found}
              title={sectionWords[section]}
              figures={found.figures.filter((figure) => figure.section === section)}
            />
          ))}
          <Figures found={found} title="Changes of closed months" figures={found.exceptions} />
          {found.figures.length + found.exceptions.length === 0 && (
            <Panel title="No figures">
              <p>No document of this month counts yet. Your documents count when the tax authority accepts them.</p>
            </Panel>
          )}
        </div>
        <div className="return-totals">
          <Totals found={found} />
        </div>
      </div>
    </>
  )
}

interface OfReturn {
  readonly found: TaxReturn
}

function Totals({ found }: OfReturn) {
  const { currency, outputTaxMinor, inputTaxMinor, closedAt } = found
  return (
    <Panel title="Totals">
      <Facts
        facts={[
          ['Output tax', money(outputTaxMinor, currency)],
          ['Input tax', money(inputTaxMinor, currency)],
          payable(found),
          ['To file by', dayText(found.dueOn)],
          ['Closed', closedAt && momentText(closedAt)],
        ]}
      />
      <p>
        <Link to="/tax-returns/$period/documents" params={{ period: found.period }} search={{}}>
          All documents of this return
        </Link>
      </p>
    </Panel>
  )
}

const rejectedText = (count: number): string =>
  `The tax authority rejected ${count} of them: correct and submit ${count === 1 ? 'it' : 'them'} again.`

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Documents that are in no figure yet. */
function Waiting({ found: { documentsNotAccepted: count, documentsRejected: rejected, from, to, status } }: OfReturn) {
  if (count === 0) return null
  return (
    <Notice tone="warn" title={`${counted(count, 'document is', 'documents are')} not accepted yet`}>
      The tax authority has not accepted {count === 1 ? 'it' : 'them'}, so {count === 1 ? 'it is' : 'they are'} in no
      figure. {rejected > 0 && `${rejectedText(rejected)} `}
      {status === 'closed' && 'Once accepted, they are changes of a closed month in the first month that is open. '}
      <Link to="/invoices" search={{ invoiceDateFrom: from, invoiceDateTo: to }}>
        Invoices of this month
      </Link>
    </Notice>
  )
}

function Figures({
  found: { period: shown, currency },
  title,
  figures,
}: OfReturn & { readonly title: string; readonly figures: readonly (TaxReturnFigure | TaxReturnException)[] }) {
  if (figures.length === 0) return null
  return (
    <Panel title={title}>
      <ListTable label={title} heads={['What', 'Documents', ['Net', 'amount'], ['Tax', 'amount']]}>
        {figures.map((figure) => {
          const { section, code, rate, netMinor, taxMinor, documents, isCounted } = figure
          const closed = 'period' in figure ? figure.period : undefined
          const name = figureText(figure)
          return (
            <tr key={`${closed} ${section} ${code} ${rate}`}>
              <th scope="row">
                {name}
                {closed !== undefined && <div className="table-more">{exceptionText(closed, section)}</div>}
                {!isCounted && <div className="table-more">Not part of the totals</div>}
              </th>
              <td>
                <Link
                  to="/tax-returns/$period/documents"
                  params={{ period: shown }}
                  search={{ section, code, rate: rate ?? undefined, of: closed ?? shown }}
                  aria-label={`${documents === 0 ? 'Show' : documents} documents of ${name}${closed === undefined ? '' : `, ${exceptionText(closed, section)}`}`}
                >
                  {documents === 0 ? 'Show' : documents}
                </Link>
              </td>
              <td className="table-amount">{money(netMinor, currency)}</td>
              <td className="table-amount">{money(taxMinor, currency)}</td>
            </tr>
          )
        })}
      </ListTable>
    </Panel>
  )
}

function Downloads({ period }: { readonly period: string }) {
  const download = useMutation({
    mutationFn: async (format: 'pdf' | 'csv') => {
      const { url } = await risiti.taxReturns.download(period, { format })
      saveFile(await fetchFile(new URL(url, location.href).pathname), `tax-return-${period}.${format}`)
    },
    onError: (error) => say(wordsOf(error)),
  })
  return (
    <>
      <Button busy={download.isPending && download.variables === 'csv'} onClick={() => download.mutate('csv')}>
        Download CSV
      </Button>
      <Button busy={download.isPending && download.variables === 'pdf'} onClick={() => download.mutate('pdf')}>
        Download PDF
      </Button>
    </>
  )
}

/** The button appears for the month that is next, once each of its documents has a rate. */
function CloseMonth({ found }: OfReturn) {
  const client = useQueryClient()
  const mayClose = useMay('invoice.submit')
  const [isAsking, setAsking] = useState(false)
  const { period, canClose, payableMinor, documentsWithoutRate, documentsNotAccepted, documentsRejected } = found
  if (!mayClose || !canClose || documentsWithoutRate > 0) return null
  const month = monthText(period)
  return (
    <>
      <Button kind="primary" onClick={() => setAsking(true)}>
        Close the month
      </Button>
      <ConfirmDialog
        title={`Close ${month}?`}
        action={`Close ${month}`}
        kind="primary"
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          try {
            await risiti.taxReturns.close(period, { expectedPayableMinor: payableMinor })
            say(`${month} is closed. File its return with these figures.`)
          } finally {
            // If the figures changed meanwhile, the page shows the new ones.
            await client.invalidateQueries({ queryKey: ['tax-returns'] })
          }
        }}
      >
        <div className="return-question">
          <p>
            Close a month before you file its return with the tax authority, and file the closed figures:{' '}
            {payable(found)[0]} {payable(found)[1]}. This cannot be undone: the figures and documents never change
            again.
          </p>
          <p>
            Documents of {month} that are accepted or arrive later, and claims that change, are shown in the next month
            as changes of closed months. They count in the totals of that month.
          </p>
          {documentsNotAccepted > 0 && (
            <Notice tone="warn">
              {counted(documentsNotAccepted, 'document', 'documents')} of {month} would be left out, because the tax
              authority has not accepted {documentsNotAccepted === 1 ? 'it' : 'them'}.{' '}
              {documentsRejected > 0 && rejectedText(documentsRejected)}
            </Notice>
          )}
        </div>
      </ConfirmDialog>
    </>
  )
}
