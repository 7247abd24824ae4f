import type { Quote } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Badge, dayText, EmptyState, money, PageHead } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { decimalOf } from '../../ui/money.ts'
import { statusWords, typeWords } from './quote-words.ts'

const statuses = Object.keys(statusWords) as Quote['status'][]
const types = Object.keys(typeWords) as Quote['quoteType'][]
const heads = ['Number', 'Buyer', 'Date', 'Valid until', ['Total', 'amount'], 'Status'] as const
const columns = ['Number', 'Type', 'Buyer', 'Date', 'Valid until', 'Currency', 'Total', 'Status'] as const

export function QuoteListPage() {
  const search = useSearch({ from: '/inside/quotes' })
  const navigate = useNavigate()
  const mayCreate = useMay('invoice.create')
  const filter = {
    status: statuses.find((each) => each === search.status),
    quoteType: types.find((each) => each === search.type),
    quoteDateFrom: search.from,
    quoteDateTo: search.to,
    search: search.search,
  }
  const list = useQuery({
    queryKey: ['quotes', 'list', search],
    queryFn: async () => await risiti.quotes.list({ ...filter, page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  const choose = (part: Partial<typeof search>) =>
    navigate({ to: '/quotes', search: { ...search, page: undefined, ...part }, replace: true })
  const add = mayCreate && (
    <Link to="/quotes/new" className="button button-primary">
      <Icon name="plus" />
      New quote
    </Link>
  )
  return (
    <>
      <PageHead title="Quotes">{add}</PageHead>
      <ListFrame
        label="Quotes"
        list={list}
        filterBar={{
          filters: [
            {
              kind: 'choice',
              name: 'Status',
              value: filter.status,
              options: statuses.map((each) => [each, statusWords[each][1]] as const),
              onChange: (status) => choose({ status }),
            },
            {
              kind: 'choice',
              name: 'Type',
              value: filter.quoteType,
              options: types.map((each) => [each, typeWords[each]] as const),
              onChange: (type) => choose({ type }),
            },
            {
              kind: 'days',
              name: 'Date',
              value: { from: search.from, to: search.to },
              onChange: ({ from, to }) => choose({ from, to }),
            },
            {
              kind: 'text',
              name: 'Number or buyer',
              value: search.search,
              onChange: (words) => choose({ search: words }),
            },
          ],
          onClear: () => navigate({ to: '/quotes', search: {}, replace: true }),
        }}
        heads={heads}
        tools={(total) => (
          <ExportButton
            name="quotes"
            heads={columns}
            total={total}
            entries={() => risiti.quotes.list({ ...filter, limit: 100 })}
            row={(quote) => [
              quote.quoteNumber,
              typeWords[quote.quoteType],
              quote.buyerName,
              quote.quoteDate,
              quote.validUntil,
              quote.currency,
              decimalOf(quote.payableMinor, quote.currency),
              statusWords[quote.status][1],
            ]}
          />
        )}
        isFiltered={Object.values(filter).some((value) => value !== undefined)}
        nothingYet={
          <EmptyState title="No quotes yet" action={add}>
            Offer before you invoice: the buyer accepts on a page of their own, and the quote becomes an invoice or a
            deposit with one click. Quotes are never reported to the tax authority.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/quotes" search={{}}>
                Show all quotes
              </Link>
            }
          >
            No quote matches. Check the spelling, or use fewer filters.
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/quotes" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(quote) => {
          const [tone, words] = statusWords[quote.status]
          return (
            <tr key={quote.id}>
              <th scope="row">
                <Link to="/quotes/$id" params={{ id: quote.id }}>
                  {quote.quoteNumber}
                </Link>
              </th>
              <td>{quote.buyerName ?? '–'}</td>
              <td>{dayText(quote.quoteDate)}</td>
              <td>{quote.validUntil === null ? '–' : dayText(quote.validUntil)}</td>
              <td className="table-amount">{money(quote.payableMinor, quote.currency)}</td>
              <td>
                <Badge tone={tone}>{words}</Badge>
              </td>
            </tr>
          )
        }}
      />
    </>
  )
}
