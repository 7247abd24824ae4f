import type { Pagination as Told } from '@risiti/sdk'
import type { ReactNode } from 'react'
import { wordsOf } from '../api/queries.ts'
import { Notice } from './notice.tsx'
import { Pagination } from './pagination.tsx'
import { Table } from './table.tsx'

/** What is known of a list by now, as a query tells it. */
interface Known<Row> {
  readonly data: { readonly data: readonly Row[]; readonly pagination: Told } | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly isPlaceholderData: boolean
}

/** The words above a column; of one with amounts `[words, 'amount']`, of the one with buttons `'actions'`. */
export type Head = string | readonly [words: string, as: 'amount'] | 'actions'

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
      <Table label={label}>
        <thead>
          <tr>
            {heads.map((head) =>
              head === 'actions' ? (
                <th key={head} scope="col">
                  <span className="visually-hidden">What you can do</span>
                </th>
              ) : typeof head === 'string' ? (
                <th key={head} scope="col">
                  {head}
                </th>
              ) : (
                <th key={head[0]} scope="col" className="table-amount">
                  {head[0]}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{data.map(row)}</tbody>
      </Table>
      <Pagination {...pagination} link={link} />
    </div>
  )
}
