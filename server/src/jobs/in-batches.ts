/** So many batches in one run at most: then others get their turn, and the next run takes up what is left. */
const mostBatches = 10_000

/** Takes batch after batch until one is empty; says how much was taken in all. */
export async function inBatches(takeBatch: () => Promise<number>): Promise<number> {
  let total = 0
  for (let batches = 0; batches < mostBatches; batches++) {
    const taken = await takeBatch()
    if (taken === 0) return total
    total += taken
  }
  return total
}
