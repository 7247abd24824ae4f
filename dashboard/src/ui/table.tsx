import { type ReactNode, useLayoutEffect, useRef } from 'react'
import './table.css'

/** A wide table scrolls sideways inside itself, also by keyboard. */
export const Table = ({
  label,
  className = '',
  children,
}: {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
  <section className="table-frame" aria-label={label} tabIndex={0}>
    <table className={`table ${className}`}>{children}</table>
  </section>
)

/** A column's name. Amounts: `[name, 'amount']`. Buttons: `'actions'`. */
export type Head = string | readonly [words: string, as: 'amount'] | 'actions'

const wordsOfHead = (head: Head | undefined): string =>
  head === undefined || head === 'actions' ? '' : typeof head === 'string' ? head : head[0]

/** On a narrow window each row is a card whose cells show their column's name. */
export function ListTable({
  label,
  heads,
  children,
}: {
  readonly label: string
  readonly heads: readonly Head[]
  readonly children: ReactNode
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  // Copies the column names to the cells, for the cards of `table.css`.
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
              {head === 'actions' ? <span className="visually-hidden">Actions</span> : wordsOfHead(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>{children}</tbody>
    </Table>
  )
}
