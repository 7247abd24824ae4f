interface Span {
  readonly from: Date
  readonly to: Date
  readonly after: string | null
}

interface ListPage<Item> {
  readonly items: readonly Item[]
  /** how many pages there are */
  readonly pages: number
}

/**
 * Reads a list that begins with its newest from its end, so that whoever stops half-way has the oldest and goes on from there. The end of the
 * span is fixed at the first page, and goes along in what asks for the next: what comes meanwhile would push the rest to other pages.
 */
export async function fromTheOldest<Item extends { readonly at: Date }>(
  { from, to, after }: Span,
  now: Date,
  ask: (page: number, span: { readonly from: Date; readonly to: Date }) => Promise<ListPage<Item>>,
): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> {
  const [, given, end] = /^(\d{1,9})@(\d{1,16})$/.exec(after ?? '') ?? []
  const fixed = end === undefined ? new Date(Math.min(to.getTime(), now.getTime())) : new Date(Number(end))
  const span = { from, to: fixed }
  let page = Number(given ?? 1)
  let { items, pages } = await ask(page, span)
  if (given === undefined && pages > 1) {
    page = pages
    items = (await ask(page, span)).items
  }
  return {
    items: items
      .filter(({ at }) => at >= from && at < to)
      .toSorted((one, other) => one.at.getTime() - other.at.getTime()),
    next: page > 1 ? `${page - 1}@${fixed.getTime()}` : null,
  }
}
