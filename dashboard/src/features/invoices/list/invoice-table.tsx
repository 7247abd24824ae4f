import type { InvoiceSummary } from '@risiti/sdk'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { useSession } from '../../../session/session.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Badge, dayText, money, Table } from '../../../ui/index.ts'
import { paymentWords, signedMinor, statusWords, typeWords } from '../status-words.ts'
import { actionNames, bulkActions } from './bulk-actions.ts'
import { asOtherView, type ListSearch, type SortKey } from './list-search.ts'
import { type Selection, withRows } from './selection.ts'

interface Column {
  readonly name: string
  readonly sort?: SortKey
  readonly cell: (invoice: InvoiceSummary) => ReactNode
  readonly className?: string
}

const stateOf = ({ status }: InvoiceSummary) => (
  <Badge tone={statusWords[status].tone}>{statusWords[status].words}</Badge>
)
const buyerOf = ({ buyer }: InvoiceSummary): string => buyer?.name ?? 'A consumer'
const buyerLinkOf = (invoice: InvoiceSummary) =>
  invoice.buyer && invoice.buyerId ? (
    <Link to="/buyers/$id" params={{ id: invoice.buyerId }}>
      {invoice.buyer.name}
    </Link>
  ) : (
    buyerOf(invoice)
  )
const paymentOf = (invoice: InvoiceSummary) => {
  const payment = paymentWords(invoice)
  return payment ? <Badge tone={payment.tone}>{payment.words}</Badge> : '–'
}

/** Between the number and the amount, which are always shown. A narrow window has no room for them. */
const columns: readonly Column[] = [
  { name: 'Buyer', cell: buyerLinkOf, className: 'invoice-list-buyer' },
  { name: 'Date', sort: 'invoiceDate', cell: ({ invoiceDate }) => dayText(invoiceDate) },
  {
    name: 'Due',
    sort: 'dueDate',
    cell: ({ dueDate, nextDueDate }) => {
      const day = nextDueDate ?? dueDate
      return day ? dayText(day) : '–'
    },
  },
  { name: 'Status', cell: stateOf },
  { name: 'Payment', cell: paymentOf },
]
export const optionalColumns = columns.map(({ name }) => name)

export function InvoiceTable({
  rows,
  search,
  selection,
  onSelection,
  hidden,
  busy,
}: {
  readonly rows: readonly InvoiceSummary[]
  readonly search: ListSearch
  readonly selection: Selection
  readonly onSelection: (selection: Selection) => void
  /** the names of columns that are not shown */
  readonly hidden: ReadonlySet<string>
  readonly busy: boolean
}) {
  const { capabilities } = useSession()
  const hasPicks = actionNames.some((action) => capabilities.includes(bulkActions[action].needs))
  const isPicked = ({ id }: InvoiceSummary) => selection.isAll || selection.rows.has(id)
  const picked = rows.filter(isPicked).length
  const shown = columns.filter(({ name }) => !hidden.has(name))
  return (
    <div className="invoice-list" aria-busy={busy || undefined}>
      <Table label="Invoices" isList>
        <thead>
          <tr>
            {hasPicks && (
              <td className="invoice-list-pick">
                <input
                  type="checkbox"
                  aria-label="Select all on this page"
                  ref={(box) => {
                    if (box) box.indeterminate = picked > 0 && picked < rows.length
                  }}
                  checked={picked === rows.length}
                  onChange={({ target }) => onSelection(withRows(selection, rows, target.checked))}
                />
              </td>
            )}
            <SortHead by="invoiceNumber" search={search}>
              Number
            </SortHead>
            {shown.map(({ name, sort }) =>
              sort ? (
                <SortHead key={name} by={sort} search={search} className="invoice-list-wide">
                  {name}
                </SortHead>
              ) : (
                <th key={name} scope="col" className="invoice-list-wide">
                  {name}
                </th>
              ),
            )}
            <SortHead by="payableMinor" search={search} className="table-amount">
              Amount
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((invoice) => (
            <Row
              key={invoice.id}
              invoice={invoice}
              shown={shown}
              hasPicks={hasPicks}
              isPicked={isPicked(invoice)}
              selection={selection}
              onSelection={onSelection}
            />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

/** A second press reverses the order. */
function SortHead({
  by,
  search,
  className,
  children,
}: {
  readonly by: SortKey
  readonly search: ListSearch
  readonly className?: string
  readonly children: ReactNode
}) {
  const order = search.sortBy === by ? search.sortOrder : undefined
  return (
    <th
      scope="col"
      className={className}
      aria-sort={order === undefined ? undefined : order === 'ASC' ? 'ascending' : 'descending'}
    >
      <Link
        to="/invoices"
        className="table-sort"
        {...asOtherView}
        search={{ ...search, page: undefined, sortBy: by, sortOrder: order === 'DESC' ? 'ASC' : 'DESC' }}
      >
        {children}
        <Icon name={order === undefined ? 'sort' : order === 'ASC' ? 'sortUp' : 'sortDown'} />
      </Link>
    </th>
  )
}

const Row = memo(
  function Row({
    invoice,
    shown,
    hasPicks,
    isPicked,
    selection,
    onSelection,
  }: {
    readonly invoice: InvoiceSummary
    readonly shown: readonly Column[]
    readonly hasPicks: boolean
    readonly isPicked: boolean
    readonly selection: Selection
    readonly onSelection: (selection: Selection) => void
  }) {
    const { id, invoiceNumber, invoiceType, payableMinor, currency } = invoice
    return (
      <tr>
        {hasPicks && (
          <td className="invoice-list-pick">
            <input
              type="checkbox"
              aria-label={`Select ${invoiceNumber}`}
              checked={isPicked}
              onChange={({ target }) => onSelection(withRows(selection, [invoice], target.checked))}
            />
          </td>
        )}
        <th scope="row">
          <Link to="/invoices/$id" params={{ id }} className="invoice-list-link">
            {invoiceNumber}
          </Link>
          {invoiceType !== 'standard' && <small>{typeWords[invoiceType]}</small>}
          <small className="invoice-list-narrow">{buyerOf(invoice)}</small>
        </th>
        {shown.map(({ name, cell, className }) => (
          <td key={name} className={className ? `invoice-list-wide ${className}` : 'invoice-list-wide'}>
            {cell(invoice)}
          </td>
        ))}
        <td className="table-amount">
          {money(signedMinor(payableMinor, invoiceType), currency)}
          <div className="invoice-list-narrow">{stateOf(invoice)}</div>
        </td>
      </tr>
    )
  },
  (before, now) =>
    before.invoice === now.invoice &&
    before.shown.length === now.shown.length &&
    before.shown.every((column, at) => column === now.shown[at]) &&
    before.hasPicks === now.hasPicks &&
    before.isPicked === now.isPicked &&
    before.selection === now.selection,
)
