import type { Cursor } from './cursors.ts'
import { invalid } from './refusals.ts'

export interface PageRequest {
  readonly page: number
  readonly limit: number
  /** the page begins behind this position, whatever `page` says */
  readonly after?: Cursor | undefined
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly page: number
  readonly limit: number
  /** the position of the last row, if there are more rows behind it */
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

/** Rows are read one further than the page: that one says whether there are more. */
export const readFor = ({ limit }: PageRequest): number => limit + 1

/** The page out of rows that were read one further (`readFor`). */
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

/** The same page, each row made into another thing. */
export const mapped = <From, To>(page: Page<From>, to: (row: From) => To): Page<To> => ({
  ...page,
  rows: page.rows.map(to),
})

export const totalPages = ({ total, limit }: { total: number; limit: number }): number => Math.ceil(total / limit)

export const wrongCursor = () =>
  invalid([{ path: 'after', rule: 'cursor', message: 'must be the nextCursor of a page of this list in this order' }])

const orderOfArrays = 'at'

/** A page of a list that is in memory and does not change: its cursors count entries. */
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

/** Counting goes so much further than the page: whoever reads on is told of more until there is none, and nobody counts a million. */
const countedAhead = 1_000

/** Up to how many rows are counted for a list whose total is bounded. */
export const countedFor = (page: PageRequest): number => offsetOf(page) + page.limit + countedAhead
