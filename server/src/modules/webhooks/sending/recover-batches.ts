import type { Database } from '../../../platform/database/database.ts'
import { writeAllButRefused } from '../../../platform/database/write-all-but-refused.ts'
import { type Item, noteFailing } from '../../../platform/jobs/failing-items.ts'
import type { Logger } from '../../../platform/logger.ts'
import { inSavepoint } from '../../../platform/operations/savepoints.store.ts'
import {
  keepLostBatch,
  listSeen,
  postponeBatch,
  queueUnended,
  type TenantDeliveries,
  takeLostBatch,
  waitBriefly,
} from './dispatch.store.ts'

/** Time limit, because this process must also renew its own batches. The next run continues. */
const longestMs = 2_000
/** What cannot be requeued is tried again so much later. */
const passedForMs = 60_000

interface Recovered {
  readonly queued: number
  /** deliveries that the database refused, with its reason for each tenant */
  readonly refused: readonly { readonly item: Item; readonly error: unknown }[]
}

/**
 * Requeues the rest of a batch. The batch names its tenants, which are handled one by one. Deliveries that the database
 * refuses, or that are not committed yet, stay in the batch; the others are queued. Adds the batch to `seen`.
 */
const recoverBatch = (db: Database, ofTaker: string | undefined, seen: string[]): Promise<Recovered | undefined> =>
  db.transaction(async (tx) => {
    const lost = await takeLostBatch(tx, ofTaker, seen)
    if (!lost) return undefined
    seen.push(lost.id)
    await waitBriefly(tx)
    let queued = 0
    const left: TenantDeliveries[] = []
    const failures: Recovered['refused'][number][] = []
    for (const { ids, ...tenant } of lost.deliveries) {
      const known = await listSeen(tx, tenant, ids)
      const unseen = ids.filter((id) => !known.has(id))
      const { refused, error } = await writeAllButRefused(ids, async (some) => {
        queued += await inSavepoint(tx, () => queueUnended(tx, tenant, some))
      })
      const kept = [...new Set([...refused, ...unseen])]
      if (kept.length === 0) continue
      left.push({ ...tenant, ids: kept })
      failures.push(...refused.map((id) => ({ item: { ...tenant, id }, error })))
    }
    if (left.length > 0) await keepLostBatch(tx, { ...lost, deliveries: left }, passedForMs)
    return { queued, refused: failures }
  })

/**
 * Requeues the rest of batches whose process died, or of a process that stops. Returns the number of deliveries. A
 * delivery or a batch that fails is postponed and does not block the others.
 */
export async function recoverBatches(db: Database, log: Logger, ofTaker: string | undefined): Promise<number> {
  const until = performance.now() + longestMs
  const seen: string[] = []
  let queued = 0
  while (performance.now() < until) {
    const before = seen.length
    try {
      const recovered = await recoverBatch(db, ofTaker, seen)
      if (recovered === undefined) break
      queued += recovered.queued
      for (const { item, error } of recovered.refused)
        await noteFailing({ db, log }, 'webhooks.cannot_be_requeued', item, error)
    } catch (error) {
      const id = seen[before]
      if (id === undefined) throw error
      log.warn('webhooks.batch_not_recovered', { reference: id, error })
      await postponeBatch(db, id, passedForMs)
    }
  }
  return queued
}
