import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import './table.css'

/**
 * A wide table scrolls sideways inside itself, also by keyboard. The heads of a table that fits stay in sight while the
 * page scrolls.
 */
export const Table = ({
  label,
  className = '',
  isList = false,
  children,
}: {
  readonly label: string
  readonly className?: string
  /** the list of the page: the keys j and k move through its rows */
  readonly isList?: boolean
  readonly children: ReactNode
}) => {
  const frame = useRef<HTMLDivElement>(null)
  const [isWide, setWide] = useState(false)
  useLayoutEffect(() => {
    const box = frame.current
    const table = box?.firstElementChild
    if (!box || !table) return
    const measure = () => setWide(table.scrollWidth > box.clientWidth + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    observer.observe(table)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={frame}
      className="table-frame"
      // A scrollable area must be reachable by keyboard, and have a name.
      {...(isWide ? { 'data-wide': true, role: 'group', 'aria-label': label, tabIndex: 0 } : {})}
    >
      <table className={`table ${className}`} aria-label={label} data-list={isList || undefined}>
        {children}
      </table>
    </div>
  )
}

/** A column's name. Amounts: `[name, 'amount']`. Buttons: `'actions'`. */
export type Head = string | readonly [words: string, as: 'amount'] | 'actions'

export const wordsOfHead = (head: Head | undefined): string =>
  head === undefined || head === 'actions' ? '' : typeof head === 'string' ? head : head[0]

/** On a narrow window each row is a card whose cells show their column's name. */
export function ListTable({
  label,
  heads,
  hidden,
  isList = false,
  children,
}: {
  readonly label: string
  readonly heads: readonly Head[]
  /** the names of columns that are not shown */
  readonly hidden?: ReadonlySet<string>
  readonly isList?: boolean
  readonly children: ReactNode
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  // Copies the column names to the cells, for the cards of `table.css`, and hides the cells of hidden columns.
  useLayoutEffect(() => {
    for (const row of body.current?.rows ?? [])
      for (const cell of row.cells) {
        const words = wordsOfHead(heads[cell.cellIndex])
        cell.dataset.head = words
        cell.hidden = hidden?.has(words) ?? false
      }
  })
  return (
    <Table label={label} className="table-cards" isList={isList}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th
              key={wordsOfHead(head)}
              scope="col"
              className={typeof head === 'string' ? undefined : 'table-amount'}
              hidden={hidden?.has(wordsOfHead(head))}
            >
              {head === 'actions' ? <span className="visually-hidden">Actions</span> : wordsOfHead(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>{children}</tbody>
    </Table>
  )
}
