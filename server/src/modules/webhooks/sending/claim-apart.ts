import type { Database } from '../../../platform/database/database.ts'
import { writeAllButRefused } from '../../../platform/database/write-all-but-refused.ts'
import { inSavepoint } from '../../../platform/operations/savepoints.store.ts'
import {
  beginAttempts,
  type ClaimedDelivery,
  type ClaimResult,
  lockDue,
  postponeQueued,
  type QueueClaim,
  type QueuedDelivery,
} from './dispatch.store.ts'

/** A delivery that the database refuses is tried again so much later. */
const refusedWaitMs = 60_000

interface ClaimedApart extends ClaimResult {
  /** deliveries that the database refused, and its first reason */
  readonly refused: readonly QueuedDelivery[]
  readonly error: unknown
}

/**
 * Like `claimQueued`, for when the database has refused that. One statement begins attempts of many organisations: it is repeated with ever fewer of
 * them, until it is clear which deliveries are at fault. The others are claimed.
 */
export function claimApart(db: Pick<Database, 'transaction'>, claim: QueueClaim): Promise<ClaimedApart> {
  return db.transaction(async (tx) => {
    const { due, reached } = await lockDue(tx, claim)
    const deliveries: ClaimedDelivery[] = []
    const { refused, error } = await writeAllButRefused(due, async (some) => {
      deliveries.push(...(await inSavepoint(tx, () => beginAttempts(tx, claim, some))))
    })
    if (refused.length > 0)
      await postponeQueued(
        tx,
        refused.map(({ id }) => id),
        refusedWaitMs,
      )
    return { deliveries, reached, refused, error }
  })
}
