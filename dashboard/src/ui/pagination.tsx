import type { Pagination as PageFigures } from '@risiti/sdk'
import type { ReactNode } from 'react'
import './pagination.css'
import { count } from './count.ts'

/** The first page, the last page and those around this one. `undefined` stands for a gap. */
export function shownPages(page: number, last: number): readonly (number | undefined)[] {
  const wanted = [1, page - 1, page, page + 1, last].filter((each) => each >= 1 && each <= last)
  const pages = [...new Set(wanted)].sort((one, other) => one - other)
  return pages.flatMap((each, index) => {
    const before = pages[index - 1]
    if (before === undefined || each === before + 1) return [each]
    // A gap of one page shows that page instead.
    return [each === before + 2 ? before + 1 : undefined, each]
  })
}

export function Pagination({
  page,
  limit,
  total,
  totalPages,
  label = 'Pages of the list',
  sizes = [],
  onSize,
  link,
}: PageFigures & {
  /** needed on a page with several lists */
  readonly label?: string
  /** the selectable rows per page, fewest first */
  readonly sizes?: readonly number[]
  readonly onSize?: (size: number) => void
  /** renders a link to a page, because only the feature knows its address */
  readonly link: (page: number, words: ReactNode, isCurrent: boolean) => ReactNode
}) {
  const first = (page - 1) * limit + 1
  const last = Math.min(page * limit, total)
  return (
    <nav className="pagination" aria-label={label}>
      <p>
        {total <= limit && page === 1
          ? `${count.format(total)} in all`
          : `${count.format(first)}–${count.format(last)} of ${count.format(total)}`}
      </p>
      {sizes[0] !== undefined && total > sizes[0] && (
        <label className="pagination-size">
          Rows per page
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
