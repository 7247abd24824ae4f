/** The most batches in one run: then other jobs get their turn, and the next run continues. */
const mostBatches = 10_000

/** Takes batch after batch until one is empty; returns the total. */
export async function inBatches(takeBatch: () => Promise<number>): Promise<number> {
  let total = 0
  for (let batches = 0; batches < mostBatches; batches++) {
    const taken = await takeBatch()
    if (taken === 0) return total
    total += taken
  }
  return total
}
