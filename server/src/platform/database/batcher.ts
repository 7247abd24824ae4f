/** Items in one batch, unless the caller says otherwise. */
const usualMost = 1_000

export interface Batcher<Item, Result> {
  /** joins the open batch; resolves with the result of that batch */
  add(item: Item): Promise<Result>
}

interface Batch<Item, Result> {
  readonly items: Item[]
  readonly result: Promise<Result>
}

/**
 * Combines concurrent calls. Items that arrive in one turn of the event loop form a batch, and items that arrive while a batch is running
 * form the next one.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result>,
  { mostTogether = usualMost, onIdle = () => {} } = {},
): Batcher<Item, Result> {
  /** the batch that is still open for more items */
  let next: Batch<Item, Result> | undefined
  /** ends when the last batch has ended */
  let underWay: Promise<unknown> | undefined

  function open(): Batch<Item, Result> {
    const items: Item[] = []
    const result = (underWay ?? nextTurn()).then(() => {
      if (next === batch) next = undefined
      return run(items)
    })
    const batch = { items, result }
    const over = result.then(ignore, ignore).then(() => {
      if (underWay !== over) return
      underWay = undefined
      onIdle()
    })
    underWay = over
    return batch
  }

  return {
    add(item) {
      if (!next || next.items.length >= mostTogether) next = open()
      next.items.push(item)
      return next.result
    },
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
const ignore = () => {}
