import type { TaxReturnDocument } from '@risiti/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useCountry } from '../../session/country.ts'
import { monthText, withDays } from '../../ui/dates.ts'
import { Button, dayText, EmptyState, ListTable, money, PageHead } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { typeWords } from '../invoices/status-words.ts'
import { ReceivedDialog } from '../received/received-dialog.tsx'
import { exceptionText, isSection, sectionWords } from './return-words.ts'
import '../buyers/buyer-page.css'

const perPage = 100

/** Whether a document is one of the person's own, and not a received one. */
const isOwn = ({ section }: TaxReturnDocument): boolean => section === 'output' || section === 'output_notes'

/** The documents behind a tax return, or behind one figure of it. */
export function ReturnDocumentsPage() {
  const { period } = useParams({ from: '/inside/tax-returns/$period/documents' })
  const { section, code, rate, of, withoutRate } = useSearch({ from: '/inside/tax-returns/$period/documents' })
  const { currency } = useCountry()
  const [shown, setShown] = useState<string>()
  const documents = useInfiniteQuery({
    queryKey: ['tax-returns', 'documents', period, section, code, rate, of, withoutRate],
    queryFn: ({ pageParam, signal }) =>
      risiti.taxReturns.documents(
        period,
        {
          section: isSection(section) ? section : undefined,
          code,
          rate,
          documentPeriod: of,
          ...(withoutRate ? { withoutRate: 'true' as const } : {}),
          limit: perPage,
          after: pageParam,
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const lines = documents.data?.pages.flatMap((page) => page.documents)
  const isException = of !== undefined && of !== period
  const about = withoutRate
    ? 'Documents without an exchange rate'
    : isSection(section)
      ? isException
        ? exceptionText(of, section)
        : sectionWords[section]
      : 'All documents of this return'
  return (
    <>
      <p className="buyer-back">
        <Link to="/tax-returns/$period" params={{ period }}>
          Tax return of {monthText(period)}
        </Link>
      </p>
      <PageHead title={`Documents of ${monthText(period)}`} about={<p>{about}</p>} />
      <LoadState query={documents} />
      {lines?.length === 0 && (
        <EmptyState
          title="No documents"
          action={
            <Link to="/tax-returns/$period" params={{ period }}>
              Back to the return
            </Link>
          }
        >
          No document belongs to this figure now.
        </EmptyState>
      )}
      {lines && lines.length > 0 && (
        <ListTable
          label="Documents"
          isList
          heads={['Document', 'Date', 'Party', 'Why', ['Net', 'amount'], ['Tax', 'amount']]}
        >
          {lines.map((line) => (
            <Line
              key={`${line.documentId} ${line.section} ${line.code} ${line.rate}`}
              line={line}
              home={currency}
              onLook={() => setShown(line.documentId)}
            />
          ))}
        </ListTable>
      )}
      {documents.hasNextPage && (
        <p>
          <Button busy={documents.isFetchingNextPage} onClick={() => void documents.fetchNextPage()}>
            Show more
          </Button>
        </p>
      )}
      {shown !== undefined && <ReceivedDialog id={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

const causeWords: Readonly<Record<TaxReturnDocument['cause'], string>> = {
  accepted: 'Accepted by the tax authority',
  received: 'Received',
  claim_changed: 'The claim has changed',
  withdrawn: 'Does not count any more',
}

function Line({
  line,
  home,
  onLook,
}: {
  readonly line: TaxReturnDocument
  readonly home: string
  readonly onLook: () => void
}) {
  const { documentCurrency, exchangeRate, netMinor, taxMinor, reason, rate } = line
  const isForeign = documentCurrency !== home
  return (
    <tr>
      <th scope="row">
        {isOwn(line) ? (
          <Link to="/invoices/$id" params={{ id: line.documentId }}>
            {line.documentNumber}
          </Link>
        ) : (
          <Button kind="quiet" aria-label={`View ${line.documentNumber}`} onClick={onLook}>
            {line.documentNumber}
          </Button>
        )}
        {line.documentType !== 'standard' && <div className="table-more">{typeWords[line.documentType]}</div>}
      </th>
      <td>{dayText(line.issueDate)}</td>
      <td className="table-long">{line.partyName}</td>
      <td className="table-long">
        {reason === null ? causeWords[line.cause] : withDays(reason)}
        {rate !== null && <div className="table-more">Rate {rate} %</div>}
        {isForeign && (
          <div className="table-more">
            {money(line.documentNetMinor, documentCurrency)}
            {exchangeRate === null
              ? ', the exchange rate is missing'
              : `, 1 ${documentCurrency} = ${exchangeRate} ${home}`}
          </div>
        )}
      </td>
      <td className="table-amount">{netMinor === null ? '–' : money(netMinor, home)}</td>
      <td className="table-amount">{taxMinor === null ? '–' : money(taxMinor, home)}</td>
    </tr>
  )
}
