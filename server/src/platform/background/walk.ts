import { type Item, oneByOne, type Watch } from '../jobs/failing-items.ts'

interface Walk<One extends Item> {
  /** the log name for the failure of an item */
  readonly problem: string
  /** a page of due items in a fixed order, after the given one */
  findAfter(last: One | undefined): Promise<readonly One[]>
  work(item: One): Promise<unknown>
  /** what is left after this long waits for the next walk */
  readonly forMs?: number
}

const usualMs = 45_000
const mostPages = 10_000

/**
 * Runs the due items of all owners, page by page. The walk only goes forward: failed items stay due, but they never block the items after
 * them. Returns how many failed.
 */
export async function walk<One extends Item>(
  watch: Watch,
  { problem, findAfter, work, forMs = usualMs }: Walk<One>,
): Promise<number> {
  const until = Date.now() + forMs
  let failed = 0
  let last: One | undefined
  for (let pages = 0; pages < mostPages && Date.now() < until; pages++) {
    const items = await findAfter(last)
    last = items.at(-1)
    if (last === undefined) return failed
    failed += await oneByOne(watch, problem, items, async (item) => {
      if (Date.now() < until) await work(item)
    })
  }
  return failed
}
