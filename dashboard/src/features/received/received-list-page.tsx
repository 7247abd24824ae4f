import type { ReceivedInvoice } from '@risiti/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { useSession } from '../../session/session.tsx'
import { withDays } from '../../ui/dates.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Badge, Button, dayText, EmptyState, money, Notice, PageHead } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { decimalOf } from '../../ui/money.ts'
import { say } from '../../ui/toast.tsx'
import { signedMinor, typeWords } from '../invoices/status-words.ts'
import { Analytics } from './analytics.tsx'
import { ReceivedDialog } from './received-dialog.tsx'
import { filterOf, isFiltered, payments, type ReceivedSearch, sorts } from './received-search.ts'
import { paymentTone } from './received-words.ts'
import './received.css'

export function ReceivedListPage() {
  const search = useSearch({ from: '/inside/received' })
  const navigate = useNavigate()
  const [shown, setShown] = useState<string>()
  const received = useQuery({
    queryKey: ['received', 'list', search],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await risiti.receivedInvoices.list(
        { ...filterOf(search), sort: search.sort, page: search.page, limit: 25 },
        { signal },
      )
      return { data: data.items, sync: data.sync, pagination }
    },
    placeholderData: keepPreviousData,
  })
  const change = (next: ReceivedSearch) =>
    navigate({ to: '/received', search: { ...search, page: undefined, ...next }, replace: true, resetScroll: false })
  const sync = received.data?.sync
  return (
    <>
      <PageHead title="Received invoices">
        <Older />
        <FromOutside />
      </PageHead>
      {sync?.error && <Notice tone="warn">{`This list may be incomplete: ${sync.error}`}</Notice>}
      <ListFrame
        label="Received invoices"
        list={received}
        filterBar={{
          search: {
            label: 'Search',
            placeholder: 'Number or supplier',
            value: search.q ?? '',
            onSearch: (q) => change({ q: q || undefined }),
          },
          filters: [
            {
              kind: 'choice',
              name: 'Payment',
              value: search.paymentStatus,
              options: Object.entries(payments),
              onChange: (paymentStatus) => change({ paymentStatus: paymentStatus as ReceivedSearch['paymentStatus'] }),
            },
            {
              kind: 'days',
              name: 'Date',
              value: { from: search.issueDateFrom, to: search.issueDateTo },
              onChange: ({ from, to }) => change({ issueDateFrom: from, issueDateTo: to }),
            },
          ],
          onClear: () =>
            change({ q: undefined, paymentStatus: undefined, issueDateFrom: undefined, issueDateTo: undefined }),
          children: (
            <label className="filter-sort">
              Sort by
              <select
                value={search.sort ?? '-receivedAt'}
                onChange={({ target }) => change({ sort: target.value as ReceivedSearch['sort'] })}
              >
                {Object.entries(sorts).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
          ),
        }}
        heads={['Number', 'From', 'Date', 'Payment', 'Tax', ['Amount', 'amount'], 'actions']}
        tools={(total) => <ExportReceived search={search} total={total} />}
        isFiltered={isFiltered(search)}
        nothingYet={
          sync?.connected === false ? (
            <EmptyState title="Not connected yet" action={<Link to="/settings/tax">Connect to the tax authority</Link>}>
              After you connect, invoices that other businesses send you over the authority’s network appear here
              automatically.
            </EmptyState>
          ) : (
            <EmptyState title="No received invoices yet">
              Invoices that other businesses send you over the authority’s network arrive here automatically.
            </EmptyState>
          )
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/received" search={{}}>
                Show all received invoices
              </Link>
            }
          >
            No received invoice matches your filters.
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/received" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(invoice) => <Row key={invoice.id} invoice={invoice} onLook={() => setShown(invoice.id)} />}
      />
      <Analytics filter={filterOf(search)} />
      {shown !== undefined && <ReceivedDialog id={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

const exportHeads = [
  'Number',
  'Kind',
  'Date',
  'Due',
  'Supplier',
  'Supplier tax number',
  'Payment',
  'Currency',
  'Net',
  'Tax',
  'Deductible tax',
  'Payable',
]

function ExportReceived({ search, total }: { readonly search: ReceivedSearch; readonly total: number }) {
  const { authorityReferenceName } = useCountry()
  return (
    <ExportButton
      name="received-invoices"
      heads={[...exportHeads, authorityReferenceName]}
      total={total}
      entries={() => risiti.receivedInvoices.list({ ...filterOf(search), sort: search.sort, limit: 100 })}
      row={(each) => [
        each.invoiceNumber,
        typeWords[each.invoiceType],
        each.issueDate,
        each.dueDate,
        each.seller.name,
        each.seller.taxId,
        payments[each.paymentStatus],
        each.currency,
        decimalOf(each.netMinor, each.currency),
        decimalOf(each.taxMinor, each.currency),
        decimalOf(each.inputVat.claimableMinor, each.currency),
        decimalOf(each.payableMinor, each.currency),
        each.authorityReference,
      ]}
    />
  )
}

function Row({ invoice, onLook }: { readonly invoice: ReceivedInvoice; readonly onLook: () => void }) {
  const { seller, currency, inputVat, validation } = invoice
  return (
    <tr>
      <th scope="row">
        {invoice.invoiceNumber}
        {invoice.invoiceType !== 'standard' && <div className="table-more">{typeWords[invoice.invoiceType]}</div>}
      </th>
      <td className="received-from">
        {seller.name ?? seller.taxId ?? 'Unknown'}
        {!validation.valid && (
          <div>
            <Badge tone="warn">Has errors</Badge>
          </div>
        )}
        {invoice.possibleDuplicates.length > 0 && (
          <div>
            <Badge tone="warn">Duplicate number</Badge>
          </div>
        )}
      </td>
      <td>
        {dayText(invoice.issueDate)}
        {invoice.dueDate && <div className="table-more">due {dayText(invoice.dueDate)}</div>}
      </td>
      <td>
        {/* A credit note is never paid, so the label "unpaid" would be wrong. */}
        {invoice.invoiceType === 'credit_note' && invoice.paymentStatus !== 'rejected' ? (
          '–'
        ) : (
          <Badge tone={invoice.overdue ? 'bad' : paymentTone[invoice.paymentStatus]}>
            {invoice.overdue ? 'Overdue' : payments[invoice.paymentStatus]}
          </Badge>
        )}
      </td>
      <td>
        <Badge tone={inputVat.claimable ? 'good' : 'neutral'}>
          {inputVat.claimable ? `${money(inputVat.claimableMinor, currency)} deductible` : 'Not deductible'}
        </Badge>
        <div className="table-more received-why">{withDays(inputVat.message)}</div>
      </td>
      <td className="table-amount">
        {money(signedMinor(invoice.payableMinor, invoice.invoiceType), currency)}
        <div className="table-more">{money(signedMinor(invoice.taxMinor, invoice.invoiceType), currency)} tax</div>
      </td>
      <td>
        <div className="table-actions">
          <Button aria-label={`View ${invoice.invoiceNumber}`} onClick={onLook}>
            View
          </Button>
        </div>
      </td>
    </tr>
  )
}

/** Invoices from before the connection arrive only on request. */
function Older() {
  const client = useQueryClient()
  const loading = useMutation({
    mutationFn: () => risiti.receivedInvoices.loadOlder(),
    onSuccess: async ({ loaded, hasMore }) => {
      say(
        loaded === 0
          ? 'There are no older invoices.'
          : `Older invoices loaded: ${loaded}.${hasMore ? ' There are more.' : ''}`,
      )
      await client.invalidateQueries({ queryKey: ['received'] })
    },
    onError: (error) => say(wordsOf(error)),
  })
  return (
    <Button busy={loading.isPending} onClick={() => loading.mutate()}>
      Load older invoices
    </Button>
  )
}

/** Sandbox only: sends an invoice as another business would. */
function FromOutside() {
  const { mode } = useSession()
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: () => risiti.receivedInvoices.sendFromOutside({}),
    onSuccess: async () => {
      say('A test invoice is on its way. It arrives within a minute.')
      await client.invalidateQueries({ queryKey: ['received'] })
    },
    onError: (error) => say(wordsOf(error)),
  })
  if (mode === 'live') return null
  return (
    <Button busy={sending.isPending} onClick={() => sending.mutate()}>
      Send me a test invoice
    </Button>
  )
}
