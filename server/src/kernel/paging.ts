export interface PageRequest {
  readonly page: number
  readonly limit: number
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly page: number
  readonly limit: number
}

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit

export function pageOf<Row>(rows: readonly Row[], total: number, { page, limit }: PageRequest): Page<Row> {
  return { rows, total, page, limit }
}

export const totalPages = ({ total, limit }: { total: number; limit: number }): number => Math.ceil(total / limit)

/** Counting goes so much further than the page: whoever reads on is told of more until there is none, and nobody counts a million. */
const countedAhead = 1_000

/** Up to how many rows are counted for a list whose total is bounded. */
export const countedFor = (page: PageRequest): number => offsetOf(page) + page.limit + countedAhead
