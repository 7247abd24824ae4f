import type { Pagination as PageInfo } from '@risiti/sdk'
import type { ReactNode } from 'react'
import { wordsOf } from '../api/queries.ts'
import { Notice } from './notice.tsx'
import { Pagination } from './pagination.tsx'
import { type Head, ListTable } from './table.tsx'

/** The state of a list's query. */
interface ListQuery<Row> {
  readonly data: { readonly data: readonly Row[]; readonly pagination: PageInfo } | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly isPlaceholderData: boolean
}

/** One page of a list with links to the others. An empty list has two reasons, each with its own text. */
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
  readonly list: ListQuery<Row>
  readonly heads: readonly Head[]
  readonly row: (entry: Row) => ReactNode
  /** with a filter, an empty page does not mean an empty list */
  readonly isFiltered: boolean
  /** explains what belongs here */
  readonly nothingYet: ReactNode
  /** leads back to the whole list */
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
