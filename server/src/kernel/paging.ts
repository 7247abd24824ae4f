import type { Cursor } from './cursors.ts'
import { invalid } from './refusals.ts'

export interface PageRequest {
  readonly page: number
  readonly limit: number
  /** Position that the page begins after. It overrides `page`. */
  readonly after?: Cursor | undefined
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly page: number
  readonly limit: number
  /** Position of the last row. Null if the page is the last. */
  readonly next: Cursor | null
}

export const offsetOf = ({ page, limit, after }: PageRequest): number => (after ? 0 : (page - 1) * limit)

export function pageOf<Row>(
  rows: readonly Row[],
  total: number,
  { page, limit }: PageRequest,
  next: Cursor | null,
): Page<Row> {
  return { rows, total, page, limit, next }
}

/** One row more than the page, to learn whether there are more. */
export const readFor = ({ limit }: PageRequest): number => limit + 1

/** Cuts rows that were read with `readFor` to the page. */
export function pageOfMore<Row>(
  rows: readonly Row[],
  total: number,
  request: PageRequest,
  cursorOf: (last: Row) => Cursor,
): Page<Row> {
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  return pageOf(shown, total, request, last !== undefined && rows.length > shown.length ? cursorOf(last) : null)
}

/** The same page with each row converted. */
export const mapped = <From, To>(page: Page<From>, to: (row: From) => To): Page<To> => ({
  ...page,
  rows: page.rows.map(to),
})

export const totalPages = ({ total, limit }: { total: number; limit: number }): number => Math.ceil(total / limit)

export const wrongCursor = () =>
  invalid([{ path: 'after', rule: 'cursor', message: 'must be the nextCursor of a page of this list in this order' }])

const orderOfArrays = 'at'

/** A page of an unchanging list in memory. Its cursors count entries. */
export function pageOfArray<Row>(all: readonly Row[], request: PageRequest): Page<Row> {
  const { after, limit } = request
  const [at, further] = after?.keys ?? []
  if (after && (after.order !== orderOfArrays || further !== undefined || !/^\d{1,9}$/.test(at ?? '')))
    throw wrongCursor()
  const from = after ? Number(at) : offsetOf(request)
  const end = from + limit
  const next = end < all.length ? { order: orderOfArrays, keys: [String(end)] } : null
  return pageOf(all.slice(from, end), all.length, request, next)
}

/**
 * Totals count at most this far beyond the page. A reader sees more pages until the end, and no query counts a million
 * rows.
 */
const countedAhead = 1_000

/** Number of rows to count for a list with a bounded total. */
export const countedFor = (page: PageRequest): number => offsetOf(page) + page.limit + countedAhead
