import type { InvoiceSummary } from '@risiti/sdk'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { useSession } from '../../../session/session.tsx'
import { Badge, dayText, money, Table } from '../../../ui/index.ts'
import { paymentWords, statusWords, typeWords } from '../status-words.ts'
import { actionNames, bulkActions } from './bulk-actions.ts'
import { asOtherView, type ListSearch, type SortKey } from './list-search.ts'
import { type Selection, withRows } from './selection.ts'

export function InvoiceTable({
  rows,
  search,
  selection,
  onSelection,
  busy,
}: {
  readonly rows: readonly InvoiceSummary[]
  readonly search: ListSearch
  readonly selection: Selection
  readonly onSelection: (selection: Selection) => void
  readonly busy: boolean
}) {
  const { capabilities } = useSession()
  const hasPicks = actionNames.some((action) => capabilities.includes(bulkActions[action].needs))
  const isPicked = ({ id }: InvoiceSummary) => selection.isAll || selection.rows.has(id)
  const picked = rows.filter(isPicked).length
  return (
    <div className="invoice-list" aria-busy={busy || undefined}>
      <Table label="Invoices">
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
            <th scope="col" className="invoice-list-wide">
              Buyer
            </th>
            <SortHead by="invoiceDate" search={search} className="invoice-list-wide">
              Date
            </SortHead>
            <SortHead by="dueDate" search={search} className="invoice-list-wide">
              Due
            </SortHead>
            <th scope="col" className="invoice-list-wide">
              Status
            </th>
            <th scope="col" className="invoice-list-wide">
              Payment
            </th>
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
        <span aria-hidden="true">{order === undefined ? '' : order === 'ASC' ? ' ↑' : ' ↓'}</span>
      </Link>
    </th>
  )
}

const Row = memo(
  function Row({
    invoice,
    hasPicks,
    isPicked,
    selection,
    onSelection,
  }: {
    readonly invoice: InvoiceSummary
    readonly hasPicks: boolean
    readonly isPicked: boolean
    readonly selection: Selection
    readonly onSelection: (selection: Selection) => void
  }) {
    const { id, invoiceNumber, invoiceType, buyer, invoiceDate, dueDate, status, payableMinor, currency } = invoice
    const payment = paymentWords(invoice)
    const state = <Badge tone={statusWords[status].tone}>{statusWords[status].words}</Badge>
    const buyerName = buyer?.name ?? 'A consumer'
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
          <small className="invoice-list-narrow">{buyerName}</small>
        </th>
        <td className="invoice-list-wide invoice-list-buyer">{buyerName}</td>
        <td className="invoice-list-wide">{dayText(invoiceDate)}</td>
        <td className="invoice-list-wide">{dueDate ? dayText(dueDate) : '–'}</td>
        <td className="invoice-list-wide">{state}</td>
        <td className="invoice-list-wide">{payment ? <Badge tone={payment.tone}>{payment.words}</Badge> : '–'}</td>
        <td className="table-amount">
          {money(payableMinor, currency)}
          <div className="invoice-list-narrow">{state}</div>
        </td>
      </tr>
    )
  },
  (before, now) =>
    before.invoice === now.invoice &&
    before.hasPicks === now.hasPicks &&
    before.isPicked === now.isPicked &&
    before.selection === now.selection,
)
