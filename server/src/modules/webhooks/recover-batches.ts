import type { Database } from '../../platform/database/database.ts'
import { queueUnended, takeLostBatch } from './sending.store.ts'

/** Processes leave a few when they die; should there ever be more, the next look takes up what is left. */
const mostBatches = 1_000

/** What is left of one batch waits in the queue, or the batch stays as it is. Whose its deliveries are, it says itself: each tenant's are taken by themselves. */
const recoverBatch = (db: Pick<Database, 'transaction'>, ofTaker: string | undefined): Promise<number | undefined> =>
  db.transaction(async (tx) => {
    const lost = await takeLostBatch(tx, ofTaker)
    if (!lost) return undefined
    let queued = 0
    for (const { tenant, ids } of lost) queued += await queueUnended(tx, tenant, ids)
    return queued
  })

/** Puts what is left of batches whose process died into the queue, or of one process that ends. Says how many deliveries that were. */
export async function recoverBatches(db: Pick<Database, 'transaction'>, ofTaker: string | undefined): Promise<number> {
  let queued = 0
  for (let batches = 0; batches < mostBatches; batches++) {
    const fromBatch = await recoverBatch(db, ofTaker)
    if (fromBatch === undefined) break
    queued += fromBatch
  }
  return queued
}
