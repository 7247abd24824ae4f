import type { collectionPort } from '../modules/collection/index.ts'

interface Span {
  readonly from: Date
  readonly to: Date
  readonly after: string | null
}

interface ListPage extends Omit<collectionPort.StatementPage, 'next'> {
  /** Number of pages. */
  readonly pages: number
}

/**
 * Reads a newest-first list from its end, so that a reader who stops half-way has the oldest entries and can continue.
 * The end of the span is fixed at the first page, because new entries would shift the rest to other pages.
 */
export async function fromTheOldest(
  { from, to, after }: Span,
  now: Date,
  ask: (page: number, span: { readonly from: Date; readonly to: Date }) => Promise<ListPage>,
): Promise<collectionPort.StatementPage> {
  const [, given, end] = /^(\d{1,9})@(\d{1,16})$/.exec(after ?? '') ?? []
  const fixed = end === undefined ? new Date(Math.min(to.getTime(), now.getTime())) : new Date(Number(end))
  const span = { from, to: fixed }
  let page = Number(given ?? 1)
  let read = await ask(page, span)
  if (given === undefined && read.pages > 1) {
    page = read.pages
    read = await ask(page, span)
  }
  const isWithin = ({ receivedAt: at }: collectionPort.Transfer) => at >= from && at < to
  return {
    transfers: read.transfers
      .filter(isWithin)
      .toSorted((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime()),
    unreadable: read.unreadable,
    next: page > 1 ? `${page - 1}@${fixed.getTime()}` : null,
  }
}
