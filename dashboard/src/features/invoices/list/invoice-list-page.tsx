import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { wordsOf } from '../../../api/queries.ts'
import { useMay } from '../../../session/session.tsx'
import { EmptyState, Notice } from '../../../ui/index.ts'
import { PageHead } from '../../../ui/page-head.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { Views } from '../../../ui/views.tsx'
import { BulkSubmit } from './bulk-submit.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { InvoiceTable } from './invoice-table.tsx'
import { asOtherView, type ListSearch, readListSearch, setFilters } from './list-search.ts'
import { useInvoiceList } from './use-list.ts'
import './invoice-list.css'

/** What people look for most. */
const views: readonly { readonly name: string; readonly search: ListSearch }[] = [
  { name: 'All', search: {} },
  { name: 'Drafts', search: { status: 'draft' } },
  { name: 'Ready to submit', search: { status: 'finalised' } },
  { name: 'Needs attention', search: { reporting: 'needs_attention' } },
  { name: 'Overdue', search: { overdue: true } },
  { name: 'Paid', search: { paymentStatus: 'paid' } },
]

export function InvoiceListPage() {
  // The router lets through what nobody asked for.
  const search = readListSearch(useSearch({ from: '/inside/invoices' }))
  const list = useInvoiceList(search)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const filtered = setFilters(search)
  const create = useMay('invoice.create') && (
    <Link to="/invoices/new" className="button button-primary">
      New invoice
    </Link>
  )
  const page = list.data
  const rows = page?.data ?? []
  const chosen = rows.filter(({ id }) => selected.has(id))
  return (
    <>
      <PageHead title="Invoices">
        {page && page.pagination.total > 0 && <ExportButton search={search} total={page.pagination.total} />}
        {create}
      </PageHead>
      <Views label="Views of the list">
        {views.map(({ name, search: view }) => (
          <Link
            key={name}
            to="/invoices"
            search={{ ...view, sortBy: search.sortBy, sortOrder: search.sortOrder }}
            aria-current={isView(search, view) ? 'page' : undefined}
            {...asOtherView}
          >
            {name}
          </Link>
        ))}
      </Views>
      <FilterBar search={search} />
      {list.isError && <Notice tone="bad">{wordsOf(list.error)}</Notice>}
      {page && rows.length === 0 && (filtered.length > 0 || page.pagination.total > 0) && <NothingFound />}
      {page && page.pagination.total === 0 && filtered.length === 0 && (
        <EmptyState title="No invoices yet" action={create}>
          Write down who buys what, and Risiti works out the tax. Nothing leaves before you say so: a draft can be
          changed or thrown away.
        </EmptyState>
      )}
      {page && rows.length > 0 && (
        <>
          <BulkSubmit chosen={chosen} onDone={() => setSelected(new Set())} />
          <InvoiceTable
            rows={rows}
            search={search}
            selected={selected}
            onSelect={setSelected}
            busy={list.isPlaceholderData}
          />
          <Pagination
            {...page.pagination}
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

function isView(search: ListSearch, view: ListSearch): boolean {
  const set = setFilters(search)
  const wanted = setFilters(view)
  return set.length === wanted.length && wanted.every((name) => search[name] === view[name])
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
    No invoice is like that. Check the spelling, or look with fewer filters.
  </EmptyState>
)
