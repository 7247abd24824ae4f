import type { Pagination as PageInfo } from '@risiti/sdk'
import type { ReactNode } from 'react'
import { ColumnChoice, useHiddenColumns } from './columns.tsx'
import { FilterBar, type FilterBarContent } from './filter-bar.tsx'
import { LoadFailure } from './load-failure.tsx'
import { Pagination } from './pagination.tsx'
import { Skeleton } from './skeleton.tsx'
import { type Head, ListTable, wordsOfHead } from './table.tsx'
import './list-frame.css'

/** The state of a list's query. */
interface ListQuery<Row> {
  readonly data: { readonly data: readonly Row[]; readonly pagination: PageInfo } | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
  readonly isFetching: boolean
  readonly isPlaceholderData: boolean
}

/** One page of a list with links to the others. An empty list has two reasons, each with its own text. */
export function ListFrame<Row>({
  label,
  list,
  heads,
  row,
  filterBar,
  tools,
  bulk,
  isFiltered,
  nothingYet,
  nothingFound,
  link,
}: {
  readonly label: string
  readonly list: ListQuery<Row>
  readonly heads: readonly Head[]
  readonly row: (entry: Row) => ReactNode
  readonly filterBar?: FilterBarContent
  /** buttons above the list, such as its export */
  readonly tools?: (total: number) => ReactNode
  /** actions on the selected rows */
  readonly bulk?: ReactNode
  /** with a filter, an empty page does not mean an empty list */
  readonly isFiltered: boolean
  /** explains what belongs here */
  readonly nothingYet: ReactNode
  /** leads back to the whole list */
  readonly nothingFound: ReactNode
  readonly link: (page: number, words: ReactNode, isCurrent: boolean) => ReactNode
}) {
  const { hidden, show } = useHiddenColumns(label)
  const rows = list.data?.data ?? []
  // The first column names the row.
  const optional = heads.slice(1).map(wordsOfHead).filter(Boolean)
  const controls = rows.length > 0 && (
    <>
      {optional.length > 1 && <ColumnChoice names={optional} hidden={hidden} onShow={show} />}
      {tools?.(list.data?.pagination.total ?? 0)}
    </>
  )
  return (
    <>
      {filterBar ? (
        <FilterBar {...filterBar}>
          {filterBar.children}
          {controls}
        </FilterBar>
      ) : (
        <div className="list-tools">{controls}</div>
      )}
      {bulk}
      {list.isError && (
        <div className="list-failure">
          <LoadFailure query={list} />
        </div>
      )}
      {!list.data && !list.isError && <Skeleton />}
      {list.data && rows.length === 0 && (isFiltered || list.data.pagination.total > 0 ? nothingFound : nothingYet)}
      {list.data && rows.length > 0 && (
        <div className="list-frame" aria-busy={list.isPlaceholderData || undefined}>
          <ListTable label={label} heads={heads} hidden={hidden} isList>
            {rows.map(row)}
          </ListTable>
          <Pagination {...list.data.pagination} link={link} />
        </div>
      )}
    </>
  )
}
