import type { Reply } from '../shared/http.ts'
import { invalid, success } from './envelope.ts'

/** One page of what a search found. `items` is `null` when there are none, not `[]`. */
export function listReply(found: readonly object[], query: URLSearchParams): Reply {
  const page = positive(query, 'page', 1)
  const size = positive(query, 'size', 10)
  const end = page * size
  const items = sorted(found, query).slice(end - size, end)
  return success({
    items: items.length === 0 ? null : items,
    page: { page, size, hasNextPage: end < found.length, hasPreviousPage: page > 1, totalCount: found.length },
    attributes: null,
  })
}

function positive(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name)
  if (text === null || text === '') return otherwise
  if (!/^[1-9]\d{0,5}$/.test(text)) throw invalid(`${name} must be a positive number`)
  return Number(text)
}

/** As they came, when `sort_by` is absent or nothing that they have. */
function sorted(found: readonly object[], query: URLSearchParams): object[] {
  const field = query.get('sort_by') ?? ''
  const keyOf = (item: object): string => String(Object.entries(item).find(([name]) => name === field)?.[1] ?? '')
  const ascending = found.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0))
  return query.get('sort_direction_desc') === 'true' ? ascending.toReversed() : ascending
}
