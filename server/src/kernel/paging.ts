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
