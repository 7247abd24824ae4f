import type { InvoiceSummary } from '@risiti/sdk'
import { Link } from '@tanstack/react-router'
import { type Dispatch, memo, type ReactNode, type SetStateAction } from 'react'
import { useMay } from '../../../session/session.tsx'
import { Badge, dayText, money, Table } from '../../../ui/index.ts'
import { paymentWords, statusWords, typeWords } from '../status-words.ts'
import { canSubmit } from './can-submit.ts'
import { asOtherView, type ListSearch, type SortKey } from './list-search.ts'

export function InvoiceTable({
  rows,
  search,
  selected,
  onSelect,
  busy,
}: {
  readonly rows: readonly InvoiceSummary[]
  readonly search: ListSearch
  readonly selected: ReadonlySet<string>
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>
  readonly busy: boolean
}) {
  const maySubmit = useMay('invoice.submit')
  const submittable = maySubmit ? rows.filter(canSubmit) : []
  const allSelected = submittable.length > 0 && submittable.every(({ id }) => selected.has(id))
  function toggle(ids: readonly string[], on: boolean) {
    onSelect((before) => {
      const next = new Set(before)
      for (const id of ids) {
        if (on) next.add(id)
        else next.delete(id)
      }
      return next
    })
  }
  return (
    <div className="invoice-list" aria-busy={busy || undefined}>
      <Table label="Invoices">
        <thead>
          <tr>
            {submittable.length > 0 && (
              <td className="invoice-list-pick">
                <input
                  type="checkbox"
                  aria-label="Select all that are ready to submit"
                  checked={allSelected}
                  onChange={({ target }) =>
                    toggle(
                      submittable.map(({ id }) => id),
                      target.checked,
                    )
                  }
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
              hasPicks={submittable.length > 0}
              canPick={submittable.length > 0 && canSubmit(invoice)}
              isPicked={selected.has(invoice.id)}
              onPick={(on) => toggle([invoice.id], on)}
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
    canPick,
    isPicked,
    onPick,
  }: {
    readonly invoice: InvoiceSummary
    readonly hasPicks: boolean
    readonly canPick: boolean
    readonly isPicked: boolean
    readonly onPick: (on: boolean) => void
  }) {
    const { id, invoiceNumber, invoiceType, buyer, invoiceDate, dueDate, status, payableMinor, currency } = invoice
    const payment = paymentWords(invoice)
    const state = <Badge tone={statusWords[status].tone}>{statusWords[status].words}</Badge>
    const buyerName = buyer?.name ?? 'A consumer'
    return (
      <tr>
        {hasPicks && (
          <td className="invoice-list-pick">
            {canPick && (
              <input
                type="checkbox"
                aria-label={`Select ${invoiceNumber}`}
                checked={isPicked}
                onChange={({ target }) => onPick(target.checked)}
              />
            )}
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
  // The callback changes with every selection, but an unchanged row need not be rendered again.
  (before, now) =>
    before.invoice === now.invoice &&
    before.hasPicks === now.hasPicks &&
    before.canPick === now.canPick &&
    before.isPicked === now.isPicked,
)
