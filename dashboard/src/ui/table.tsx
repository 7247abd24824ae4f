import { type ReactNode, useLayoutEffect, useRef } from 'react'
import './table.css'

/** A table that may be wider than the window: then it is moved sideways by itself, by keyboard too. */
export const Table = ({
  label,
  className = '',
  children,
}: {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be moved sideways has to be reached without a mouse.
  <section className="table-frame" aria-label={label} tabIndex={0}>
    <table className={`table ${className}`}>{children}</table>
  </section>
)

/** The words above a column; of one with amounts `[words, 'amount']`, of the one with buttons `'actions'`. */
export type Head = string | readonly [words: string, as: 'amount'] | 'actions'

const wordsOfHead = (head: Head | undefined): string =>
  head === undefined || head === 'actions' ? '' : typeof head === 'string' ? head : head[0]

/** A table with a row for each thing. On a narrow window each of them is a card, in which every cell says what it holds. */
export function ListTable({
  label,
  heads,
  children,
}: {
  readonly label: string
  readonly heads: readonly Head[]
  /** the rows */
  readonly children: ReactNode
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  // Rows need not know the words above them; on a card the words stand beside the cell (`table.css`).
  useLayoutEffect(() => {
    for (const row of body.current?.rows ?? [])
      for (const cell of row.cells) cell.dataset.head = wordsOfHead(heads[cell.cellIndex])
  })
  return (
    <Table label={label} className="table-cards">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={wordsOfHead(head)} scope="col" className={typeof head === 'string' ? undefined : 'table-amount'}>
              {head === 'actions' ? <span className="visually-hidden">What you can do</span> : wordsOfHead(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>{children}</tbody>
    </Table>
  )
}
