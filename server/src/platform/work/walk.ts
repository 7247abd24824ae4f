import { type Item, oneByOne, type Watch } from './failing-items.ts'

interface Walk<One extends Item> {
  /** the log name of a failure of one of them */
  readonly problem: string
  /** some that are due, in a fixed order, after one of them */
  findAfter(last: One | undefined): Promise<readonly One[]>
  work(item: One): Promise<unknown>
  /** what is left after this long waits for the next walk */
  readonly forMs?: number
}

const usualMs = 45_000
const mostPages = 10_000

/**
 * Does what is due of all owners, page by page. The walk only goes forward: items that fail stay due, and however many there are, they do not keep
 * the items behind them from their turn. Returns how many failed.
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
