import type { Database } from '../../../platform/database/database.ts'
import type { Logger } from '../../../platform/logger.ts'
import { ownersOf, postponeBatch, queueUnended, takeLostBatch, waitBriefly } from './dispatch.store.ts'

type Transactions = Pick<Database, 'transaction' | 'run'>

/** Time limit, because this process must also renew its own batches. The next run continues. */
const longestMs = 2_000
/** A batch that cannot be requeued is skipped for this long. */
const passedForMs = 60_000

/**
 * Requeues the rest of a batch or leaves the batch unchanged. The batch names its tenants, which are handled one by
 * one.
 */
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
 * Requeues the rest of batches whose process died, or of a process that stops. Returns the number of deliveries. A
 * batch that fails is skipped and does not block the others.
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
