import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../../session/session.tsx'
import { ColumnChoice, useHiddenColumns } from '../../../ui/columns.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { EmptyState } from '../../../ui/index.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ExportInvoices } from './export-invoices.tsx'
import { InvoiceBulk } from './invoice-bulk.tsx'
import { InvoiceFilters } from './invoice-filters.tsx'
import { InvoiceTable, optionalColumns } from './invoice-table.tsx'
import { asOtherView, pageSizes, readListSearch, setFilters } from './list-search.ts'
import { noSelection, selectionFor } from './selection.ts'
import { Totals } from './totals.tsx'
import { useInvoiceList } from './use-list.ts'
import { ViewLinks } from './view-links.tsx'
import './invoice-list.css'

export function InvoiceListPage() {
  // The router passes unknown parameters on.
  const search = readListSearch(useSearch({ from: '/inside/invoices' }))
  const list = useInvoiceList(search)
  const navigate = useNavigate({ from: '/invoices' })
  const [kept, setSelection] = useState(() => noSelection(search))
  const selection = selectionFor(kept, search)
  const { hidden, show } = useHiddenColumns('Invoices')
  const filtered = setFilters(search)
  const create = useMay('invoice.create') && (
    <Link to="/invoices/new" className="button button-primary">
      <Icon name="plus" />
      New invoice
    </Link>
  )
  const page = list.data
  const rows = page?.data ?? []
  return (
    <>
      <PageHead title="Invoices">{create}</PageHead>
      <ViewLinks search={search} />
      <InvoiceFilters search={search}>
        {rows.length > 0 && (
          <>
            <div className="invoice-list-columns">
              <ColumnChoice names={optionalColumns} hidden={hidden} onShow={show} />
            </div>
            <ExportInvoices search={search} total={page?.pagination.total ?? 0} />
          </>
        )}
      </InvoiceFilters>
      {list.isError && (
        <div className="invoice-list-failure">
          <LoadFailure query={list} />
        </div>
      )}
      {list.isPending && <Skeleton />}
      {page && rows.length === 0 && (filtered.length > 0 || page.pagination.total > 0) && <NothingFound />}
      {page && page.pagination.total === 0 && filtered.length === 0 && (
        <EmptyState title="No invoices yet" action={create}>
          Enter the buyer and the lines, and Risiti calculates the tax. You can edit or delete a draft until you
          finalise it.
        </EmptyState>
      )}
      {page && (
        <InvoiceBulk
          selection={selection}
          search={search}
          total={page.pagination.total}
          isPageSelected={rows.length > 0 && rows.every(({ id }) => selection.rows.has(id))}
          onSelection={setSelection}
        />
      )}
      {page && rows.length > 0 && (
        <>
          <InvoiceTable
            rows={rows}
            search={search}
            selection={selection}
            onSelection={setSelection}
            hidden={hidden}
            busy={list.isPlaceholderData}
          />
          <Totals rows={rows} total={page.pagination.total} search={search} />
          <Pagination
            {...page.pagination}
            sizes={pageSizes}
            onSize={(size) =>
              void navigate({
                to: '/invoices',
                search: { ...search, page: undefined, limit: size === pageSizes[0] ? undefined : size },
                resetScroll: false,
              })
            }
            link={(number, words, isCurrent) => (
              <Link
                to="/invoices"
                search={{ ...search, page: number === 1 ? undefined : number }}
                aria-label={`Page ${number}`}
                aria-current={isCurrent ? 'page' : undefined}
                {...asOtherView}
              >
                {words}
              </Link>
            )}
          />
        </>
      )}
    </>
  )
}

const NothingFound = () => (
  <EmptyState
    title="Nothing found"
    action={
      <Link to="/invoices" search={{}} className="button">
        Clear all filters
      </Link>
    }
  >
    No invoice matches. Check the spelling, or use fewer filters.
  </EmptyState>
)
