import type { Pagination as Told } from '@risiti/sdk'
import type { ReactNode } from 'react'
import './pagination.css'
import { count } from './count.ts'

/** The first, the last and those around this one; a gap is `undefined`. */
export function shownPages(page: number, last: number): readonly (number | undefined)[] {
  const wanted = [1, page - 1, page, page + 1, last].filter((each) => each >= 1 && each <= last)
  const pages = [...new Set(wanted)].sort((one, other) => one - other)
  return pages.flatMap((each, index) => {
    const before = pages[index - 1]
    if (before === undefined || each === before + 1) return [each]
    // A gap of one page is that page.
    return [each === before + 2 ? before + 1 : undefined, each]
  })
}

/** Where one is in a list, and links to its other pages. */
export function Pagination({
  page,
  limit,
  total,
  totalPages,
  sizes = [],
  onSize,
  link,
}: Told & {
  /** how many a page may show, the fewest first, where one can choose */
  readonly sizes?: readonly number[]
  readonly onSize?: (size: number) => void
  /** a link to a page; the feature knows the address */
  readonly link: (page: number, words: ReactNode, isCurrent: boolean) => ReactNode
}) {
  const first = (page - 1) * limit + 1
  const last = Math.min(page * limit, total)
  return (
    <nav className="pagination" aria-label="Pages of the list">
      <p>
        {total <= limit && page === 1
          ? `${count.format(total)} in all`
          : `${count.format(first)}–${count.format(last)} of ${count.format(total)}`}
      </p>
      {sizes[0] !== undefined && total > sizes[0] && (
        <label className="pagination-size">
          Rows on a page
          <select value={limit} onChange={({ target }) => onSize?.(Number(target.value))}>
            {sizes.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </label>
      )}
      {totalPages > 1 && (
        <ol>
          {shownPages(page, totalPages).map((each, index) => (
            <li key={each ?? `gap ${index}`}>
              {each === undefined ? <span aria-hidden="true">…</span> : link(each, count.format(each), each === page)}
            </li>
          ))}
        </ol>
      )}
    </nav>
  )
}
