import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/logger.ts'
import { ownersOf, postponeBatch, queueUnended, takeLostBatch, waitBriefly } from './sending.store.ts'

type Transactions = Pick<Database, 'transaction' | 'run'>

/** Whoever recovers has batches of its own to renew: what is left after so long is taken up by the next look. */
const longestMs = 2_000
/** One that cannot be put back now lets the others pass for so long. */
const passedForMs = 60_000

/** What is left of one batch waits in the queue, or the batch stays as it is. Whose its deliveries are, it says itself: each tenant's are taken by themselves. */
const recoverBatch = (
  db: Transactions,
  ofTaker: string | undefined,
  passed: readonly string[],
  found: (id: string) => void,
): Promise<number | undefined> =>
  db.transaction(async (tx) => {
    const lost = await takeLostBatch(tx, ofTaker, passed)
    if (!lost) return undefined
    found(lost.id)
    await waitBriefly(tx)
    let queued = 0
    for (const { tenant, ids } of ownersOf(lost.deliveries)) queued += await queueUnended(tx, tenant, ids)
    return queued
  })

/**
 * Puts what is left of batches whose process died into the queue, or of one process that ends. Says how many deliveries that were. A batch that cannot be put
 * back is passed, and keeps none of the others.
 */
export async function recoverBatches(db: Transactions, log: Logger, ofTaker: string | undefined): Promise<number> {
  const until = performance.now() + longestMs
  const passed: string[] = []
  let queued = 0
  while (performance.now() < until) {
    let id: string | undefined
    try {
      const ofBatch = await recoverBatch(db, ofTaker, passed, (found) => {
        id = found
      })
      if (ofBatch === undefined) break
      queued += ofBatch
    } catch (error) {
      if (id === undefined) throw error
      log.warn('webhooks.batch_not_recovered', { reference: id, error })
      passed.push(id)
      await postponeBatch(db, id, passedForMs)
    }
  }
  return queued
}
