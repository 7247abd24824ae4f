import type { Pagination as Told } from '@risiti/sdk'
import type { ReactNode } from 'react'
import { wordsOf } from '../api/queries.ts'
import { Notice } from './notice.tsx'
import { Pagination } from './pagination.tsx'
import { type Head, ListTable } from './table.tsx'

/** What is known of a list by now, as a query tells it. */
interface Known<Row> {
  readonly data: { readonly data: readonly Row[]; readonly pagination: Told } | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly isPlaceholderData: boolean
}

/** A page of a list as a table with the way to its other pages; or why nothing is there, which has two reasons. */
export function ListFrame<Row>({
  label,
  list: { data: known, isError, error, isPlaceholderData },
  heads,
  row,
  isFiltered,
  nothingYet,
  nothingFound,
  link,
}: {
  readonly label: string
  readonly list: Known<Row>
  readonly heads: readonly Head[]
  readonly row: (entry: Row) => ReactNode
  /** something narrows the list: that nothing is there need not mean that there is nothing */
  readonly isFiltered: boolean
  /** teaches what belongs here */
  readonly nothingYet: ReactNode
  /** leads back to all of it */
  readonly nothingFound: ReactNode
  readonly link: (page: number, words: ReactNode, isCurrent: boolean) => ReactNode
}) {
  if (isError) return <Notice tone="bad">{wordsOf(error)}</Notice>
  if (!known) return null
  const { data, pagination } = known
  if (data.length === 0) return isFiltered || pagination.total > 0 ? nothingFound : nothingYet
  return (
    <div aria-busy={isPlaceholderData || undefined}>
      <ListTable label={label} heads={heads}>
        {data.map(row)}
      </ListTable>
      <Pagination {...pagination} link={link} />
    </div>
  )
}
